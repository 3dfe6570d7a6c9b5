"""Interface to the news in a user's conversations, for pages that are open.

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
    """A turn of a conversation, by its request."""

    turn: str
    at: datetime
    revision: int = 0
    """A number that grows with each edit of its question."""
    runs: Sequence[int] = ()
    """The updates of its runs, oldest first, if the transcript does not have the turn."""
    is_over: bool = True
    is_answered: bool = True

    @property
    def is_open(self) -> bool:
        """Whether it still runs, waits for its user, or ended without an answer."""
        return not (self.is_over and self.is_answered)

    @property
    def version(self) -> str:
        """A text that changes whenever the display of the turn changes."""
        return f"{len(self.runs)}{self.is_over:d}" if self.runs else f"r{self.revision}"


class News(Protocol):
    """The news in the conversations of users. Another user's news are not found."""

    def hearing(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set whenever any data of the user may have changed."""

    async def tell(self, user_id: int) -> None:
        """Tell the listeners that data of the user has changed."""

    async def turns(self, user_id: int, thread: str, limit: int) -> Sequence[ListedTurn]:
        """The last turns of a conversation, oldest first, with up to `limit` from the transcript.

        Open turns come last. A turn that ended without an answer is among them until another has
        ended after it.
        """

    async def apart(
        self, user_id: int, thread: str, first: int | None, before: int | None
    ) -> Sequence[SaidBefore]:
        """Questions and answers outside the transcript, such as commands, oldest first.

        They stand between the messages `first` and `before` of the transcript; None for its ends.
        """

    async def runs(self, updates: Sequence[int]) -> Sequence[Run]:
        """The runs of these updates, oldest first."""

    async def begin(self, run: Run, *, is_shown: bool) -> Run | None:
        """The run of an update that was not requested over HTTP, also if it was begun before.

        None if it was not begun and no page shows it, so that nobody would follow it.
        """

    async def finish(self, run: Run, turn: str) -> None:
        """Note the turn of a run from elsewhere; texts in the transcript are left out."""

    def reading(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set when somebody begins to follow the run of an update."""
