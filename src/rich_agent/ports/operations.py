"""Interfaces of operation: attempts at work, workload, statistics, and alerts to admins.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rich_agent.errors import RichAgentError

MOST_SHARED_ENDS = 2
"""The consecutive attempts without progress that ended a shared process.

After them, the work begins only in a process of its own.
"""
MOST_LONE_ENDS = 2
"""The ends of processes of its own, while their parents lived, after which work is set aside."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work of a user (0 for none) that may end a process; `key` is its number in its kind.

    The kinds are: "ordinary" and "urgent" for the updates of either lane and all internal work,
    each kind of due work, "stream" for following a run, and "history" for showing conversations.
    """

    kind: str
    key: int
    user_id: int


class SetAsideError(RichAgentError):
    """The work ended its processes and does not begin here, nor anywhere if it `is_final`."""

    hint = "`rich-agent inbox list` shows it, and `rich-agent inbox replay` tries it once more."

    def __init__(self, work: Work, *, is_final: bool) -> None:
        super().__init__(f"{work.kind} {work.key} ended its processes, also one of its own")
        self.is_final = is_final


Progressed = Callable[[], Awaitable[None]]
"""Notes that this attempt progressed further than earlier ones, which no longer count."""


class Attempts(Protocol):
    """Attempts at work, counted before they begin, so that a hard exit counts, too."""

    def count_attempt(self, work: Work) -> AbstractAsyncContextManager[Progressed]:
        """Count an attempt for as long as the block runs; it is stored before the block begins.

        However the block ends, the attempt no longer counts: only the end of its process leaves it.
        Work that ended a process runs alone: one at a time in each process, and after
        `MOST_SHARED_ENDS` in a process of its own. Reading for a request cannot move there; it
        waits longer after each end.

        Raises: SetAsideError if the work may not begin. After `MOST_LONE_ENDS`, the inbox tells its
        user once, by a dead letter.
        """

    @property
    def is_lone(self) -> bool:
        """Whether this process is only for work that ended other processes."""

    async def retry(self, letter: int) -> bool:
        """Let the work of a dead letter begin again; return False if it stands for no work."""

    async def user_of(self, letter: int) -> int | None:
        """The user whose work a dead letter stands for."""


@dataclass(frozen=True, slots=True)
class AdminAlert:
    """Trouble that only admins can end, such as a missing service; sent once an hour each."""

    cause: str
    error: RichAgentError
    """The error for the log, with its hint."""
    words: Callable[[str], str]
    """Returns the message in the language of an admin."""
    verbatim: str = ""
    """A text that is shown below the message, cut if it is long."""


@dataclass(frozen=True, slots=True)
class UserWorkload:
    """Whether an answer is being written for a user, and the number of messages that wait."""

    is_answering: bool
    waiting: int


class Workload(Protocol):
    """The bot's current work."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        """The workload of this user, without the update `besides`, which asks for it."""


@dataclass(frozen=True, slots=True)
class UserStatistics:
    """Numbers of users: known, active in the last day and week, and blocking the bot."""

    known: int
    of_day: int
    of_week: int
    blocking: int


@dataclass(frozen=True, slots=True)
class TurnStatistics:
    """Numbers of turns in the last day and week."""

    of_day: int
    of_week: int
    plans: Mapping[str, int]
    """The number of turns by plan."""
    broken_off: int
    """The number of turns that never finished."""
    p50_s: float
    """The median of the seconds that all nodes of a turn took together."""
    p95_s: float
    """The 95th percentile of these seconds."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The state of the bot."""

    users: UserStatistics
    turns: TurnStatistics
    rated_up: int
    rated_down: int
    pending: int
    dead: int
    """The number of updates that were given up."""
    undelivered: int
    """The number of undelivered messages in the last week."""
    unapproved: int
    """The number of answers that wait for an admin."""


class StatisticsReader(Protocol):
    """Reads statistics for the operator."""

    async def read(self) -> Statistics:
        """The statistics as of now."""


class Alerts(Protocol):
    """The times of the last alert to admins about each cause, by any process."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """Mark the cause as reported now, unless it was reported within `pause_s`; return whether.

        Raises: DatabaseUnavailableError.
        """
