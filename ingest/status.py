"""What is stored, in numbers, and what could not be brought up to date."""

from collections.abc import Mapping
from typing import Any

from ingest.app import Ingest
from ingest.runs import PostgresRuns
from rich_agent.repositories.database import checkout

_COUNTS = """
SELECT
    (SELECT count(*) FROM rag_sources WHERE status = 'active') AS active_sources,
    (SELECT count(*) FROM rag_sources WHERE status = 'inactive') AS inactive_sources,
    (SELECT count(*) FROM rag_documents) AS documents,
    (SELECT count(*) FROM rag_chunks) AS chunks,
    (SELECT count(*) FROM rag_embeddings
        WHERE model = %(model)s AND vector_dims(embedding) = %(dimensions)s) AS embedded
"""

_FAILING = """
SELECT url, last_error AS reason FROM rag_documents WHERE last_error IS NOT NULL ORDER BY url
"""


async def read_status(ingest: Ingest) -> dict[str, Any]:
    """Counts, `failing` documents with reasons, and the `last_sync`; as JSON.

    `chunks_embedded` counts those with a vector of the configured model.
    """
    space = ingest.space
    values = {
        "model": space.model if space else None,
        "dimensions": space.dimensions if space else None,
    }
    async with checkout(ingest.pool) as connection:
        counts = await (await connection.execute(_COUNTS, values)).fetchone() or {}
        failing = await (await connection.execute(_FAILING)).fetchall()
    last = await PostgresRuns(ingest.pool).last()
    return {
        "sources": {"active": counts["active_sources"], "inactive": counts["inactive_sources"]},
        "documents": counts["documents"],
        "chunks": counts["chunks"],
        "embedding_model": space.model if space else None,
        "chunks_embedded": counts["embedded"],
        "failing": failing,
        "last_sync": _last_sync(last) if last else None,
    }


def _last_sync(run: Mapping[str, Any]) -> dict[str, Any]:
    finished = run["finished_at"]
    return {
        "status": run["status"],
        "started_at": run["started_at"].isoformat(),
        "finished_at": finished.isoformat() if finished else None,
        "error": run["error"],
        "summary": run["summary"],
    }
