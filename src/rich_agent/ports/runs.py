"""Interface to runs. Every method may raise DatabaseUnavailableError."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.answer.citation import CitationState
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.errors import RichAgentError

RUN_WORK = "run"
"""The kind of internal update that performs a run."""
MOST_OPEN_RUNS = 20
"""The most runs of one user that are not over."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A message of the user's conversation; `number` grows with time."""

    number: int
    role: Literal["user", "assistant"]
    content: str
    request_id: str
    run_id: str = ""
    """The run that it belongs to, "" for a message in Telegram."""
    place: int = 0
    """The number of an answer among the messages of its run."""
    message_id: str = ""
    """The client's id of a question, or ""."""
    photos: int = 0
    """The number of photos in a question."""
    files: Sequence[str] = ()
    """The names of the files in a question."""
    is_spoken: bool = False
    """Whether the user spoke the question."""
    citations: Sequence[CitationState] = ()
    attachments: Sequence[Attachment] = ()
    """The pictures below an answer."""
    undo_until: datetime | None = None
    """The time until which the changes of an answer can be undone."""
    worth_rating: bool = False
    file_ids: Sequence[int] = ()
    """The ids of the files that came with the question of an answer."""
    said_at: datetime | None = None
    living: Mapping[str, Any] | None = None
    """The living block that a reply is, as JSON, as the last press left it."""


@dataclass(frozen=True, slots=True)
class KnownThread:
    """A conversation that a client can name; `number` is the number of its last message.

    `title` is the user's title, else the beginning of the first message, "" without words.
    """

    thread: str
    title: str
    number: int
    said_at: datetime


@dataclass(frozen=True, slots=True)
class TurnPictures:
    """The pictures of a turn or a press: the file ids of its photos, and attachments to draw."""

    photos: Sequence[str] = ()
    attachments: Sequence[Attachment] = ()


class ThreadBusyError(RichAgentError):
    """Another answer to this user is being written, and the run may not wait."""

    hint = "Wait for the other answer, stop it, or ask for the run to be queued."


class TooManyRunsError(RichAgentError):
    """Too many runs of the user wait, so that no further one is accepted."""

    hint = "Wait until the runs that you began have ended."


class Runs(Protocol):
    """Turns that are requested over HTTP. Another user's run is not found."""

    async def begin(
        self,
        user_id: int,
        run_id: str,
        thread: str,
        request: RunAsked,
        *,
        only_if_idle: bool = False,
    ) -> tuple[Run, bool]:
        """The run, and whether it is new: a known run is not begun again.

        A new run is in the inbox when this returns. It waits for earlier updates in the user's
        lane; with `only_if_idle`, there must be none.

        Raises: ThreadBusyError, TooManyRunsError.
        """

    async def find(self, user_id: int, run_id: str) -> Run | None:
        """The user's run."""

    async def newest_in(self, user_id: int, thread: str) -> Run | None:
        """The user's last run in a conversation of the client, None if there is none."""

    async def open_in(self, user_id: int, thread: str) -> Run | None:
        """The oldest run of a thread that is not over."""

    async def waiting_in(self, user_id: int, thread: str) -> Run | None:
        """The run of a thread that ended with a question which is still open."""

    async def pictures(self, user_id: int, request_id: str) -> TurnPictures:
        """The pictures of the user's turn in the transcript, or of a press; none of another's."""

    async def messages(
        self, user_id: int, thread: str, limit: int, before: int | None
    ) -> Sequence[SaidBefore]:
        """The last messages of a thread's conversation before a number, oldest first.

        Turns that another one replaced are left out.
        """

    async def threads(self, user_id: int, limit: int, before: int | None) -> Sequence[KnownThread]:
        """The user's main and separate conversations with messages below a number, newest first."""

    async def of_update(self, update_id: int) -> Run | None:
        """The run that an internal update performs, None if it was deleted."""

    async def append(self, run: Run, events: Sequence[RunEvent]) -> None:
        """Store events, and tell the followers. An event `ended` ends the run.

        Raises: LaneLostError.
        """

    async def events(self, run: Run, after: int = 0) -> Sequence[RunEvent]:
        """The events after number `after`, in order."""

    async def living_block(self, user_id: int, run_id: str) -> LivingBlock | None:
        """The living block that a run began, as the last press left it; None if it began none."""

    def following(
        self, run: Run, after: int = 0, beat_s: float = 15.0
    ) -> AbstractAsyncContextManager[AsyncIterator[Sequence[RunEvent]]]:
        """The events after number `after` as they come, up to the one that ends the run.

        An empty sequence comes every `beat_s` seconds without news. A run whose work was given up
        ends with an error. A run that ended its process twice while it was followed comes as
        `verbatim` once it is over.
        """
