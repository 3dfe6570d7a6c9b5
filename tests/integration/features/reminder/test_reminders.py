"""Reminders in PostgreSQL: what is due is handed out once, whoever asks, and whatever breaks."""

# ruff: noqa: DTZ001 - what clocks show has no offset

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, time, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from rich_agent.domain.message import User
from rich_agent.domain.time.wall_time import QuietHours, local_of
from rich_agent.features.reminder.notices import firing_of
from rich_agent.features.reminder.records import FIRING_WORK, MOST_REMINDERS
from rich_agent.features.reminder.reminder import (
    NewReminder,
    ReminderKind,
    cancel,
    daily_digest,
    snooze,
)
from rich_agent.features.reminder.repository import Reminders
from rich_agent.ports.memories import Erased
from rich_agent.ports.operations import MOST_LONE_ENDS
from rich_agent.repositories.accounts import PostgresAccounts, PostgresUsers
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.erasure import erase_things, read_things
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.due_work import DueWorkLoop
from tests.integration.telegram_support import until

USER, TOKYO = 42, "Asia/Tokyo"
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """The database of one test."""
    async with open_pool(database_url, max_size=8) as opened:
        yield opened


@pytest.fixture
async def inbox(pool: Pool) -> AsyncIterator[PostgresInbox]:
    """The inbox to which the work goes."""
    async with PostgresInbox(pool) as opened:
        yield opened


@pytest.fixture
def reminders(pool: Pool) -> Reminders:
    """The reminders that are tested."""
    return Reminders(pool, PostgresAccounts(pool))


def rows(url: str, query: str) -> list[dict[str, Any]]:
    """The rows of the database that a query finds."""
    with psycopg.connect(url, row_factory=dict_row) as connection:
        return connection.execute(query.encode()).fetchall()


async def keep(
    reminders: Reminders,
    late: timedelta = MINUTE,
    *,
    rule: str = "",
    kind: ReminderKind = "reminder",
    user_id: int = USER,
) -> int:
    """A reminder that was due so long ago, to the minute."""
    local = local_of(await reminders.now(), TOKYO).replace(second=0, microsecond=0) - late
    made = await reminders.add(NewReminder(user_id, "Tea", kind, local, TOKYO, rule, local))
    assert made is not None
    return made.id


async def hand_out(reminders: Reminders, inbox: PostgresInbox, most: int) -> int:
    """Do due work as a process does, at most so many rows; how many there were."""
    queue, kind = PostgresDueWork(reminders._pool, inbox), firing_of(reminders)
    for done in range(most):
        row = await queue.claim({FIRING_WORK: kind})
        if row is None:
            return done
        try:
            await queue.finish(row, await kind.do(row))
        except ConnectionResetError:
            await queue.release(row)
            raise
    return most


async def test_due_reminder_becomes_urgent_work_with_its_next_time(
    reminders: Reminders, inbox: PostgresInbox
) -> None:
    """The firing, the work and the next occurrence are there together."""
    number = await keep(reminders, rule="FREQ=DAILY")
    assert await hand_out(reminders, inbox, 10) == 1
    assert await hand_out(reminders, inbox, 10) == 0
    lane = await inbox.claim(urgent=True)
    assert lane is not None
    assert lane.user_id == USER
    due = await reminders.due(lane.updates[0].update_id)
    assert due is not None
    assert (due.reminder.id, due.state) == (number, "queued")
    kept = await reminders.find(USER, number)
    assert kept is not None
    assert kept.next_at is not None
    assert timedelta(hours=23) < kept.next_at - await reminders.now() < timedelta(hours=24)


@pytest.mark.parametrize("kind", ["prompt", "digest"])
async def test_prompt_and_digest_are_ordinary_work(
    reminders: Reminders, inbox: PostgresInbox, kind: ReminderKind
) -> None:
    """They wait behind the user's messages like any question."""
    await keep(reminders, kind=kind)
    await hand_out(reminders, inbox, 10)
    assert await inbox.claim(urgent=True) is None
    assert await inbox.claim() is not None


async def test_many_processes_hand_out_each_occurrence_once(
    reminders: Reminders, database_url: str
) -> None:
    """Four of them at the same time, in small batches."""
    for user in range(60):
        await keep(reminders, rule="FREQ=DAILY" if user % 2 else "", user_id=user)

    async def process() -> int:
        async with open_pool(database_url, max_size=3) as pool, PostgresInbox(pool) as inbox:
            own, handed = Reminders(pool, PostgresAccounts(pool)), 0
            for _ in range(40):
                handed += await hand_out(own, inbox, 7)
            return handed

    assert sum(await asyncio.gather(*(process() for _ in range(4)))) == 60
    fired = rows(database_url, "SELECT update_id FROM schedule_firings")
    work = rows(database_url, "SELECT update_id FROM telegram_inbox")
    assert len(fired) == 60
    assert {row["update_id"] for row in fired} == {row["update_id"] for row in work}


async def test_crash_while_handing_out_leaves_nothing_half_done(
    reminders: Reminders,
    inbox: PostgresInbox,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process ends before the commit: no firing, no work, and the reminder is due as before."""
    await keep(reminders, rule="FREQ=DAILY")

    async def die(*_: object, **__: object) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as patched:
        patched.setattr("rich_agent.features.reminder.repository.add_notice", die)
        with pytest.raises(ConnectionResetError):
            await hand_out(reminders, inbox, 10)
    assert rows(database_url, "SELECT FROM schedule_firings") == []
    assert await hand_out(reminders, inbox, 10) == 1
    assert len(rows(database_url, "SELECT FROM telegram_inbox")) == 1


async def test_oldest_of_the_bots_own_work_is_handed_out_first(
    reminders: Reminders, inbox: PostgresInbox
) -> None:
    """Two reminders of one user come in the order in which they were due."""
    first = await keep(reminders, 2 * MINUTE)
    await hand_out(reminders, inbox, 10)
    await keep(reminders)
    await hand_out(reminders, inbox, 10)
    lane = await inbox.claim(urgent=True)
    assert lane is not None
    due = await reminders.due(lane.updates[0].update_id)
    assert due is not None
    assert due.reminder.id == first


async def test_what_was_missed_by_far_is_noted_and_not_sent(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """The operator finds it, the user is not woken by last week."""
    await keep(reminders, timedelta(days=8))
    await hand_out(reminders, inbox, 10)
    assert rows(database_url, "SELECT state FROM schedule_firings") == [{"state": "missed"}]
    assert rows(database_url, "SELECT FROM telegram_inbox") == []
    (trouble,) = await reminders.troubles(60)
    assert trouble.state == "missed"


async def test_quiet_hours_of_the_user_put_work_off(
    reminders: Reminders, inbox: PostgresInbox, pool: Pool, database_url: str
) -> None:
    """Nothing is handed out in them, and it is looked at again at their end."""
    number = await keep(reminders)
    clock = local_of(await reminders.now(), TOKYO)
    begin, end = (clock - timedelta(hours=1)).time(), (clock + timedelta(hours=1)).time()
    hours = QuietHours(begin.replace(microsecond=0), end.replace(microsecond=0))
    await PostgresAccounts(pool).keep_quiet_hours(USER, hours)
    assert await hand_out(reminders, inbox, 10) == 1
    assert rows(database_url, "SELECT FROM schedule_firings") == []
    held = await reminders.find(USER, number)
    assert held is not None
    assert held.next_at is not None
    assert held.next_at > await reminders.now() + 50 * MINUTE


async def test_blocked_user_is_not_reminded_until_they_are_back(
    reminders: Reminders, inbox: PostgresInbox, pool: Pool
) -> None:
    """Blocking pauses what is to come, the next message resumes it."""
    users = PostgresUsers(pool)
    await users.remember(User(USER, "Ada"))
    number = await keep(reminders, rule="FREQ=DAILY")
    await users.mark_blocked(USER)
    assert await hand_out(reminders, inbox, 10) == 0
    paused = await reminders.find(USER, number)
    assert paused is not None
    assert paused.status == "paused"
    await users.remember(User(USER, "Ada"))
    assert await hand_out(reminders, inbox, 10) == 1


async def test_reminder_of_a_user_who_blocks_the_bot_waits_whenever_it_was_set(
    reminders: Reminders, inbox: PostgresInbox, pool: Pool
) -> None:
    """Also one that was set meanwhile, over HTTP, once a message to them fails again."""
    users = PostgresUsers(pool)
    await users.remember(User(USER, "Ada"))
    await users.mark_blocked(USER)
    await keep(reminders)
    await users.mark_blocked(USER)
    assert await hand_out(reminders, inbox, 10) == 0
    await users.remember(User(USER, "Ada"))
    assert await hand_out(reminders, inbox, 10) == 1


async def test_reminder_that_breaks_does_not_keep_others_from_coming(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """It is set aside, for the operator to see."""
    await keep(reminders)
    broken = await keep(reminders)
    rows(database_url, f"UPDATE schedules SET tz = 'Mars/Olympus' WHERE id = {broken} RETURNING id")
    assert await hand_out(reminders, inbox, 10) == 2
    assert len(rows(database_url, "SELECT FROM telegram_inbox")) == 1
    assert [trouble.state for trouble in await reminders.troubles(3600)] == ["failed"]


async def test_change_concerns_only_ones_own_reminder(
    reminders: Reminders, inbox: PostgresInbox
) -> None:
    """Somebody else's is not found; what is cancelled is not due."""
    number = await keep(reminders)
    assert await reminders.change(7, number, lambda one, _: cancel(one)) is None
    assert await reminders.find(7, number) is None
    changed = await reminders.change(USER, number, lambda one, _: cancel(one))
    assert changed is not None
    assert await hand_out(reminders, inbox, 10) == 0
    await reminders.change(USER, number, lambda one, now: snooze(one, now, now))
    assert await hand_out(reminders, inbox, 10) == 1


async def test_user_has_a_limited_number_of_reminders(
    reminders: Reminders, inbox: PostgresInbox
) -> None:
    """Reminders that are over do not count."""
    for _ in range(MOST_REMINDERS):
        await keep(reminders)
    local = datetime(2026, 1, 1)
    more = NewReminder(USER, "One more", "reminder", local, TOKYO, "", local)
    assert await reminders.add(more) is None
    await hand_out(reminders, inbox, MOST_REMINDERS)
    assert await reminders.add(more) is not None


async def test_digest_takes_the_place_of_the_one_before(reminders: Reminders) -> None:
    """And is not listed among the reminders."""
    now = await reminders.now()
    for hour in (7, 8):
        await reminders.add(daily_digest(USER, time(hour), TOKYO, now))
    digest = await reminders.digest(USER)
    assert digest is not None
    assert digest.local_start.hour == 8
    assert await reminders.upcoming(USER, 0, 5) == ([], 0)


async def test_what_is_repeated_moves_to_the_users_new_zone(
    reminders: Reminders, pool: Pool
) -> None:
    """A single time stays the instant that it was."""
    await PostgresAccounts(pool).choose_time_zone(USER, TOKYO)
    repeated = await keep(reminders, -60 * MINUTE, rule="FREQ=DAILY")
    once = await keep(reminders, -60 * MINUTE)
    assert await reminders.move(USER, "Europe/London") == 1
    moved, stayed = await reminders.find(USER, repeated), await reminders.find(USER, once)
    assert moved is not None
    assert stayed is not None
    assert (moved.tz, stayed.tz) == ("Europe/London", TOKYO)
    assert moved.local_start == stayed.local_start


async def test_wish_to_forget_reaches_reminders(reminders: Reminders, pool: Pool) -> None:
    """A reminder holds the user's words like a note; only the chosen one goes."""
    tea, other = await keep(reminders), await keep(reminders)
    async with pool.connection() as connection:
        found = await read_things(connection, {"user_id": USER, "prefix": f"users.{USER}"})
        assert {(one.key, one.text) for one in found} == {
            (f"schedules:{tea}", "Tea"),
            (f"schedules:{other}", "Tea"),
        }
        await erase_things(
            connection, Erased(USER, f"tg:{USER}", things=frozenset({f"schedules:{tea}"}))
        )
    assert await reminders.find(USER, tea) is None
    assert await reminders.find(USER, other) is not None


async def test_waiting_ends_when_a_reminder_is_set(
    reminders: Reminders, inbox: PostgresInbox, pool: Pool
) -> None:
    """By a notification, long before the time is over; and at once for one that is due."""
    async with asyncio.timeout(60):
        queue, kinds = PostgresDueWork(pool, inbox), {FIRING_WORK: firing_of(reminders)}
        waiting = asyncio.create_task(queue.wait(600, kinds))
        await asyncio.sleep(0)
        await keep(reminders)
        await waiting
        await queue.wait(600, kinds)


async def test_retried_row_of_a_reminder_waits_for_its_time(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """An operator may have any row of due work done now; a reminder does not come earlier."""
    await keep(reminders, -60 * MINUTE)
    queue = PostgresDueWork(reminders._pool, inbox)
    (entry,) = await queue.entries()
    await queue.retry([entry.id])
    assert await hand_out(reminders, inbox, 10) == 1
    assert rows(database_url, "SELECT FROM schedule_firings") == []
    (later,) = await queue.entries()
    assert (later.state, later.due_at - entry.due_at < MINUTE) == ("waiting", True)


async def test_due_work_follows_reminders_whoever_writes_them(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """A program of the version before knows no due work; what it sets, fires and ends is."""
    number = await keep(reminders, rule="FREQ=DAILY")
    queue = PostgresDueWork(reminders._pool, inbox)
    for change, states in (
        ("next_at = next_at + interval '1 day'", ["waiting"]),
        ("status = 'paused'", []),
        ("status = 'active', next_at = now()", ["due"]),
        ("status = 'failed', next_at = NULL", []),
    ):
        rows(database_url, f"UPDATE schedules SET {change} WHERE id = {number} RETURNING id")
        assert [one.state for one in await queue.entries()] == states
    await keep(reminders)
    assert [(one.kind, one.user_id) for one in await queue.entries()] == [(FIRING_WORK, USER)]
    rows(database_url, "DELETE FROM schedules RETURNING id")
    assert await queue.entries() == []


async def test_reminder_that_two_processes_hold_is_fired_once(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """One of them took it, slept past its lease, and goes on when the other has fired it."""
    await keep(reminders, rule="FREQ=DAILY")
    queue, kind = PostgresDueWork(reminders._pool, inbox), firing_of(reminders)
    slow = await queue.claim({FIRING_WORK: kind})
    assert slow is not None
    rows(database_url, "UPDATE due_work SET lease_until = now() RETURNING id")
    assert await hand_out(reminders, inbox, 10) == 1
    await queue.finish(slow, await kind.do(slow))
    assert len(rows(database_url, "SELECT FROM schedule_firings")) == 1
    (entry,) = await queue.entries()
    assert entry.due_at > await reminders.now() + 23 * 60 * MINUTE


async def test_firing_is_no_suspect_when_processes_end(
    reminders: Reminders, inbox: PostgresInbox, database_url: str
) -> None:
    """It only writes rows: however many processes ended meanwhile, the reminder comes."""
    await keep(reminders)
    rows(
        database_url,
        "INSERT INTO attempts (kind, key, holder, user_id, has_ended, ended_alone) "
        f"SELECT kind, id, n, user_id, true, true FROM due_work, generate_series(1, "
        f"{MOST_LONE_ENDS}) AS n RETURNING key",
    )

    async def is_fired() -> bool:
        return bool(rows(database_url, "SELECT FROM schedule_firings"))

    stop, kinds = asyncio.Event(), {FIRING_WORK: firing_of(reminders)}
    loop = DueWorkLoop(PostgresDueWork(reminders._pool, inbox), kinds, inbox.attempts)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(loop.run(stop))
        await until(is_fired)
        stop.set()
