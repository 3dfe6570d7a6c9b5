"""`ingest status`: counts, syncs in progress, and failures."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ingest.app import Ingest, open_ingest
from ingest.sync.runs import PostgresRuns
from rich_agent.documents.index.search_index import read_corpus
from rich_agent.documents.registry.progress import SyncProgressReader
from rich_agent.documents.registry.source_clocks import PostgresClocks
from rich_agent.domain.inventory import VISIBLE_PARTS
from rich_agent.domain.json_values import readable
from rich_agent.domain.retrieval.language_trust import read_trusts
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION
from rich_agent.repositories.database.pools import Connection, checkout
from rich_agent.repositories.database.repository import fetch_all, fetch_one
from rich_agent.repositories.knowledge.domain_store import PostgresDomainStore

_RUNS_SHOWN = 5

_COUNTS = """
SELECT
    (SELECT count(*) FROM rag_sources WHERE status = 'active') AS active_sources,
    (SELECT count(*) FROM rag_sources WHERE status = 'inactive') AS inactive_sources,
    (SELECT count(*) FROM rag_documents WHERE source_id <> ALL(private.ids)) AS documents,
    (SELECT count(*) FROM rag_chunks WHERE source_id <> ALL(private.ids)) AS chunks,
    (SELECT count(*) FROM rag_embeddings WHERE source_id <> ALL(private.ids)
        AND model = %(model)s AND dimensions = %(dimensions)s) AS embedded,
    (SELECT count(*) FROM rag_chunks WHERE analysis < %(analysis)s) AS old_chunks
FROM (
    SELECT coalesce(array_agg(id), '{}') AS ids FROM rag_sources WHERE status = 'private'
) AS private
"""

_FAILING = """
SELECT url, last_error AS reason FROM rag_documents WHERE last_error IS NOT NULL
UNION SELECT url, problem FROM rag_entries WHERE problem IS NOT NULL ORDER BY url
"""

_UNREAD = """
SELECT kind, sum(held - read)::integer AS parts, count(*)::integer AS documents, min(url) AS example
FROM rag_documents, jsonb_each(inventory) AS part (kind, counts),
    LATERAL (SELECT (counts->>0)::integer AS held, (counts->>1)::integer AS read) AS counted
WHERE inventory <> '{}' AND kind = ANY(%s) AND held > read
    AND source_id <> ALL(SELECT id FROM rag_sources WHERE status = 'private')
GROUP BY kind ORDER BY parts DESC, kind
"""

_SPACES = """
SELECT model, dimensions, status, trust, (
    SELECT count(*) FROM rag_embeddings AS vector
    WHERE vector.model = space.model AND vector.dimensions = space.dimensions
) AS vectors
FROM rag_vector_spaces AS space ORDER BY status, model, dimensions
"""


async def status_now() -> dict[str, Any]:
    """The output of `ingest status --json`.

    `chunks_embedded`: the number of chunks with a vector of the configured model.
    `languages`: the trust of the active space's model in each language of the documents.
    `domain`: what the documents are about, as a model or the operator (`DOMAIN_DESCRIPTION`) says.
    `unread`: what a person sees in the documents and was not read: kinds of parts, with numbers.
    `failing`: documents that failed, with reasons.
    `runs`, `rounds`: the latest syncs, and the sources that are being synced now.
    `clocks`: the times at which each source was read, and will be read again.
    """
    async with open_ingest() as ingest, checkout(ingest.pool) as connection:
        space = ingest.space
        totals_row = await fetch_one(connection, _COUNTS, _parameters_of(space))
        failing_rows = await fetch_all(connection, _FAILING)
        unread_rows = await fetch_all(connection, _UNREAD, (list(VISIBLE_PARTS),))
        space_rows = await fetch_all(connection, _SPACES)
        is_current = await _is_current(connection, totals_row)
        domain = await _domain(ingest)
        rounds = [asdict(reading) for reading in await SyncProgressReader(ingest.pool).readings()]
        runs = [_run(row) for row in await PostgresRuns(ingest.pool).latest(_RUNS_SHOWN)]
        clocks = [clock.to_json() for clock in await PostgresClocks(ingest.databases).all()]
    languages = {space["status"]: read_trusts(space.pop("trust")) for space in space_rows}
    return {
        "sources": {name: totals_row[f"{name}_sources"] for name in ("active", "inactive")},
        "documents": totals_row["documents"],
        "chunks": totals_row["chunks"],
        "embedding_model": space.model if space else None,
        "chunks_embedded": totals_row["embedded"],
        "spaces": space_rows,
        "languages": [trust.to_json() for trust in languages.get("active", ())],
        "statistics_are_current": is_current,
        "domain": domain,
        "unread": unread_rows,
        "failing": failing_rows,
        "rounds": readable(rounds),
        "clocks": clocks,
        "last_sync": runs[0] if runs else None,
        "runs": runs,
    }


async def _domain(ingest: Ingest) -> dict[str, Any] | None:
    own = ingest.settings.turn.domain
    if own.description:
        examples = list(own.examples)
        own_domain = {"description": own.description, "examples": examples}
        return {**own_domain, "described_at": None, "changed": None}
    described = await PostgresDomainStore(ingest.pool).read()
    if described is None or not described.is_open:
        return None
    return {
        "description": described.description,
        "examples": list(described.examples),
        "described_at": readable(described.described_at),
        "changed": described.changed,
    }


def _parameters_of(space: VectorSpace | None) -> dict[str, Any]:
    """The parameters of the query for the totals: the space in which chunks are embedded."""
    return {
        "model": space.model if space else None,
        "dimensions": space.dimensions if space else None,
        "analysis": ANALYSIS_VERSION,
    }


async def _is_current(connection: Connection, counts: Mapping[str, Any]) -> bool:
    corpus = await read_corpus(connection)
    return corpus.is_current and corpus.weighed_to is None and not counts["old_chunks"]


def _run(run: Mapping[str, Any]) -> dict[str, Any]:
    columns = ("status", "started_at", "finished_at", "error", "summary")
    return {name: readable(run[name]) for name in columns}
