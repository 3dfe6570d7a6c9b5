"""Due work in PostgreSQL: handed out once, tried again, set aside, not lost with its process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rich_agent.ports.due_work import (
    DueRow,
    DueWork,
    DueWorkCount,
    DueWorkEntry,
    DueWorkLostError,
    DueWorkSum,
    NewWork,
    NextRun,
)
from rich_agent.repositories.database.pools import Pool, one_transaction, open_pool
from rich_agent.repositories.due_work import (
    PostgresDueWork,
    add_due,
    hasten_due,
    keep_due,
    note_due,
    prompt_due,
    remove_due,
    require_due,
)
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.due_work import DueWorkLoop
from tests.forking import run_to_end
from tests.integration.catalogue import execute, read
from tests.integration.telegram_support import until

ADA, BOB = 42, 43
VASE = NewWork("polish", "vase", ADA, payload={"shade": "blue"})


async def nothing(_row: DueRow) -> NextRun | None:
    """Work that is done at once."""
    return None


POLISH = {"polish": DueWork(nothing)}


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A pool of an own database."""
    async with asyncio.timeout(60), open_pool(database_url, max_size=8) as opened:
        yield opened


@pytest.fixture
async def queue(pool: Pool) -> AsyncIterator[PostgresDueWork]:
    """The queue of a process."""
    async with PostgresInbox(pool) as inbox:
        yield PostgresDueWork(pool, inbox)


async def add(pool: Pool, *works: NewWork) -> None:
    """Add work as a feature does, in a transaction of its own."""
    async with one_transaction(pool) as connection:
        for work in works:
            await add_due(connection, work)


async def entry(queue: PostgresDueWork) -> DueWorkEntry:
    """The only row."""
    (only,) = await queue.entries()
    return only


@asynccontextmanager
async def working(
    pool: Pool, do: Callable[[DueRow], Awaitable[NextRun | None]], most_tries: int | None = None
) -> AsyncIterator[asyncio.Event]:
    """A process at work while the block runs, which retries at once; an event stops it."""
    kinds = {"polish": DueWork(do, first_retry_s=0.0, most_tries=most_tries, grace_s=0.0)}
    stop = asyncio.Event()
    async with PostgresInbox(pool) as inbox, asyncio.TaskGroup() as group:
        loop = DueWorkLoop(PostgresDueWork(pool, inbox), kinds, inbox.attempts)
        group.create_task(loop.run(stop))
        yield stop
        stop.set()


@pytest.mark.req("DUR-1", "REL-1")
async def test_work_of_a_killed_process_is_done_by_the_next(
    pool: Pool, database_url: str, tmp_path: Path
) -> None:
    """SIGKILL in the middle of a made-up kind: it is tried again at once, and done once."""
    await add(pool, VASE)
    journal = tmp_path / "journal"
    line = ["tests.integration.dying_work", database_url, str(journal)]
    first = await asyncio.to_thread(run_to_end, line, os.environ, tmp_path, deadline_s=60)
    assert first.returncode == -signal.SIGKILL
    second = await asyncio.to_thread(run_to_end, line, os.environ, tmp_path, deadline_s=60)
    assert second.returncode == 0
    assert journal.read_text().splitlines() == ["vase blue 1", "vase blue 2"]
    assert read(database_url, "SELECT key FROM due_work") == set()
    assert read(database_url, "SELECT key FROM attempts") == set()


async def test_work_is_added_with_what_it_is_about_or_not_at_all(
    pool: Pool, queue: PostgresDueWork
) -> None:
    """It belongs to the transaction of whoever adds it."""

    async def fail_after_adding() -> None:
        async with one_transaction(pool) as connection:
            await add_due(connection, VASE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_after_adding()
    assert await queue.entries() == []


@pytest.mark.req("IDEMP-1")
async def test_work_is_handed_out_once_when_it_is_due(pool: Pool, queue: PostgresDueWork) -> None:
    """To one of many, and what is due later to nobody."""
    await add(pool, VASE, NewWork("polish", "bowl", in_s=600), NewWork("paint", "door"))
    rows = await asyncio.gather(*(queue.claim(POLISH) for _ in range(4)))
    (row,) = [row for row in rows if row]
    assert (row.key, row.user_id, row.payload, row.tries) == ("vase", ADA, {"shade": "blue"}, 1)
    await queue.finish(row, NextRun(600))
    assert await queue.claim(POLISH) is None
    assert {one.state for one in await queue.entries() if one.kind == "polish"} == {"waiting"}


async def test_work_that_is_added_again_while_it_is_done_is_done_again(
    pool: Pool, queue: PostgresDueWork
) -> None:
    """The outcome of the older form does not count."""
    await add(pool, VASE)
    for next_run in (None, NextRun(600, payload={"shade": "grey"})):
        row = await queue.claim(POLISH)
        assert row is not None
        await add(pool, NewWork("polish", "vase", ADA, payload={"shade": "red"}))
        assert await queue.claim(POLISH) is None
        await queue.finish(row, next_run)
        assert (await entry(queue)).state == "due"
    again = await queue.claim(POLISH)
    assert again is not None
    assert (again.payload, again.tries) == ({"shade": "red"}, 1)


async def test_work_is_hastened_but_never_put_off(pool: Pool, queue: PostgresDueWork) -> None:
    """A later time leaves it due; nothing is added."""
    await add(pool, NewWork("polish", "vase", in_s=600))
    async with one_transaction(pool) as connection:
        assert not await hasten_due(connection, "polish", "bowl")
        assert await hasten_due(connection, "polish", "vase")
        assert await hasten_due(connection, "polish", "vase", in_s=600)
    assert (await entry(queue)).state == "due"


async def test_work_whose_lease_ran_out_is_lost_to_its_first_process(
    pool: Pool, queue: PostgresDueWork
) -> None:
    """It can neither renew, nor store anything with it, nor give it back."""
    await add(pool, VASE)
    first = await queue.claim({"polish": DueWork(nothing, lease_s=0.0)})
    second = await queue.claim(POLISH)
    assert first is not None
    assert second is not None
    with pytest.raises(DueWorkLostError):
        await queue.renew(first, 60)
    with pytest.raises(DueWorkLostError):
        async with one_transaction(pool) as connection:
            await require_due(connection, first)
    await queue.finish(first, None)
    await queue.release(first)
    assert (await entry(queue)).state == "running"
    async with one_transaction(pool) as connection:
        await require_due(connection, second)


async def test_work_of_a_user_is_done_in_order_if_its_kind_says_so(
    pool: Pool, queue: PostgresDueWork, database_url: str
) -> None:
    """Also while the older one waits; others' is done meanwhile, and later once that is aside."""
    older, newer = NewWork("polish", "a", ADA), NewWork("polish", "b", ADA)
    await add(pool, older, newer, NewWork("polish", "c", BOB))
    kinds = {"polish": DueWork(nothing, in_order=True)}
    row = await queue.claim(kinds)
    assert row is not None
    await queue.finish(row, NextRun(600, "away"))
    other = await queue.claim(kinds)
    assert other is not None
    assert (row.key, other.key) == ("a", "c")
    assert await queue.claim(kinds) is None
    execute(database_url, "UPDATE due_work SET set_aside_at = now() WHERE key = 'a'")
    following = await queue.claim(kinds)
    assert following is not None
    assert following.key == "b"


@pytest.mark.req("REL-1")
async def test_work_that_fails_is_set_aside_and_done_when_an_operator_says_so(
    pool: Pool, queue: PostgresDueWork, database_url: str
) -> None:
    """After its tries; its user is told by one dead letter, a replay of which tries it again."""
    tries: list[int] = []

    async def fail(row: DueRow) -> NextRun | None:
        tries.append(row.tries)
        raise ZeroDivisionError("no shade")

    async def is_set_aside() -> bool:
        return (await entry(queue)).state == "set_aside"

    await add(pool, VASE)
    async with working(pool, fail, most_tries=3):
        await until(is_set_aside)
    assert tries == [1, 2, 3]
    aside = await entry(queue)
    assert aside.last_error == "ZeroDivisionError: no shade"
    assert await queue.counts() == [DueWorkCount("polish", "set_aside", 1)]
    url = database_url
    ((letter, kind),) = read(url, "SELECT letter, kind FROM attempts WHERE letter IS NOT NULL")
    assert kind == "polish"
    assert read(url, "SELECT update_id FROM telegram_inbox WHERE user_id = 42") == {(letter,)}
    assert await queue.claim(POLISH) is None
    assert await queue.retry([aside.id, -1]) == [aside.id]
    assert read(url, "SELECT kind FROM attempts") == set()
    row = await queue.claim(POLISH)
    assert row is not None
    assert row.tries == 1


async def test_sums_tell_what_is_overdue_held_and_failed_by_kind(
    pool: Pool, queue: PostgresDueWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind once, sorted; many rows are counted up to a limit."""
    rows = (
        "('a', '1', now() - interval '2 h', NULL, '', NULL)",
        "('a', '2', now() - interval '1 h', now() - interval '1 min', 'x', NULL)",
        "('a', '3', now() - interval '3 h', now() + interval '1 min', '', NULL)",
        "('a', '4', now() - interval '4 h', NULL, 'x', now())",
        "('b', '1', now() + interval '1 h', NULL, '', NULL)",
    )
    assert await queue.sums() == []
    async with pool.connection() as connection:
        await connection.execute(
            "INSERT INTO due_work (kind, key, due_at, lease_until, last_error, set_aside_at) "
            f"VALUES {', '.join(rows)}".encode()
        )
        cursor = await connection.execute("SELECT due_at FROM due_work WHERE key = '1' LIMIT 1")
        (since,) = [row["due_at"] for row in await cursor.fetchall()]
    assert await queue.sums() == [
        DueWorkSum("a", rows=4, running=1, overdue=2, since=since, failed=1, set_aside=1),
        DueWorkSum("b", rows=1, running=0, overdue=0, since=None, failed=0, set_aside=0),
    ]
    monkeypatch.setattr("rich_agent.repositories.due_work.MOST_COUNTED", 1)
    counts = [(one.rows, one.overdue, one.since) for one in await queue.sums()]
    assert counts == [(1, 1, since), (1, 0, None)]


async def test_work_is_given_back_when_its_process_stops(
    pool: Pool, queue: PostgresDueWork, database_url: str
) -> None:
    """The try does not count, and the next process begins it at once."""
    began = asyncio.Event()

    async def hang(_row: DueRow) -> NextRun | None:
        began.set()
        await asyncio.Event().wait()
        return None

    await add(pool, VASE)
    async with working(pool, hang):
        await began.wait()
    row = await queue.claim(POLISH)
    assert row is not None
    assert row.tries == 1
    assert read(database_url, "SELECT kind FROM attempts") == set()


async def test_work_ends_within_the_grace_of_its_kind(pool: Pool, queue: PostgresDueWork) -> None:
    """When its process stops; work of another kind has less and is given back meanwhile."""
    stop, given_back, began = asyncio.Event(), asyncio.Event(), []

    async def hang(row: DueRow) -> NextRun | None:
        began.append(row.key)
        if len(began) == 2:
            stop.set()
        try:
            await (given_back if row.kind == "paint" else asyncio.Event()).wait()
        finally:
            given_back.set()
        return None

    await add(pool, VASE, NewWork("paint", "door"))
    kinds = {"polish": DueWork(hang, grace_s=0.0), "paint": DueWork(hang, grace_s=60.0)}
    async with PostgresInbox(pool) as inbox:
        await DueWorkLoop(PostgresDueWork(pool, inbox), kinds, inbox.attempts).run(stop)
    assert [(one.key, one.state) for one in await queue.entries()] == [("vase", "due")]


async def test_work_is_begun_as_soon_as_it_is_added(pool: Pool) -> None:
    """The loop hears of it, and does not wait for its next look."""
    done = asyncio.Event()

    async def finish(_row: DueRow) -> NextRun | None:
        done.set()
        return None

    async with working(pool, finish):
        await asyncio.sleep(0)
        await add(pool, VASE)
        await asyncio.wait_for(done.wait(), 10)


PLATE = ("polish", "plate")
ROW = "SELECT round(extract(epoch FROM due_at - now()))::integer, tries, last_error FROM due_work"


async def note(pool: Pool, began: datetime, next_run: NextRun | None) -> None:
    """Note a run of the only work that somebody made beside the queue."""
    async with one_transaction(pool) as connection:
        await note_due(connection, PLATE, began, next_run)


async def prompt(pool: Pool, *, after_failure: bool = False) -> None:
    """Have it due by news."""
    async with one_transaction(pool) as connection:
        await prompt_due(connection, *PLATE, after_failure=after_failure)


async def test_run_beside_the_queue_says_when_the_next_one_is(
    pool: Pool, database_url: str
) -> None:
    """Failures are counted until one succeeds; without a next time the row is gone."""
    long_after = datetime.now(UTC) + timedelta(hours=1)
    await note(pool, long_after, NextRun(60.0, "away"))
    assert read(database_url, ROW) == {(60, 1, "away")}
    await note(pool, long_after, NextRun(120.0, "still away"))
    assert read(database_url, ROW) == {(120, 2, "still away")}
    await note(pool, long_after, NextRun(30.0))
    assert read(database_url, ROW) == {(30, 0, "")}
    await note(pool, long_after, None)
    assert read(database_url, ROW) == set()


async def test_news_during_a_run_beside_the_queue_is_not_lost(
    pool: Pool, database_url: str
) -> None:
    """A row that came due since the run began stays due, unless the run failed."""
    began = datetime.now(UTC) - timedelta(minutes=1)
    for next_run, after in (
        (NextRun(60.0), {(0, 0, "")}),
        (None, {(0, 0, "")}),
        (NextRun(60.0, "away"), {(60, 1, "away")}),
    ):
        await prompt(pool)
        await note(pool, began, next_run)
        assert read(database_url, ROW) == after


async def test_news_waits_for_what_failed_and_is_written_once(
    pool: Pool, database_url: str
) -> None:
    """A row that is due is not touched; one that failed waits, if the news does."""
    version = "SELECT version, due_at <= now() FROM due_work"
    await prompt(pool)
    await prompt(pool)
    assert read(database_url, version) == {(0, True)}
    await note(pool, datetime.now(UTC) + timedelta(hours=1), NextRun(60.0, "away"))
    await prompt(pool)
    assert read(database_url, version) == {(1, False)}
    await prompt(pool, after_failure=True)
    assert read(database_url, version) == {(2, True)}


async def test_row_that_is_held_is_due_once_more_or_lost(
    pool: Pool, queue: PostgresDueWork, database_url: str
) -> None:
    """Whoever holds it gives it back as the run beside it noted; one that was removed is lost."""
    await prompt(pool)
    row = await queue.claim(POLISH)
    assert row is not None
    await note(pool, datetime.now(UTC), NextRun(60.0))
    await queue.finish(row, NextRun(9_000.0))
    assert read(database_url, ROW) == {(60, 0, "")}
    await prompt(pool)
    row = await queue.claim(POLISH)
    assert row is not None
    await prompt(pool)
    await queue.finish(row, None)
    assert read(database_url, ROW) == {(0, 0, "")}
    row = await queue.claim(POLISH)
    assert row is not None
    async with one_transaction(pool) as connection:
        await keep_due(connection, *PLATE, 60.0)
        await remove_due(connection, *PLATE)
    with pytest.raises(DueWorkLostError):
        await queue.renew(row, 1.0)
