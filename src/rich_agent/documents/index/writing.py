"""Embeds and stores a group of documents in one transaction.

A document that the model or the database refuses is reported, and does not block the others.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import psycopg
import structlog

from rich_agent.documents.chunk.chunking import ChunkText
from rich_agent.documents.chunk.chunks import make_chunks
from rich_agent.documents.index.claims import claim_texts, drop_claims, stage_vectors
from rich_agent.documents.index.documents import Version, own_identity
from rich_agent.documents.index.embedding import Embedded, Embedder
from rich_agent.documents.index.groups import MOST_TEXTS, Item, ItemGroup
from rich_agent.documents.index.storing import store_versions
from rich_agent.documents.index.vector_spaces import OpenSpace, activate_first, note_documents
from rich_agent.documents.index.vectors import ChunkKey, NewVectors, known_texts, store_vectors
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction

# The transaction lasts as long as the model's calls, and other processes wait for its texts.
_BE_PATIENT = """
SELECT set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', '15min', true)
"""

_IDENTITY = "rag_documents_identity_key"
_SYSTEM_FAILS = ("08", "53", "57", "58")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class VectorTarget:
    """The space of the vectors, and the embedder that makes them."""

    space: OpenSpace
    embedder: Embedder


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """The result for an item."""

    item: Item
    embedded: int = 0
    """Number of embedded chunks."""
    removed: int = 0
    """Number of removed chunks."""
    reason: str = ""
    """Reason of a failure, "" without one."""


class GroupWriter:
    """Writes groups of documents. Without a target, it stores no vectors."""

    def __init__(self, pool: Pool, target: VectorTarget | None) -> None:
        self._pool = pool
        self._target = target

    @property
    def makes_vectors(self) -> bool:
        """Whether there is a target."""
        return self._target is not None

    @property
    def has_given_up(self) -> bool:
        """Whether the embedding model is no longer called."""
        return self._target is not None and self._target.embedder.has_given_up

    async def write(self, group: ItemGroup) -> list[WrittenItem]:
        """Store the items of the group, which all belong to one source.

        Raises: DatabaseUnavailableError.
        """
        if self._target is not None:
            return await self._write_with_vectors(group.items, self._target)
        async with one_transaction(self._pool) as connection:
            return await _store_all(connection, group.items, None)

    async def _write_with_vectors(
        self, items: Sequence[Item], target: VectorTarget
    ) -> list[WrittenItem]:
        text_by_key = {key: text for item in items for key, text in item.new_texts.items()}
        staged = Embedded()
        while len(text_by_key) > MOST_TEXTS:
            portion_by_key = {key: text_by_key.pop(key) for key in list(text_by_key)[:MOST_TEXTS]}
            await self._embed_ahead(portion_by_key, target, staged)
        async with one_transaction(self._pool) as connection:
            await connection.execute(_BE_PATIENT)
            embedded = await _embed(connection, text_by_key, target)
            staged.failed |= embedded.failed
            failures = _failures(items, staged.failed)
            failed_urls = {failure.item.url for failure in failures}
            vectors = NewVectors(target.space, embedded.vectors)
            storable_items = [item for item in items if item.url not in failed_urls]
            results = failures + await _store_all(connection, storable_items, vectors)
            await _settle(connection, vectors, results, text_by_key)
        return _with_counts(results, {*staged.vectors, *embedded.vectors})

    async def _embed_ahead(
        self, texts: Mapping[str, str], target: VectorTarget, staged: Embedded
    ) -> None:
        """Stage vectors of a document that has more texts than a group."""
        async with one_transaction(self._pool) as connection:
            await connection.execute(_BE_PATIENT)
            result = await _embed(connection, texts, target)
            await stage_vectors(connection, target.space, result.vectors)
            await drop_claims(connection, target.space, texts.keys() - result.vectors.keys())
        staged.vectors |= result.vectors
        staged.failed |= result.failed


async def _embed(
    connection: Connection, texts: Mapping[str, str], target: VectorTarget
) -> Embedded:
    """Embed the texts that have no vector yet, after other processes have finished with them."""
    if not texts:
        return Embedded()
    await claim_texts(connection, target.space, texts)
    known_hashes = await known_texts(connection, target.space, texts)
    return await target.embedder.embed(
        {key: text for key, text in texts.items() if key not in known_hashes}
    )


def _failures(items: Sequence[Item], causes: Mapping[str, str]) -> list[WrittenItem]:
    """The items with a text that could not be embedded."""
    reasons = (
        (item, next((causes[key] for key in item.new_texts if key in causes), "")) for item in items
    )
    return [WrittenItem(item, reason=reason) for item, reason in reasons if reason]


async def _settle(
    connection: Connection,
    vectors: NewVectors,
    results: Sequence[WrittenItem],
    claims: Collection[str],
) -> None:
    """Stage the new vectors of documents that could not be stored; drop all other claims."""
    stored_hashes = {
        chunk.content_hash
        for result in results
        if not result.reason
        for chunk in result.item.chunks
    }
    spare_vectors = {
        key: vector for key, vector in vectors.by_hash.items() if key not in stored_hashes
    }
    await stage_vectors(connection, vectors.space, spare_vectors)
    await drop_claims(
        connection, vectors.space, (stored_hashes | set(claims)) - spare_vectors.keys()
    )


def _with_counts(results: Sequence[WrittenItem], new_hashes: set[str]) -> list[WrittenItem]:
    """The items with their numbers of embedded chunks. A text in several documents counts once."""
    counted_results: list[WrittenItem] = []
    for result in results:
        item_hashes = (
            set()
            if result.reason
            else new_hashes & {chunk.content_hash for chunk in result.item.chunks}
        )
        new_hashes -= item_hashes
        counted_results.append(replace(result, embedded=len(item_hashes)))
    return counted_results


async def _store_all(
    connection: Connection, items: Sequence[Item], vectors: NewVectors | None
) -> list[WrittenItem]:
    try:
        return await _store(connection, items, vectors)
    except psycopg.Error as error:
        if not _is_about_data(error):
            raise
    return [await _store_alone(connection, item, vectors) for item in items]


async def _store_alone(
    connection: Connection, item: Item, vectors: NewVectors | None
) -> WrittenItem:
    try:
        try:
            (result,) = await _store(connection, [item], vectors)
        except psycopg.errors.UniqueViolation as error:
            if item.version is None or error.diag.constraint_name != _IDENTITY:
                raise
            # Another source has stored the address at the same time.
            item = replace(item, version=_with_own_identity(item.version))
            (result,) = await _store(connection, [item], vectors)
    except psycopg.Error as error:
        if not _is_about_data(error):
            raise
        _log.exception("document_not_stored", url=item.url)
        return WrittenItem(item, reason=f"cannot be stored: {error}")
    return result


async def _store(
    connection: Connection, items: Sequence[Item], vectors: NewVectors | None
) -> list[WrittenItem]:
    """Store the items under a savepoint."""
    async with connection.transaction():
        versions = [item.version for item in items if item.version]
        removals: Mapping[str, int] = {}
        if versions:
            removals = (await store_versions(connection, versions, vectors)).removed
        incomplete = [item for item in items if item.version is None]
        if incomplete and vectors is not None:
            await _refill(connection, incomplete, vectors)
    return [WrittenItem(item, removed=removals.get(item.url, 0)) for item in items]


async def _refill(connection: Connection, items: Sequence[Item], vectors: NewVectors) -> None:
    """Store vectors of stored chunks, and record the documents that are then complete."""
    keys = [
        ChunkKey(chunk.id, item.source_id, item.known.id, chunk.content_hash)
        for item in items
        if item.known
        for chunk in item.chunks
    ]
    ids_without_vector = await store_vectors(connection, keys, vectors)
    complete_ids = [
        item.known.id
        for item in items
        if item.known and not any(chunk.id in ids_without_vector for chunk in item.chunks)
    ]
    await note_documents(connection, vectors.space, complete_ids)
    await activate_first(connection, vectors.space)


def _with_own_identity(version: Version) -> Version:
    """The version with a separate identity, and therefore with separate chunk ids."""
    page = replace(version.page, identity=own_identity(version.source_id, version.page.url))
    chunk_texts = [
        ChunkText(chunk.section, chunk.anchor, chunk.content) for chunk in version.chunks
    ]
    return replace(version, page=page, chunks=make_chunks(page, chunk_texts))


def _is_about_data(error: psycopg.Error) -> bool:
    """Whether the rows caused an error, and not a lost connection or an overloaded server."""
    return error.sqlstate is not None and not error.sqlstate.startswith(_SYSTEM_FAILS)
