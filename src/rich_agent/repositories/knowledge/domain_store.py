"""The description of the documents, and what a model needs to write it."""

from collections.abc import Sequence

from rich_agent.domain.rights import ANYBODY
from rich_agent.domain.routing.described_domain import DescribedDomain
from rich_agent.domain.text import shorten
from rich_agent.ports.knowledge import DocumentBeginning
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.knowledge.rights import OPEN, rights_of

_DOCUMENTS = """
rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
"""
_IS_PUBLIC = f"source.status = 'active' AND NOT source.internal AND {OPEN}"
_COUNT = f"SELECT count(*) AS documents FROM {_DOCUMENTS} WHERE {_IS_PUBLIC}"
_SAMPLE = f"""
SELECT document.title, source.name, left(chunk.content, %(chars)s) AS beginning
FROM {_DOCUMENTS} JOIN rag_chunks AS chunk ON chunk.document_id = document.id
WHERE chunk.chunk_index = 0 AND {_IS_PUBLIC}
ORDER BY document.chunk_count DESC, document.title LIMIT %(limit)s
"""
_KEEP = """
INSERT INTO rag_domain AS kept (description, examples, documents) VALUES (%s, %s, %s)
ON CONFLICT (id) DO UPDATE SET description = excluded.description, examples = excluded.examples,
    documents = excluded.documents, changed = 0, described_at = now()
"""
_BEGINNING_CHARS = 160


class PostgresDomainStore(PostgresRepository):
    """Implements `DomainStore`."""

    async def read(self) -> DescribedDomain | None:
        row = await self._row(
            "SELECT description, examples, documents, changed, described_at FROM rag_domain"
        )
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
            )
            for row in rows
        ]

    async def note_changes(self, documents: int) -> None:
        await self._run("UPDATE rag_domain SET changed = changed + %s", (documents,))

    async def keep(self, description: str, examples: Sequence[str], documents: int) -> None:
        await self._run(_KEEP, (description, list(examples), documents))
