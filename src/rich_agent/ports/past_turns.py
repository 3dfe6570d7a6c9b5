"""What is kept of past turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rich_agent.domain.answer.answer import Decision


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
