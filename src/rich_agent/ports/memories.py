"""Interface of what is remembered of each user over the years, and of searching it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, MemoryKind, Namespace
from rich_agent.domain.retrieval.passage import VectorSpace


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What to look for: by meaning with the vector of `text` in `space`, else by its words."""

    text: str = ""
    vector: Sequence[float] | None = None
    space: VectorSpace | None = None


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """An item that a search found."""

    kind: MemoryKind
    item: MemoryItem


class Memories(Protocol):
    """Long-term memory, namespace ("users", "<user_id>").

    Every method may raise `DatabaseUnavailableError`. What a turn writes is refused with
    `LaneLostError` once another worker has taken its user's lane over.
    """

    async def load(self, user_id: int) -> LongTermMemory:
        """Everything remembered of this user, and of nobody else."""
        ...

    async def save(self, user_id: int, memory: LongTermMemory) -> None:
        """Replace what is remembered of this user."""
        ...

    async def change(
        self, user_id: int, change: Callable[[LongTermMemory], LongTermMemory]
    ) -> LongTermMemory:
        """Replace it by what `change` makes of it, and nobody else's change is lost; the result.

        The vectors of items that are gone go too.
        """
        ...

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        """The JSON value under one key of a namespace: a kind, or the conversation's summary."""
        ...

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        """The items of one user, nearest first; those without a vector follow, by words.

        Raises: ValueError if the prefix names no single user.
        """
        ...

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        """The items that have no vector in this space yet."""
        ...

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        """Store vectors by the mark of their item; those of other spaces and lost items go."""
        ...
