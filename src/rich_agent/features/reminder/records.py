"""Records of reminders that are due or did not come, and the names of their work."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rich_agent.features.reminder.reminder import Reminder

REMINDER_WORK = "reminder"
"""The kind of notice by which a reminder comes."""
FIRING_WORK = "reminders"
"""The kind of due work that fires a reminder; the key is its id."""
MOST_REMINDERS = 200
"""Largest number of reminders of one user that are to come."""
FiringState = Literal["queued", "sent", "missed", "dropped", "failed"]
"""State of a time at which a reminder was due.

- `missed`: so late that it was not sent.
- `dropped`: cancelled before it was sent.
- `failed`: not taken by Telegram.
"""

Change = Callable[[Reminder, datetime], Reminder]
"""Changes a reminder at the present time; returns the changed reminder."""


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A reminder whose time has come, over a minute ago if it `is_delayed`."""

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
