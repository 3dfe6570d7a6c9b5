"""Interfaces of the record of turns: what was said, what became of it, and what awaits an answer.

Every method may raise DatabaseUnavailableError. What a turn writes is refused with LaneLostError
once another worker has taken its user's lane over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.answer.answer import Answer, Decision
from rich_agent.domain.routing.past import PastQuestion, PastTurn
from rich_agent.domain.routing.plan import Routing


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it is kept. `meta` is JSON: image hashes, citations, plan.

    `revision` grows when the question is edited and answered again. `request` is what the turn can
    be run again from, without what `question` says already; it is kept with the user's message.
    """

    user_id: int
    thread_id: str
    request_id: str
    question: str
    answer: str
    meta: Mapping[str, Any]
    revision: int = 0
    request: Mapping[str, Any] = field(default_factory=dict)


class Transcript(Protocol):
    """The lasting record of conversations."""

    async def record(self, turn: TurnRecord) -> None:
        """Store both messages of a turn; only a higher revision of it changes anything."""


class Decisions(Protocol):
    """One row per turn: how it was answered and why."""

    async def record(self, decision: Decision) -> str:
        """Insert or complete the row of (thread_id, request_id); its id."""

    async def latest(self, thread_id: str) -> Decision | None:
        """The decision on the thread's last turn."""

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        """The decision on one turn of the thread."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a finished turn gives to a surface."""

    answer: Answer
    routing: Routing
    nodes: tuple[str, ...]
    latency_ms: Mapping[str, float]
    interrupt: Mapping[str, Any] | None = None
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class TurnMessages:
    """Both messages of a finished turn, as the transcript has them; `request` is as it came."""

    question: str
    answer: str
    request: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UpdateRecord:
    """How an update went through the inbox; forgotten after the time of retention."""

    received_at: datetime
    attempts: int
    done_at: datetime | None = None
    dead_at: datetime | None = None
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """Everything that is kept of one turn.

    `said` is None for a turn that did not come to its end, `delivered` for one that did not come
    by Telegram or is long past. `rating` is "up" or "down".
    """

    decision: Decision
    decided_at: datetime
    said: TurnMessages | None = None
    delivered: UpdateRecord | None = None
    rating: str | None = None


@dataclass(frozen=True, slots=True)
class TurnName:
    """A past turn in a list."""

    request_id: str
    thread_id: str
    plan: str
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Fold:
    """Turns that became part of the running summary: how it read before, and how it reads now."""

    turns: Sequence[TurnRecord]
    before: str
    after: str


class Archive(Protocol):
    """The turns that left the state, and how far the running summary has come with them."""

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        """Keep turns; the same turn again changes nothing.

        Those that await it are to become part of the summary later.
        """

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        """What the summary lacks, oldest first: at most 100 turns that await it, then new ones.

        New are those of `leaving` that the archive does not hold.
        """

    async def fold(self, user_id: int, fold: Fold) -> bool:
        """Keep the turns and the new summary, both or neither.

        False, and nothing is changed, if the summary is no longer as it was before.
        """

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        """Keep turns of a conversation that is over, and empty the summary; nothing awaits it."""

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        """The newest turns that await the summary, oldest first."""

    async def search(self, user_id: int, wanted: PastQuestion, limit: int) -> list[PastTurn]:
        """The user's turns that are asked for, oldest first."""


@dataclass(frozen=True, slots=True)
class IdleThread:
    """A thread whose user has long been silent; `fresh_from` numbers their last /new."""

    user_id: int
    thread_id: str
    fresh_from: int


class IdleThreads(Protocol):
    """Whose running state can be put away. Only the database's clock counts."""

    async def silent_for(self, days: float) -> list[IdleThread]:
        """At most 100 threads that have a state, and of which nothing was heard for so long."""

    async def take(self, thread: IdleThread) -> int | None:
        """The fence of the user's lane, held for a minute; None if it is not free."""

    async def give_back(self, fence: int) -> None:
        """Free the lane for what came meanwhile."""

    async def heed_new(self, thread: IdleThread) -> None:
        """Note that the thread's last /new was heeded: its state, which knew it, is gone."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A turn that asked back, in the form that `revision` numbers."""

    thread_id: str
    request_id: str
    revision: int = 0


class Clarifications(Protocol):
    """Who waits for an answer to a question of the bot; one question in a thread at a time.

    A question ends by the first answer, by being cancelled, or after a time that the implementation
    knows. Only the database's clock counts. What a task under a fence writes is refused with
    LaneLostError once its lane was taken over.
    """

    async def open(self, asked: AskedBack) -> None:
        """Begin to wait; the question before it in this thread ends. Again: changes nothing."""

    async def take(self, asked: AskedBack, by: str) -> bool:
        """Whether the request `by` may answer: True for the first to ask, each time it asks."""

    async def cancel(self, thread_id: str) -> str | None:
        """Wait no longer; the request_id of the question that was open, None if none was."""
