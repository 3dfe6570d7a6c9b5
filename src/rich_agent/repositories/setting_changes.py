"""Settings that were changed while the bot runs, in PostgreSQL. Nothing is ever deleted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich_agent.ports.setting_changes import SettingChange
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.inbox.wakeups import SETTINGS_CHANNEL

_LOCK = 0x73657474
_VERSION = "SELECT coalesce(max(id), 0) AS version FROM setting_changes"
_PRESENT = """
SELECT * FROM (
    SELECT DISTINCT ON (name) name, value, changed_by, changed_at FROM setting_changes
    ORDER BY name, id DESC
) AS last_change
WHERE value IS NOT NULL ORDER BY name
"""
_STORE = "INSERT INTO setting_changes (name, value, changed_by) VALUES (%s, %s, %s)"
_HISTORY = """
SELECT name, value, changed_by, changed_at FROM setting_changes
WHERE name = %s ORDER BY id DESC LIMIT %s
"""


class PostgresSettingChanges(PostgresRepository):
    """Implements `SettingChanges`."""

    async def version(self) -> int:
        return int((await self._one(_VERSION))["version"])

    async def present(self) -> Mapping[str, SettingChange]:
        return {row["name"]: _change(row) for row in await self._rows(_PRESENT)}

    async def change(
        self,
        name: str,
        value: str | None,
        changed_by: int | None,
        check: Callable[[Mapping[str, str]], None],
    ) -> str | None:
        async with one_transaction(self._pool) as connection:
            # So that a number that was seen is never followed by a smaller one.
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            values = {row["name"]: row["value"] for row in await fetch_all(connection, _PRESENT)}
            earlier_value: str | None = values.pop(name, None)
            check(values if value is None else {**values, name: value})
            if value != earlier_value:
                await connection.execute(_STORE, (name, value, changed_by))
                await connection.execute(f"NOTIFY {SETTINGS_CHANNEL}")
        return earlier_value

    async def history(self, name: str, limit: int) -> Sequence[SettingChange]:
        return [_change(row) for row in await self._rows(_HISTORY, (name, limit))]


def _change(row: dict[str, Any]) -> SettingChange:
    return SettingChange(row["name"], row["value"], row["changed_by"], row["changed_at"])
