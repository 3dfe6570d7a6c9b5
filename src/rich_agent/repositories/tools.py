"""Calls of tools, recorded and made once."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.rules import SpentToday
from rich_agent.domain.tools import ResultState, ToolCall
from rich_agent.domain.words import read_words
from rich_agent.ports.tools import (
    UNDO_MINUTES,
    Asker,
    Executed,
    Execution,
    LastChange,
    RecentChange,
    Undo,
    UndoableCall,
)
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.inbox.wakeups import telling_pages

_BEGIN = """
INSERT INTO tool_executions AS known (user_id, thread_id, request_id, call_id, tool, input)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(call_id)s, %(tool)s, %(input)s)
ON CONFLICT (thread_id, request_id, call_id) DO UPDATE SET tool = known.tool
RETURNING xmax = 0 AS is_new, output
"""
_END = telling_pages("""
UPDATE tool_executions
SET status = %(status)s, output = %(output)s, undo = %(undo)s, message = %(message)s,
    duration_ms = extract(epoch FROM clock_timestamp() - started_at) * 1000
WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND call_id = %(call_id)s
""")
_RECORD = """
INSERT INTO tool_executions
    (user_id, thread_id, request_id, call_id, tool, input, status, output, duration_ms)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(call_id)s, %(tool)s, %(input)s,
    %(status)s, %(output)s, %(duration_ms)s)
ON CONFLICT (thread_id, request_id, call_id) DO NOTHING
"""
_CAN_BE_UNDONE = """
user_id = %s AND undo IS NOT NULL AND undone_at IS NULL AND status = 'success'
AND started_at > clock_timestamp() - make_interval(mins => %s)
"""
_CALLS = f"""
SELECT request_id, undo FROM tool_executions
WHERE {_CAN_BE_UNDONE} AND call_id = %s ORDER BY started_at DESC, id DESC
"""
_UNDO = f"""
UPDATE tool_executions SET undone_at = clock_timestamp()
WHERE {_CAN_BE_UNDONE} AND request_id = %s
"""
_UNDOABLE = telling_pages(_UNDO, "id, tool, undo")
_RECENT = """
SELECT request_id, message AS done, started_at AS at,
    undo IS NOT NULL AS can_be_undone
FROM tool_executions
WHERE user_id = %s AND undone_at IS NULL AND status = 'success' AND message <> ''
    AND started_at > clock_timestamp() - make_interval(mins => %s)
ORDER BY started_at DESC, id DESC LIMIT %s
"""
_LAST_CHANGE = f"""
WITH changes AS (
    SELECT id, request_id, started_at, output ->> 'done' AS done, output -> 'words' AS words
    FROM tool_executions WHERE {_CAN_BE_UNDONE} AND request_id <> %s
)
SELECT request_id, done, words FROM changes
WHERE request_id = (SELECT request_id FROM changes ORDER BY started_at DESC LIMIT 1)
ORDER BY id DESC
"""


_SPENT = """
WITH calls AS (
    SELECT input FROM tool_executions
    WHERE user_id = %(user_id)s AND tool = ANY(%(tools)s) AND status <> ALL('{error,denied}')
        AND started_at > clock_timestamp() - interval '24 h'
), totals AS (
    SELECT name, sum(abs((input ->> name)::float8)) AS total
    FROM calls, unnest(%(sums)s::text[]) AS name
    WHERE jsonb_typeof(input -> name) = 'number' GROUP BY name
)
SELECT (SELECT count(*) FROM calls) AS calls,
    (SELECT coalesce(jsonb_object_agg(name, total), '{}') FROM totals) AS sums
"""


class PostgresToolExecutions(PostgresRepository):
    """Implements `ToolExecutions`."""

    async def once(
        self, asker: Asker, call: ToolCall, run: Callable[[], Awaitable[Executed]]
    ) -> ResultState:
        async with checkout_held(self._pool):
            execution_row = await self._one(_BEGIN, _values(asker, call))
            if not execution_row["is_new"]:
                return _result(execution_row["output"], call)
            execution = await run()
            await self.end(asker, call, execution)
        return execution.result

    async def begin(self, asker: Asker, call: ToolCall) -> ResultState | None:
        row = await self._row_in_lane(_BEGIN, _values(asker, call))
        assert row is not None  # noqa: S101 - an upsert has a row
        return None if row["is_new"] else _result(row["output"], call)

    async def end(self, asker: Asker, call: ToolCall, execution: Executed) -> None:
        result, undo = execution.result, execution.undo
        values = {
            "thread_id": asker.thread_id,
            "request_id": asker.request_id,
            "call_id": call.id,
            "status": result["status"],
            "output": Jsonb(storable(result)),
            "undo": Jsonb(storable(undo)) if undo is not None else None,
            "message": result["done"],
        }
        await self._run_in_lane(_END, values)

    async def record(
        self, asker: Asker, call: ToolCall, result: ResultState, took_s: float
    ) -> None:
        values = {
            **_values(asker, call),
            "status": result["status"],
            "output": Jsonb(storable(result)),
            "duration_ms": took_s * 1000,
        }
        await self._run_in_lane(_RECORD, values)

    async def use_today(
        self, user_id: int, tools: Sequence[str], sums: Sequence[str]
    ) -> SpentToday:
        values = {"user_id": user_id, "tools": list(tools), "sums": list(sums)}
        return SpentToday(**await self._one(_SPENT, values))

    async def last_change(self, user_id: int, before: str) -> LastChange | None:
        rows = await self._rows(_LAST_CHANGE, (user_id, UNDO_MINUTES, before))
        descriptions = tuple(row["done"] for row in rows if row["done"])
        words = tuple(one for row in rows for one in read_words(row["words"]))
        return LastChange(rows[0]["request_id"], descriptions, words) if rows else None

    async def recent(self, user_id: int, limit: int) -> Sequence[RecentChange]:
        rows = await self._rows(_RECENT, (user_id, UNDO_MINUTES, limit))
        return [RecentChange(**row) for row in rows]

    async def undoable(self, user_id: int, call_id: str) -> Sequence[UndoableCall]:
        rows = await self._rows(_CALLS, (user_id, UNDO_MINUTES, call_id))
        return [UndoableCall(**row) for row in rows]

    async def undo(self, user_id: int, request_id: str, undo: Undo) -> Sequence[str]:
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _UNDOABLE, (user_id, UNDO_MINUTES, request_id))
            changes = sorted((Execution(**row) for row in rows), key=lambda one: -one.id)
            return [await undo(change) for change in changes]


def _values(asker: Asker, call: ToolCall) -> dict[str, Any]:
    return {
        "user_id": asker.user_id,
        "thread_id": asker.thread_id,
        "request_id": asker.request_id,
        "call_id": call.id,
        "tool": call.name,
        "input": Jsonb(storable(call.arguments)),
    }


def _result(output: ResultState | None, call: ToolCall) -> ResultState:
    """Return the stored result of a call; one that never ended may have done its work, or not."""
    return output or {
        "call_id": call.id,
        "status": "unknown",
        "content": '{"error": "It is not known whether this was done. Look, and tell the user."}',
        "passages": [],
        "done": "",
        "undoable": False,
    }
