"""Learns from a sample of chunks how well a space's model knows each of their languages."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg.types.json import Jsonb

from rich_agent.documents.index.embedding import Embedder
from rich_agent.documents.index.spaces import OpenSpace
from rich_agent.domain.retrieval.language_trust import (
    LanguageTrust,
    TextLanguage,
    inner_sentence,
    main_language,
)
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import fetch_all, fetch_one

_SAMPLED = 1_600
_ASKED = 60
_FEWEST = 20
_MOST_LANGUAGES = 12
_WITHIN_S = 120.0
_LEAST = 1e-6

_STATE = """
SELECT languages, trusted_at IS NOT NULL AND trusted_at >= measured_at
    AND trust -> 'spoken' = to_jsonb(languages) AS is_current
FROM rag_vector_spaces CROSS JOIN rag_corpus WHERE id = %s
"""

# Ids are hashes, so the first ones are a fair sample. Files of users are not looked at.
_CHUNKS = """
SELECT chunk.content, vector.embedding
FROM rag_embeddings AS vector JOIN rag_chunks AS chunk ON chunk.id = vector.chunk_id
JOIN rag_sources AS source ON source.id = vector.source_id
WHERE model = %(model)s AND dimensions = %(dimensions)s AND source.status = 'active'
ORDER BY vector.chunk_id LIMIT %(count)s
"""

_NOTE = "UPDATE rag_vector_spaces SET trust = %s, trusted_at = clock_timestamp() WHERE id = %s"


@dataclass(frozen=True, slots=True)
class _Sample:
    """Texts and vectors of chunks, and the places of those of each language."""

    texts: Sequence[str]
    vectors: NDArray[np.float32]
    places: Mapping[TextLanguage, Sequence[int]]


async def learn_trust(pool: Pool, space: OpenSpace, embedder: Embedder) -> str:
    """Store how well the model knows each language of the documents; returns the problem, or "".

    Does nothing if the documents are the same as the last time. `embedder` takes questions, at most
    60 for each of the twelve commonest languages. Raises: DatabaseUnavailableError.
    """
    async with checkout(pool) as connection:
        state = await fetch_one(connection, _STATE, (space.id,))
        if state["is_current"]:
            return ""
        values = {**asdict(space), "count": _SAMPLED}
        rows = await fetch_all(connection, _CHUNKS, values)
    sample = await asyncio.to_thread(_sort, [(row["content"], row["embedding"]) for row in rows])
    learned = []
    try:
        async with asyncio.timeout(_WITHIN_S):
            for language, places in sample.places.items():
                learned.append(await _judge(language, places, sample, embedder))
    except TimeoutError:
        return f"{_UNTOLD}: the model took too long; the next sync tries again"
    except _NotEmbeddedError as error:
        return f"{_UNTOLD}: {error}"
    found = {"spoken": state["languages"], "learned": [one.to_json() for one in learned]}
    async with checkout(pool) as connection:
        await connection.execute(_NOTE, (Jsonb(found), space.id))
    return ""


_UNTOLD = "how well the embedding model knows the languages of the documents could not be measured"


class _NotEmbeddedError(Exception):
    """A sentence could not be embedded; the message says why."""


def _sort(chunks: Sequence[tuple[str, HalfVector]]) -> _Sample:
    """The chunks by language, the commonest first; takes up to a second."""
    by_language: defaultdict[TextLanguage, list[int]] = defaultdict(list)
    for place, (text, _) in enumerate(chunks):
        by_language[main_language(text)].append(place)
    by_language.pop(TextLanguage("", ""), None)
    common = sorted(by_language.items(), key=lambda one: -len(one[1]))[:_MOST_LANGUAGES]
    vectors = [vector.to_numpy().astype(np.float32) for _, vector in chunks]
    return _Sample(
        texts=[text for text, _ in chunks],
        vectors=np.stack(vectors) if vectors else np.zeros((0, 0), np.float32),
        places={language: places for language, places in common if len(places) >= _FEWEST},
    )


async def _judge(
    language: TextLanguage, places: Sequence[int], sample: _Sample, embedder: Embedder
) -> LanguageTrust:
    asked = places[:_ASKED]
    sentences = [inner_sentence(sample.texts[place]) for place in asked]
    done = await embedder.embed({sentence: sentence for sentence in sentences})
    if done.failed:
        raise _NotEmbeddedError(next(iter(done.failed.values())))
    vectors = np.stack([done.vectors[sentence].to_numpy() for sentence in sentences])
    questions = vectors.astype(np.float32)
    return weigh_language(language, len(places), questions, asked, sample.vectors)


def weigh_language(
    language: TextLanguage,
    chunks: int,
    sentences: NDArray[np.float32],
    own: Sequence[int],
    vectors: NDArray[np.float32],
) -> LanguageTrust:
    """Judge a language by sentences (one in each row) whose chunks are the rows `own` of `vectors`.

    All vectors have length 1. The surprise of a chunk is half the square of its distance from the
    mean, as in the fusion; negative distances are none.
    """
    similarity = sentences @ vectors.T
    means = similarity.mean(axis=1)
    best = np.maximum(similarity.max(axis=1) - means, _LEAST)
    true = np.clip(similarity[np.arange(len(own)), own] - means, 0.0, best)
    return LanguageTrust(
        language.name,
        language.script,
        chunks,
        asked=len(own),
        found=int((true >= best - _LEAST).sum()),
        winners=len(np.unique(similarity.argmax(axis=1))),
        share=round(fmean((true / best) ** 2), 3),
    )
