"""Interface of due work: work to do at a time, once, by one of many processes.

A kind defines how its work is done (`DueWork`). A change of the database adds rows of due work in
its own transaction. Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.errors import RichAgentError

DueState = Literal["waiting", "due", "running", "set_aside"]
MOST_COUNTED = 1_000
"""Rows of a kind that a sum counts: pages show it every few seconds, however many there are."""


class DueWorkLostError(RichAgentError):
    """The row now belongs to another process, or is gone; nothing more may be stored for it."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"{kind} {key} is held by another process, or is gone")


@dataclass(frozen=True, slots=True)
class NewWork:
    """Work to do `in_s` seconds from now; a kind has one row for each `key`.

    It is deleted with its user, with the turn `request_id` that added it, and with the thing that
    its `payload` describes.
    """

    kind: str
    key: str
    user_id: int | None = None
    in_s: float = 0.0
    payload: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class DueRow:
    """A row that was handed out; it belongs to this process until another has a newer `fence`.

    `tries` is the number of consecutive attempts that failed or were interrupted, including this
    one.
    """

    id: int
    kind: str
    key: str
    user_id: int | None
    payload: Mapping[str, Any]
    due_at: datetime
    version: int
    fence: int
    tries: int


@dataclass(frozen=True, slots=True)
class NextRun:
    """The next run of a row, `in_s` seconds after this one.

    `error` says that this attempt failed; without it, attempts are counted from the start.
    `payload` replaces that of the row.
    """

    in_s: float
    error: str = ""
    payload: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DueWork:
    """A kind of work."""

    do: Callable[[DueRow], Awaitable[NextRun | None]]
    """Does the work, perhaps twice; returns when to do it again, None if it is done."""
    lease_s: float = 60.0
    """The seconds for which a row is leased; the lease is renewed while `do` runs."""
    most_at_once: int = 1
    """The number of rows that a process handles at the same time."""
    first_retry_s: float = 15.0
    """The pause after the first failure; it doubles each time, up to `longest_retry_s`."""
    longest_retry_s: float = 3_600.0
    most_tries: int | None = 12
    """The number of attempts after which the row is set aside; None for no limit.

    The user of such a row reads the phrase `<kind>-set-aside`, if there is one.
    """
    in_order: bool = False
    """Whether the rows of a user are handled one after the other, oldest first."""
    is_counted: bool = True
    """Whether attempts that end their process count, see `Attempts`.

    False for work that must never be set aside, because everybody depends on it.
    """
    grace_s: float = 5.0
    """The seconds that work has to end when its process stops; then the row is given back."""

    def retry_s(self, tries: int) -> float:
        """The pause after this number of failed attempts."""
        return min(self.first_retry_s * 2.0 ** min(tries - 1, 30), self.longest_retry_s)


@dataclass(frozen=True, slots=True)
class DueWorkEntry:
    """A row as an operator sees it, without its payload."""

    id: int
    kind: str
    key: str
    user_id: int | None
    state: DueState
    due_at: datetime
    tries: int
    last_error: str


@dataclass(frozen=True, slots=True)
class DueWorkCount:
    """The number of rows of a kind in a state."""

    kind: str
    state: DueState
    rows: int


@dataclass(frozen=True, slots=True)
class DueWorkSum:
    """The rows of a kind, together.

    - `rows`: all of them, at most `MOST_COUNTED`.
    - `overdue`: the rows whose time has come and which no process does, at most `MOST_COUNTED`.
    - `since`: when the oldest of them was due, None without any.
    - `failed`: the rows whose last try failed; those that were set aside are not among them.
    """

    kind: str
    rows: int
    running: int
    overdue: int
    since: datetime | None
    failed: int
    set_aside: int


class DueWorkQueue(Protocol):
    """The rows of due work, as the loop of a process takes them."""

    async def claim(self, kinds: Mapping[str, DueWork]) -> DueRow | None:
        """The row of these kinds that was due first, leased and with its attempt counted.

        A lone process gets the rows that ended other processes, see `Attempts`.
        """

    async def wait(self, timeout_s: float, kinds: Mapping[str, DueWork]) -> None:
        """Return when a row of these kinds may be due, at the latest after `timeout_s`."""

    async def renew(self, row: DueRow, lease_s: float) -> None:
        """Hold the row for longer. Raises: DueWorkLostError."""

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        """Give the row back for its next run, or delete it; do nothing if it was lost.

        If it was added again meanwhile, the new row stays.
        """

    async def release(self, row: DueRow) -> None:
        """Give the row back as if it had not been taken."""

    async def set_aside(self, row: DueRow, error: str) -> None:
        """Keep the row without doing it; its user gets one notice, by a dead letter."""


class DueWorkReader(Protocol):
    """The rows of due work, as an operator sees them."""

    async def entries(self) -> Sequence[DueWorkEntry]:
        """The first 500 rows: those set aside or failed, then the others by their time."""

    async def counts(self) -> Sequence[DueWorkCount]:
        """The rows by kind and state."""

    async def sums(self) -> Sequence[DueWorkSum]:
        """The sums of all kinds, sorted by kind."""

    async def failures(self, limit: int) -> Sequence[DueWorkEntry]:
        """The rows that were set aside, and those whose last try failed, in this order."""

    async def retry(self, ids: Sequence[int]) -> Sequence[int]:
        """Make these rows due now, also if they were set aside; return the ids that exist."""
