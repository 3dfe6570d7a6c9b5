"""Interface of the operator's side to updates that were given up.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An update that was given up after `attempts`, and what the last one failed with."""

    update_id: int
    user_id: int
    raw: bytes
    attempts: int
    received_at: datetime
    dead_at: datetime
    last_error: str


class DeadLetters(Protocol):
    """What was given up, for an operator. Updates that were handed out together stay together."""

    async def all(self) -> tuple[DeadLetter, ...]:
        """Every dead letter, by update_id."""
        ...

    async def find(self, update_id: int) -> DeadLetter | None:
        """One of them."""
        ...

    async def replay(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Put them back into their lanes, in order and as if never tried; which ones they were."""
        ...

    async def drop(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Forget them; which ones they were."""
        ...

    async def prune(self, days: float) -> int:
        """Forget those given up more than `days` ago; how many."""
        ...
