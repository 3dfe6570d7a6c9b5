"""The definitions of tools that an admin accepted, and changes that wait for acceptance."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.feature import PostgresRepository, fetch_all
from rich_agent.feature.database import checkout, one_transaction
from rich_agent.features.mcp.definitions import PinnedTool, ServerTool, ToolChange

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('tool_pins', 0))"
_PINNED_SERVERS = "SELECT DISTINCT server FROM tool_pins WHERE server = ANY(%s)"
_PIN = """
INSERT INTO tool_pins (server, tool, pinned, digest)
VALUES (%(server)s, %(name)s, %(definition)s, %(digest)s) ON CONFLICT DO NOTHING
"""
_READ = "SELECT server, tool, pinned, digest FROM tool_pins WHERE server = ANY(%s)"
_DIGESTS = """
SELECT server, tool, CASE WHEN found IS NULL THEN digest ELSE '' END AS digest
FROM tool_pins WHERE server = ANY(%s)
"""
_NOTE = """
INSERT INTO tool_pins AS known (server, tool, found, found_digest)
VALUES (%(server)s, %(name)s, %(definition)s, %(digest)s)
ON CONFLICT (server, tool) DO UPDATE
SET found = excluded.found, found_digest = excluded.found_digest
WHERE known.found IS NULL
"""
_WAITING = "SELECT server, tool, pinned, found FROM tool_pins WHERE found IS NOT NULL"
_TO_ALERT = f"{_WAITING} AND NOT is_told AND server = ANY(%s)"
_MARK_ALERTED = """
UPDATE tool_pins SET is_told = true
WHERE (server, tool, found_digest) = (%(server)s, %(name)s, %(digest)s)
"""
_ACCEPT = """
UPDATE tool_pins AS pin SET pinned = pin.found, digest = pin.found_digest, found = NULL,
    found_digest = '', is_told = false, pinned_at = clock_timestamp()
FROM tool_pins AS before
WHERE pin.server = %(server)s AND (%(tool)s = '' OR pin.tool = %(tool)s) AND pin.found IS NOT NULL
    AND (before.server, before.tool) = (pin.server, pin.tool)
RETURNING pin.server, pin.tool, before.pinned, before.found
"""


class PostgresToolPins(PostgresRepository):
    """Implements `ToolPins`."""

    async def see(self, tools: Sequence[ServerTool]) -> Mapping[tuple[str, str], PinnedTool]:
        server_names = sorted({tool.server for tool in tools})
        async with one_transaction(self._pool) as connection:
            pinned_servers = {
                row["server"]
                for row in await fetch_all(connection, _PINNED_SERVERS, (server_names,))
            }
            if new_tools := [tool for tool in tools if tool.server not in pinned_servers]:
                await connection.execute(_LOCK)
                pinned_servers = {
                    row["server"]
                    for row in await fetch_all(connection, _PINNED_SERVERS, (server_names,))
                }
                async with connection.cursor() as cursor:
                    first_pins = [
                        _pin_values(tool) for tool in new_tools if tool.server not in pinned_servers
                    ]
                    await cursor.executemany(_PIN, first_pins)
            rows = await fetch_all(connection, _READ, (server_names,))
        return {
            (row["server"], row["tool"]): PinnedTool(_tool(row, row["pinned"]), row["digest"])
            for row in rows
        }

    async def digests(self, servers: Sequence[str]) -> Mapping[tuple[str, str], str]:
        rows = await self._rows(_DIGESTS, (list(servers),))
        return {(row["server"], row["tool"]): row["digest"] for row in rows}

    async def note(self, tools: Sequence[ServerTool]) -> None:
        async with checkout(self._pool) as connection, connection.cursor() as cursor:
            await cursor.executemany(_NOTE, [_pin_values(tool) for tool in tools])

    async def to_alert(self, servers: Sequence[str]) -> Sequence[ToolChange]:
        return _changes(await self._rows(_TO_ALERT, (list(servers),)))

    async def note_alerts(self, changes: Sequence[ToolChange]) -> None:
        async with checkout(self._pool) as connection, connection.cursor() as cursor:
            await cursor.executemany(
                _MARK_ALERTED, [_pin_values(change.current) for change in changes]
            )

    async def waiting(self) -> Sequence[ToolChange]:
        return _changes(await self._rows(_WAITING))

    async def accept(self, server: str, tool: str = "") -> Sequence[ToolChange]:
        return _changes(await self._rows(_ACCEPT, {"server": server, "tool": tool}))


def _pin_values(tool: ServerTool) -> dict[str, Any]:
    tool_fields = asdict(tool)
    definition = {name: tool_fields[name] for name in tool_fields.keys() - {"server", "name"}}
    return {
        "server": tool.server,
        "name": tool.name,
        "definition": Jsonb(definition),
        "digest": tool.digest,
    }


def _changes(rows: Sequence[Mapping[str, Any]]) -> Sequence[ToolChange]:
    changes = []
    for row in rows:
        current = _tool(row, row["found"])
        assert current is not None  # noqa: S101 - the queries' condition
        changes.append(ToolChange(_tool(row, row["pinned"]), current))
    return sorted(changes, key=lambda change: (change.current.server, change.current.name))


def _tool(row: Mapping[str, Any], definition: Mapping[str, Any] | None) -> ServerTool | None:
    if definition is None:
        return None
    return ServerTool(row["server"], row["tool"], **definition)
