"""Attempts that end their process, and all others, as several processes see them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext

import pytest

from rich_agent.composition.lone_processes import end_when_idle
from rich_agent.errors import DatabaseUnavailableError, LaneLostError
from rich_agent.ports.inbox import InboxRules, Lane, ReceivedUpdate
from rich_agent.ports.operations import SetAsideError, Work
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.fencing import note_progress
from tests.integration.catalogue import execute, read
from tests.integration.telegram_support import until
from tests.integration.test_new_updates import end_listener
from tests.integration.test_presence import claimed, replace_function

RULES = InboxRules(lease_s=600)
ADA, BOB, EVE = 42, 43, 44
LESSON = Work("lesson", 7, ADA)
DIED = "INSERT INTO attempts (kind, key, user_id, holder) VALUES ('lesson', 7, 42, {})"
"""An attempt at the lesson by a process that is gone."""
DIED_ALONE = """
INSERT INTO attempts (kind, key, user_id, holder, has_ended, ended_alone)
SELECT '{}', 7, 42, n, true, true FROM generate_series(1, 2) AS n
"""
DIED_TWICE = """
INSERT INTO attempts (kind, key, user_id, holder, has_ended)
SELECT kind, key, user_id, 7, true FROM attempts
"""
CUT_AT_COMMIT = (
    """
    CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
    """,
    """
    CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON telegram_inbox DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.attempts > OLD.attempts) EXECUTE FUNCTION cut()
    """,
)


@asynccontextmanager
async def process(url: str, *, launch: int | None = None) -> AsyncIterator[PostgresInbox]:
    """A process; what it has not ended when the block is left, ended with it."""
    async with (
        asyncio.timeout(60),
        open_pool(url, max_size=4) as pool,
        PostgresInbox(pool, RULES) as inbox,
    ):
        if launch is not None:
            inbox.attempts.isolate(launch)
        yield inbox


async def hold(inbox: PostgresInbox, *users: int) -> None:
    """One update of each user."""
    await inbox.store([ReceivedUpdate(user, user, b"{}") for user in users])


async def all_claimed(inbox: PostgresInbox) -> list[Lane]:
    """Every lane that can be had at once, once the dead process is noticed."""
    lanes = [await claimed(inbox)]
    # The other lanes of the dead process were freed with this one.
    while lane := await inbox.claim():
        lanes.append(lane)
    return lanes


def counted(url: str) -> int:
    """The number of attempts that count."""
    return len(read(url, "SELECT kind, key, holder FROM attempts"))


async def test_kills_of_shared_processes_set_nothing_aside(database_url: str) -> None:
    """However many come: from its second on, the one suspect waits for a lone process."""
    async with process(database_url) as first:
        await hold(first, ADA, BOB, EVE)
        assert len(await all_claimed(first)) == 3
    suspects = set()
    for _ in range(3):
        async with process(database_url) as shared:
            (alone,) = await all_claimed(shared)
            suspects.add(alone.user_id)
    async with process(database_url) as shared:
        await hold(shared, 45)
        assert (await claimed(shared)).user_id == 45
        await until(shared.attempts.has_lone_work)
        assert await shared.claim() is None
    assert suspects == {ADA, BOB, EVE}
    async with process(database_url, launch=1) as lone:
        for _ in suspects:
            lane = await claimed(lone)
            async with lone.count_attempt(lane):
                assert not lane.is_spent
                assert await lone.claim() is None
                assert lone.attempts.is_under_way
                await lone.finish(lane)
        assert not await lone.attempts.has_lone_work()
        assert not lone.attempts.is_under_way
    assert read(database_url, "SELECT user_id FROM attempts") == {(45,)}


async def test_lone_process_that_ends_twice_condemns_its_work(database_url: str) -> None:
    """Only if its parent saw it each time, and it had nothing else at hand."""
    async with process(database_url) as parent:
        await hold(parent, ADA)
        await claimed(parent)
    execute(database_url, "UPDATE attempts SET has_ended = true", DIED_TWICE)
    for launch, is_seen in ((1, False), (2, True), (3, True)):
        async with process(database_url, launch=launch) as lone:
            assert not (await claimed(lone)).is_spent
        async with process(database_url) as parent:
            if is_seen:
                await parent.attempts.note_lone_end(launch)
    async with process(database_url) as parent:
        assert (await claimed(parent)).is_spent
        execute(database_url, DIED.format(8))
        execute(database_url, "UPDATE attempts SET ended_alone = false, launch = 9")
        await parent.attempts.note_lone_end(9)
        assert not read(database_url, "SELECT 1 FROM attempts WHERE ended_alone")


async def test_ends_of_two_messages_are_not_added_up(database_url: str) -> None:
    """Each ended a process once: none of them needs one of its own."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        await claimed(inbox)
    other = DIED_TWICE.replace("SELECT kind, key,", "SELECT kind, key + 1,")
    execute(database_url, "UPDATE attempts SET has_ended = true", other)
    async with process(database_url) as inbox:
        assert not (await claimed(inbox)).is_spent


async def test_suspect_that_stored_a_step_is_none_any_more(database_url: str) -> None:
    """It may be interrupted as often as it likes, and leaves the place to the next."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA, BOB)
        await all_claimed(inbox)
    for _ in range(3):
        async with process(database_url) as inbox:
            lane = await claimed(inbox)
            assert not lane.is_spent
            assert lane.updates[0].attempt <= 2  # kills use up none
            async with inbox.count_attempt(lane):
                assert await inbox.claim() is None
                await note_progress()
                assert inbox.attempts.is_under_way
                other = await claimed(inbox)
                await inbox.release(other, counted=False)


@pytest.mark.parametrize("end", ["retry", "release", "postpone", "hold", "bury", "error", "cancel"])
async def test_attempt_that_ends_in_order_counts_no_more(database_url: str, end: str) -> None:
    """However it ends; what the inbox counts besides is its own affair."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        lane = await claimed(inbox)
        assert counted(database_url) == 1
        ends: dict[str, Callable[[], Awaitable[object]]] = {
            "retry": lambda: inbox.retry(lane, "failed", 0),
            "release": lambda: inbox.release(lane, counted=False),
            "postpone": lambda: inbox.postpone(lane, "later", 0),
            "hold": lambda: inbox.hold(lane, "busy", 0),
            "bury": lambda: inbox.bury(lane, "failed"),
            "error": lambda: asyncio.wait_for(asyncio.sleep(9), 0.01),
            "cancel": lambda: asyncio.wait_for(asyncio.Event().wait(), 0.01),
        }
        with pytest.raises(TimeoutError) if end in {"error", "cancel"} else nullcontext():
            async with inbox.count_attempt(lane):
                await ends[end]()
        assert counted(database_url) == 0


async def test_process_that_lost_its_lane_did_not_end(database_url: str) -> None:
    """Stopped for longer than its lease, it lives: that is no reason for suspicion."""
    async with process(database_url) as sleeper, process(database_url) as other:
        await hold(sleeper, ADA)
        await claimed(sleeper)
        execute(database_url, "UPDATE telegram_lanes SET ready_at = now()")
        await hold(other, BOB)
        assert {lane.user_id for lane in await all_claimed(other)} == {ADA, BOB}


async def test_attempt_that_lost_its_lane_takes_away_no_later_one(database_url: str) -> None:
    """A process that was stopped for longer than its lease takes its own lane again."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        lost = await claimed(inbox)
        async with AsyncExitStack() as later:

            async def work_on() -> None:
                async with inbox.count_attempt(lost):
                    execute(database_url, "UPDATE telegram_lanes SET ready_at = now()")
                    await later.enter_async_context(inbox.count_attempt(await claimed(inbox)))
                    await inbox.extend(lost)

            with pytest.raises(LaneLostError):
                await work_on()
            assert counted(database_url) == 1


async def test_processes_that_lost_their_locks_did_not_end(database_url: str) -> None:
    """A third one begins the same work just then: it waits for a moment, and condemns nothing."""
    async with (
        process(database_url) as one,
        process(database_url) as other,
        one.attempts.count_attempt(LESSON),
        other.attempts.count_attempt(LESSON),
    ):
        await until(lambda: end_listener(database_url))
        async with process(database_url) as third, third.attempts.count_attempt(LESSON):
            assert counted(database_url) == 3
        assert read(database_url, "SELECT has_ended FROM attempts") == {(False,)}
    assert counted(database_url) == 0


async def test_lane_whose_holders_lost_their_locks_is_no_suspect(database_url: str) -> None:
    """Two in a row lose lock and lease while they work; the third serves it like any other."""
    async with AsyncExitStack() as living:
        first = await living.enter_async_context(process(database_url))
        await hold(first, ADA)
        await claimed(first)
        for _ in range(2):
            execute(database_url, "UPDATE telegram_lanes SET ready_at = now()")
            await until(lambda: end_listener(database_url))
            next_one = await living.enter_async_context(process(database_url))
            lane = await claimed(next_one)
            assert not lane.is_spent
        await next_one.finish(lane)
        assert read(database_url, "SELECT 1 FROM telegram_inbox WHERE dead_at IS NOT NULL") == set()
        assert counted(database_url) == 0


async def test_process_that_was_taken_for_dead_takes_its_attempts_back(database_url: str) -> None:
    """It has a lock again, so it did not end."""

    async def is_taken_back() -> bool:
        return read(database_url, "SELECT has_ended FROM attempts") == {(False,)}

    async with process(database_url) as inbox, inbox.attempts.count_attempt(LESSON):
        execute(database_url, "UPDATE attempts SET has_ended = true")
        await until(lambda: end_listener(database_url))
        await until(is_taken_back)


async def test_work_that_was_entered_under_two_numbers_is_one_attempt(database_url: str) -> None:
    """A statement under way when the lock is lost may enter it once more under the old number."""

    def holders() -> set[tuple[int]]:
        return read(database_url, "SELECT holder FROM attempts")

    async with process(database_url) as inbox, inbox.attempts.count_attempt(LESSON):
        ((older,),) = holders()
        await until(lambda: end_listener(database_url))

        async def is_renamed() -> bool:
            return holders().isdisjoint({(older,)})

        await until(is_renamed)
        execute(database_url, DIED.format(older))
        await until(is_renamed)
        assert len(holders()) == 1
    assert counted(database_url) == 0


async def test_work_that_ended_lone_processes_is_set_aside_and_begun_again_on_purpose(
    database_url: str,
) -> None:
    """The inbox tells its user once, with all attempts spent; a replay clears it."""
    execute(database_url, DIED_ALONE.format("lesson"))
    async with process(database_url) as inbox:
        for _ in range(2):
            with pytest.raises(SetAsideError):
                async with inbox.attempts.count_attempt(LESSON):
                    pass
        lane = await claimed(inbox)
        assert lane.is_spent
        letter = lane.updates[0].update_id
        assert await inbox.attempts.user_of(letter) == ADA
        await inbox.bury(lane, "given up")
        assert await inbox.claim() is None
        assert await inbox.attempts.retry(letter)
        assert not await inbox.attempts.retry(letter)
        async with inbox.attempts.count_attempt(LESSON):
            assert counted(database_url) == 1
        assert counted(database_url) == 0


async def test_work_that_ended_two_shared_processes_is_begun_in_a_lone_one(
    database_url: str,
) -> None:
    """Elsewhere it is refused, and nobody is told."""
    execute(database_url, DIED.format(1), DIED.format(2))
    async with process(database_url) as shared:
        with pytest.raises(SetAsideError):
            async with shared.attempts.count_attempt(LESSON):
                pass
        assert await shared.claim() is None
    async with process(database_url, launch=1) as lone, lone.attempts.count_attempt(LESSON):
        assert lone.attempts.is_under_way
    assert counted(database_url) == 0


async def test_lone_process_ends_although_its_row_stayed_behind(database_url: str) -> None:
    """The database was away when the work was over, and its parent waits for its end."""
    refuse = "RAISE EXCEPTION 'not now' USING ERRCODE = 'cannot_connect_now'"
    execute(
        database_url,
        f"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {refuse}; END $$",
        "CREATE TRIGGER refuse BEFORE DELETE ON attempts EXECUTE FUNCTION refuse()",
    )
    async with process(database_url, launch=1) as lone, asyncio.timeout(10):
        async with lone.attempts.count_attempt(LESSON):
            assert lone.attempts.is_under_way
        assert counted(database_url) == 1
        await end_when_idle(lone.attempts, asyncio.Event())


async def test_reader_that_met_a_burst_of_kills_reads_again_later(database_url: str) -> None:
    """It is shown what is stored meanwhile; only ends far from one another set it aside."""
    stream = Work("stream", 7, ADA)
    died = DIED.replace("lesson", "stream")
    execute(database_url, *(died.format(holder) for holder in range(1, 5)))
    older = "UPDATE attempts SET begun_at = begun_at - interval '11 minutes'"
    async with process(database_url) as inbox:
        with pytest.raises(SetAsideError):
            async with inbox.attempts.count_attempt(stream):
                pass
        execute(database_url, older)
        async with inbox.attempts.count_attempt(stream):
            assert counted(database_url) == 5
        execute(database_url, *(died.format(holder) for holder in range(1, 6)), older)
        with pytest.raises(SetAsideError):
            async with inbox.attempts.count_attempt(stream):
                pass
        assert (await claimed(inbox)).is_spent


async def test_suspects_of_every_kind_wait_for_one_another(database_url: str) -> None:
    """Also a lane and a lesson; and nobody else waits."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        await claimed(inbox)
    execute(database_url, DIED.format(1))
    async with process(database_url) as inbox:
        async with inbox.attempts.count_attempt(LESSON):
            await hold(inbox, BOB)
            assert (await claimed(inbox)).user_id == BOB
            assert await inbox.claim() is None
        assert (await claimed(inbox)).user_id == ADA


async def test_process_that_nobody_sees_waits_for_no_judgement(database_url: str) -> None:
    """Without a lock it judges nobody, and perhaps nobody else is there."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        await claimed(inbox)
    execute(database_url, "UPDATE telegram_lanes SET ready_at = now()")
    fail = "RAISE EXCEPTION 'not now' USING ERRCODE = 'cannot_connect_now'"
    lock = "pg_advisory_lock(integer, integer) RETURNS void"
    replace_function(database_url, lock, fail)
    async with process(database_url) as inbox, asyncio.timeout(20):
        assert (await claimed(inbox)).user_id == ADA


async def test_place_of_a_suspect_that_was_not_handed_out_is_free(database_url: str) -> None:
    """The connection is lost at the commit; the next claim does not wait for half a minute."""
    async with process(database_url) as inbox:
        await hold(inbox, ADA)
        await claimed(inbox)
    async with process(database_url) as inbox, asyncio.timeout(20):
        execute(database_url, *CUT_AT_COMMIT)
        with pytest.raises(DatabaseUnavailableError):
            await claimed(inbox)
        execute(database_url, "DROP TRIGGER cut ON telegram_inbox")
        assert (await claimed(inbox)).user_id == ADA
