"""Interface of broadcasts: one message to everybody, sent in the background, once to each user.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

BROADCAST_WORK = "broadcast"
"""The kind of due work that sends the copies of a broadcast, one after the other."""
CopyState = Literal["pending", "sent", "blocked", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class NewBroadcast:
    """A text for everybody; the message `message_id` of the admin's chat will show the result."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    text: str


@dataclass(frozen=True, slots=True)
class Copy:
    """One user's copy; it is handed out to a single sender."""

    broadcast_id: str
    user_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of copies by state; `unknown` ones may have arrived and are not sent again."""

    pending: int = 0
    sent: int = 0
    blocked: int = 0
    failed: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a broadcast for its admin, who is told it when it `is_finished`."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    is_cancelled: bool
    is_finished: bool
    tally: Tally


class Broadcasts(Protocol):
    """Broadcasts and their copies."""

    async def start(self, broadcast: NewBroadcast, recipients: Collection[int]) -> int:
        """Store it as due work, with the ids of its recipients; returns the number of new ones.

        Safe to repeat with the same id.
        """

    async def cancel(self, broadcast_id: str, admin_id: int) -> bool:
        """Stop sending; False if it is finished or belongs to another admin."""

    async def next_copy(self, broadcast_id: str) -> Copy | None:
        """The next copy to send of a broadcast, None if there is none or it was cancelled."""

    async def note(self, copy: Copy, state: CopyState) -> None:
        """Record how sending a copy ended; "pending" hands it out again."""

    async def result(self, broadcast_id: str) -> Result | None:
        """The result of a broadcast so far, None once it was reported or is forgotten.

        A copy whose sender has not reported for a minute counts as unknown.
        """

    async def reported(self, broadcast_id: str) -> None:
        """Note that the admin was told the result."""
