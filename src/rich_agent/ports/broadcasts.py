"""Interface of broadcasts: one message to everybody, in the background, nobody gets it twice.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

CopyState = Literal["pending", "sent", "blocked", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may use the bot by the settings: `allowed` empty is everybody; admins always may."""

    allowed: frozenset[int] = frozenset()
    admins: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NewBroadcast:
    """A text for everybody; `message_id` in the admin's chat is where its result is told."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    text: str


@dataclass(frozen=True, slots=True)
class Copy:
    """One user's copy, handed out to be sent once."""

    broadcast_id: str
    user_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How far a broadcast came; `unknown`: it may have arrived, and is not sent again."""

    pending: int = 0
    sent: int = 0
    blocked: int = 0
    failed: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A broadcast that is over, to be told to its admin."""

    id: str
    admin_id: int
    message_id: int
    locale: str
    is_cancelled: bool
    tally: Tally


class Broadcasts(Protocol):
    """What is sent to everybody."""

    async def count(self, audience: Audience) -> int:
        """How many would get a broadcast: known users who may use the bot and did not block it."""

    async def start(self, broadcast: NewBroadcast, audience: Audience) -> int:
        """Store it with all who shall get it; how many. The same id again changes nothing."""

    async def cancel(self, broadcast_id: str, admin_id: int) -> bool:
        """Send no further copy; False if it is over, or somebody else's."""

    async def next_copy(self, pause_s: float) -> Copy | None:
        """A copy that nobody was handed before, at most one every `pause_s` of all processes."""

    async def note(self, copy: Copy, state: CopyState, message_id: int | None = None) -> None:
        """How sending a copy ended, and in which message; "pending" hands it out again."""

    async def results(self) -> Sequence[Result]:
        """Broadcasts that are over and not reported.

        A copy whose sender has said nothing for a minute counts as unknown.
        """

    async def reported(self, broadcast_id: str) -> None:
        """The admin was told."""

    async def prune(self, days: float) -> int:
        """Forget broadcasts begun more than `days` ago; how many."""
