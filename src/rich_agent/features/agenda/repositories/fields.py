"""Replaces fields of a row and restores them. Names of tables and columns are constants."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString

from psycopg import sql
from psycopg.types.json import Jsonb

from rich_agent.feature.database import Connection, storable
from rich_agent.features.agenda.domain.tasks import FieldChange

_READ = """
SELECT to_jsonb(one) AS row FROM {table} AS one
WHERE id = %(id)s AND user_id = %(user_id)s AND {alive} FOR UPDATE
"""
_WRITE = """
UPDATE {table} AS one SET {fields}, updated_at = clock_timestamp()
FROM jsonb_populate_record(NULL::{table}, %(values)s) AS new
WHERE one.id = %(id)s AND one.user_id = %(user_id)s
RETURNING to_jsonb(one) AS row
"""


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """A row of a user. `alive` is the condition that holds for rows that are not deleted."""

    table: LiteralString
    user_id: int
    id: int
    alive: LiteralString = "true"

    async def read(self, connection: Connection) -> Mapping[str, Any] | None:
        """Lock the row and return it as JSON; None if the user has no such row."""
        query = sql.SQL(_READ).format(table=sql.Identifier(self.table), alive=sql.SQL(self.alive))
        row = await (await connection.execute(query, self._keys)).fetchone()
        return row["row"] if row else None

    async def replace(self, connection: Connection, fields: Mapping[str, Any]) -> FieldChange:
        """Replace the fields that differ. The row must be the user's."""
        row = await self.read(connection) or {}
        json_fields = {name: _json(value) for name, value in fields.items()}
        new_fields = {name: value for name, value in json_fields.items() if row[name] != value}
        if not new_fields:
            return FieldChange()
        new_row = await self._write(connection, new_fields)
        return FieldChange(
            {name: row[name] for name in new_fields}, {name: new_row[name] for name in new_fields}
        )

    async def put_back(self, connection: Connection, change: FieldChange) -> frozenset[str]:
        """Restore the fields that are still as the change left them; returns their names."""
        row = await self.read(connection)
        if row is None:
            return frozenset()
        old_fields = {
            name: value for name, value in change.before.items() if row[name] == change.after[name]
        }
        if old_fields:
            await self._write(connection, old_fields)
        return frozenset(old_fields)

    async def _write(self, connection: Connection, values: Mapping[str, Any]) -> Mapping[str, Any]:
        fields = sql.SQL(", ").join(
            sql.SQL("{0} = new.{0}").format(sql.Identifier(name)) for name in values
        )
        query = sql.SQL(_WRITE).format(table=sql.Identifier(self.table), fields=fields)
        cursor = await connection.execute(query, {**self._keys, "values": Jsonb(values)})
        row = await cursor.fetchone()
        return row["row"] if row else {}

    @property
    def _keys(self) -> dict[str, Any]:
        return {"id": self.id, "user_id": self.user_id}


def _json(value: object) -> Any:  # noqa: ANN401 - JSON
    return value.isoformat() if isinstance(value, date) else storable(value)
