"""Interfaces for the record of turns: transcript, decisions, archive, and open questions.

Every method may raise DatabaseUnavailableError. Writes of a turn raise LaneLostError once another
worker has its user's lane.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.answer.citation import Answer, Citation, Decision
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import PastQuestion, PastTurn, Routing
from rich_agent.domain.words import Words


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it is stored."""

    user_id: int
    thread_id: str
    request_id: str
    question: str
    answer: str
    meta: Mapping[str, Any]
    """JSON: image hashes, citations, sources, plan, and the foreign words that were `read`."""
    revision: int = 0
    """A number that grows when the question is edited and answered again."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """All that is needed besides `question` to run the turn again.

    It is stored with the user's message.
    """
    spoken: str | None = None
    """The locale that the user writes in, None if it is unknown or without phrases."""


class Transcript(Protocol):
    """The permanent record of conversations."""

    async def record(self, turn: TurnRecord) -> None:
        """Store both messages of a turn; only a lower revision is replaced."""


class Decisions(Protocol):
    """One row per turn: how it was answered, and why."""

    async def record(self, decision: Decision) -> str:
        """Insert or complete the row of (thread_id, request_id); return its id."""

    async def latest(self, thread_id: str) -> Decision | None:
        """The decision of the thread's last turn, None if there is none."""

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        """The decision of one turn of the thread, None if there is none."""

    async def citations(self, user_id: int, request_id: str) -> Sequence[Citation]:
        """The citations of the answer to one of the user's requests; () without an answer."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The result of a finished turn for a surface."""

    answer: Answer
    routing: Routing
    nodes: tuple[str, ...]
    latency_ms: Mapping[str, float]
    interrupt: Mapping[str, Any] | None = None
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class TurnMessages:
    """Both messages of a finished turn from the transcript, with its original `request`."""

    question: str
    answer: str
    request: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UpdateRecord:
    """The record of an update in the inbox; it is deleted after the retention time."""

    received_at: datetime
    attempts: int
    done_at: datetime | None = None
    dead_at: datetime | None = None
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """Everything that is stored about one turn."""

    decision: Decision
    decided_at: datetime
    said: TurnMessages | None = None
    """Both messages, None if the turn did not finish."""
    delivered: UpdateRecord | None = None
    """The record of its update, None if it did not come from Telegram or is long past."""
    rating: str | None = None
    """"up" or "down", None without a rating."""


@dataclass(frozen=True, slots=True)
class TurnName:
    """A past turn in a list."""

    request_id: str
    thread_id: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Turns that were folded into the running summary, with its old and its new text.

    `words` are the foreign words in the new text.
    """

    turns: Sequence[TurnRecord]
    before: str
    after: str
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of a question in a space."""

    vector: Sequence[float]
    space: VectorSpace


class Archive(Protocol):
    """The turns that left the state, and whether the running summary covers them."""

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        """Store turns; safe to repeat.

        With `awaits_fold` they will be folded into the summary later.
        """

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        """The turns missing in the summary, oldest first: at most 100 waiting ones, then new ones.

        The new ones are those of `leaving` that the archive does not hold.
        """

    async def fold(self, user_id: int, fold: Fold) -> bool:
        """Store the turns and the new summary in one transaction; return whether it was stored.

        Nothing changes if the summary differs from the old text of the fold.
        """

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        """Store the turns of a finished conversation, and clear the summary.

        Turns that wait for the summary wait no longer.
        """

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        """The newest turns that wait for the summary, oldest first."""

    async def search(
        self, user_id: int, question: PastQuestion, limit: int, meaning: Meaning | None = None
    ) -> list[PastTurn]:
        """The user's turns that match `question`, oldest first.

        The nearest are found by words, and by `meaning` if the model knows the language. [] if none
        has to do with the question.
        """

    async def turns(self, user_id: int, requests: Sequence[str]) -> list[PastTurn]:
        """The turns of these requests that the archive holds, oldest first."""

    async def without_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Mapping[int, str]:
        """The texts, by the turn's id, of turns that have no vector in this space yet."""

    async def add_vectors(
        self, user_id: int, space: VectorSpace, vectors: Mapping[int, Sequence[float]]
    ) -> None:
        """Store vectors of turns in place of those in other spaces."""

    async def with_vector(
        self, user_id: int, space: VectorSpace, limit: int
    ) -> Sequence[tuple[str, Sequence[float]]]:
        """Question and vector of the user's newest turns with a vector in this space."""

    async def trusts(self, space: VectorSpace) -> Sequence[LanguageTrust]:
        """The languages in which the model was judged by the turns of all users."""

    async def note_trusts(self, space: VectorSpace, judgements: Sequence[LanguageTrust]) -> None:
        """Store these judgements in place of the earlier ones."""


@dataclass(frozen=True, slots=True)
class IdleThread:
    """A thread to be put away; `fresh_from` is the update of its user's last /new."""

    user_id: int
    thread_id: str
    fresh_from: int


class IdleThreads(Protocol):
    """Threads whose running state can be archived. Times are those of the database's clock."""

    async def silent_for(self, days: float) -> list[IdleThread]:
        """At most 100 threads with a state whose user was silent for `days`."""

    async def others(self, user_id: int, thread_id: str) -> list[IdleThread]:
        """The user's threads with a state, except this one."""

    async def take(self, thread: IdleThread) -> int | None:
        """The fence of the user's lane, held for a minute; None if it is not free."""

    async def give_back(self, fence: int) -> None:
        """Free the lane for updates that arrived meanwhile."""

    async def heed_new(self, thread: IdleThread) -> None:
        """Clear the thread's last /new, which took effect when its state was removed."""


QUESTION_OPEN_S = 86_400.0
"""The seconds for which a question of the bot can be answered."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A question of a turn in a revision of its message; `round` counts the turn's questions."""

    thread_id: str
    request_id: str
    revision: int = 0
    round: int = 0


class Clarifications(Protocol):
    """Open questions of the bot to users, at most one per thread.

    A question is closed by the first answer, by a cancellation, or after a time set by the
    implementation. Times are those of the database's clock. Writes of a task with a fence raise
    LaneLostError once another worker has its lane.
    """

    async def open(self, question: AskedBack) -> None:
        """Open a question, and close the previous one of the thread; safe to repeat."""

    async def take(self, question: AskedBack, by: str) -> bool:
        """Whether the request `by` may answer; True for the first request, also repeatedly."""

    async def cancel(self, thread_id: str) -> str | None:
        """Close the question; return the request_id of the open one, None if there was none."""
