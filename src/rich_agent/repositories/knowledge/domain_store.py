"""The description of the documents, and what a model needs to write it."""

from datetime import datetime

from rich_agent.domain.rights import ANYBODY
from rich_agent.domain.routing.described_domain import DescribedDomain
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import shorten
from rich_agent.ports.knowledge import DocumentBeginning, WrittenFrom
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.rights import OPEN, READABLE, rights_of

MAY_READ_DOMAIN = f"""
(rag_domain.description <> '' AND NOT EXISTS (
    SELECT FROM unnest(rag_domain.sources) AS described (id) LEFT JOIN rag_sources AS source
        USING (id)
    WHERE source.id IS NULL OR source.status <> 'active' OR source.internal
        OR {READABLE} IS NOT TRUE
) AND NOT EXISTS (
    SELECT FROM rag_documents AS document JOIN rag_sources AS source
        ON source.id = document.source_id
    WHERE document.id = ANY(rag_domain.sample) AND {OPEN} IS NOT TRUE
))
"""
"""Whether the reader may read all that the description in rag_domain was written from."""
_DOCUMENTS = """
rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
"""
_IS_PUBLIC = f"source.status = 'active' AND NOT source.internal AND {OPEN}"
_COUNT = f"SELECT count(*) AS documents FROM {_DOCUMENTS} WHERE {_IS_PUBLIC}"
_READ = f"""
SELECT description, examples, documents, described_at, {MAY_READ_DOMAIN} AS is_open, (
    SELECT count(*) FROM {_DOCUMENTS}
    WHERE document.fetched_at > rag_domain.described_at AND {_IS_PUBLIC}
) AS changed
FROM rag_domain WHERE description <> ''
"""
_SAMPLE = f"""
SELECT document.title, source.name, left(chunk.content, %(chars)s) AS beginning,
    document.id, document.source_id
FROM {_DOCUMENTS} JOIN rag_chunks AS chunk ON chunk.document_id = document.id
WHERE chunk.chunk_index = 0 AND {_IS_PUBLIC}
ORDER BY document.chunk_count DESC, document.title LIMIT %(limit)s
"""
_TRY = """
INSERT INTO rag_domain AS kept (description, documents, tried_at, tries)
VALUES ('', 0, clock_timestamp(), 1)
ON CONFLICT (id) DO UPDATE SET tried_at = excluded.tried_at, tries = kept.tries + 1
WHERE kept.tries = 0 OR kept.tried_at < excluded.tried_at - CASE WHEN %(at_once)s
    THEN interval '2 minutes' ELSE interval '1 day' * 2 ^ least(kept.tries - 1, 5) END
RETURNING tried_at
"""
# What was written from before counts on: a model may have found that its description still fits.
_KEEP = """
UPDATE rag_domain SET description = %(description)s, examples = %(examples)s,
    documents = %(documents)s, described_at = tried_at, tries = 0,
    sources = ARRAY(SELECT unnest(%(sources)s::text[])
        UNION SELECT unnest(sources) WHERE description = %(description)s),
    sample = ARRAY(SELECT unnest(%(sample)s::bigint[])
        UNION SELECT unnest(sample) WHERE description = %(description)s)
WHERE tried_at = %(tried_at)s
"""
_BEGINNING_CHARS = 160


class PostgresDomainStore(PostgresRepository):
    """Implements `DomainStore`."""

    async def read(self) -> DescribedDomain | None:
        row = await self._row(_READ, rights_of(ANYBODY))
        return DescribedDomain(**{**row, "examples": tuple(row["examples"])}) if row else None

    async def count(self) -> int:
        return int((await self._one(_COUNT, rights_of(ANYBODY)))["documents"])

    async def sample(self, limit: int) -> list[DocumentBeginning]:
        values = {**rights_of(ANYBODY), "limit": limit, "chars": 4 * _BEGINNING_CHARS}
        rows = await self._rows(_SAMPLE, values)
        return [
            DocumentBeginning(
                row["title"] or row["name"],
                shorten(" ".join(row["beginning"].split()), _BEGINNING_CHARS),
                row["id"],
                row["source_id"],
            )
            for row in rows
        ]

    async def begin(self, *, at_once: bool = False) -> datetime | None:
        row = await self._row(_TRY, {"at_once": at_once})
        return row["tried_at"] if row else None

    async def keep(self, domain: Domain, written_from: WrittenFrom, tried_at: datetime) -> None:
        values = {
            "description": domain.description,
            "examples": list(domain.examples),
            "documents": written_from.documents,
            "sources": sorted({one.source_id for one in written_from.sample}),
            "sample": [one.id for one in written_from.sample],
            "tried_at": tried_at,
        }
        await self._run(_KEEP, values)

    async def clear(self) -> None:
        await self._run("DELETE FROM rag_domain")
