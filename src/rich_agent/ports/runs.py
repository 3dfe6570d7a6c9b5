"""Interface to runs. Every method may raise DatabaseUnavailableError."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.answer.citation import CitationState
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.errors import RichAgentError

RUN_WORK = "run"
"""The kind of internal update by which a run is done."""
MOST_OPEN_RUNS = 20
"""Runs of one user that are not over."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A message of the user's conversation; `number` grows with time.

    `run_id` is the run that it was part of, "" for one of Telegram. `place` is the number of an
    answer among the messages of its run; `message_id` is what the client called a question, or "".
    A question has `photos`, as many as were sent, the names of its `files`, and whether the user
    spoke it; an answer has its `citations`, the `attachments` that are drawn below it, the time
    until which what was done for it can be taken back, whether it is `worth_rating`, and the
    `file_ids` of what came with its question.
    """

    number: int
    role: Literal["user", "assistant"]
    content: str
    request_id: str
    run_id: str = ""
    place: int = 0
    message_id: str = ""
    photos: int = 0
    files: Sequence[str] = ()
    is_spoken: bool = False
    citations: Sequence[CitationState] = ()
    attachments: Sequence[Attachment] = ()
    undo_until: datetime | None = None
    worth_rating: bool = False
    file_ids: Sequence[int] = ()
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KnownThread:
    """A conversation that a client can name; `number` is that of its last message.

    `title` is what the user called it, else the beginning of its first message, "" if that one had
    no words.
    """

    thread: str
    title: str
    number: int
    said_at: datetime


@dataclass(frozen=True, slots=True)
class TurnPictures:
    """The pictures of a turn: the file ids of photos that were sent, and attachments to draw."""

    photos: Sequence[str] = ()
    attachments: Sequence[Attachment] = ()


class ThreadBusyError(RichAgentError):
    """Another answer to this user is being written, and the run was not to wait for it."""

    hint = "Wait for the other answer, stop it, or ask for the run to be queued."


class TooManyRunsError(RichAgentError):
    """So many runs of the user wait already that no further one is taken."""

    hint = "Wait until the runs that you began have ended."


class Runs(Protocol):
    """Turns that are asked for over HTTP. Somebody else's run is not found."""

    async def begin(
        self,
        user_id: int,
        run_id: str,
        thread: str,
        request: RunAsked,
        *,
        only_if_idle: bool = False,
    ) -> tuple[Run, bool]:
        """The run, and whether it is new: one that is known already is not begun again.

        A new one is in the inbox when this returns. It waits for what is in the user's lane
        already; `only_if_idle`, nothing may be there.

        Raises: ThreadBusyError, TooManyRunsError.
        """

    async def find(self, user_id: int, run_id: str) -> Run | None:
        """The user's run."""

    async def newest_in(self, user_id: int, thread: str) -> Run | None:
        """The user's last run in a conversation of the client, None if there is none."""

    async def open_in(self, user_id: int, thread: str) -> Run | None:
        """The oldest run of a thread that is not over."""

    async def waiting_in(self, user_id: int, thread: str) -> Run | None:
        """The run of a thread that is over with a question which is still open."""

    async def pictures(self, user_id: int, request_id: str) -> TurnPictures:
        """The pictures of the user's turn in the transcript; none of another user's."""

    async def messages(
        self, user_id: int, thread: str, limit: int, before: int | None
    ) -> Sequence[SaidBefore]:
        """The last messages of a thread's conversation before a number, oldest first.

        A turn that another one replaced is not among them.
        """

    async def threads(self, user_id: int, limit: int, before: int | None) -> Sequence[KnownThread]:
        """The user's main conversation and own ones with messages below a number, newest first."""

    async def of_update(self, update_id: int) -> Run | None:
        """The run that is done by an internal update, None if it was forgotten."""

    async def append(self, run: Run, events: Sequence[RunEvent]) -> None:
        """Store events, and tell those who follow. The last one ends the run if it is `ended`.

        Raises: LaneLostError.
        """

    async def events(self, run: Run, after: int = 0) -> Sequence[RunEvent]:
        """The events behind number `after`, in order."""

    def following(
        self, run: Run, after: int = 0, beat_s: float = 15.0
    ) -> AbstractAsyncContextManager[AsyncIterator[Sequence[RunEvent]]]:
        """The events behind number `after` as they come, to the one that ends the run.

        An empty sequence every `beat_s` seconds without news. A run whose work was given up ends
        with an error. One that ended its process twice while it was followed is `verbatim`, once it
        is over.
        """
