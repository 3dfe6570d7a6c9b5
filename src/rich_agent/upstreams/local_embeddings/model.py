"""The embedding model on this machine, as the port of embedding models has it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rich_agent.domain.retrieval.local_models import LocalModel
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.text import estimate_tokens
from rich_agent.errors import UpstreamRefusedError, UpstreamTimeoutError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.runtime.own_package import extra_hint
from rich_agent.runtime.readers import Effort, LoneReader, ReaderFailedError
from rich_agent.upstreams.local_embeddings.computing import TextBatch, compute

SERVICE: Final = "local embeddings"
TEXTS_PER_BATCH: Final = 8
"""So few that a question does not wait long behind others, and that little is lost in a crash."""
_IDLE_S: Final = 300.0
_FOR_ANSWERS, _IN_BACKGROUND = 0, 19
_START_S: Final = 30.0
_S_PER_TOKEN: Final = 0.1
"""Some 80 times as long as a processor takes, because a machine may be busy."""
_PROBE: Final = "probe"
_OTHER_MODELS: Final = "Or set EMBEDDING_MODEL to a model of your server, or to `none`."


@dataclass(slots=True)
class LocalProcesses:
    """The processes of a model: one for questions, and one in the background for passages.

    They share the weights in memory. So a question never waits behind passages, and a document that
    takes over its process sees no questions.
    """

    model: LocalModel
    _questions: LoneReader = field(
        default_factory=lambda: LoneReader("questions", idle_s=_IDLE_S, niceness=_FOR_ANSWERS)
    )
    _passages: LoneReader = field(
        default_factory=lambda: LoneReader("passages", idle_s=_IDLE_S, niceness=_IN_BACKGROUND)
    )

    async def embed(self, texts: Sequence[str], *, are_questions: bool) -> list[list[float]]:
        """The vectors of the texts, in order.

        Raises: UpstreamTimeoutError; UpstreamRefusedError, without a hint if the texts are the
        cause.
        """
        if not self.model.is_installed:
            raise UpstreamRefusedError(
                SERVICE,
                f"the package {self.model.package} is missing",
                hint=f"{extra_hint('local')}\n{_OTHER_MODELS}",
            )
        vectors: list[list[float]] = []
        for start in range(0, len(texts), TEXTS_PER_BATCH):
            portion = tuple(texts[start : start + TEXTS_PER_BATCH])
            vectors += await self._compute(portion, are_questions=are_questions)
        return vectors

    async def _compute(
        self, texts: tuple[str, ...], *, are_questions: bool, is_again: bool = False
    ) -> list[list[float]]:
        reader = self._questions if are_questions else self._passages
        try:
            return await self._read(reader, texts, are_questions=are_questions)
        except ReaderFailedError as error:
            deadline_s = _deadline_s(sum(map(estimate_tokens, texts)))
            # A question is not worth a wait for the probe.
            if error.cause == "slow" and are_questions:
                raise UpstreamTimeoutError(SERVICE, deadline_s) from error
            await self._probe(reader)
            fault = "crashes on"
            if error.cause == "slow":
                if len(texts) == 1 and not is_again:
                    return await self._compute(texts, are_questions=False, is_again=True)
                fault = f"takes longer than {deadline_s:g} s for"
            raise UpstreamRefusedError(SERVICE, f"the model {fault} this text") from error

    async def _probe(self, reader: LoneReader) -> None:
        """Raises: UpstreamRefusedError with a hint if the model fails with any text."""
        try:
            await self._read(reader, (_PROBE,), are_questions=True)
        except ReaderFailedError as error:
            problem = "is too slow" if error.cause == "slow" else "does not run"
            raise UpstreamRefusedError(
                SERVICE,
                f"{self.model.package} {problem} on this machine",
                hint="Set EMBEDDING_MODEL to a model of your server, or to `none`.",
            ) from error

    async def _read(
        self, reader: LoneReader, texts: tuple[str, ...], *, are_questions: bool
    ) -> list[list[float]]:
        batch = TextBatch(self.model.package, texts, are_questions)
        effort = Effort(_deadline_s(sum(map(estimate_tokens, texts))))
        reply = await reader.read(compute, batch, bytes, effort)
        if len(reply) != 4 * len(texts) * self.model.dimensions:
            raise ReaderFailedError("crashed", "it gave vectors of another length")
        vectors = np.frombuffer(reply, "<f4").reshape(len(texts), self.model.dimensions)
        if not np.isfinite(vectors).all():
            raise ReaderFailedError("crashed", "it gave numbers that are none")
        rows: list[list[float]] = vectors.tolist()
        return rows


def _deadline_s(tokens: int) -> float:
    return _START_S + _S_PER_TOKEN * tokens


class LocalEmbeddingModel:
    """Implements `EmbeddingModel` without a server; nothing is charged for it."""

    def __init__(self, processes: LocalProcesses, *, of_passages: bool = False) -> None:
        space = processes.model.space
        self.name, self.dimensions = space.model, space.dimensions
        self._processes = processes
        self._of_passages = of_passages

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return await self._processes.embed(texts, are_questions=not self._of_passages)

    def of_passages(self) -> "LocalEmbeddingModel":
        return LocalEmbeddingModel(self._processes, of_passages=True)

    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        is_own = (self.name, self.dimensions) == (space.model, space.dimensions)
        return self if is_own else AbsentModel(space)


class AbsentModel:
    """Implements `EmbeddingModel` for a space whose model cannot be used any more."""

    def __init__(self, space: VectorSpace) -> None:
        self.name, self.dimensions = space.model, space.dimensions

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Raises: UpstreamRefusedError, so that searches use words."""
        raise UpstreamRefusedError(
            SERVICE,
            f"{len(texts)} texts need {self.name}, which is not there",
            hint="Searches use words until all documents have vectors of EMBEDDING_MODEL.",
        )

    def of_passages(self) -> "AbsentModel":
        return self

    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        return AbsentModel(space)


class ModelOfSpaces:
    """Implements `EmbeddingModel` with the configured model, and reaches those of other spaces.

    While the documents are embedded by another model than before, questions still need the earlier
    one, which a server or this machine has.
    """

    def __init__(
        self, configured: EmbeddingModel, earlier: Callable[[VectorSpace], EmbeddingModel]
    ) -> None:
        self.name, self.dimensions = configured.name, configured.dimensions
        self._configured = configured
        self._earlier = earlier

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return await self._configured.embed(texts)

    def of_passages(self) -> EmbeddingModel:
        return self._configured.of_passages()

    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        is_own = (self.name, self.dimensions) == (space.model, space.dimensions)
        return self._configured if is_own else self._earlier(space)
