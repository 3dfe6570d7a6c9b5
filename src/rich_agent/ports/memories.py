"""Interfaces of what is remembered of each user: searching it, learning it, forgetting it.

Every method may raise DatabaseUnavailableError. What a turn writes is refused with LaneLostError
once another worker has taken its user's lane over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, MemoryKind, Namespace
from rich_agent.domain.memory.traces import Traces
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
    """Long-term memory, namespace ("users", "<user_id>")."""

    async def load(self, user_id: int) -> LongTermMemory:
        """Everything remembered of this user, and of nobody else."""

    async def change(
        self, user_id: int, change: Callable[[LongTermMemory], LongTermMemory]
    ) -> LongTermMemory:
        """Replace it by what `change` makes of it, and nobody else's change is lost; the result.

        The vectors of items that are gone go too.
        """

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        """The JSON value under one key of a namespace: a kind, or the conversation's summary."""

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        """The items of one user, nearest first; those without a vector follow, by words.

        Raises: ValueError if the prefix names no single user.
        """

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        """The items that have no vector in this space yet."""

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        """Store vectors by the mark of their item; those of other spaces and lost items go."""


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A past turn, from the transcript or the archive.

    `around` is what else is kept of it: the message replied to, forwarded words, what its images
    show.
    """

    request_id: str
    question: str
    answer: str
    around: str = ""

    @property
    def text(self) -> str:
        """All that it says."""
        return f"{self.question}\n{self.answer}\n{self.around}"


@dataclass(frozen=True, slots=True)
class Erased:
    """The turns of a user that are to go, or `everything` that was said.

    `traces` tell what belongs to no turn that stays. The requests `in_hand` are being answered:
    their updates are needed until that is done, without their words.
    """

    user_id: int
    thread_id: str
    requests: frozenset[str] = frozenset()
    traces: Traces = field(default_factory=Traces)
    everything: bool = False
    in_hand: frozenset[str] = frozenset()


class Erasure(Protocol):
    """What was said, in all tables but those of the memory and the running state."""

    async def turns(self, user_id: int, thread_id: str) -> Sequence[KeptTurn]:
        """Every turn that is kept of the user, oldest first."""

    async def erase(self, erased: Erased) -> None:
        """Delete it; the same again changes nothing.

        Raises: LaneLostError once another worker has taken the user's lane over.
        """


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a user said in a turn, at `told_at`, in this `revision` of the question.

    `tries` counts the attempts to learn from it, with the present one; `refusals` those that failed
    because of its words rather than because of the server.
    """

    user_id: int
    request_id: str
    text: str
    told_at: datetime
    revision: int = 0
    tries: int = 0
    refusals: int = 0


class Lessons(Protocol):
    """Waiting lessons; those of one user are learned one after the other, oldest first."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        """Keep a lesson to be learned after `delay_s`, in place of an older revision of it.

        Raises: LaneLostError.
        """

    async def are_waiting(self, user_id: int) -> bool:
        """Whether anything is yet to be learned from what this user said."""

    async def take(self, lease_s: float) -> Lesson | None:
        """The next lesson that is due, for nobody else within `lease_s`; its try is counted."""

    async def is_current(self, lesson: Lesson) -> bool:
        """Whether it still waits in this revision: the user may have had it forgotten."""

    async def postpone(self, lesson: Lesson, delay_s: float) -> None:
        """Put a lesson back for `delay_s`, with its `refusals`."""

    async def drop(self, user_id: int, request_id: str) -> None:
        """Delete a lesson: it was learned, given up or taken back. Raises: LaneLostError."""

    async def count(self) -> int:
        """How many wait, of all users."""
