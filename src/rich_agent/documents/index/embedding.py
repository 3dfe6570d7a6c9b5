"""Calls the embedding model, several calls at once.

If the server asks for a pause, all calls wait.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import stamina
from pgvector import HalfVector

from rich_agent.documents.index.vectors import unit_vectors
from rich_agent.domain.text import estimate_tokens
from rich_agent.errors import (
    PassingUpstreamError,
    RichAgentError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
)
from rich_agent.ports.models import EmbeddingModel
from rich_agent.runtime.concurrency import run_all

TEXTS_PER_CALL = 64
TOKENS_PER_CALL = 16_000
CALLS_AT_ONCE = 4
_ATTEMPTS = 5
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 60.0
_FAILURES_BEFORE_GIVING_UP = 3
_REFUSALS_BEFORE_GIVING_UP = 8


class ModelGivenUpError(RichAgentError):
    """The embedding model failed too often or permanently. No more texts are sent to it."""

    def __init__(self) -> None:
        super().__init__(
            "stopped: the embedding model cannot be used; finished work is kept, "
            "and the next `ingest sync` continues"
        )


@dataclass(slots=True)
class Embedded:
    """The results of embedding texts."""

    vectors: dict[str, HalfVector] = field(default_factory=dict)
    """New vectors, by content hash."""
    failed: dict[str, str] = field(default_factory=dict)
    """Reasons of failures, by content hash."""


def _ignore(_texts: int, _tokens: int) -> None:
    """Do nothing."""


class Embedder:
    """Calls the model, and gives up if the model keeps failing.

    `calls` counts requests. `failures` counts permanent failures that are not about a text.
    `tokens` is the estimated number of tokens of embedded texts. `on_progress` is called with the
    numbers of texts and tokens of each call.
    """

    def __init__(
        self, model: EmbeddingModel, on_progress: Callable[[int, int], None] = _ignore
    ) -> None:
        self._on_progress = on_progress
        self.calls = 0
        self.failures = 0
        self.tokens = 0
        self._model = model
        self._limit = asyncio.Semaphore(CALLS_AT_ONCE)
        self._resume_at = 0.0
        self._failures_in_a_row = 0
        self._refusals_in_a_row = 0
        self._last_failure = ""

    @property
    def has_given_up(self) -> bool:
        """Whether the model failed, or refused single texts, too often to be called again."""
        return (
            self._failures_in_a_row >= _FAILURES_BEFORE_GIVING_UP
            or self._refusals_in_a_row >= _REFUSALS_BEFORE_GIVING_UP
        )

    async def embed(self, texts: Mapping[str, str]) -> Embedded:
        """Embed the texts, whose keys are their content hashes."""
        result = Embedded()
        await run_all(
            self._embed_within_limit(portion, tokens, result) for portion, tokens in calls(texts)
        )
        return result

    async def _embed_within_limit(
        self, texts: Mapping[str, str], tokens: int, result: Embedded
    ) -> None:
        async with self._limit:
            await self._embed_some(texts, tokens, result)

    async def _embed_some(self, texts: Mapping[str, str], tokens: int, result: Embedded) -> None:
        if self.has_given_up:
            result.failed |= dict.fromkeys(texts, self._last_failure)
            return
        try:
            vectors = await self._call(list(texts.values()))
        except UpstreamError as error:
            if is_about_texts(error) and len(texts) > 1:
                # A single text may be the cause, and must not block the others.
                for half in _halves(texts):
                    half_tokens = sum(map(estimate_tokens, half.values()))
                    await self._embed_some(half, half_tokens, result)
            else:
                self._note_failure(error)
                result.failed |= dict.fromkeys(texts, self._last_failure)
            return
        self._failures_in_a_row = self._refusals_in_a_row = 0
        self.tokens += tokens
        self._on_progress(len(texts), tokens)
        result.vectors |= zip(texts, vectors, strict=True)

    def _note_failure(self, error: UpstreamError) -> None:
        if is_about_texts(error):
            self._refusals_in_a_row += 1
        else:
            self.failures += 1
            # Wrong settings are a permanent failure.
            is_permanent = isinstance(error, UpstreamRefusedError)
            self._failures_in_a_row += _FAILURES_BEFORE_GIVING_UP if is_permanent else 1
        self._last_failure = " ".join(error.explain().split())

    async def _call(self, texts: list[str]) -> list[HalfVector]:
        async for attempt in stamina.retry_context(
            on=self._may_pass,
            attempts=_ATTEMPTS,
            timeout=None,
            wait_initial=_FIRST_WAIT_S,
            wait_max=_LONGEST_WAIT_S,
        ):
            with attempt:
                await self._wait_with_the_others()
                self.calls += 1
                return unit_vectors(await self._model.embed(texts))
        raise AssertionError("the last attempt returns or raises")

    def _may_pass(self, error: Exception) -> bool | float:
        """Whether to try again, or the seconds to wait if the server named them."""
        if isinstance(error, UpstreamRateLimitedError) and error.retry_after_s is not None:
            wait_s = min(error.retry_after_s, _LONGEST_WAIT_S)
            self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + wait_s)
            return wait_s
        return isinstance(error, PassingUpstreamError)

    async def _wait_with_the_others(self) -> None:
        """Wait out the pause that the server demanded in its answer to any call."""
        loop = asyncio.get_running_loop()
        while (wait_s := self._resume_at - loop.time()) > 0:  # noqa: ASYNC110 - may be put off
            await asyncio.sleep(wait_s)


def calls(texts: Mapping[str, str]) -> Iterator[tuple[dict[str, str], int]]:
    """The texts in portions, one for each call, with the estimated tokens of each portion."""
    portion: dict[str, str] = {}
    portion_tokens = 0
    for content_hash, text in texts.items():
        text_tokens = estimate_tokens(text)
        if portion and (
            len(portion) == TEXTS_PER_CALL or portion_tokens + text_tokens > TOKENS_PER_CALL
        ):
            yield portion, portion_tokens
            portion, portion_tokens = {}, 0
        portion[content_hash] = text
        portion_tokens += text_tokens
    if portion:
        yield portion, portion_tokens


def is_about_texts(error: UpstreamError) -> bool:
    """Whether the server refused the texts themselves, so that no setting is the cause."""
    return isinstance(error, UpstreamRefusedError) and not error.hint


def _halves(texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    pairs = list(texts.items())
    return dict(pairs[: len(pairs) // 2]), dict(pairs[len(pairs) // 2 :])
