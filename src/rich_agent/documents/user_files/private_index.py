"""Implements `FileIndex`: makes files of users searchable, each for its owner alone."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import psycopg
import structlog

from rich_agent.documents.chunk.chunking import ChunkText, cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.extracted import PIPELINE_VERSION
from rich_agent.documents.extract.markdown import Section, markdown_sections
from rich_agent.documents.index.documents import Fingerprint, Version
from rich_agent.documents.index.embedding import Embedder
from rich_agent.documents.index.groups import Item, ItemGroup
from rich_agent.documents.index.vector_spaces import register_space
from rich_agent.documents.index.writing import GroupWriter, VectorTarget, WrittenItem
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.user_files import UserFile
from rich_agent.errors import RichAgentError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.runtime.reach import log_failure

_EMBEDDING_S: Final = 60.0
_OPEN = """
INSERT INTO rag_sources (id, type, root_url, name, status, owner_user_id, user_file_id)
SELECT %(id)s, 'user-file', %(id)s, name, 'private', user_id, id FROM user_files
WHERE id = %(file_id)s AND user_id = %(user_id)s
ON CONFLICT (id) DO NOTHING
"""
_log = structlog.get_logger(__name__)


class PrivateIndex:
    """Writes to the tables of documents, under sources that only the owner of a file searches."""

    def __init__(self, pool: Pool, model: EmbeddingModel | None) -> None:
        self._pool = pool
        self._model = model.of_passages() if model else None

    async def index(self, file: UserFile, parts: Sequence[tuple[str, str]]) -> None:
        """See `FileIndex.index`."""
        item = await asyncio.to_thread(_item, file, parts)
        parameters = {"id": file.source_id, "file_id": file.id, "user_id": file.user_id}
        async with checkout(self._pool) as connection:
            await connection.execute(_OPEN, parameters)
        if self._model is None or not await self._store_with_vectors(item, self._model):
            await self._write(item, None)

    async def _store_with_vectors(self, item: Item, model: EmbeddingModel) -> bool:
        try:
            async with asyncio.timeout(_EMBEDDING_S):
                async with checkout(self._pool) as connection:
                    space = await register_space(
                        connection, VectorSpace(model.name, model.dimensions)
                    )
                if space.is_retired:
                    return False
                return await self._write(item, VectorTarget(space, Embedder(model)))
        except (TimeoutError, RichAgentError) as error:
            log_failure("user_file.without_vectors", error)
            return False

    async def _write(self, item: Item, target: VectorTarget | None) -> bool:
        results: list[WrittenItem] = []
        # A file that was forgotten meanwhile has no source any more.
        try:
            results = await GroupWriter(self._pool, target).write(ItemGroup([item]))
        except psycopg.errors.ForeignKeyViolation:
            return True
        return all(not result.reason for result in results)


def _item(file: UserFile, parts: Sequence[tuple[str, str]]) -> Item:
    """The file as a document to store.

    The sections of its chunks begin with the place that a reader sees.
    """
    url = f"user-file:{file.id}"
    page = DocumentRef(url, url, file.name)
    chunks = make_chunks(page, [piece for place, text in parts for piece in _cut(place, text)])
    version = Version(
        source_id=file.source_id,
        page=page,
        text="",
        fingerprint=Fingerprint(file.sha256, file.sha256, PIPELINE_VERSION, None, None),
        fetched_at=datetime.now(UTC),
        chunks=chunks,
    )
    text_by_hash = {chunk.content_hash: chunk.text for chunk in chunks}
    return Item(file.source_id, url, None, version, chunks, text_by_hash)


def _cut(place: str, text: str) -> list[ChunkText]:
    sections = [
        Section((place, *section.path) if place else section.path, "", section.blocks)
        for section in markdown_sections(text, slugs=False)
    ]
    return cut_sections(sections, "")
