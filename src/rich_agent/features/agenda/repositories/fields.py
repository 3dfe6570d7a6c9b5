"""Replaces fields of a row, and puts them back; the names of tables and columns are constants."""

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
    """A row of a user; `alive` is what is true of one that is not deleted."""

    table: LiteralString
    user_id: int
    id: int
    alive: LiteralString = "true"

    async def read(self, connection: Connection) -> Mapping[str, Any] | None:
        """The row as JSON, locked; None if the user has none."""
        query = sql.SQL(_READ).format(table=sql.Identifier(self.table), alive=sql.SQL(self.alive))
        row = await (await connection.execute(query, self._keys)).fetchone()
        return row["row"] if row else None

    async def replace(self, connection: Connection, fields: Mapping[str, Any]) -> FieldChange:
        """Replace those fields that differ; the row is the user's, and locked."""
        row = await self.read(connection) or {}
        values = {name: _json(value) for name, value in fields.items()}
        differences = {name: value for name, value in values.items() if row[name] != value}
        if not differences:
            return FieldChange()
        result = await self._write(connection, differences)
        return FieldChange(
            {name: row[name] for name in differences}, {name: result[name] for name in differences}
        )

    async def put_back(self, connection: Connection, change: FieldChange) -> frozenset[str]:
        """Restore the fields that are still as the change left them; their names."""
        row = await self.read(connection)
        if row is None:
            return frozenset()
        same = {
            name: value for name, value in change.before.items() if row[name] == change.after[name]
        }
        if same:
            await self._write(connection, same)
        return frozenset(same)

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
