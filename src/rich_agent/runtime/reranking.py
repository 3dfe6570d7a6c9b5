"""Reranking for searches; if the reranker fails or is late, the order stays as it was."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from rich_agent.domain.retrieval.reordering import Reordering
from rich_agent.errors import UpstreamError, UpstreamTimeoutError
from rich_agent.ports.models import Reranker
from rich_agent.runtime.reach import log_failure

SERVICE = "reranker"
_log = structlog.get_logger()


def log_rerank_failure(error: UpstreamError) -> None:
    """Log that a reranker failed, and the order of a search stays as it was."""
    log_failure("rerank_failed", error)


@dataclass(frozen=True, slots=True)
class Reranking:
    """A reranker with its deadline `timeout_s`, for the best `candidates` of each search."""

    model: Reranker
    timeout_s: float
    candidates: int

    def of(
        self, query: str, on_failure: Callable[[UpstreamError], object] = log_rerank_failure
    ) -> Reordering:
        """The reordering for a search for `query`.

        A failure of the reranker is passed to `on_failure` and not raised. The reordering raises
        DailyLimitError.
        """

        async def order(texts: Sequence[str]) -> Sequence[int]:
            if len(texts) > 1:
                try:
                    async with asyncio.timeout(self.timeout_s):
                        return await self.model.rank(query, texts)
                except TimeoutError:
                    on_failure(UpstreamTimeoutError(SERVICE, self.timeout_s))
                except UpstreamError as error:
                    on_failure(error)
            return range(len(texts))

        return Reordering(self.candidates, order)

    def for_one_turn(self) -> "Reranking":
        """The reranking for one turn: if it searches twice, the same texts are ranked once."""
        return replace(self, model=TurnReranker(self.model))


class TurnReranker:
    """Implements `Reranker` by another reranker, and remembers its rankings."""

    def __init__(self, model: Reranker) -> None:
        self.name = model.name
        self._model = model
        self._rankings: dict[tuple[str, ...], list[int]] = {}

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """See `Reranker.rank`."""
        key = (query, *texts)
        if key not in self._rankings:
            self._rankings[key] = await self._model.rank(query, texts)
        return self._rankings[key]
