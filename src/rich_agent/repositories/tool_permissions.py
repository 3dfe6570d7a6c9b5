"""Calls of tools that users permitted for good."""

from collections.abc import Sequence
from dataclasses import asdict

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.permissions import (
    MOST_PERMISSIONS,
    KeptPermission,
    NewPermission,
    Permission,
)
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.repository import PostgresRepository

_OF = "SELECT id, digest, arguments, fixed FROM tool_permissions WHERE user_id = %s ORDER BY id"
_GIVE = """
INSERT INTO tool_permissions (user_id, server, tool, digest, title, arguments, fixed)
VALUES (%(user_id)s, %(server)s, %(tool)s, %(digest)s, %(title)s, %(arguments)s, %(fixed)s)
ON CONFLICT DO NOTHING
"""
_MAKE_ROOM = f"""
DELETE FROM tool_permissions WHERE id IN (
    SELECT id FROM tool_permissions WHERE user_id = %(user_id)s
    ORDER BY coalesce(used_at, given_at) DESC, id DESC OFFSET {MOST_PERMISSIONS}
)
"""
_USE = """
UPDATE tool_permissions SET used = used + 1, used_at = clock_timestamp()
WHERE id = %s AND user_id = %s
"""
_KEPT = """
SELECT id, server, tool, digest, title, arguments, fixed, given_at, used, used_at
FROM tool_permissions WHERE user_id = %s ORDER BY id DESC
"""
_TAKE_BACK = """
DELETE FROM tool_permissions
WHERE user_id = %(user_id)s AND id = coalesce(%(permission)s, id)
"""


class PostgresPermissions(PostgresRepository):
    """Implements `Permissions`."""

    async def of(self, user_id: int) -> tuple[Permission, ...]:
        return tuple(Permission(**row) for row in await self._rows(_OF, (user_id,)))

    async def give(self, new: NewPermission) -> None:
        constants = None if new.fixed is None else list(new.fixed)
        arguments = Jsonb(storable(new.arguments))
        values = {**asdict(new), "arguments": arguments, "fixed": constants}
        async with checkout_held(self._pool) as connection:
            await connection.execute(_GIVE, values)
            await connection.execute(_MAKE_ROOM, {"user_id": new.user_id})

    async def use(self, permission: int, user_id: int) -> None:
        await self._run_in_lane(_USE, (permission, user_id))

    async def all(self, user_id: int) -> Sequence[KeptPermission]:
        return [KeptPermission(**row) for row in await self._rows(_KEPT, (user_id,))]

    async def take_back(self, user_id: int, permission: int | None = None) -> None:
        await self._run(_TAKE_BACK, {"user_id": user_id, "permission": permission})

    async def prune(self, days: float) -> int:
        return await self._prune("tool_permissions", "coalesce(used_at, given_at)", days)
