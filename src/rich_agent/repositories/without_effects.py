"""Repositories that read what is stored and keep nothing, for running a past turn again."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.memory.items import LongTermMemory, Namespace
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import AskedImage, ImageAnswers, ImageSummaries, SeenImage
from rich_agent.ports.memories import Erased, Erasure, FoundMemory, KeptTurn, Memories, MemoryQuery
from rich_agent.ports.turns import AskedBack, TurnRecord


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Implements `Memories`: what a turn would change stays as it is."""

    stored: Memories

    async def load(self, user_id: int) -> LongTermMemory:
        return await self.stored.load(user_id)

    async def save(self, user_id: int, memory: LongTermMemory) -> None:
        """Keep nothing."""

    async def change(
        self, user_id: int, change: Callable[[LongTermMemory], LongTermMemory]
    ) -> LongTermMemory:
        """What the change would make of it."""
        return change(await self.stored.load(user_id))

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        return await self.stored.get(namespace, key)

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        return await self.stored.search(prefix, query, limit=limit, offset=offset)

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        return await self.stored.without_vector(user_id, space)

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        """Keep nothing."""


@dataclass(frozen=True, slots=True)
class ReadImageSummaries:
    """Implements `ImageSummaries`: what is seen now is seen for this once."""

    stored: ImageSummaries

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        return await self.stored.find(sha256, model)

    @asynccontextmanager
    async def exclusive(self, sha256: str) -> AsyncIterator[None]:  # noqa: ARG002 - nobody is kept out
        """Keep nobody waiting: nothing is stored."""
        yield

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        """Keep nothing."""

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        """Keep nothing."""


@dataclass(frozen=True, slots=True)
class ReadErasure:
    """Implements `Erasure`: what a turn would delete stays."""

    stored: Erasure

    async def turns(self, user_id: int, thread_id: str) -> Sequence[KeptTurn]:
        return await self.stored.turns(user_id, thread_id)

    async def erase(self, erased: Erased) -> None:
        """Delete nothing."""


@dataclass(frozen=True, slots=True)
class ReadImageAnswers:
    """Implements `ImageAnswers`: what is found out now is found out for this once."""

    stored: ImageAnswers

    async def find(self, asked: AskedImage) -> str | None:
        return await self.stored.find(asked)

    async def store(self, asked: AskedImage, answer: str) -> None:
        """Keep nothing."""


class NoTranscript:
    """Implements `Transcript`."""

    async def record(self, turn: TurnRecord) -> None:
        """Keep nothing."""


class NoDecisions:
    """Implements `Decisions`."""

    async def record(self, decision: Decision) -> str:  # noqa: ARG002 - the port's
        """Keep nothing; the id is that of no row."""
        return "0"

    async def latest(self, thread_id: str) -> Decision | None:
        """None."""

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        """None."""


class NoClarifications:
    """Implements `Clarifications`: nobody is waited for."""

    async def open(self, asked: AskedBack) -> None:
        """Wait for nobody."""

    async def take(self, asked: AskedBack, by: str) -> bool:  # noqa: ARG002 - the port's
        """No request is an answer."""
        return False

    async def cancel(self, thread_id: str) -> str | None:
        """None was open."""
