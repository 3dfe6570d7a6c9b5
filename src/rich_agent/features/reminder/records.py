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
