"""Interface to what is new in a user's conversations, for pages that are open.

Every method may raise DatabaseUnavailableError.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rich_agent.domain.runs import Run
from rich_agent.ports.runs import SaidBefore


@dataclass(frozen=True, slots=True)
class ListedTurn:
    """A turn of a conversation, by its request.

    `revision` grows with each edit of its question. One that is not in the transcript has the
    `runs` that it consists of, by their updates, oldest first.
    """

    turn: str
    at: datetime
    revision: int = 0
    runs: Sequence[int] = ()
    is_over: bool = True
    is_answered: bool = True

    @property
    def is_open(self) -> bool:
        """Whether it still runs, waits for its user, or ended without an answer."""
        return not (self.is_over and self.is_answered)

    @property
    def version(self) -> str:
        """Another text as soon as the turn is shown in another way."""
        return f"{len(self.runs)}{self.is_over:d}" if self.runs else f"r{self.revision}"


class News(Protocol):
    """The news of conversations of users. Nobody finds what is somebody else's."""

    def hearing(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set whenever something of the user may have changed."""

    async def tell(self, user_id: int) -> None:
        """Tell those who hear that something of the user has changed."""

    async def turns(self, user_id: int, thread: str, limit: int) -> Sequence[ListedTurn]:
        """The last turns of a conversation, oldest first, `limit` of them in the transcript.

        Those that are open come last. One that ended without an answer is among them until another
        one has ended after it.
        """

    async def apart(
        self, user_id: int, thread: str, first: int | None, before: int | None
    ) -> Sequence[SaidBefore]:
        """Questions and answers that are not in the transcript, such as commands, oldest first.

        Those between the messages `first` and `before` of the transcript, None for its ends.
        """

    async def runs(self, updates: Sequence[int]) -> Sequence[Run]:
        """The runs of these updates, oldest first."""

    async def begin(self, run: Run, *, is_shown: bool) -> Run | None:
        """The run of an update that was not asked for over HTTP, also if it was begun before.

        None if it was not, and is shown on no page, so that nobody would follow it.
        """

    async def finish(self, run: Run, turn: str) -> None:
        """Note to which turn a run from elsewhere belongs; words in the transcript are left out."""

    def reading(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set when somebody begins to follow the run of an update."""
