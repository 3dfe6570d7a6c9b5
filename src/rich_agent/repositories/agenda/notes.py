"""Notes and their folders in PostgreSQL."""

from collections.abc import Sequence
from dataclasses import fields

from psycopg import sql

from rich_agent.domain.agenda.notes import Note, NoteFolder
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one

_NOTE = sql.SQL(", ").join(sql.Identifier(column.name) for column in fields(Note))
_CREATE = sql.SQL("""
INSERT INTO notes (user_id, title, content, folder_id)
SELECT %(user_id)s, %(title)s, %(content)s, %(folder_id)s
WHERE %(folder_id)s::bigint IS NULL OR EXISTS (
    SELECT FROM note_folders WHERE id = %(folder_id)s AND user_id = %(user_id)s
)
RETURNING {columns}
""").format(columns=_NOTE)
_WANTED = sql.SQL("""
FROM notes WHERE user_id = %(user_id)s AND deleted_at IS NULL
    AND (%(folder_id)s::bigint IS NULL OR folder_id = %(folder_id)s)
""")
_COUNT = sql.SQL("SELECT count(*) AS total {wanted}").format(wanted=_WANTED)
_PAGE = sql.SQL("""
SELECT {columns} {wanted} ORDER BY updated_at DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s
""").format(columns=_NOTE, wanted=_WANTED)
_FIND = sql.SQL("""
SELECT {columns} FROM notes WHERE id = %s AND user_id = %s AND deleted_at IS NULL
""").format(columns=_NOTE)
_DELETE = """
UPDATE notes SET deleted_at = clock_timestamp()
WHERE id = %s AND user_id = %s AND deleted_at IS NULL
"""
_RESTORE = """
UPDATE notes SET deleted_at = NULL WHERE id = %s AND user_id = %s AND deleted_at IS NOT NULL
"""
_FOLDERS = """
SELECT id, name, (
    SELECT count(*) FROM notes
    WHERE folder_id = folder.id AND user_id = folder.user_id AND deleted_at IS NULL
) AS notes
FROM note_folders AS folder
WHERE user_id = %(user_id)s AND (%(name)s::text IS NULL OR name = %(name)s)
ORDER BY name
"""
_MAKE_FOLDER = """
INSERT INTO note_folders (user_id, name) VALUES (%(user_id)s, %(name)s)
ON CONFLICT (user_id, name) DO NOTHING
"""


class PostgresNotes(PostgresRepository):
    """Implements `Notes`."""

    async def create(
        self, user_id: int, title: str, content: str, folder_id: int | None = None
    ) -> Note | None:
        values = {
            "user_id": user_id,
            "title": clean_text(title),
            "content": clean_text(content),
            "folder_id": folder_id,
        }
        row = await self._row_held(_CREATE, values)
        return Note(**row) if row else None

    async def page(
        self, user_id: int, limit: int, offset: int = 0, folder_id: int | None = None
    ) -> tuple[Sequence[Note], int]:
        named = {"user_id": user_id, "folder_id": folder_id, "limit": limit, "offset": offset}
        async with checkout(self._pool) as connection:
            total = (await fetch_one(connection, _COUNT, named))["total"]
            rows = await fetch_all(connection, _PAGE, named)
        return [Note(**row) for row in rows], total

    async def find(self, user_id: int, note_id: int) -> Note | None:
        row = await self._row(_FIND, (note_id, user_id))
        return Note(**row) if row else None

    async def delete(self, user_id: int, note_id: int) -> bool:
        return await self._run_held(_DELETE, (note_id, user_id)) > 0

    async def restore(self, user_id: int, note_id: int) -> bool:
        return await self._run_held(_RESTORE, (note_id, user_id)) > 0

    async def folders(self, user_id: int) -> Sequence[NoteFolder]:
        rows = await self._rows(_FOLDERS, {"user_id": user_id, "name": None})
        return [NoteFolder(**row) for row in rows]

    async def open_folder(self, user_id: int, name: str) -> NoteFolder:
        named = {"user_id": user_id, "name": clean_text(name)}
        async with checkout_held(self._pool) as connection:
            await connection.execute(_MAKE_FOLDER, named)
            return NoteFolder(**await fetch_one(connection, _FOLDERS, named))
