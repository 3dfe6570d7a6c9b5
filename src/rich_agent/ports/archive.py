"""Interfaces of what keeps a long conversation short: the archive of its turns, and its summary.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.routing.past import PastQuestion, PastTurn
from rich_agent.ports.turns import TurnRecord


@dataclass(frozen=True, slots=True)
class Fold:
    """Turns that became part of the running summary: how it read before, and how it reads now."""

    turns: Sequence[TurnRecord]
    before: str
    after: str


class Archive(Protocol):
    """The turns that left the state, and how far the running summary has come with them."""

    async def keep(self, turns: Sequence[TurnRecord], *, awaits_fold: bool = False) -> None:
        """Keep turns; the same turn again changes nothing.

        Those that await it are to become part of the summary later.
        """
        ...

    async def to_fold(self, user_id: int, leaving: Sequence[TurnRecord]) -> list[TurnRecord]:
        """What the summary lacks, oldest first: at most 100 turns that await it, then new ones.

        New are those of `leaving` that the archive does not hold.
        """
        ...

    async def fold(self, user_id: int, fold: Fold) -> bool:
        """Keep the turns and the new summary, both or neither.

        False, and nothing is changed, if the summary is no longer as it was before.
        """
        ...

    async def begin_anew(self, user_id: int, turns: Sequence[TurnRecord]) -> None:
        """Keep turns of a conversation that is over, and empty the summary; nothing awaits it."""
        ...

    async def awaiting(self, user_id: int, limit: int) -> list[PastTurn]:
        """The newest turns that await the summary, oldest first."""
        ...

    async def search(self, user_id: int, wanted: PastQuestion, limit: int) -> list[PastTurn]:
        """The user's turns that are asked for, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class IdleThread:
    """A thread whose user has long been silent; `fresh_from` numbers their last /new."""

    user_id: int
    thread_id: str
    fresh_from: int


class IdleThreads(Protocol):
    """Whose running state can be put away. Only the database's clock counts."""

    async def silent_for(self, days: float) -> list[IdleThread]:
        """At most 100 threads that have a state, and of which nothing was heard for so long."""
        ...

    async def take(self, thread: IdleThread) -> int | None:
        """The fence of the user's lane, held for a minute; None if it is not free."""
        ...

    async def give_back(self, fence: int) -> None:
        """Free the lane for what came meanwhile."""
        ...

    async def heed_new(self, thread: IdleThread) -> None:
        """Note that the thread's last /new was heeded: its state, which knew it, is gone."""
        ...
