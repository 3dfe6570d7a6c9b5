"""The documents of a service, as listings tell of them portion by portion.

A portion is stored together with the cursor that follows it, so that an interrupted listing
continues there. A document belongs to the key of its entry. So it keeps its chunks and vectors when
it is renamed or moved, and no other document ever takes its place with its rights.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich_agent.documents.connectors.port import Changes, Entry
from rich_agent.documents.extract.extracted import PIPELINE_VERSION
from rich_agent.documents.index.documents import own_identity
from rich_agent.documents.index.search_index import note_changes
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.knowledge.places import assign_places, stored_key

_AT_URLS = "SELECT key, url FROM rag_entries WHERE source_id = %(source)s AND url = ANY(%(urls)s)"
_REMOVE = "DELETE FROM rag_entries WHERE source_id = %s AND key = ANY(%s)"
_STORE = """
INSERT INTO rag_entries AS entry (source_id, key, url, version, place, listing)
SELECT %(source)s, given.*, %(listing)s
FROM unnest(%(keys)s::text[], %(urls)s::text[], %(versions)s::text[], %(places)s::text[]) AS given
ON CONFLICT (source_id, key) DO UPDATE SET url = excluded.url, place = excluded.place,
    version = excluded.version, listing = excluded.listing,
    problem = CASE WHEN entry.version = excluded.version THEN entry.problem END
WHERE (entry.url, entry.place, entry.version, entry.listing)
    IS DISTINCT FROM (excluded.url, excluded.place, excluded.version, excluded.listing)
"""
_DOCUMENTS = """
SELECT id, url, identity, chunk_count FROM rag_documents
WHERE source_id = %(source)s AND (url = ANY(%(urls)s) OR identity = ANY(%(identities)s))
"""
_REPLACE = "DELETE FROM rag_documents WHERE id = ANY(%s)"
# In two steps, by a prefix that no address has, because old and new addresses may overlap.
_MOVE = (
    "UPDATE rag_documents SET url = 'moving:' || url WHERE id = ANY(%(ids)s)",
    """
    UPDATE rag_documents AS document SET url = moved.new
    FROM unnest(%(ids)s::bigint[], %(new)s::text[]) AS moved (id, new)
    WHERE document.id = moved.id
    """,
    """
    UPDATE rag_chunks AS chunk SET link = moved.new || substr(link, length(moved.old) + 1)
    FROM unnest(%(ids)s::bigint[], %(old)s::text[], %(new)s::text[]) AS moved (id, old, new)
    WHERE chunk.document_id = moved.id AND starts_with(link, moved.old)
    """,
)
_GO_ON = """
UPDATE rag_connections SET cursor = %(cursor)s WHERE source_id = %(source)s
"""
_BEGIN_WHOLE = """
UPDATE rag_connections SET is_whole = true, listing = listing + 1, cursor = ''
WHERE source_id = %s
"""
_END_WHOLE = """
WITH gone AS (
    DELETE FROM rag_entries AS entry USING rag_connections AS connected
    WHERE entry.source_id = %(source)s AND connected.source_id = entry.source_id
        AND entry.listing < connected.listing
)
UPDATE rag_connections SET is_whole = false, whole_at = clock_timestamp()
WHERE source_id = %(source)s
"""
_STATE = """
SELECT cursor, listing, is_whole,
    coalesce(whole_at < clock_timestamp() - make_interval(secs => %s), true) AS is_old
FROM rag_connections WHERE source_id = %s
"""
# A stored document has no place if a process was killed before it stored the place.
_PENDING = """
SELECT entry.key, entry.url, entry.version, entry.place FROM rag_entries AS entry
LEFT JOIN rag_documents AS document
    ON document.source_id = entry.source_id AND document.url = entry.url
WHERE entry.source_id = %s AND (
    document.id IS NULL OR document.etag IS DISTINCT FROM entry.version
    OR document.pipeline_version <> %s OR document.place_id IS NULL AND entry.place <> ''
    OR entry.url = ANY(%s)
) AND (entry.problem IS NULL OR entry.tried_at < clock_timestamp() - make_interval(secs => %s))
ORDER BY entry.key
"""
_COUNT = "SELECT count(*) AS number FROM rag_entries WHERE source_id = %s"
_AT = """
SELECT key, url, version, place FROM rag_entries WHERE source_id = %s AND url = ANY(%s)
"""
# Bytes that are the same under another version are not read again.
_NOTE_SAME = """
UPDATE rag_documents AS document SET etag = entry.version
FROM rag_entries AS entry
WHERE document.source_id = %(source)s AND document.url = ANY(%(urls)s)
    AND entry.source_id = document.source_id AND entry.url = document.url
    AND document.etag IS DISTINCT FROM entry.version
"""
_NOTE_READ = """
UPDATE rag_entries SET problem = NULL
WHERE source_id = %(source)s AND url = ANY(%(urls)s) AND problem IS NOT NULL
"""
_NOTE_PROBLEMS = """
UPDATE rag_entries AS entry SET problem = noted.reason, tried_at = clock_timestamp()
FROM unnest(%s::text[], %s::text[]) AS noted (url, reason)
WHERE source_id = %s AND entry.url = noted.url
"""


@dataclass(frozen=True, slots=True)
class ListingState:
    """The point that the listing of a source has reached."""

    cursor: str
    """Cursor at which the listing continues."""
    listing: int
    """Number of the last listing of all documents."""
    is_whole: bool
    """Whether a listing of all documents is under way."""
    is_old: bool
    """Whether the last complete listing of all documents is long ago."""


class PostgresEntries(PostgresRepository):
    """Reads and writes the entries of one source, and keeps its documents at their addresses."""

    def __init__(self, pool: Pool, source_id: str) -> None:
        super().__init__(pool)
        self._source = source_id

    async def state(self, older_than_s: float) -> ListingState:
        """The state of the listing."""
        return ListingState(**await self._one(_STATE, (older_than_s, self._source)))

    async def begin_whole(self) -> None:
        """Begin a listing of all documents."""
        await self._run(_BEGIN_WHOLE, (self._source,))

    async def end_whole(self) -> None:
        """End a listing of all documents: entries that it did not name are deleted."""
        await self._run(_END_WHOLE, {"source": self._source})

    async def store(self, changes: Changes, listing: int) -> None:
        """Store a portion of a listing with its cursor, and move documents that were moved.

        All this is one transaction: a document in a new place is never open to readers of the old
        place.
        """
        # The last entry of an address or key counts: a statement cannot write a row twice.
        entry_by_url = {entry.url: entry for entry in map(_storable, changes.entries)}
        entry_by_key = {entry.key: entry for entry in entry_by_url.values()}
        removed_keys = [
            clean_text(key) for key in changes.gone if clean_text(key) not in entry_by_key
        ]
        parameters = {
            "source": self._source,
            "listing": listing,
            "cursor": changes.cursor,
            "keys": list(entry_by_key),
            "urls": [entry.url for entry in entry_by_key.values()],
            "versions": [entry.version for entry in entry_by_key.values()],
            "places": [entry.place for entry in entry_by_key.values()],
            "identities": [own_identity(self._source, key) for key in entry_by_key],
        }
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _AT_URLS, parameters)
            removed_keys += [row["key"] for row in rows if row["key"] not in entry_by_key]
            if removed_keys:
                await connection.execute(_REMOVE, (self._source, removed_keys))
            await connection.execute(_STORE, parameters)
            await _move(connection, parameters)
            place_by_url = {entry.url: entry.place for entry in entry_by_key.values()}
            await assign_places(connection, self._source, place_by_url)
            await connection.execute(_GO_ON, parameters)

    async def pending(
        self, retry_after_s: float, due_urls: Collection[str] = ()
    ) -> dict[str, Entry]:
        """The entries to read or to give a place, by url, among them all at `due_urls`.

        Entries that failed are left out for `retry_after_s` seconds.
        """
        parameters = (self._source, PIPELINE_VERSION, list(due_urls), retry_after_s)
        return {row["url"]: Entry(**row) for row in await self._rows(_PENDING, parameters)}

    async def count(self) -> int:
        """The number of entries."""
        return int((await self._one(_COUNT, (self._source,)))["number"])

    async def at(self, urls: Sequence[str]) -> dict[str, Entry]:
        """The entries with these urls, by url."""
        rows = await self._rows(_AT, (self._source, list(urls)))
        return {row["url"]: Entry(**row) for row in rows}

    async def note_read(self, urls: Sequence[str]) -> None:
        """Note that these documents are stored in the versions of their entries."""
        parameters = {"source": self._source, "urls": list(urls)}
        await self._run(_NOTE_SAME, parameters)
        await self._run(_NOTE_READ, parameters)

    async def note_problems(self, reasons: Mapping[str, str]) -> None:
        """Note by url why documents cannot be read in the versions of their entries."""
        clean_reasons = [clean_text(reason) for reason in reasons.values()]
        if clean_reasons:
            await self._run(_NOTE_PROBLEMS, (list(reasons), clean_reasons, self._source))


async def _move(connection: Connection, parameters: Mapping[str, Any]) -> None:
    """Give moved documents their new addresses; remove other documents at those addresses."""
    url_by_identity = dict(zip(parameters["identities"], parameters["urls"], strict=True))
    rows = await fetch_all(connection, _DOCUMENTS, parameters)
    obsolete_rows = [row for row in rows if row["identity"] not in url_by_identity]
    moved_rows = [
        row for row in rows if url_by_identity.get(row["identity"], row["url"]) != row["url"]
    ]
    if obsolete_rows:
        await connection.execute(_REPLACE, ([row["id"] for row in obsolete_rows],))
        removed_chunk_count = sum(row["chunk_count"] for row in obsolete_rows)
        await note_changes(connection, removed_chunk_count, {})
    if moved_rows:
        columns = {
            "ids": [row["id"] for row in moved_rows],
            "old": [row["url"] for row in moved_rows],
            "new": [url_by_identity[row["identity"]] for row in moved_rows],
        }
        for statement in _MOVE:
            await connection.execute(statement, columns)


def _storable(entry: Entry) -> Entry:
    """The entry as PostgreSQL can store it."""
    key, url, version = map(clean_text, (entry.key, entry.url, entry.version))
    return Entry(key, url, version, stored_key(entry.place))
