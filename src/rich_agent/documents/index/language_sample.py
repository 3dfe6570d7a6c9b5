"""Learns from a sample of chunks how well a space's model knows each of their languages."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg.types.json import Jsonb

from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.documents.index.embedding import Embedder
from rich_agent.documents.index.vector_spaces import OpenSpace
from rich_agent.domain.retrieval.language_sample import SAMPLED, LanguageSample
from rich_agent.domain.retrieval.language_trust import LanguageTrust, TextLanguage
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_WITHIN_S = 120.0

_STATE = """
SELECT languages, trusted_at IS NOT NULL AND trusted_at >= measured_at
    AND trust -> 'spoken' = to_jsonb(languages) AS is_current
FROM rag_vector_spaces CROSS JOIN rag_corpus WHERE id = %s
"""

# Ids are hashes, so the first chunks are a fair sample. Files of users are left out.
_CHUNKS = """
SELECT document.title, chunk.section, chunk.content, vector.embedding
FROM rag_embeddings AS vector JOIN rag_chunks AS chunk ON chunk.id = vector.chunk_id
JOIN rag_documents AS document ON document.id = chunk.document_id
JOIN rag_sources AS source ON source.id = vector.source_id
WHERE model = %(model)s AND dimensions = %(dimensions)s AND source.status = 'active'
ORDER BY vector.chunk_id LIMIT %(count)s
"""

_NOTE = "UPDATE rag_vector_spaces SET trust = %s, trusted_at = clock_timestamp() WHERE id = %s"


@dataclass(frozen=True, slots=True)
class Embedders:
    """The embedders of questions and of passages."""

    questions: Embedder
    passages: Embedder


async def learn_trust(pool: Pool, space: OpenSpace, embedders: Embedders) -> str:
    """Store how well the model knows each language of the documents; return the problem, or "".

    The twelve commonest languages are judged. Nothing is done if the documents are unchanged since
    the last time.

    Raises: DatabaseUnavailableError.
    """
    async with checkout(pool) as connection:
        state = await fetch_one(connection, _STATE, (space.id,))
        if state["is_current"]:
            return ""
        parameters = {**asdict(space), "count": SAMPLED}
        rows = await fetch_all(connection, _CHUNKS, parameters)
    sample = await asyncio.to_thread(_sort, [(row["content"], row["embedding"]) for row in rows])
    heads = [(row["title"], row["section"]) for row in rows]
    try:
        async with asyncio.timeout(_WITHIN_S):
            languages = [
                await _judge(language, sample, heads, embedders) for language in sample.places
            ]
    except TimeoutError:
        return f"{_UNTOLD}: the model took too long; the next sync tries again"
    except _NotEmbeddedError as error:
        return f"{_UNTOLD}: {error}"
    note = {"spoken": state["languages"], "learned": [trust.to_json() for trust in languages]}
    async with checkout(pool) as connection:
        await connection.execute(_NOTE, (Jsonb(note), space.id))
    return ""


_UNTOLD = "how well the embedding model knows the languages of the documents could not be measured"


class _NotEmbeddedError(Exception):
    """A sentence could not be embedded; the message says why."""


def _sort(chunks: Sequence[tuple[str, HalfVector]]) -> LanguageSample:
    """The chunks by language; takes up to a second."""
    vectors = [vector.to_numpy().astype(np.float32) for _, vector in chunks]
    return LanguageSample.of([text for text, _ in chunks], vectors)


async def _judge(
    language: TextLanguage,
    sample: LanguageSample,
    heads: Sequence[tuple[str, str]],
    embedders: Embedders,
) -> LanguageTrust:
    passages = {
        position: text_to_embed(*heads[position], remaining_text)
        for position, remaining_text in sample.rests(language).items()
    }
    sentences = await _embed(sample.sentences(language), embedders.questions)
    vectors = await _embed(list(passages.values()), embedders.passages) if passages else ()
    return sample.judge(language, sentences, dict(zip(passages, vectors, strict=True)))


async def _embed(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    """The vectors of these texts, one in each row."""
    result = await embedder.embed({text: text for text in texts})
    if result.failed:
        raise _NotEmbeddedError(next(iter(result.failed.values())))
    return np.stack([result.vectors[text].to_numpy() for text in texts]).astype(np.float32)
