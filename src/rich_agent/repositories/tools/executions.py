"""The record of every call of a tool, in PostgreSQL."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.tools import ResultState, ToolCall
from rich_agent.ports.tools import UNDO_MINUTES, Asker, Executed, Execution, Undo
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_BEGIN = """
INSERT INTO tool_executions AS known (user_id, thread_id, request_id, call_id, tool, input)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(call_id)s, %(tool)s, %(input)s)
ON CONFLICT (thread_id, request_id, call_id) DO UPDATE SET tool = known.tool
RETURNING xmax = 0 AS is_new, output
"""
_END = """
UPDATE tool_executions
SET status = %(status)s, output = %(output)s, undo = %(undo)s, message = %(message)s,
    duration_ms = extract(epoch FROM clock_timestamp() - started_at) * 1000
WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND call_id = %(call_id)s
"""
_RECORD = """
INSERT INTO tool_executions
    (user_id, thread_id, request_id, call_id, tool, input, status, output, duration_ms)
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(call_id)s, %(tool)s, %(input)s,
    %(status)s, %(output)s, %(duration_ms)s)
ON CONFLICT (thread_id, request_id, call_id) DO NOTHING
"""
_UNDOABLE = """
UPDATE tool_executions SET undone_at = clock_timestamp()
WHERE user_id = %s AND request_id = %s AND undo IS NOT NULL AND undone_at IS NULL
    AND status = 'success' AND started_at > clock_timestamp() - make_interval(mins => %s)
RETURNING id, tool, undo
"""


class PostgresToolExecutions(PostgresRepository):
    """Implements `ToolExecutions`."""

    async def once(
        self, asker: Asker, call: ToolCall, run: Callable[[], Awaitable[Executed]]
    ) -> ResultState:
        async with checkout_held(self._pool):
            before = await self._one(_BEGIN, _values(asker, call))
            if not before["is_new"]:
                return _result(before["output"], call)
            executed = await run()
            await self.end(asker, call, executed)
        return executed.result

    async def begin(self, asker: Asker, call: ToolCall) -> ResultState | None:
        row = await self._row_held(_BEGIN, _values(asker, call))
        assert row is not None  # noqa: S101 - an upsert has a row
        return None if row["is_new"] else _result(row["output"], call)

    async def end(self, asker: Asker, call: ToolCall, executed: Executed) -> None:
        result, undo = executed.result, executed.undo
        values = {
            "thread_id": asker.thread_id,
            "request_id": asker.request_id,
            "call_id": call.id,
            "status": result["status"],
            "output": Jsonb(storable(result)),
            "undo": Jsonb(storable(undo)) if undo is not None else None,
            "message": result["done"],
        }
        await self._run_held(_END, values)

    async def record(
        self, asker: Asker, call: ToolCall, result: ResultState, took_s: float
    ) -> None:
        values = {
            **_values(asker, call),
            "status": result["status"],
            "output": Jsonb(storable(result)),
            "duration_ms": took_s * 1000,
        }
        await self._run_held(_RECORD, values)

    async def undo(self, user_id: int, request_id: str, undo: Undo) -> Sequence[str]:
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _UNDOABLE, (user_id, request_id, UNDO_MINUTES))
            changes = sorted((Execution(**row) for row in rows), key=lambda one: -one.id)
            return [await undo(change) for change in changes]

    async def prune(self, days: float) -> int:
        return await self._prune("tool_executions", "started_at", days)


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
