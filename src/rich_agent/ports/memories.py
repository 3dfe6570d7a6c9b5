"""Interfaces for what is remembered about each user: searching, learning, forgetting.

Every method may raise DatabaseUnavailableError. Writes of a turn raise LaneLostError once another
worker has taken over its user's lane.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, MemoryKind, Namespace
from rich_agent.domain.memory.merging import Traces
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.due_work import DueRow


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A search by meaning if `text` has a vector in `space`, else by its words."""

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
        """Everything remembered about this user."""

    async def change(
        self,
        user_id: int,
        change: Callable[[LongTermMemory], LongTermMemory],
        *,
        for_good: bool = False,
    ) -> LongTermMemory:
        """Replace the memory by the result of `change`, and return it; no other change is lost.

        Vectors of removed items are deleted. A removed item that is a row of a feature is put away
        there, as an archived task is, or deleted if `for_good`.
        """

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        """The JSON value under a key of a namespace: a kind, or the conversation's summary."""

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        """The items of one user, nearest first; items without a vector follow, by words.

        Raises: ValueError if the prefix does not name a single user.
        """

    async def without_vector(self, user_id: int, space: VectorSpace) -> list[FoundMemory]:
        """The items that have no vector in this space yet."""

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        """Store vectors by item mark; delete vectors of other spaces and of missing items."""


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A past turn, from the transcript or the archive.

    `around` is the rest of its content: the message replied to, forwarded words, what its images
    show.
    """

    request_id: str
    question: str
    answer: str
    around: str = ""

    @property
    def text(self) -> str:
        """All its text."""
        return f"{self.question}\n{self.answer}\n{self.around}"


@dataclass(frozen=True, slots=True)
class KeptThing:
    """Something that a user planned or noted; `key` names it, `text` is all that it says."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Erased:
    """The turns and things of a user to delete, or `everything` that was said or noted.

    `traces` find further texts to delete, which belong to no remaining turn. The requests `in_hand`
    are being answered: their updates are still needed, but without their words.
    """

    user_id: int
    thread_id: str
    requests: frozenset[str] = frozenset()
    traces: Traces = field(default_factory=Traces)
    everything: bool = False
    things: frozenset[str] = frozenset()
    in_hand: frozenset[str] = frozenset()


class Erasure(Protocol):
    """Deletes what was said, in all tables except those of the memory and the running state."""

    async def turns(self, user_id: int) -> Sequence[KeptTurn]:
        """Every stored turn of the user, oldest first."""

    async def things(self, user_id: int) -> Sequence[KeptThing]:
        """Tasks, projects, goals, notes, blocks, reminders; no task that the memory shows whole."""

    async def erase(self, erasure: Erased) -> None:
        """Delete the given turns and texts; safe to repeat.

        Raises: LaneLostError once another worker has taken over the user's lane.
        """


LESSON_WORK = "lesson"
"""The kind of due work that learns from a lesson."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The words of a user in a turn, at `told_at`, in this `revision` of the question.

    `tries` counts the attempts to learn from it, including the current one; `refusals` counts those
    that failed because of its words rather than because of the server.
    """

    user_id: int
    request_id: str
    text: str
    told_at: datetime
    revision: int = 0
    tries: int = 0
    refusals: int = 0

    @property
    def key(self) -> str:
        """The key of its due work."""
        return f"{self.user_id}:{self.request_id}"

    def to_payload(self) -> dict[str, Any]:
        """The payload of its due work."""
        return {
            "request_id": self.request_id,
            "text": self.text,
            "told_at": self.told_at.isoformat(),
            "revision": self.revision,
            "refusals": self.refusals,
        }

    @classmethod
    def of(cls, row: DueRow) -> Self:
        """The lesson of a row of due work."""
        payload = {**row.payload, "told_at": datetime.fromisoformat(row.payload["told_at"])}
        return cls(user_id=row.user_id or 0, tries=row.tries, **payload)


class Lessons(Protocol):
    """Waiting lessons, which are due work; those of one user are learned one by one, in order."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        """Store a lesson to learn after `delay_s`; it replaces an older revision.

        Raises: LaneLostError.
        """

    async def are_waiting(self, user_id: int) -> bool:
        """Whether lessons of this user wait."""

    async def is_current(self, lesson: Lesson) -> bool:
        """Whether it still waits in this revision; the user may have deleted it."""

    async def drop(self, user_id: int, request_id: str) -> None:
        """Delete a lesson that was learned, given up or withdrawn. Raises: LaneLostError."""

    async def count(self) -> int:
        """The number of waiting lessons of all users."""
