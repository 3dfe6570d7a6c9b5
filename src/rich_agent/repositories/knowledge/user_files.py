"""Private files of users, in the database of the documents. Every statement names the user."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from psycopg.types.json import Jsonb

from rich_agent.domain.inventory import Inventory
from rich_agent.domain.json_values import storable
from rich_agent.domain.tables import TableSchema
from rich_agent.domain.text import clean_text
from rich_agent.domain.user_files import FileUnit, NewUserFile, UserFile
from rich_agent.ports.user_files import MOST_FILES
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import execute
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one
from rich_agent.repositories.inbox.wakeups import TELL_PAGES

_COLUMNS = """
file.id, file.user_id, thread_id, file.name, media_type, size_bytes, sha256, ref, tokens,
is_kept, sent_at, tables, file.is_private, file.inventory,
(SELECT count(*) FROM user_file_units WHERE file_id = file.id) AS units,
EXISTS (
    SELECT FROM rag_sources AS source JOIN rag_documents AS document ON source_id = source.id
    WHERE source.user_file_id = file.id
) AS is_indexed
"""
_OF_USER = f"SELECT {_COLUMNS} FROM user_files AS file WHERE file.user_id = %(user_id)s"
_NEWEST_FIRST = "ORDER BY sent_at DESC, file.id DESC"
_READABLE = "(is_kept OR thread_id = %(thread_id)s)"

_STORE = """
INSERT INTO user_files AS known (user_id, thread_id, name, media_type, size_bytes, sha256, ref,
    tokens, tables, is_private, inventory)
VALUES (%(user_id)s, %(thread_id)s, %(name)s, %(media_type)s, %(size_bytes)s, %(sha256)s, %(ref)s,
    %(tokens)s, %(tables)s, %(is_private)s, %(inventory)s)
ON CONFLICT (user_id, sha256, thread_id) DO UPDATE
SET name = excluded.name, media_type = excluded.media_type, ref = excluded.ref,
    tokens = excluded.tokens, tables = excluded.tables, is_private = excluded.is_private,
    inventory = excluded.inventory, sent_at = now()
RETURNING id
"""
_STORE_UNIT = """
INSERT INTO user_file_units (file_id, position, kind, number, heading, content, anchor, tokens)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
_MAKE_ROOM = """
DELETE FROM user_files WHERE id IN (
    SELECT id FROM user_files WHERE user_id = %(user_id)s AND id <> %(id)s
    ORDER BY is_kept DESC, sent_at DESC OFFSET %(others)s
)
"""
_UNITS = """
SELECT kind, unit.number, heading, content AS text, unit.tokens, anchor
FROM user_file_units AS unit JOIN user_files AS file ON file.id = file_id
WHERE file_id = %s AND user_id = %s ORDER BY position
"""


class PostgresUserFiles(PostgresRepository):
    """Implements `UserFiles`; `lanes` is the pool of the lanes' database."""

    async def find_same(self, user_id: int, thread_id: str, sha256: str) -> UserFile | None:
        query = f"{_OF_USER} AND {_READABLE} AND sha256 = %(sha256)s {_NEWEST_FIRST} LIMIT 1"
        values = {"user_id": user_id, "thread_id": thread_id, "sha256": sha256}
        row = await self._row(query, values)
        return _file(row) if row else None

    async def store(self, file: NewUserFile) -> UserFile:
        values = {
            **{name: getattr(file, name) for name in ("user_id", "size_bytes", "sha256")},
            **{name: clean_text(getattr(file, name)) for name in ("thread_id", "name", "ref")},
            "media_type": clean_text(file.media_type),
            "tokens": sum(unit.tokens for unit in file.units),
            "is_private": file.is_private,
            "tables": Jsonb(storable([table.to_json() for table in file.tables])),
            "inventory": Jsonb(file.inventory.to_json()),
        }
        unit_rows = [
            (
                number,
                unit.kind,
                unit.number,
                *map(clean_text, (unit.heading, unit.text, unit.anchor)),
            )
            for number, unit in enumerate(file.units, start=1)
        ]
        async with (
            checkout_held(self._pool, self._lanes) as connection,
            connection.cursor() as cursor,
        ):
            file_id = (await fetch_one(connection, _STORE, values))["id"]
            await connection.execute("DELETE FROM user_file_units WHERE file_id = %s", (file_id,))
            # What was searched so far is that of another reading.
            await connection.execute("DELETE FROM rag_sources WHERE user_file_id = %s", (file_id,))
            await cursor.executemany(
                _STORE_UNIT,
                [
                    (file_id, *row, unit.tokens)
                    for row, unit in zip(unit_rows, file.units, strict=True)
                ],
            )
            room = {"user_id": file.user_id, "id": file_id, "others": MOST_FILES - 1}
            await connection.execute(_MAKE_ROOM, room)
            query = f"{_OF_USER} AND file.id = %(id)s"
            row = await fetch_one(connection, query, {"user_id": file.user_id, "id": file_id})
            await self._tell_pages(file.user_id)
        return _file(row)

    async def readable(self, user_id: int, thread_id: str) -> list[UserFile]:
        query = f"{_OF_USER} AND {_READABLE} {_NEWEST_FIRST}"
        rows = await self._rows(query, {"user_id": user_id, "thread_id": thread_id})
        return [_file(row) for row in rows]

    async def all_of(self, user_id: int) -> list[UserFile]:
        rows = await self._rows(f"{_OF_USER} {_NEWEST_FIRST}", {"user_id": user_id})
        return [_file(row) for row in rows]

    async def find(self, user_id: int, file_ids: Sequence[int]) -> list[UserFile]:
        if not file_ids:
            return []
        query = f"""
        {_OF_USER} AND file.id = ANY(%(ids)s::bigint[])
        ORDER BY array_position(%(ids)s::bigint[], file.id)
        """
        rows = await self._rows(query, {"user_id": user_id, "ids": list(file_ids)})
        return [_file(row) for row in rows]

    async def units(self, user_id: int, file_id: int) -> list[FileUnit]:
        rows = await self._rows(_UNITS, (file_id, user_id))
        return [FileUnit(**row) for row in rows]

    async def keep(self, user_id: int, file_ids: Sequence[int], *, kept: bool) -> int:
        query = "UPDATE user_files SET is_kept = %s WHERE user_id = %s AND id = ANY(%s)"
        return await self._change(user_id, query, (kept, user_id, list(file_ids)))

    async def forget(self, user_id: int, file_ids: Sequence[int]) -> int:
        query = "DELETE FROM user_files WHERE user_id = %s AND id = ANY(%s)"
        return await self._change(user_id, query, (user_id, list(file_ids)))

    async def leave(self, user_id: int) -> None:
        query = "DELETE FROM user_files WHERE user_id = %s AND NOT is_kept"
        await self._change(user_id, query, (user_id,))

    async def _change(self, user_id: int, query: LiteralString, values: Sequence[object]) -> int:
        async with checkout_held(self._pool, self._lanes) as connection:
            count = (await connection.execute(query, values)).rowcount
            await self._tell_pages(user_id)
        return count

    async def _tell_pages(self, user_id: int) -> None:
        """Tell open pages, whose processes listen to the database of the lanes."""
        await execute(self._lanes or self._pool, TELL_PAGES, {"user_id": user_id})


def _file(row: Mapping[str, Any]) -> UserFile:
    tables = tuple(map(TableSchema.from_json, row["tables"]))
    inventory = Inventory.from_json(row["inventory"])
    return UserFile(**{**row, "tables": tables, "inventory": inventory})
