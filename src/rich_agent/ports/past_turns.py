"""Interface to what is kept of past turns. Every method may raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.answer import Decision


@dataclass(frozen=True, slots=True)
class Said:
    """Both messages of a finished turn, as the transcript has them; `request` is as it came."""

    question: str
    answer: str
    request: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delivered:
    """How an update went through the inbox; forgotten after the time of retention."""

    received_at: datetime
    attempts: int
    done_at: datetime | None = None
    dead_at: datetime | None = None
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """Everything that is kept of one turn.

    `said` is None for a turn that did not come to its end, `delivered` for one that did not come
    by Telegram or is long past. `rating` is "up" or "down".
    """

    decision: Decision
    decided_at: datetime
    said: Said | None = None
    delivered: Delivered | None = None
    rating: str | None = None


@dataclass(frozen=True, slots=True)
class TurnName:
    """A past turn in a list."""

    request_id: str
    thread_id: str
    plan: str
    decided_at: datetime


class PastTurns(Protocol):
    """The turns of all users, for the operator."""

    async def find(self, request_id: str, thread_id: str | None = None) -> PastTurn | None:
        """A turn by its id; the newest if several threads have one of this id."""
        ...

    async def latest(self, thread_id: str | None = None, limit: int = 5) -> list[TurnName]:
        """The newest turns, of one thread or of all, newest first."""
        ...

    async def before(self, turn: PastTurn, limit: int) -> Sequence[tuple[str, Said]]:
        """The turns of the same conversation before one, oldest first, with their ids.

        What was said before a /new that this turn heeded belongs to another conversation.
        """
        ...
