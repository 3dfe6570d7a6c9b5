"""One suite for the inbox in PostgreSQL and for its twin."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

import pytest

from rich_agent.errors import LaneLostError
from rich_agent.ports.inbox import Inbox, InboxRules, Lane, ReceivedUpdate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.concurrency import happens_within
from tests.twins.inbox import InMemoryInbox

OpenInbox = Callable[[InboxRules], AbstractAsyncContextManager[Inbox]]
Open = Callable[..., Coroutine[None, None, Inbox]]
DEADLINE_S = 30.0


@asynccontextmanager
async def _in_memory(rules: InboxRules) -> AsyncIterator[Inbox]:
    yield InMemoryInbox(rules)


def _postgres(url: str) -> OpenInbox:
    @asynccontextmanager
    async def opened(rules: InboxRules) -> AsyncIterator[Inbox]:
        async with open_pool(url, max_size=8) as pool, PostgresInbox(pool, rules) as inbox:
            yield inbox

    return opened


@pytest.fixture(params=["postgres", "in_memory"])
async def open_inbox(request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    """Opens an inbox by its rules."""
    kind: OpenInbox = _in_memory
    if request.param == "postgres":
        kind = _postgres(request.getfixturevalue("database_url"))
    async with AsyncExitStack() as stack:

        async def opened(rules: InboxRules | None = None) -> Inbox:
            return await stack.enter_async_context(kind(rules or InboxRules()))

        yield opened


def update(
    update_id: int,
    user_id: int = 42,
    *,
    raw: bytes = b"{}",
    group: str | None = None,
    urgent: bool = False,
    units: int | None = None,
) -> ReceivedUpdate:
    """An update of a user."""
    return ReceivedUpdate(update_id, user_id, raw, group, urgent, units)


async def claimed(inbox: Inbox, *, urgent: bool = False) -> Lane:
    """The next lane, awaited up to a deadline."""
    async with asyncio.timeout(DEADLINE_S):
        while (lane := await inbox.claim(urgent=urgent)) is None:
            await inbox.wait(1.0, urgent=urgent)
    return lane


def ids(lane: Lane) -> list[int]:
    """The update ids of a lane."""
    return [stored.update_id for stored in lane.updates]


@pytest.mark.req("DUR-2")
async def test_inbox_stores_an_update_that_comes_three_times_at_once_once(open_inbox: Open) -> None:
    """A known update_id is dropped, also when its copies race."""
    inbox = await open_inbox()
    stored = await asyncio.gather(*(inbox.store([update(1)]) for _ in range(3)))
    assert sorted(stored) == [0, 0, 1]
    await inbox.finish(await claimed(inbox))
    assert await inbox.claim() is None
    assert await inbox.store([update(1)]) == 0
    assert await inbox.claim() is None


async def test_inbox_counts_each_of_many_that_are_stored_at_once(open_inbox: Open) -> None:
    """Each caller learns how many of their own updates were new, also if some are copies."""
    inbox = await open_inbox()
    batches = [[update(n), update(n + 1)] for n in range(0, 40, 2)] + [[update(7)], []]
    stored = await asyncio.gather(*(inbox.store(batch) for batch in batches))
    assert sum(stored) == 40
    assert stored[-1] == 0
    assert (await inbox.depth()).pending == 40


async def test_inbox_keeps_what_others_store_when_one_gives_up(open_inbox: Open) -> None:
    """A cancelled caller withdraws only its own updates."""
    inbox = await open_inbox()
    async with asyncio.TaskGroup() as group:
        leaving = group.create_task(inbox.store([update(1)]))
        group.create_task(inbox.store([update(2)]))
        await asyncio.sleep(0)
        leaving.cancel()
    lane = await claimed(inbox)
    if ids(lane) == [1]:
        await inbox.finish(lane)
        lane = await claimed(inbox)
    assert ids(lane) == [2]


async def test_inbox_serves_one_user_in_order_and_others_meanwhile(open_inbox: Open) -> None:
    """A held lane blocks only its own user's next update."""
    inbox = await open_inbox()
    await inbox.store([update(1), update(2), update(3, user_id=7)])
    first, other = await claimed(inbox), await claimed(inbox)
    assert {first.user_id: ids(first), other.user_id: ids(other)} == {42: [1], 7: [3]}
    assert await inbox.claim() is None
    await inbox.finish(first if first.user_id == 42 else other)
    assert ids(await claimed(inbox)) == [2]


async def test_inbox_hands_out_every_update_once_to_many_workers(open_inbox: Open) -> None:
    """Four workers, 20 users, 5 updates each: all once, in each user's order."""
    inbox = await open_inbox()
    updates = [update(n * 20 + user, user_id=user + 1) for n in range(5) for user in range(20)]
    await inbox.store(updates)
    served: dict[int, list[int]] = {}
    held: set[int] = set()

    async def work() -> None:
        while lane := await inbox.claim():
            assert lane.user_id not in held
            held.add(lane.user_id)
            await asyncio.sleep(0)
            served.setdefault(lane.user_id, []).extend(ids(lane))
            held.remove(lane.user_id)
            await inbox.finish(lane)

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(work())
    assert served == {user + 1: [n * 20 + user for n in range(5)] for user in range(20)}


async def test_inbox_serves_who_waits_longest_before_who_writes_much(open_inbox: Open) -> None:
    """After each update, the user's lane goes to the end of the queue."""
    inbox = await open_inbox()
    await inbox.store([update(n) for n in range(1, 4)])
    await inbox.store([update(10, user_id=7)])
    first = await claimed(inbox)
    await inbox.finish(first)
    assert (ids(first), ids(await claimed(inbox))) == ([1], [10])


async def test_inbox_gives_the_lane_of_a_silent_worker_to_another(open_inbox: Open) -> None:
    """When a lease ends the update is handed out again, as a second attempt."""
    inbox = await open_inbox(InboxRules(lease_s=0.2))
    await inbox.store([update(1)])
    lost = await claimed(inbox)
    taken_over = await claimed(inbox)
    assert (ids(taken_over), taken_over.updates[0].attempt) == ([1], 2)
    assert taken_over.fence > lost.fence


async def test_inbox_refuses_whoever_lost_the_lane(open_inbox: Open) -> None:
    """A worker that comes back late can neither extend, finish, retry nor release."""
    inbox = await open_inbox(InboxRules(lease_s=0.1))
    await inbox.store([update(1)])
    lost = await claimed(inbox)
    taken_over = await claimed(inbox)
    for late in (inbox.extend(lost), inbox.finish(lost), inbox.release(lost, counted=True)):
        with pytest.raises(LaneLostError):
            await late
    with pytest.raises(LaneLostError):
        await inbox.retry(lost, "late", 0)
    await inbox.finish(taken_over)


async def test_inbox_refuses_an_old_fence_after_the_lane_was_deleted(open_inbox: Open) -> None:
    """Fences grow across the deletion of a lane."""
    inbox = await open_inbox()
    await inbox.store([update(1)])
    old = await claimed(inbox)
    await inbox.finish(old)
    await inbox.store([update(2)])
    new = await claimed(inbox)
    assert new.fence > old.fence
    with pytest.raises(LaneLostError):
        await inbox.finish(old)


async def test_inbox_keeps_an_extended_lane(open_inbox: Open) -> None:
    """A renewed lease outlives the first one."""
    inbox = await open_inbox(InboxRules(lease_s=2.0))
    await inbox.store([update(1)])
    lane = await claimed(inbox)
    for _ in range(4):
        await asyncio.sleep(0.6)
        await inbox.extend(lane)
        assert await inbox.claim() is None
    await inbox.finish(lane)


async def test_inbox_knows_without_asking_when_a_lease_has_run_out(open_inbox: Open) -> None:
    """A process that was paused for long may not act on what it looked up before."""
    inbox = await open_inbox(InboxRules(lease_s=1.0))
    await inbox.store([update(1)])
    lane = await claimed(inbox)
    assert inbox.is_leased(lane)
    await asyncio.sleep(0.6)
    await inbox.extend(lane)
    await asyncio.sleep(0.6)
    assert inbox.is_leased(lane)
    await asyncio.sleep(0.6)
    assert not inbox.is_leased(lane)


async def test_inbox_retries_after_a_delay_and_buries_after_the_last_attempt(
    open_inbox: Open,
) -> None:
    """A failed update comes back, counted; after the limit it is a dead letter."""
    inbox = await open_inbox(InboxRules(max_attempts=2))
    await inbox.store([update(1), update(2)])
    assert await inbox.retry(await claimed(inbox), "boom", 0.1) is True
    assert await inbox.claim() is None
    second = await claimed(inbox)
    assert (ids(second), second.updates[0].attempt) == ([1], 2)
    assert await inbox.retry(second, "boom", 0.1) is False
    assert ids(await claimed(inbox)) == [2]
    depth = await inbox.depth()
    assert (depth.pending, depth.dead) == (1, 1)


async def test_inbox_tells_how_long_an_update_waits_for_a_worker(open_inbox: Open) -> None:
    """One that was taken is not done, and waits for none any more."""
    inbox = await open_inbox(InboxRules())
    await inbox.store([update(1)])
    depth = await inbox.depth()
    assert 0 < depth.waiting_s < DEADLINE_S
    assert 0 < depth.oldest_s < DEADLINE_S
    await claimed(inbox)
    depth = await inbox.depth()
    assert depth.waiting_s == 0 < depth.oldest_s


async def test_inbox_buries_an_update_whose_workers_all_died(open_inbox: Open) -> None:
    """An update that ends its process is not tried for ever; the last one may say so."""
    inbox = await open_inbox(InboxRules(max_attempts=2, lease_s=0.05))
    await inbox.store([update(1)])
    attempts = [await claimed(inbox) for _ in range(3)]
    assert [lane.is_spent for lane in attempts] == [False, False, True]
    async with asyncio.timeout(DEADLINE_S):
        while (await inbox.depth()).dead == 0:
            assert await inbox.claim() is None
            await inbox.wait(0.1)
    assert (await inbox.depth()).pending == 0


async def test_inbox_buries_what_is_given_up_and_goes_on(open_inbox: Open) -> None:
    """A dead letter does not block the user's next message."""
    inbox = await open_inbox()
    await inbox.store([update(1), update(2)])
    lane = await claimed(inbox)
    await inbox.bury(lane, "a bug \x00")
    with pytest.raises(LaneLostError):
        await inbox.bury(lane, "again")
    assert ids(await claimed(inbox)) == [2]
    assert (await inbox.depth()).dead == 1


async def test_inbox_gives_a_released_lane_to_anyone_at_once(open_inbox: Open) -> None:
    """At shutdown the lane is free at once, without waiting for the lease."""
    inbox = await open_inbox(InboxRules(lease_s=60))
    await inbox.store([update(1)])
    await inbox.release(await claimed(inbox), counted=True)
    assert ids(await claimed(inbox)) == [1]


async def test_inbox_does_not_count_a_clean_hand_over(open_inbox: Open) -> None:
    """However often processes end in the middle of a turn, the turn is not given up."""
    inbox = await open_inbox(InboxRules(max_attempts=2))
    await inbox.store([update(1)])
    for _ in range(5):
        lane = await claimed(inbox)
        assert lane.updates[0].attempt == 1
        await inbox.release(lane, counted=False)
    await inbox.release(await claimed(inbox), counted=True)
    assert (await claimed(inbox)).updates[0].attempt == 2


@pytest.mark.req("TG-2")
async def test_inbox_hands_out_an_album_whole_and_in_order(open_inbox: Open) -> None:
    """Parts that come one by one are joined; the text behind them waits."""
    inbox = await open_inbox(InboxRules(album_quiet_s=0.3))
    for update_id in (3, 1, 2):
        await inbox.store([update(update_id, group="g")])
        assert await inbox.claim() is None
    await inbox.store([update(4)])
    lane = await claimed(inbox)
    assert ids(lane) == [1, 2, 3]
    await inbox.finish(lane)
    assert ids(await claimed(inbox)) == [4]


async def test_inbox_awaits_an_album_no_longer_than_the_limit(open_inbox: Open) -> None:
    """An endless album does not hold the lane forever."""
    inbox = await open_inbox(InboxRules(album_quiet_s=60, album_longest_s=0.2))
    await inbox.store([update(1, group="g"), update(2, group="g")])
    assert ids(await claimed(inbox)) == [1, 2]


@pytest.mark.req("TG-2")
async def test_inbox_hands_out_an_album_of_ten_whole(open_inbox: Open) -> None:
    """Its parts come over a while, each stored by itself, and a text waits behind it."""
    inbox = await open_inbox(InboxRules(album_quiet_s=0.3))
    for update_id in range(1, 11):
        await inbox.store([update(update_id, group="g")])
        assert await inbox.claim() is None
        await inbox.wait(0.05)
    await inbox.store([update(11, units=2)])
    assert ids(await claimed(inbox)) == list(range(1, 11))


async def test_inbox_keeps_together_what_was_handed_out_together(open_inbox: Open) -> None:
    """A part that comes late is a message of its own, also when the album is tried again."""
    inbox = await open_inbox(InboxRules(album_quiet_s=0.05))
    await inbox.store([update(1, group="g"), update(2, group="g")])
    first = await claimed(inbox)
    await inbox.store([update(3, group="g")])
    await inbox.retry(first, "boom", 0)
    again = await claimed(inbox)
    await inbox.finish(again)
    assert (ids(first), ids(again), ids(await claimed(inbox))) == ([1, 2], [1, 2], [3])


LONG, SHORT = 4096, 700


async def test_inbox_joins_the_pieces_of_a_long_text(open_inbox: Open) -> None:
    """The short last piece ends it at once; the next message is not part of it."""
    inbox = await open_inbox(InboxRules(text_gap_s=60))
    for update_id in (1, 2):
        await inbox.store([update(update_id, units=LONG)])
        assert await inbox.claim() is None
    await inbox.store([update(3, units=SHORT), update(4, units=SHORT)])
    lane = await claimed(inbox)
    assert ids(lane) == [1, 2, 3]
    await inbox.finish(lane)
    assert ids(await claimed(inbox)) == [4]


async def test_inbox_joins_pieces_that_are_stored_together(open_inbox: Open) -> None:
    """As polling brings them after a pause."""
    inbox = await open_inbox(InboxRules(text_gap_s=60))
    await inbox.store([update(1, units=LONG), update(2, units=LONG), update(3, units=SHORT)])
    assert ids(await claimed(inbox)) == [1, 2, 3]


async def test_inbox_awaits_the_next_piece_no_longer_than_the_gap(open_inbox: Open) -> None:
    """A long text may also be all there is."""
    inbox = await open_inbox(InboxRules(text_gap_s=2.0))
    await inbox.store([update(1, units=LONG)])
    assert await inbox.claim() is None
    lane = await claimed(inbox)
    await inbox.store([update(2, units=SHORT)])
    await inbox.finish(lane)
    assert (ids(lane), ids(await claimed(inbox))) == ([1], [2])


@pytest.mark.parametrize(
    "between",
    [
        update(2, urgent=True),  # a command
        update(2, group="g"),  # a photo
        update(2),  # an edit
    ],
    ids=["command", "photo", "edit"],
)
async def test_inbox_parts_a_long_text_where_something_else_came(
    open_inbox: Open, between: ReceivedUpdate
) -> None:
    """The next text is a separate message."""
    inbox = await open_inbox(InboxRules(text_gap_s=60))
    await inbox.store([update(1, units=LONG), between, update(3, units=SHORT)])
    assert ids(await claimed(inbox)) == [1]


async def test_inbox_joins_no_short_text(open_inbox: Open) -> None:
    """Two messages in quick succession are two questions."""
    inbox = await open_inbox()
    await inbox.store([update(1, units=SHORT), update(2, units=SHORT)])
    assert ids(await claimed(inbox)) == [1]


async def test_inbox_drops_what_is_over_the_cap_and_marks_the_first(open_inbox: Open) -> None:
    """One notice for a burst; commands are counted on their own; so is another user."""
    inbox = await open_inbox(InboxRules(max_pending=3))
    assert await inbox.store([update(n) for n in range(1, 6)]) == 5
    assert await inbox.store([update(n) for n in range(6, 9)]) == 3
    assert await inbox.store([update(9, urgent=True), update(10, user_id=7)]) == 2
    notice = await claimed(inbox, urgent=True)
    assert [(u.update_id, u.over_cap) for u in notice.updates] == [(4, True)]
    await inbox.finish(notice)
    command = await claimed(inbox, urgent=True)
    assert [(u.update_id, u.over_cap) for u in command.updates] == [(9, False)]
    await inbox.finish(command)
    served = []
    while lane := await inbox.claim():
        served += ids(lane)
        await inbox.finish(lane)
    assert sorted(served) == [1, 2, 3, 10]
    assert await inbox.claim(urgent=True) is None


async def test_inbox_tells_again_of_the_next_burst_only(open_inbox: Open) -> None:
    """A burst ends when nothing of the user waits any more."""
    inbox = await open_inbox(InboxRules(max_pending=1))
    await inbox.store([update(1), update(2)])
    await inbox.finish(await claimed(inbox, urgent=True))
    await inbox.finish(await claimed(inbox))
    await inbox.store([update(3), update(4)])
    assert ids(await claimed(inbox, urgent=True)) == [4]
    lane = await claimed(inbox)
    assert ids(lane) == [3]
    # The message in hand still counts.
    await inbox.store([update(5)])
    await inbox.finish(lane)
    assert await inbox.claim() is None


async def test_inbox_cap_holds_for_many_receivers_at_once(open_inbox: Open) -> None:
    """40 deliveries race; exactly as many wait as may, and one is told."""
    inbox = await open_inbox(InboxRules(max_pending=5))
    await asyncio.gather(*(inbox.store([update(n)]) for n in range(1, 41)))
    assert (await inbox.depth()).pending == 6
    notice = await claimed(inbox, urgent=True)
    await inbox.finish(notice)
    assert await inbox.claim(urgent=True) is None
    assert (await inbox.depth()).pending == 5


async def test_inbox_drops_a_repeated_delivery_over_the_cap_too(open_inbox: Open) -> None:
    """A dropped update is known: it does not come back as new."""
    inbox = await open_inbox(InboxRules(max_pending=1))
    await inbox.store([update(1), update(2), update(3)])
    assert await inbox.store([update(2), update(3)]) == 0
    await inbox.finish(await claimed(inbox, urgent=True))
    await inbox.finish(await claimed(inbox))
    assert await inbox.store([update(3)]) == 0
    assert await inbox.claim() is None


async def test_inbox_hands_out_urgent_updates_of_a_held_lane(open_inbox: Open) -> None:
    """A button press does not wait for the turn that runs."""
    inbox = await open_inbox()
    await inbox.store([update(1), update(2)])
    running = await claimed(inbox)
    await inbox.store([update(3, urgent=True)])
    assert await inbox.claim() is None
    press = await claimed(inbox, urgent=True)
    assert (ids(running), ids(press)) == ([1], [3])
    await inbox.finish(press)
    await inbox.finish(running)
    assert ids(await claimed(inbox)) == [2]


async def test_inbox_lends_a_user_to_the_terminal(open_inbox: Open) -> None:
    """A lane held without an update holds back the user's messages until it is finished."""
    inbox = await open_inbox()
    lane = await inbox.claim_user(42)
    assert lane is not None
    assert await inbox.claim_user(42) is None
    await inbox.store([update(1)])
    assert await inbox.claim() is None
    await inbox.finish(lane)
    served = await claimed(inbox)
    assert ids(served) == [1]
    assert await inbox.claim_user(42) is None
    await inbox.finish(served)
    free = await inbox.claim_user(42)
    assert free is not None
    await inbox.release(free, counted=True)


async def test_inbox_tells_what_waits_behind_a_lane(open_inbox: Open) -> None:
    """Updates never handed out, an album once, nothing of other users."""
    inbox = await open_inbox()
    await inbox.store([update(1)])
    lane = await claimed(inbox)
    assert await inbox.waiting_updates(lane) == ()
    await inbox.store([update(2, raw=b"two"), update(9, user_id=7)])
    await inbox.store([update(3, group="g", raw=b"three"), update(4, group="g")])
    waiting = await inbox.waiting_updates(lane)
    assert [(stored.update_id, stored.raw) for stored in waiting] == [(2, b"two"), (3, b"three")]
    await inbox.store([update(n) for n in range(20, 30)])
    assert [stored.update_id for stored in await inbox.waiting_updates(lane)] == [2, 3, 20]


async def test_inbox_counts_a_long_text_that_waits_once(open_inbox: Open) -> None:
    """The user is told of the text, not of its pieces."""
    inbox = await open_inbox(InboxRules(text_gap_s=60))
    await inbox.store([update(1)])
    lane = await claimed(inbox)
    await inbox.store([update(2, units=LONG), update(3, units=SHORT), update(4, units=SHORT)])
    assert [stored.update_id for stored in await inbox.waiting_updates(lane)] == [2, 4]


@pytest.mark.parametrize("raw", [b"", b"\x00\xff garbage \x00", b'{"text": "\\ud800"}'])
async def test_inbox_keeps_bytes_that_no_text_column_would(open_inbox: Open, raw: bytes) -> None:
    """Whatever came with the right secret is kept as it came."""
    inbox = await open_inbox()
    await inbox.store([update(-5, user_id=0, raw=raw)])
    assert (await claimed(inbox)).updates[0].raw == raw


async def test_inbox_wait_ends_when_an_update_is_stored(open_inbox: Open) -> None:
    """A worker that waits is woken, not found by the poll."""
    inbox = await open_inbox()
    async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
        waiting = group.create_task(inbox.wait(60))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await inbox.store([update(1)])


async def test_inbox_wait_ends_after_its_time(open_inbox: Open) -> None:
    """Without any news the poll goes on."""
    inbox = await open_inbox()
    async with asyncio.timeout(DEADLINE_S):
        await inbox.wait(0.05)


async def test_inbox_depth_tells_count_and_age(open_inbox: Open) -> None:
    """An operator looks at these first."""
    inbox = await open_inbox()
    assert (await inbox.depth()).pending == 0
    await inbox.store([update(1), update(2)])
    depth = await inbox.depth()
    assert depth.pending == 2
    assert 0 <= depth.oldest_s < DEADLINE_S


async def test_inbox_postpones_without_counting_the_attempt(open_inbox: Open) -> None:
    """An answer that waits for its chat is no failed update, however often it waits."""
    inbox = await open_inbox(InboxRules(max_attempts=2))
    await inbox.store([update(1)])
    for _ in range(3):
        lane = await claimed(inbox)
        assert lane.updates[0].attempt == 1
        assert await inbox.postpone(lane, "closed", 0.0)
    lane = await claimed(inbox)
    assert await inbox.postpone(lane, "closed", 60.0)
    assert await inbox.claim() is None
    with pytest.raises(LaneLostError):
        await inbox.postpone(lane, "closed", 0.0)


async def test_inbox_holds_a_turn_until_its_model_may_be_asked(open_inbox: Open) -> None:
    """However often: no attempt is counted, what came later waits behind, the depth tells of it."""
    inbox = await open_inbox(InboxRules(max_attempts=2, longest_postponed_s=0.0))
    await inbox.store([update(1), update(2)])
    for holds in range(4):
        lane = await claimed(inbox)
        (one,) = lane.updates
        assert (one.update_id, one.attempt, one.holds) == (1, 1, holds)
        assert (one.held_s > 0) is (holds > 0)
        assert not lane.is_spent
        await inbox.hold(lane, "busy", 0.0)
    await inbox.hold(await claimed(inbox), "busy", 60.0)
    assert await inbox.claim() is None
    depth = await inbox.depth()
    assert (depth.pending, depth.held, depth.dead) == (2, 1, 0)


async def test_inbox_holds_what_was_urgent_in_the_ordinary_lane(open_inbox: Open) -> None:
    """A question asked again by a command waits; the commands after it do not."""
    inbox = await open_inbox(InboxRules())
    await inbox.store([update(1, urgent=True)])
    lane = await inbox.claim(urgent=True)
    assert lane
    await inbox.hold(lane, "busy", 60.0)
    assert await inbox.claim() is None
    await inbox.store([update(2, urgent=True)])
    after = await inbox.claim(urgent=True)
    assert after
    assert [one.update_id for one in after.updates] == [2]


async def test_inbox_buries_what_was_postponed_for_too_long(open_inbox: Open) -> None:
    """Whatever can never be delivered does not hold up what its user writes next."""
    inbox = await open_inbox(InboxRules(longest_postponed_s=0.0))
    await inbox.store([update(1), update(2)])
    assert not await inbox.postpone(await claimed(inbox), "closed", 60.0)
    assert ids(await claimed(inbox)) == [2]
    assert (await inbox.depth()).dead == 1


async def test_inbox_prunes_what_is_done_and_nothing_else(open_inbox: Open) -> None:
    """Retention leaves waiting updates alone."""
    inbox = await open_inbox()
    await inbox.store([update(1), update(2)])
    await inbox.finish(await claimed(inbox))
    assert await inbox.prune(days=1) == 0
    assert await inbox.prune(days=-1) == 1
    assert ids(await claimed(inbox)) == [2]


async def test_inbox_lets_through_what_ends_its_block(database_url: str) -> None:
    """As it is, not in a group: the command line has words for it."""

    async def fail() -> None:
        async with open_pool(database_url, max_size=2) as pool, PostgresInbox(pool) as inbox:
            await inbox.wait(0.01)
            raise LaneLostError("from the block")

    with pytest.raises(LaneLostError):
        await fail()


async def test_inbox_caps_commands_and_presses_too(open_inbox: Open) -> None:
    """Updates over the cap are known, and not answered; the bot's own updates have no cap."""
    inbox = await open_inbox(InboxRules(max_pending=2))
    own = [update(-n, urgent=True) for n in range(1, 4)]
    assert await inbox.store([*own, *(update(n, urgent=True) for n in range(1, 9))]) == 11
    assert await inbox.store([update(8, urgent=True), update(9, urgent=True)]) == 1
    served = []
    while lane := await inbox.claim(urgent=True):
        served += ids(lane)
        await inbox.finish(lane)
    assert sorted(served) == [-3, -2, -1, 1, 2]
    await inbox.store([update(10, urgent=True)])
    assert ids(await claimed(inbox, urgent=True)) == [10]


async def test_inbox_leaves_only_the_name_of_a_command(open_inbox: Open) -> None:
    """Words that followed are not there for another try; any other update stays as it is."""
    inbox = await open_inbox(InboxRules())
    said = {1: "/login https://dav.example anna s3cret", 2: "I login with s3cret"}
    raws = {n: json.dumps({"update_id": n, "message": {"text": t}}) for n, t in said.items()}
    await inbox.store([update(n, urgent=n == 1, raw=raw.encode()) for n, raw in raws.items()])
    lane = await claimed(inbox, urgent=True)
    for number in said:
        await inbox.shorten_command(number, "login")
    await inbox.release(lane, counted=False)
    (again,) = (await claimed(inbox, urgent=True)).updates
    assert json.loads(again.raw)["message"] == {"text": "/login"}
    (other,) = (await claimed(inbox)).updates
    assert other.raw == raws[2].encode()


async def test_inbox_hearing_from_tells_of_what_a_user_sends(open_inbox: Open) -> None:
    """The holder of a lane need not look for further messages."""
    inbox = await open_inbox()
    await inbox.store([ReceivedUpdate(1, 42, b"{}")])
    assert await inbox.claim()
    async with inbox.hearing_from(42) as news:
        assert not news.is_set()
        await inbox.store([ReceivedUpdate(2, 42, b"{}")])
        assert await happens_within(news, DEADLINE_S)


@pytest.mark.req("DUR-2")
async def test_inbox_keeps_the_place_of_a_user_who_was_told_to_wait(open_inbox: Open) -> None:
    """Users who were told come before later ones, once, and without a counted attempt."""
    inbox = await open_inbox()
    await inbox.store([update(1, user_id=1)])
    await inbox.store([update(2, user_id=2)])
    assert await inbox.claim_untold(60.0) is None
    told = await inbox.claim_untold(0.0)
    assert told is not None
    assert await inbox.place_of(told) == 1
    async with inbox.count_attempt(told):
        await inbox.put_back(told)
    second = await inbox.claim_untold(0.0)
    assert second is not None
    assert (told.user_id, second.user_id) == (1, 2)
    assert await inbox.place_of(second) == 2
    async with inbox.count_attempt(second):
        await inbox.put_back(second)
    assert await inbox.claim_untold(0.0) is None
    served = [await claimed(inbox), await claimed(inbox)]
    assert [lane.user_id for lane in served] == [1, 2]
    assert [lane.updates[0].attempt for lane in served] == [1, 1]


async def test_inbox_tells_a_user_whom_no_notice_reached(open_inbox: Open) -> None:
    """A notice that Telegram's limits held back is tried again, in the same place."""
    inbox = await open_inbox()
    await inbox.store([update(1, user_id=1)])
    await inbox.store([update(2, user_id=2)])
    for _ in range(2):
        lane = await inbox.claim_untold(0.0)
        assert lane is not None
        assert lane.user_id == 1
        async with inbox.count_attempt(lane):
            await inbox.put_back(lane, told=False)
    served = await claimed(inbox)
    assert (served.user_id, served.updates[0].attempt) == (1, 1)


async def test_inbox_tells_a_user_again_of_the_next_message(open_inbox: Open) -> None:
    """A notice is for the message that waits, not for those after it."""
    inbox = await open_inbox()
    await inbox.store([update(1), update(2)])
    told = await inbox.claim_untold(0.0)
    assert told is not None
    await inbox.put_back(told)
    await inbox.finish(await claimed(inbox))
    again = await inbox.claim_untold(0.0)
    assert again is not None
    assert ids(again) == [2]
    with pytest.raises(LaneLostError):
        await inbox.put_back(told)
