"""Interface of dead letters: updates that were given up. May raise DatabaseUnavailableError."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An update that was given up after so many `attempts`, with the error of the last one."""

    update_id: int
    user_id: int
    raw: bytes
    attempts: int
    received_at: datetime
    dead_at: datetime
    last_error: str


class DeadLetters(Protocol):
    """The dead letters. Updates that were handed out together are replayed or dropped together."""

    async def page(self, before: tuple[datetime, int] | None, limit: int) -> Sequence[DeadLetter]:
        """Dead letters, the last given up first; `before` is time and id of the last one shown."""

    async def replay(self, update_ids: Sequence[int]) -> Sequence[int]:
        """Put dead letters back into their lanes in order, with 0 attempts; return their ids."""

    async def drop(self, update_ids: Sequence[int]) -> Sequence[int]:
        """Delete dead letters; return their ids."""
