"""Interfaces for the memories of each user: searching, learning, forgetting.

Every method may raise DatabaseUnavailableError. Writes of a turn raise LaneLostError once another
worker has its user's lane.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, Namespace
from rich_agent.domain.memory.kinds import MemoryKind
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
        """All memories of this user."""

    async def change(
        self,
        user_id: int,
        change: Callable[[LongTermMemory], LongTermMemory],
        *,
        for_good: bool = False,
    ) -> LongTermMemory:
        """Replace the memory by the result of `change`, and return it; no other change is lost.

        Vectors of removed items are deleted. A removed item that is a row of a feature is put away
        there, as an archived task is; with `for_good` it is deleted. Where the feature is absent,
        its items stay as they are, and are deleted with their rows by `for_good`.
        """

    async def get(self, namespace: Namespace, key: str) -> Mapping[str, Any] | None:
        """The JSON value under a key of a namespace: a kind, or the conversation's summary."""

    async def search(
        self, prefix: Namespace, query: MemoryQuery, *, limit: int = 10, offset: int = 0
    ) -> list[FoundMemory]:
        """The items of one user, nearest first; items without a vector follow, ordered by words.

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

    `around` is the rest of its content: the message replied to, forwarded text, and the content of
    its images.
    """

    request_id: str
    question: str
    answer: str
    around: str = ""

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{self.question}\n{self.answer}\n{self.around}"


@dataclass(frozen=True, slots=True)
class KeptThing:
    """A thing that a user planned or noted; `key` names it, `text` is its whole text."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Erased:
    """The texts of a user to delete."""

    user_id: int
    thread_id: str
    requests: frozenset[str] = frozenset()
    """The turns to delete."""
    traces: Traces = field(default_factory=Traces)
    """Signs of further texts to delete, which belong to no remaining turn."""
    everything: bool = False
    """Whether everything that was said or noted is deleted."""
    things: frozenset[str] = frozenset()
    """The keys of things to delete."""
    in_hand: frozenset[str] = frozenset()
    """Requests that are being answered: their updates stay, but without words."""


class Erasure(Protocol):
    """Deletes texts in all tables except those of the memory and the running state."""

    async def turns(self, user_id: int) -> Sequence[KeptTurn]:
        """Every stored turn of the user, oldest first."""

    async def things(self, user_id: int) -> Sequence[KeptThing]:
        """The user's rows with texts, such as notes, except those that the memory shows whole."""

    async def erase(self, erasure: Erased) -> None:
        """Delete the given turns and texts; safe to repeat.

        Raises: LaneLostError once another worker has taken over the user's lane.
        """


LESSON_WORK = "lesson"
"""The kind of due work that learns from a lesson."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The words of a user in a turn, to learn from."""

    user_id: int
    request_id: str
    text: str
    told_at: datetime
    """The time when the user wrote them."""
    revision: int = 0
    """The revision of the question."""
    tries: int = 0
    """The number of attempts to learn from them, including this one."""
    refusals: int = 0
    """The number of attempts that failed because of the words, not the server."""

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
    """Waiting lessons, which are due work; those of a user are learned one by one, in order."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        """Store a lesson to learn after `delay_s`; it replaces an older revision.

        Raises: LaneLostError.
        """

    async def are_waiting(self, user_id: int) -> bool:
        """Whether lessons of this user wait."""

    async def is_current(self, lesson: Lesson) -> bool:
        """Whether the lesson still waits in this revision; the user may have deleted it."""

    async def drop(self, user_id: int, request_id: str) -> None:
        """Delete a lesson that was learned, given up or withdrawn. Raises: LaneLostError."""

    async def count(self) -> int:
        """The number of waiting lessons of all users."""
