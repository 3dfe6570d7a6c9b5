"""Gives chunks their vectors: what is known is taken, the rest is embedded, each text once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import stamina
from pgvector import HalfVector

from ingest.chunks import Chunk
from ingest.vectors import BareChunk, PostgresVectors
from rich_agent.concurrency import run_all
from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports import EmbeddingModel

TEXTS_PER_CALL = 64
_CALLS_AT_ONCE = 4
_ATTEMPTS = 4
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 20.0
_FAILURES_BEFORE_GIVING_UP = 3


@dataclass(slots=True)
class Embedded:
    """By content hash: vectors to store, which of them were made now, and what failed, and why."""

    vectors: dict[str, HalfVector] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)


class Embedder:
    """Calls the model, and stops calling one that keeps failing; `calls` counts the requests.

    Without a model it only tells what would be made: a dry run.
    """

    def __init__(self, vectors: PostgresVectors, model: EmbeddingModel | None) -> None:
        self.vectors = vectors
        self.calls = 0
        self._model = model
        self._limit = asyncio.Semaphore(_CALLS_AT_ONCE)
        self._failures_in_a_row = 0
        self._last_failure = ""

    async def embed(self, chunks: Sequence[Chunk | BareChunk]) -> Embedded:
        """What the chunks without a vector need."""
        present = await self.vectors.of_chunks(chunk.id for chunk in chunks)
        lacking = {chunk.content_hash: chunk.text for chunk in chunks if chunk.id not in present}
        done = Embedded(vectors=await self.vectors.find(lacking))
        wanted = [(key, text) for key, text in lacking.items() if key not in done.vectors]
        if self._model is None:
            done.made.update(key for key, _ in wanted)
            return done
        await run_all(
            self._embed_some(self._model, dict(wanted[at : at + TEXTS_PER_CALL]), done)
            for at in range(0, len(wanted), TEXTS_PER_CALL)
        )
        return done

    async def _embed_some(
        self, model: EmbeddingModel, texts: Mapping[str, str], done: Embedded
    ) -> None:
        async with self._limit:
            if self._failures_in_a_row >= _FAILURES_BEFORE_GIVING_UP:
                done.failed |= dict.fromkeys(texts, self._last_failure)
                return
            try:
                vectors = await self._call(model, list(texts.values()))
            except UpstreamError as error:
                self._failures_in_a_row += 1
                self._last_failure = " ".join(error.explain().split())
                done.failed |= dict.fromkeys(texts, self._last_failure)
                return
        self._failures_in_a_row = 0
        done.made.update(texts)
        done.vectors |= {
            key: HalfVector(vector) for key, vector in zip(texts, vectors, strict=True)
        }

    async def _call(self, model: EmbeddingModel, texts: list[str]) -> list[list[float]]:
        async for attempt in stamina.retry_context(
            on=_may_pass,
            attempts=_ATTEMPTS,
            timeout=None,
            wait_initial=_FIRST_WAIT_S,
            wait_max=_LONGEST_WAIT_S,
        ):
            with attempt:
                self.calls += 1
                return await model.embed(texts)
        raise AssertionError("the last attempt returns or raises")


def _may_pass(error: Exception) -> bool | float:
    """Whether to try again; the seconds to wait where the server named them."""
    if isinstance(error, UpstreamRateLimitedError) and error.retry_after_s is not None:
        return min(error.retry_after_s, _LONGEST_WAIT_S)
    passing = (UpstreamRateLimitedError, UpstreamTimeoutError, UpstreamUnavailableError)
    return isinstance(error, passing)
