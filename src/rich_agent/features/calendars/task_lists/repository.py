"""The CalDAV connections of users in PostgreSQL: who synchronises them, and when."""

from collections.abc import Sequence
from dataclasses import asdict
from urllib.parse import urlsplit

from psycopg.types.json import Jsonb

from rich_agent.feature import DueRow, NewWork
from rich_agent.feature.database import (
    Connection,
    PostgresRepository,
    add_due,
    add_notice,
    checkout,
    checkout_held,
    clean_text,
    fetch_all,
    hasten_due,
    one_transaction,
    require_due,
)
from rich_agent.feature.memory import lock_memory
from rich_agent.features.calendars.task_lists import conflicts, merging
from rich_agent.features.calendars.task_lists.entries import TaskEntry
from rich_agent.features.calendars.task_lists.ports import (
    PASSING,
    TASK_LIST_WORK,
    TROUBLE_NOTICE,
    ConnectionTrouble,
    EntryNews,
    HeldConnection,
    Merged,
    NewConnection,
    PendingPush,
    ReplacedTask,
    TaskList,
    TaskListConnection,
)

_CONNECT = """
INSERT INTO caldav_connections (user_id, username, password, choices)
VALUES (%(user_id)s, %(username)s, %(password)s, %(choices)s)
"""
_WORK = f"kind = '{TASK_LIST_WORK}'"
_OF_USER = f"work.{_WORK} AND work.key = connected.user_id::text"
_END = f"""
WITH work AS (
    DELETE FROM due_work WHERE {_WORK} AND key = %(user_id)s::text RETURNING id
), begun AS (
    DELETE FROM attempts USING work WHERE {_WORK} AND attempts.key = work.id
)
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
SET url = %(url)s, name = %(name)s, choices = '[]'
WHERE user_id = %(user_id)s
"""
_FIND = """
SELECT url, name, username, choices, synced_at, problem
FROM caldav_connections WHERE user_id = %s
"""
_HOLD = """
SELECT user_id, url, username, password, tag, coalesce(
    (SELECT time_zone FROM users WHERE telegram_user_id = user_id), ''
) AS time_zone
FROM caldav_connections WHERE user_id = %s AND url <> ''
"""
_ETAGS = "SELECT href, etag FROM caldav_entries WHERE user_id = %s AND etag <> ''"
_NOTE = """
UPDATE caldav_connections AS held SET problem = %(problem)s,
    synced_at = CASE WHEN %(problem)s = '' THEN clock_timestamp() ELSE held.synced_at END
FROM (SELECT user_id, problem FROM caldav_connections WHERE user_id = %(user_id)s) AS was
WHERE held.user_id = was.user_id
RETURNING was.problem AS before
"""
_NOTE_NUMBER = """
UPDATE caldav_connections SET update_id = %(number)s WHERE user_id = %(user_id)s
"""
# A connection that is long overdue has nobody who would synchronise it now.
_CAN_BE_FRESH = f"""
SELECT work.lease_until IS NULL AS is_idle
FROM caldav_connections AS connected JOIN due_work AS work ON {_OF_USER}
WHERE connected.user_id = %(user_id)s AND url <> '' AND problem = '' AND set_aside_at IS NULL
    AND due_at > clock_timestamp() - interval '30 s'
    AND coalesce(synced_at < clock_timestamp() - make_interval(secs => %(older_than_s)s), true)
"""
_IS_STALE = """
SELECT FROM caldav_connections
WHERE user_id = %(user_id)s AND problem = ''
    AND coalesce(synced_at < clock_timestamp() - make_interval(secs => %(older_than_s)s), true)
"""


class PostgresTaskListConnections(PostgresRepository):
    """Implements `TaskListConnections`."""

    async def connect(self, new: NewConnection) -> None:
        choices = [asdict(one) for one in new.lists]
        values = {
            "user_id": new.user_id,
            "username": clean_text(new.username),
            "password": new.password,
            "choices": Jsonb(choices),
        }
        async with checkout_held(self._pool) as connection:
            await connection.execute(_END, values)
            await connection.execute(_CONNECT, values)
            if len(new.lists) == 1:
                await _use(connection, new.user_id, new.lists[0])

    async def choose(self, user_id: int, number: int) -> TaskList | None:
        async with checkout_held(self._pool) as connection:
            query = "SELECT choices FROM caldav_connections WHERE user_id = %s FOR UPDATE"
            row = await (await connection.execute(query, (user_id,))).fetchone()
            choices = row["choices"] if row else []
            if not 0 <= number < len(choices):
                return None
            task_list = TaskList(**choices[number])
            await _use(connection, user_id, task_list)
        return task_list

    async def passwords(self) -> Sequence[tuple[int, bytes]]:
        rows = await self._rows("SELECT user_id, password FROM caldav_connections")
        return [(row["user_id"], row["password"]) for row in rows]

    async def disconnect(self, user_id: int) -> bool:
        values = {"user_id": user_id, "path": ""}
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            count = (await connection.execute(_END, values)).rowcount
            for step in _PART:
                await connection.execute(step, values)
        return count > 0

    async def find(self, user_id: int) -> TaskListConnection | None:
        row = await self._row(_FIND, (user_id,))
        if row is None:
            return None
        choices = tuple(TaskList(**one) for one in row.pop("choices"))
        return TaskListConnection(choices=choices, **row)

    async def hold(self, row: DueRow) -> HeldConnection | None:
        user_id = int(row.key)
        connection = await self._row(_HOLD, (user_id,))
        if connection is None:
            return None
        etag_by_path = {one["href"]: one["etag"] for one in await self._rows(_ETAGS, (user_id,))}
        return HeldConnection(row=row, **connection, etags=etag_by_path)

    async def merge(self, holding: HeldConnection, news: EntryNews) -> Merged:
        async with one_transaction(self._pool) as connection:
            await lock_memory(connection, holding.user_id)
            await require_due(connection, holding.row)
            return await merging.merge(connection, holding, news)

    async def note_push(self, holding: HeldConnection, push: PendingPush, entry: TaskEntry) -> None:
        async with one_transaction(self._pool) as connection:
            await require_due(connection, holding.row)
            await merging.note_push(connection, push, entry)

    async def note_removal(self, holding: HeldConnection, push: PendingPush) -> None:
        async with one_transaction(self._pool) as connection:
            await require_due(connection, holding.row)
            await connection.execute("DELETE FROM caldav_entries WHERE id = %s", (push.id,))

    async def note(self, holding: HeldConnection, problem: str) -> None:
        values = {"user_id": holding.user_id, "problem": problem}
        async with one_transaction(self._pool) as connection:
            await require_due(connection, holding.row)
            row = await (await connection.execute(_NOTE, values)).fetchone()
            if row and problem not in PASSING and row["before"] != problem:
                number = await add_notice(connection, holding.user_id, TROUBLE_NOTICE)
                await connection.execute(_NOTE_NUMBER, {**values, "number": number})

    async def trouble(self, update_id: int) -> ConnectionTrouble | None:
        query = "SELECT user_id, problem FROM caldav_connections WHERE update_id = %s"
        row = await self._row(query, (update_id,))
        return ConnectionTrouble(**row) if row and row["problem"] not in PASSING else None

    async def freshen(self, user_id: int, older_than_s: float) -> bool:
        values = {"user_id": user_id, "older_than_s": older_than_s}
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _CAN_BE_FRESH, values)
            if rows and rows[0]["is_idle"]:
                await hasten_due(connection, TASK_LIST_WORK, str(user_id))
        return bool(rows)

    async def is_fresh(self, user_id: int, older_than_s: float) -> bool:
        values = {"user_id": user_id, "older_than_s": older_than_s}
        return await self._row(_IS_STALE, values) is None

    async def replaced_task(self, update_id: int) -> ReplacedTask | None:
        async with checkout(self._pool) as connection:
            return await conflicts.find_replacement(connection, update_id)

    async def restore(self, user_id: int, update_id: int) -> bool:
        async with checkout_held(self._pool) as connection:
            await lock_memory(connection, user_id)
            return await conflicts.restore(connection, user_id, update_id)


async def _use(connection: Connection, user_id: int, task_list: TaskList) -> None:
    """Synchronise this list from now on."""
    path = urlsplit(task_list.url).path.rstrip("/") + "/"
    values = {"user_id": user_id, "url": task_list.url, "name": task_list.name, "path": path}
    await lock_memory(connection, user_id)
    for step in _PART:
        await connection.execute(step, values)
    await connection.execute(_CHOOSE, values)
    await add_due(connection, NewWork(TASK_LIST_WORK, str(user_id), user_id=user_id))
