"""Ends a round: removes documents that are gone from a source, unless there are too many."""

from dataclasses import dataclass
from shlex import quote

from ingest.sync.rounds import Round
from rich_agent.documents.index.search_index import note_changes
from rich_agent.documents.source import Source
from rich_agent.domain.text import counted
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction
from rich_agent.repositories.database.repository import fetch_all

_FEW = 5
_SHARE = 0.25

_ROUND = """
SELECT is_forced, (SELECT count(*) FROM rag_documents WHERE source_id = %(source)s) AS stored
FROM rag_sync_rounds WHERE id = %(round)s
"""

_GONE = """
WITH listed AS MATERIALIZED (
    SELECT unnest(urls) AS url FROM rag_sync_batches WHERE round_id = %(round)s
)
SELECT id, chunk_count FROM rag_documents AS document
WHERE source_id = %(source)s AND (
    id IN (SELECT unnest(gone) FROM rag_sync_batches WHERE round_id = %(round)s)
    OR (%(is_whole)s AND NOT EXISTS (SELECT FROM listed WHERE listed.url = document.url))
)
"""


# What a service has is known also without a listing of everything.
_GONE_FROM_SERVICE = """
SELECT id, chunk_count FROM rag_documents AS document
WHERE source_id = %(source)s AND (
    id IN (SELECT unnest(gone) FROM rag_sync_batches WHERE round_id = %(round)s)
    OR NOT EXISTS (
        SELECT FROM rag_entries
        WHERE rag_entries.source_id = %(source)s AND rag_entries.url = document.url
    )
)
"""


@dataclass(frozen=True, slots=True)
class Removal:
    """The number of documents and chunks that were removed, and why others were not."""

    documents: int = 0
    chunks: int = 0
    problems: tuple[str, ...] = ()


async def end_round(pool: Pool, sync_round: Round, source: Source) -> Removal:
    """Remove documents that are gone, record the time of the sync, and delete the round.

    Raises: DatabaseUnavailableError.
    """
    async with one_transaction(pool) as connection:
        removal = await _remove(connection, sync_round, source)
        await connection.execute(
            "UPDATE rag_sources SET last_synced_at = clock_timestamp() WHERE id = %s", (source.id,)
        )
        await connection.execute("DELETE FROM rag_sync_rounds WHERE id = %s", (sync_round.id,))
    return removal


def listing_problem(
    *, is_complete: bool, problem: str, listing_count: int, stored_count: int
) -> str:
    """Why a listing does not show what is gone, "" if it does."""
    if not is_complete:
        return problem
    if not listing_count and stored_count:
        return f"lists nothing any more; {counted(stored_count, 'document')} kept"
    return ""


def refusal(removals: int, total: int, source: Source) -> str:
    """Why so many documents are not removed without --force, "" if they are few."""
    if removals < _FEW or removals <= _SHARE * total:
        return ""
    return (
        f"{removals} of {counted(total, 'document')} would be removed; "
        f"if that is meant, run `ingest sync --force {quote(source.name)}`"
    )


async def _remove(connection: Connection, sync_round: Round, source: Source) -> Removal:
    values = {"source": source.id, "round": sync_round.id}
    row = await (await connection.execute(_ROUND, values)).fetchone() or {}
    total = row.get("stored", 0)
    problem = sync_round.problem
    if source.type == "connected":
        rows = await fetch_all(connection, _GONE_FROM_SERVICE, values)
    else:
        problem = listing_problem(
            is_complete=sync_round.is_complete,
            problem=sync_round.problem,
            listing_count=sync_round.documents,
            stored_count=total,
        )
        rows = await fetch_all(connection, _GONE, {**values, "is_whole": not problem})
    too_many = "" if row.get("is_forced") else refusal(len(rows), total, source)
    problems = tuple(filter(None, (problem, too_many)))
    if too_many or not rows:
        return Removal(problems=problems)
    chunks = sum(one["chunk_count"] for one in rows)
    await connection.execute(
        "DELETE FROM rag_documents WHERE id = ANY(%s)", ([one["id"] for one in rows],)
    )
    await note_changes(connection, chunks, {})
    return Removal(len(rows), chunks, problems)
