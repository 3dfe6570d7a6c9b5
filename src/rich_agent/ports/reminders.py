"""Interface to reminders. Every method may raise DatabaseUnavailableError.

Only the database's clock counts. What a lane writes is refused with LaneLostError once it is lost.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from rich_agent.domain.reminders.reminder import NewReminder, Reminder
from rich_agent.ports.due_work import DueRow

REMINDER_WORK = "reminder"
"""The kind of internal update by which a reminder comes."""
FIRING_WORK = "reminders"
"""The kind of due work that fires a reminder; the key is its id."""
MOST_REMINDERS = 200
"""Reminders of one user that are to come."""
FiringState = Literal["queued", "sent", "missed", "dropped", "failed"]
"""`missed` by so much that it was not sent; `dropped` because it was cancelled meanwhile."""

Change = Callable[[Reminder, datetime], Reminder]
"""Takes a reminder and the time that it is; gives it as it is to be."""


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A reminder whose time has come; `is_delayed` when that was over a minute ago."""

    reminder: Reminder
    state: FiringState
    due_at: datetime
    is_delayed: bool


@dataclass(frozen=True, slots=True)
class ReminderTrouble:
    """A reminder that did not come as it should have, for the operator.

    `state` is that of its firing, "late" before it has one, or "dead" when its update was given up.
    """

    id: int
    user_id: int
    kind: str
    state: str
    due_at: datetime
    late_s: float
    error: str


class Reminders(Protocol):
    """The reminders of users. Somebody else's reminder is not found."""

    async def now(self) -> datetime:
        """Return the current time."""

    async def add(self, reminder: NewReminder) -> Reminder | None:
        """Keep a reminder; None if its user has `MOST_REMINDERS` already.

        A digest takes the place of the one before.
        """

    async def find(self, user_id: int, reminder_id: int) -> Reminder | None:
        """The reminder, also one that is over."""

    async def upcoming(
        self, user_id: int, offset: int, limit: int
    ) -> tuple[Sequence[Reminder], int]:
        """Return the reminders that are to come, the next first, and how many there are."""

    async def digest(self, user_id: int) -> Reminder | None:
        """The user's digest, None if they want none."""

    async def change(
        self, user_id: int, reminder_id: int, change: Change
    ) -> tuple[Reminder, Reminder] | None:
        """The reminder before and after a change, None if it is not known."""

    async def move(self, user_id: int, tz: str) -> int:
        """Have what is repeated come on the clocks of the zone to which the user moved; how many.

        Only those that went by the user's zone before; the zone itself is not changed here.
        """

    async def fire(self, row: DueRow) -> None:
        """Put the reminder of the row into the inbox, with its next time, in one transaction.

        Any number of processes may do so at once. A firing is made once for each occurrence.
        """

    async def due(self, update_id: int) -> DueReminder | None:
        """The reminder that comes by this internal update, None if it was forgotten."""

    async def note_arrival(self, update_id: int, message_id: int) -> None:
        """Note by which message of Telegram's a reminder came."""

    async def note_end(self, update_id: int, state: FiringState, error: str = "") -> None:
        """Note that a reminder will not come by this update."""

    async def troubles(self, late_s: float) -> Sequence[ReminderTrouble]:
        """The newest 500 that are later than `late_s`, were missed, or failed."""
