"""Lists and counts registered sources and documents."""

from rich_agent.domain.inventory import Inventory
from rich_agent.domain.retrieval.language_trust import LanguageTrust, read_trusts
from rich_agent.domain.retrieval.passage import VectorProgress, VectorSpace
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import clean_text
from rich_agent.ports.knowledge import (
    DocumentExcerpt,
    DocumentTitles,
    ExcerptPassage,
    PassageQuery,
    SourcePage,
    SourceSummary,
)
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all, fetch_one
from rich_agent.repositories.knowledge.domain_store import MAY_READ_DOMAIN
from rich_agent.repositories.knowledge.rights import MAY_READ, OPEN, READABLE, rights_of
from rich_agent.repositories.knowledge.search_scope import find_scope
from rich_agent.repositories.knowledge.vector_search import read_progress
from rich_agent.repositories.knowledge.word_search import search_words

_CHUNKS_PER_TITLE = 5
_ACTIVE = f"""
SELECT source.name, source.internal AS is_internal, source.last_synced_at AS synced_at,
    CASE WHEN source.has_rights THEN 'source:' || source.id ELSE '' END AS guard,
    count(document.id) AS documents, coalesce(sum(document.chunk_count), 0)::bigint AS passages
FROM rag_sources AS source LEFT JOIN rag_documents AS document
    ON document.source_id = source.id AND {MAY_READ}
WHERE source.status = 'active' AND {READABLE}
GROUP BY source.id
HAVING %(sees_all)s OR NOT source.has_rights OR count(document.id) > 0
"""
_SUMS = f"""
SELECT count(*) AS source_count, coalesce(sum(documents), 0)::bigint AS documents,
    coalesce(sum(passages), 0)::bigint AS passages, max(synced_at) AS synced_at
FROM ({_ACTIVE}) AS source
"""
_PAGE = f"""
{_ACTIVE}
ORDER BY source.internal, lower(source.name), source.id OFFSET %(offset)s LIMIT %(limit)s
"""


_SUBJECTS = f"""
SELECT document.title
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
WHERE source.status = 'active' AND {OPEN} AND NOT source.internal AND document.title <> ''
GROUP BY document.title
ORDER BY max(document.chunk_count) DESC, document.title
LIMIT %(limit)s
"""
_QUESTIONS = f"SELECT examples FROM rag_domain WHERE {MAY_READ_DOMAIN}"
# Of documents with the same title, one that everybody may read makes it known.
_GUARDED_BY = """
CASE WHEN bool_and(source.has_rights) THEN 'document:' || min(document.id) END AS guard
"""
_MATCHING = f"""
SELECT document.title, {_GUARDED_BY}
FROM unnest(%(ids)s::text[]) WITH ORDINALITY AS found (id, place)
JOIN rag_chunks AS chunk USING (id) JOIN rag_documents AS document ON document.id = document_id
JOIN rag_sources AS source ON source.id = document.source_id
WHERE {OPEN} AND document.title <> ''
GROUP BY document.title
ORDER BY min(found.place)
LIMIT %(limit)s
"""
_OTHERS_SHARE = 3
_OTHERS = f"""
SELECT document.title, {_GUARDED_BY}
FROM rag_documents AS document JOIN rag_sources AS source ON source.id = document.source_id
WHERE source.status = 'active' AND {OPEN} AND document.title <> ''
    AND document.title <> ALL(%(shown)s)
GROUP BY document.title
ORDER BY bool_and(source.internal), max(document.chunk_count) DESC, document.title
LIMIT %(limit)s
"""
_EXCERPT = f"""
WITH asked AS (
    SELECT chunk.document_id, chunk.chunk_index, chunk.link, source.name
    FROM rag_chunks AS chunk JOIN rag_sources AS source ON source.id = chunk.source_id
    JOIN rag_documents AS document ON document.id = chunk.document_id
    WHERE chunk.id = %(id)s AND source.status = 'active' AND {OPEN}
        AND (%(internal)s::boolean IS NULL OR source.internal = %(internal)s)
)
SELECT near.id, near.section, near.content, near.chunk_index - asked.chunk_index AS away,
    document.title, document.chunk_count, document.inventory, asked.name, asked.chunk_index,
    coalesce(nullif(asked.link, ''), document.canonical_url, document.url) AS link
FROM asked JOIN rag_documents AS document ON document.id = asked.document_id
JOIN rag_chunks AS near ON near.document_id = asked.document_id
    AND near.chunk_index BETWEEN asked.chunk_index - %(around)s AND asked.chunk_index + %(around)s
ORDER BY near.chunk_index
"""
_OUTLINE = f"""
SELECT near.section
FROM rag_chunks AS asked JOIN rag_sources AS source ON source.id = asked.source_id
JOIN rag_documents AS document ON document.id = asked.document_id
JOIN rag_chunks AS near ON near.document_id = asked.document_id
WHERE asked.id = %(id)s AND source.status = 'active' AND {OPEN} AND near.section <> ''
GROUP BY near.section
ORDER BY min(near.chunk_index)
LIMIT %(limit)s
"""


class PostgresSourceCatalogue(PostgresRepository):
    """Implements `SourceCatalogue`."""

    async def subjects(self, limit: int, reader: Reader) -> list[str]:
        rows = await self._rows(_SUBJECTS, {**rights_of(reader), "limit": limit})
        return [row["title"] for row in rows]

    async def typical_questions(self, reader: Reader) -> list[str]:
        row = await self._row(_QUESTIONS, rights_of(reader))
        return list(row["examples"]) if row else []

    async def language_trust(self) -> tuple[LanguageTrust, ...]:
        row = await self._row("SELECT trust FROM rag_vector_spaces WHERE status = 'active'")
        return read_trusts(row and row["trust"])

    async def vector_progress(self, space: VectorSpace) -> VectorProgress:
        return await read_progress(self._pool, space)

    async def titles(self, query: str, limit: int, reader: Reader) -> DocumentTitles:
        async with one_transaction(self._pool) as connection:
            scope = await find_scope(self._pool, PassageQuery(query, reader=reader))
            chunk_ids = await search_words(self._pool, scope, _CHUNKS_PER_TITLE * limit)
            values = {**rights_of(reader), "ids": chunk_ids, "limit": limit}
            matching_rows = await fetch_all(connection, _MATCHING, values)
            values["shown"] = [row["title"] for row in matching_rows]
            other_rows = await fetch_all(connection, _OTHERS, values)
        matching_rows = matching_rows[: limit - min(len(other_rows), limit // _OTHERS_SHARE)]
        other_rows = other_rows[: limit - len(matching_rows)]
        guards = {row["guard"] for row in (*matching_rows, *other_rows)} - {None}
        return DocumentTitles(
            matching=tuple(row["title"] for row in matching_rows),
            others=tuple(row["title"] for row in other_rows),
            guards=tuple(sorted(guards)),
        )

    async def excerpt(
        self, chunk_id: str, around: int, reader: Reader, *, internal: bool | None = None
    ) -> DocumentExcerpt | None:
        request = {"id": clean_text(chunk_id), "around": around, "internal": internal}
        values = {**rights_of(reader), **request}
        rows = await self._rows(_EXCERPT, values)
        if not rows:
            return None
        first_row = rows[0]
        return DocumentExcerpt(
            title=first_row["title"],
            source=first_row["name"],
            link=first_row["link"],
            position=first_row["chunk_index"] + 1,
            count=first_row["chunk_count"],
            asked=next(index for index, row in enumerate(rows) if row["away"] == 0),
            passages=tuple(
                ExcerptPassage(row["id"], row["section"], row["content"]) for row in rows
            ),
            unread=Inventory.from_json(first_row["inventory"]).unread,
        )

    async def outline(self, chunk_id: str, limit: int, reader: Reader) -> list[str]:
        values = {**rights_of(reader), "id": clean_text(chunk_id), "limit": limit}
        rows = await self._rows(_OUTLINE, values)
        return [row["section"] for row in rows]

    async def page(self, offset: int, limit: int, reader: Reader) -> SourcePage:
        values = {**rights_of(reader), "offset": offset, "limit": limit}
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _PAGE, values)
            sums = await fetch_one(connection, _SUMS, values)
        return SourcePage(tuple(SourceSummary(**row) for row in rows), **sums)
