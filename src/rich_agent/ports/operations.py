"""Interfaces of operation: attempts at work, workload, statistics, and alerts to admins.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rich_agent.errors import RichAgentError

MOST_SHARED_ENDS = 2
"""Attempts in a row that ended their process without progress; then work is begun only in a process
of its own."""
MOST_LONE_ENDS = 2
"""Ends of processes that did nothing else, while their parents lived; then work is set aside."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work of a user (0: of nobody), which can end a process; `key` is its number in its kind.

    The kinds are the updates of either lane ("ordinary", "urgent"), all internal work among them;
    each kind of due work; following a run ("stream"); showing a user's conversations ("history").
    """

    kind: str
    key: int
    user_id: int


class SetAsideError(RichAgentError):
    """The work ended its processes and is not begun here; if it `is_final`, not again by itself."""

    hint = "`rich-agent inbox list` shows it, and `rich-agent inbox replay` tries it once more."

    def __init__(self, work: Work, *, is_final: bool) -> None:
        super().__init__(f"{work.kind} {work.key} ended its processes, also one of its own")
        self.is_final = is_final


Progressed = Callable[[], Awaitable[None]]
"""Notes that this attempt got further than those before it, which are forgotten."""


class Attempts(Protocol):
    """Attempts at work, counted before it begins, so that a hard exit counts too."""

    def count_attempt(self, work: Work) -> AbstractAsyncContextManager[Progressed]:
        """Count an attempt, committed before the block begins, for as long as it runs.

        However the block is left, the attempt counts no more: only the end of its process leaves
        it behind. Work that ended a process before is begun alone: one at a time in each process;
        after `MOST_SHARED_ENDS` in a process of its own, a lone one. What is read in answer to a
        request cannot move there: it waits longer from end to end.

        Raises: SetAsideError where it may not begin. After `MOST_LONE_ENDS` of lone processes its
        user is told by the inbox, where it becomes a dead letter, the first time.
        """

    @property
    def is_lone(self) -> bool:
        """Whether this is a process for what ended others, which begins nothing else."""

    async def retry(self, letter: int) -> None:
        """Let the work of a dead letter be begun again."""

    async def user_of(self, letter: int) -> int | None:
        """Whose work a dead letter stands for."""


@dataclass(frozen=True, slots=True)
class AdminAlert:
    """Trouble that only admins can end, such as a service that is away; sent once an hour a cause.

    `error` is what is logged of it, with its hint. `words` gives the message in the language of an
    admin; below it `verbatim` is shown as it is, and cut where it is long.
    """

    cause: str
    error: RichAgentError
    words: Callable[[str], str]
    verbatim: str = ""


@dataclass(frozen=True, slots=True)
class UserWorkload:
    """Whether an answer is being written for a user, and how many messages wait behind it."""

    is_answering: bool
    waiting: int


class Workload(Protocol):
    """The bot's current work."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        """The workload of this user, without the update `besides`, which is the one that asks."""


@dataclass(frozen=True, slots=True)
class UserStatistics:
    """Users: all known ones, those active in the last day and week, those who blocked the bot."""

    known: int
    of_day: int
    of_week: int
    blocking: int


@dataclass(frozen=True, slots=True)
class TurnStatistics:
    """Turns of the last week; `of_day` counts those of the last day.

    `plans` counts by plan, `broken_off` counts turns that never finished; `p50_s` and `p95_s` are
    percentiles of the seconds that all nodes of a turn took together.
    """

    of_day: int
    of_week: int
    plans: Mapping[str, int]
    broken_off: int
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The state of the bot; `dead` updates were given up, `undelivered` counts the last week.

    `unapproved` answers wait for an admin.
    """

    users: UserStatistics
    turns: TurnStatistics
    rated_up: int
    rated_down: int
    pending: int
    dead: int
    undelivered: int
    unapproved: int


class StatisticsReader(Protocol):
    """Reads statistics for the operator."""

    async def read(self) -> Statistics:
        """The statistics as of now."""


class Alerts(Protocol):
    """When admins were last told about each cause, by any process."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """Whether the cause was not reported within `pause_s`; if so, marks it as reported now.

        Raises: DatabaseUnavailableError.
        """
