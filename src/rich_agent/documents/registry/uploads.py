"""Uploaded files, in the documents' database, which every worker reaches and every backup has.

Their bytes stay as long as their source, so that a new version of a reader can read them again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import quote, unquote

from rich_agent.documents.fetch.outcomes import (
    Listing,
    NotModified,
    Outcome,
    RawDocument,
    Unreadable,
    Validators,
)
from rich_agent.documents.index.search_index import note_changes
from rich_agent.documents.media import SUFFIXES, media_type_of_path
from rich_agent.documents.source import Source, SourceError
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_MOST_FILES = 10_000
_LONGEST_NAME = 200
_KEEP = """
INSERT INTO rag_uploads AS kept (source_id, name, data, size_bytes, sha256)
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (source_id, name) DO UPDATE SET data = excluded.data,
    size_bytes = excluded.size_bytes, sha256 = excluded.sha256, uploaded_at = now()
WHERE kept.sha256 <> excluded.sha256
"""
_COUNT = "SELECT count(*) AS files FROM rag_uploads WHERE source_id = %s AND name <> ALL(%s)"
_NAMES = "SELECT name FROM rag_uploads WHERE source_id = %s ORDER BY name"
_FILES = """
SELECT name, size_bytes, uploaded_at FROM rag_uploads
WHERE source_id = %s AND name > %s ORDER BY name LIMIT %s
"""
_HASH = "SELECT sha256 FROM rag_uploads WHERE source_id = %s AND name = %s"
_DATA = "SELECT data, sha256 FROM rag_uploads WHERE source_id = %s AND name = %s"
_REMOVE_FILE = "DELETE FROM rag_uploads WHERE source_id = %s AND name = %s"
_REMOVE_DOCUMENT = """
DELETE FROM rag_documents WHERE source_id = %s AND url = %s RETURNING chunk_count
"""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to be kept, with its name."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that is kept."""

    name: str
    size_bytes: int
    uploaded_at: datetime


def check_files(files: Sequence[NewFile], most_bytes: int) -> list[NewFile]:
    """The files with clean names. Raises: SourceError if one of them cannot be read."""
    checked_files = []
    for file in files:
        name = clean_text(file.name.replace("\\", "/").rpartition("/")[2]).strip()
        if not name or len(name) > _LONGEST_NAME:
            hint = f"Give it a name of at most {_LONGEST_NAME} characters."
            raise SourceError("a file needs a short name", hint=hint)
        if media_type_of_path(name) is None:
            hint = f"These can be read: {', '.join(SUFFIXES)}."
            raise SourceError(f"{name}: files of this kind cannot be read", hint=hint)
        if not file.data:
            raise SourceError(f"{name}: the file is empty", hint="Choose another one.")
        if len(file.data) > most_bytes:
            limit = f"{most_bytes // 1_000_000} MB (MAX_FILE_MB)"
            raise SourceError(f"{name}: the file is larger than {limit}", hint="Split it.")
        checked_files.append(NewFile(name, file.data))
    if not checked_files:
        raise SourceError("no file was chosen", hint="Choose one file or several.")
    return checked_files


class PostgresUploadedFiles(PostgresRepository):
    """Reads and writes `rag_uploads`."""

    async def keep(self, source: Source, files: Sequence[NewFile]) -> int:
        """Keep files in a registered source, in place of those of the same name.

        Return the number of files that are new or differ. Raises: SourceError for too many.
        """
        async with one_transaction(self._pool) as connection:
            names = [file.name for file in files]
            count = (await fetch_all(connection, _COUNT, (source.id, names)))[0]["files"]
            if count + len(set(names)) > _MOST_FILES:
                hint = "Give the new ones another name."
                raise SourceError(
                    f"{source.name} has {count:,} files, which is the most", hint=hint
                )
            changes = 0
            for file in files:
                digest = sha256(file.data).hexdigest()
                row = (source.id, file.name, file.data, len(file.data), digest)
                changes += (await connection.execute(_KEEP, row)).rowcount
        return changes

    async def files(self, source_id: str, after: str, limit: int) -> list[UploadedFile]:
        """The files of a source after a name, by name."""
        rows = await self._rows(_FILES, (source_id, after, limit))
        return [UploadedFile(**row) for row in rows]

    async def remove(self, source: Source, name: str) -> bool:
        """Remove a file and what was read from it; return whether there was such a file."""
        async with one_transaction(self._pool) as connection:
            is_gone = (await connection.execute(_REMOVE_FILE, (source.id, name))).rowcount > 0
            values = (source.id, _address(source, name))
            rows = await fetch_all(connection, _REMOVE_DOCUMENT, values)
            if rows:
                await note_changes(connection, sum(row["chunk_count"] for row in rows), {})
        return is_gone


class UploadReader(PostgresRepository):
    """Lists and reads the files of a source of uploads."""

    async def list_documents(self, source: Source) -> Listing:
        """All files of the source."""
        rows = await self._rows(_NAMES, (source.id,))
        return Listing(tuple(_address(source, row["name"]) for row in rows), is_complete=True)

    async def read(self, source: Source, url: str, validators: Validators) -> Outcome:
        """A file of the source; its ETag is the hash of its bytes."""
        name = unquote(url.rpartition("/")[2])
        row = await self._row(_HASH, (source.id, name))
        if row and row["sha256"] == validators.etag:
            return NotModified(url)
        row = await self._row(_DATA, (source.id, name))
        if row is None:
            return Unreadable(url, "the file was removed", is_gone=True)
        media_type = media_type_of_path(name) or "text/plain"
        return RawDocument(url, bytes(row["data"]), media_type, etag=row["sha256"], name=name)


def _address(source: Source, name: str) -> str:
    """The address of a file, by which its document is stored."""
    return f"upload://{source.id}/{quote(name, safe='')}"
