"""Broadcasts: one message to everybody, sent in the background, once to each user."""

from dataclasses import dataclass
from typing import Literal

BROADCAST_WORK = "broadcast"
"""The kind of due work that sends the copies of a broadcast, one after the other."""
CopyState = Literal["pending", "sent", "blocked", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class NewBroadcast:
    """A text for everybody. The message `message_id` of the admin's chat will show the result."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    text: str


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy of a broadcast for one user. It is handed out to a single sender."""

    broadcast_id: str
    user_id: int
    text: str


@dataclass(frozen=True, slots=True)
class CopyCounts:
    """Numbers of copies by state.

    Copies in state `unknown` may have arrived and are not sent again.
    """

    pending: int = 0
    sent: int = 0
    blocked: int = 0
    failed: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a broadcast for its admin, who is told once the broadcast `is_finished`."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    is_cancelled: bool
    is_finished: bool
    tally: CopyCounts
