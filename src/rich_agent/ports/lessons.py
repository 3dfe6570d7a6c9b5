"""Interface of the lessons: words of a turn that could not be learned from yet.

Every method may raise DatabaseUnavailableError.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a user said in a turn, at `told_at`, in this `revision` of the question.

    `tries` counts the attempts to learn from it, with the present one; `refusals` those that failed
    because of its words rather than because of the server.
    """

    user_id: int
    request_id: str
    text: str
    told_at: datetime
    revision: int = 0
    tries: int = 0
    refusals: int = 0


class Lessons(Protocol):
    """Waiting lessons; those of one user are learned one after the other, oldest first."""

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        """Keep a lesson to be learned after `delay_s`, in place of an older revision of it.

        Raises: LaneLostError.
        """
        ...

    async def are_waiting(self, user_id: int) -> bool:
        """Whether anything is yet to be learned from what this user said."""
        ...

    async def take(self, lease_s: float) -> Lesson | None:
        """The next lesson that is due, for nobody else within `lease_s`; its try is counted."""
        ...

    async def is_current(self, lesson: Lesson) -> bool:
        """Whether it still waits in this revision: the user may have had it forgotten."""
        ...

    async def postpone(self, lesson: Lesson, delay_s: float) -> None:
        """Put a lesson back for `delay_s`, with its `refusals`."""
        ...

    async def drop(self, user_id: int, request_id: str) -> None:
        """Delete a lesson: it was learned, given up or taken back. Raises: LaneLostError."""
        ...

    async def count(self) -> int:
        """How many wait, of all users."""
        ...
