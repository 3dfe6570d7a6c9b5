"""A question about earlier turns of a conversation, and what the archive returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from rich_agent.domain.words import WordsState

PastOrder = Literal["nearest", "oldest", "newest"]


@dataclass(frozen=True, slots=True)
class PastQuestion:
    """Which earlier turns are wanted: about `query` ("": about anything), from a span of days.

    `order` "nearest" ranks by the words of `query`; without them it takes turns from all over the
    span. Days are those of UTC, both included.
    """

    query: str = ""
    order: PastOrder = "nearest"
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn that left the running conversation, with the foreign words behind its answer."""

    asked_at: datetime
    question: str
    answer: str
    read: Sequence[WordsState] | None = None
