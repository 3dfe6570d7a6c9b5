"""Removes documents that are gone from a source, unless there are too many."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from shlex import quote

from psycopg.rows import DictRow

from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.index.locks import LockConnection
from rich_agent.documents.index.search_index import note_changes
from rich_agent.documents.source import Source
from rich_agent.domain.text import counted
from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_FEW = 5
_SHARE = 0.25

_STORED = "SELECT count(*) AS documents FROM rag_documents WHERE source_id = %s"

_GONE = """
WITH listed AS MATERIALIZED (SELECT unnest(%(listed)s::text[]) AS url)
SELECT id, chunk_count FROM rag_documents AS document
WHERE source_id = %(source)s AND (
    id = ANY(%(gone)s)
    OR (%(is_whole)s AND NOT EXISTS (SELECT FROM listed WHERE listed.url = document.url))
)
"""

# The documents of a service are known from its entries, without a complete listing.
_GONE_FROM_SERVICE = """
SELECT id, chunk_count FROM rag_documents AS document
WHERE source_id = %(source)s AND (
    id = ANY(%(gone)s)
    OR NOT EXISTS (
        SELECT FROM rag_entries
        WHERE rag_entries.source_id = %(source)s AND rag_entries.url = document.url
    )
)
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """A source that was read, with its listing.

    `gone`: the ids of documents that turned out to be gone.
    `began`: the start of the reading, before the listing, by the database's clock.
    `is_forced`: whether any number of documents may be removed.
    """

    source: Source
    listing: Listing
    began: datetime
    gone: Sequence[int]
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """The numbers of removed documents and chunks, and the problems that prevented removals."""

    documents: int = 0
    chunks: int = 0
    problems: tuple[str, ...] = ()


async def remove_gone(locks: LockConnection, reading: Reading) -> Removal:
    """Remove documents that are gone, and record when the reading began.

    Changes before that time are stored; later changes may be missing. The connection that holds the
    source's lock is used, so that no other sync can own the source.
    """
    async with locks.connection.transaction():
        removal = await _remove(locks.connection, reading)
        await locks.connection.execute(
            "UPDATE rag_sources SET last_synced_at = %s WHERE id = %s",
            (reading.began, reading.source.id),
        )
    return removal


def listing_problem(
    *, is_complete: bool, problem: str, listing_count: int, stored_count: int
) -> str:
    """The reason why a listing does not show which documents are gone, "" if it does."""
    if not is_complete:
        return problem
    if not listing_count and stored_count:
        return f"lists nothing any more; {counted(stored_count, 'document')} kept"
    return ""


def refusal(removals: int, total: int, source: Source) -> str:
    """The reason not to remove so many documents without --force, "" if they are few."""
    if removals < _FEW or removals <= _SHARE * total:
        return ""
    return (
        f"{removals} of {counted(total, 'document')} would be removed; "
        f"if that is meant, run `ingest sync --force {quote(source.name)}`"
    )


async def _remove(connection: Connection, reading: Reading) -> Removal:
    source, listing = reading.source, reading.listing
    stored_count = (await fetch_one(connection, _STORED, (source.id,)))["documents"]
    problem = listing.problem
    if source.type != "connected":
        problem = listing_problem(
            is_complete=listing.is_complete,
            problem=listing.problem,
            listing_count=len(listing.urls),
            stored_count=stored_count,
        )
    is_whole = listing.is_complete and not problem
    rows = await _gone_rows(connection, reading, is_whole=is_whole)
    removal_refusal = "" if reading.is_forced else refusal(len(rows), stored_count, source)
    problems = tuple(filter(None, (problem, removal_refusal)))
    if removal_refusal or not rows:
        return Removal(problems=problems)
    removed_chunk_count = sum(row["chunk_count"] for row in rows)
    await connection.execute(
        "DELETE FROM rag_documents WHERE id = ANY(%s)", ([row["id"] for row in rows],)
    )
    await note_changes(connection, removed_chunk_count, {})
    return Removal(len(rows), removed_chunk_count, problems)


async def _gone_rows(
    connection: Connection, reading: Reading, *, is_whole: bool
) -> Sequence[DictRow]:
    parameters = {"source": reading.source.id, "gone": list(reading.gone)}
    if reading.source.type == "connected":
        return await fetch_all(connection, _GONE_FROM_SERVICE, parameters)
    urls = list(reading.listing.urls) if is_whole else []
    return await fetch_all(connection, _GONE, {**parameters, "listed": urls, "is_whole": is_whole})
