"""The CalDAV connections of users in PostgreSQL: who synchronises them, and when."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from psycopg.types.json import Jsonb

from rich_agent.domain.agenda.entries import TaskEntry
from rich_agent.domain.text import clean_text
from rich_agent.ports.inbox import internal_update
from rich_agent.ports.task_lists import (
    PASSING,
    TROUBLE_WORK,
    ConnectionTrouble,
    EntryNews,
    HeldConnection,
    Merged,
    NewConnection,
    PendingPush,
    TaskConflict,
    TaskList,
    TaskListConnection,
)
from rich_agent.repositories.agenda.remembered import lock_memory
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Pool, checkout, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.inbox.attempts import FITS_PROCESS
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.storing import store_updates
from rich_agent.repositories.inbox.wakeups import TASK_LISTS_CHANNEL
from rich_agent.repositories.task_lists import conflicts, merging

LEASE_S = 90.0
"""Longer than a synchronisation may take."""
_NOTIFY = f"NOTIFY {TASK_LISTS_CHANNEL}"
_CONNECT = """
INSERT INTO caldav_connections (user_id, username, password, choices)
VALUES (%(user_id)s, %(username)s, %(password)s, %(choices)s)
"""
_END = """
WITH begun AS (DELETE FROM attempts WHERE kind = 'task_list' AND key = %(user_id)s)
DELETE FROM caldav_connections WHERE user_id = %(user_id)s
"""
# Their uids stay, so that another connection to the same list finds the same tasks.
_PART = (
    """
    DELETE FROM caldav_entries
    WHERE user_id = %(user_id)s AND (ours IS NULL OR task_id IS NULL)
    """,
    """
    UPDATE caldav_entries SET etag = '', conflict = NULL, href = %(path)s || uid || '.ics'
    WHERE user_id = %(user_id)s
    """,
)
_CHOOSE = """
UPDATE caldav_connections
SET url = %(url)s, name = %(name)s, choices = '[]', next_at = clock_timestamp()
WHERE user_id = %(user_id)s
"""
_FIND = """
SELECT url, name, username, choices, synced_at, problem, (
    SELECT count(*) FROM caldav_entries AS entry
    WHERE entry.user_id = connected.user_id AND conflict IS NOT NULL
) AS open_questions
FROM caldav_connections AS connected WHERE user_id = %s
"""
_OF_THIS = "kind = 'task_list' AND key = caldav_connections.user_id"
_IS_SERVED = f"""NOT EXISTS (
    SELECT FROM attempts WHERE {_OF_THIS} AND letter IS NOT NULL
) AND {FITS_PROCESS.format(_OF_THIS)}"""
_CLAIM = f"""
UPDATE caldav_connections AS held
SET fence = nextval('caldav_fences'),
    leased_until = clock_timestamp() + make_interval(secs => %(lease_s)s)
WHERE user_id = (
    SELECT user_id FROM caldav_connections
    WHERE next_at <= clock_timestamp()
        AND (leased_until IS NULL OR leased_until < clock_timestamp())
        AND {_IS_SERVED}
    ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING user_id, fence, url, username, password, tag, failures, coalesce(
    (SELECT time_zone FROM users WHERE telegram_user_id = held.user_id), ''
) AS time_zone
"""
_ETAGS = "SELECT href, etag FROM caldav_entries WHERE user_id = %s AND etag <> ''"
_NEXT_IN = f"""
SELECT extract(epoch FROM min(greatest(next_at, leased_until)) - clock_timestamp())::float8
    AS due_in_s
FROM caldav_connections WHERE {_IS_SERVED}
"""
_FINISH = """
UPDATE caldav_connections AS held SET leased_until = NULL, problem = %(problem)s,
    failures = CASE WHEN %(problem)s = '' THEN 0 ELSE held.failures + 1 END,
    synced_at = CASE WHEN %(problem)s = '' THEN clock_timestamp() ELSE held.synced_at END,
    next_at = clock_timestamp() + make_interval(
        secs => CASE WHEN %(problem)s = '' AND held.changes <> %(changes)s THEN 0
            ELSE %(next_in_s)s END)
FROM (SELECT user_id, problem FROM caldav_connections WHERE user_id = %(user_id)s) AS was
WHERE held.user_id = was.user_id AND fence = %(fence)s
RETURNING was.problem AS before
"""
_TELL = """
UPDATE caldav_connections SET update_id = nextval('internal_update_numbers')
WHERE user_id = %(user_id)s RETURNING update_id
"""
# A connection that is long overdue has nobody who would synchronise it now.
_FRESHEN = """
UPDATE caldav_connections SET next_at = least(next_at, clock_timestamp())
WHERE user_id = %(user_id)s AND url <> '' AND problem = ''
    AND next_at > clock_timestamp() - interval '30 s'
    AND coalesce(synced_at < clock_timestamp() - make_interval(secs => %(older_than_s)s), true)
"""
_IS_STALE = """
SELECT FROM caldav_connections
WHERE user_id = %(user_id)s AND problem = ''
    AND coalesce(synced_at < clock_timestamp() - make_interval(secs => %(older_than_s)s), true)
"""


class PostgresTaskListConnections(PostgresRepository):
    """Implements `TaskListConnections`; `inbox` is where questions about conflicts go."""

    def __init__(self, pool: Pool, inbox: PostgresInbox) -> None:
        super().__init__(pool)
        self._inbox = inbox

    async def connect(self, new: NewConnection) -> None:
        choices = [asdict(one) for one in new.lists]
        named = {
            "user_id": new.user_id,
            "username": clean_text(new.username),
            "password": new.password,
            "choices": Jsonb(choices),
        }
        async with checkout_held(self._pool) as connection:
            await connection.execute(_END, named)
            await connection.execute(_CONNECT, named)
            if len(new.lists) == 1:
                await _use(connection, new.user_id, new.lists[0])

    async def choose(self, user_id: int, number: int) -> TaskList | None:
        async with checkout_held(self._pool) as connection:
            query = "SELECT choices FROM caldav_connections WHERE user_id = %s FOR UPDATE"
            row = await (await connection.execute(query, (user_id,))).fetchone()
            choices = row["choices"] if row else []
            if not 0 <= number < len(choices):
                return None
            chosen = TaskList(**choices[number])
            await _use(connection, user_id, chosen)
        return chosen

    async def passwords(self) -> Sequence[tuple[int, bytes]]:
        rows = await self._rows("SELECT user_id, password FROM caldav_connections")
        return [(row["user_id"], row["password"]) for row in rows]

    async def disconnect(self, user_id: int) -> bool:
        named = {"user_id": user_id, "path": ""}
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            ended = (await connection.execute(_END, named)).rowcount
            for step in _PART:
                await connection.execute(step, named)
        return ended > 0

    async def find(self, user_id: int) -> TaskListConnection | None:
        row = await self._row(_FIND, (user_id,))
        if row is None:
            return None
        choices = tuple(TaskList(**one) for one in row.pop("choices"))
        return TaskListConnection(choices=choices, **row)

    async def claim(self) -> HeldConnection | None:
        async with one_transaction(self._pool) as connection:
            claiming = {"lease_s": LEASE_S, "is_lone": self._inbox.attempts.is_lone}
            row = await (await connection.execute(_CLAIM, claiming)).fetchone()
            if row is None:
                return None
            etags = await fetch_all(connection, _ETAGS, (row["user_id"],))
        return HeldConnection(**row, etags={one["href"]: one["etag"] for one in etags})

    async def wait(self, timeout_s: float) -> None:
        await self._inbox.wait_for(TASK_LISTS_CHANNEL, timeout_s, self._next_in)

    async def _next_in(self) -> float | None:
        found = await self._one(_NEXT_IN, {"is_lone": self._inbox.attempts.is_lone})
        due_in_s: float | None = found["due_in_s"]
        return due_in_s

    async def merge(self, held: HeldConnection, news: EntryNews) -> Merged:
        async with one_transaction(self._pool) as connection:
            await lock_memory(connection, held.user_id)
            await merging.require_held(connection, held)
            return await merging.merge(self._pool, connection, held, news)

    async def pushed(self, held: HeldConnection, push: PendingPush, entry: TaskEntry) -> None:
        async with one_transaction(self._pool) as connection:
            await merging.require_held(connection, held)
            await merging.note_pushed(connection, push, entry)

    async def removed(self, held: HeldConnection, push: PendingPush) -> None:
        async with one_transaction(self._pool) as connection:
            await merging.require_held(connection, held)
            await connection.execute("DELETE FROM caldav_entries WHERE id = %s", (push.id,))

    async def finish(
        self, held: HeldConnection, *, changes: int | None, problem: str, next_in_s: float
    ) -> None:
        named: Mapping[str, Any] = {
            "user_id": held.user_id,
            "fence": held.fence,
            "changes": changes,
            "problem": problem,
            "next_in_s": next_in_s,
        }
        async with one_transaction(self._pool) as connection:
            row = await (await connection.execute(_FINISH, named)).fetchone()
            if row and problem not in PASSING and row["before"] != problem:
                told = await fetch_one(connection, _TELL, named)
                work = internal_update(told["update_id"], held.user_id, TROUBLE_WORK, urgent=True)
                await store_updates(self._pool, [work], 0)

    async def trouble(self, update_id: int) -> ConnectionTrouble | None:
        query = "SELECT user_id, problem FROM caldav_connections WHERE update_id = %s"
        row = await self._row(query, (update_id,))
        return ConnectionTrouble(**row) if row and row["problem"] not in PASSING else None

    async def freshen(self, user_id: int, older_than_s: float) -> bool:
        named = {"user_id": user_id, "older_than_s": older_than_s}
        async with checkout(self._pool) as connection:
            is_stale = (await connection.execute(_FRESHEN, named)).rowcount > 0
            if is_stale:
                await connection.execute(_NOTIFY)
        return is_stale

    async def is_fresh(self, user_id: int, older_than_s: float) -> bool:
        named = {"user_id": user_id, "older_than_s": older_than_s}
        return await self._row(_IS_STALE, named) is None

    async def conflict(self, update_id: int) -> TaskConflict | None:
        async with checkout(self._pool) as connection:
            return await conflicts.find_conflict(connection, update_id)

    async def decide(self, user_id: int, update_id: int, *, keep_mine: bool) -> bool:
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            return await conflicts.decide(connection, user_id, update_id, keep_mine=keep_mine)


async def _use(connection: Connection, user_id: int, chosen: TaskList) -> None:
    """Synchronise this list from now on."""
    path = urlsplit(chosen.url).path.rstrip("/") + "/"
    named = {"user_id": user_id, "url": chosen.url, "name": chosen.name, "path": path}
    await lock_memory(connection, user_id)
    for step in _PART:
        await connection.execute(step, named)
    await connection.execute(_CHOOSE, named)
    await connection.execute(_NOTIFY)
