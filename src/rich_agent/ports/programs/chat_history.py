"""Interface to what a page shows of a conversation. May raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """A turn in the transcript; `sources` are citations as JSON, `images` how many were sent."""

    id: int
    question: str
    answer: str
    asked_at: datetime
    sources: Sequence[Mapping[str, Any]] = ()
    images: int = 0


@dataclass(frozen=True, slots=True)
class OpenTurnRun:
    """A run of the newest turn that is not in the transcript; `text` is what it was asked."""

    run_id: str
    text: str
    is_resumed: bool


class ChatHistory(Protocol):
    """A user's turns, wherever they wrote."""

    async def page(self, user_id: int, before: int | None, limit: int) -> Sequence[HistoryTurn]:
        """The newest turns before the one with this id, newest first."""

    async def open_runs(self, user_id: int, thread: str) -> Sequence[OpenTurnRun]:
        """The runs of the thread's newest turn, oldest first; none if it is in the transcript."""
