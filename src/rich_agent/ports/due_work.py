"""Interface of due work: what has to be done at a time, once, by one process of many.

A kind says how its work is done (`DueWork`), and whatever changes the database adds rows to do in
its own transaction. Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.errors import RichAgentError

DueState = Literal["waiting", "due", "running", "set_aside"]


class DueWorkLostError(RichAgentError):
    """The row is held by another process now, or is gone; whatever was not stored is theirs."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"{kind} {key} is held by another process, or is gone")


@dataclass(frozen=True, slots=True)
class NewWork:
    """Work to do `in_s` seconds from now; of its `kind`, there is one for each `key`.

    It is forgotten with its user, if it has one, with the turn `request_id` in which it came up,
    and with what its `payload` tells of.
    """

    kind: str
    key: str
    user_id: int | None = None
    in_s: float = 0.0
    payload: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class DueRow:
    """A row as it was handed out, until another process has a newer `fence`.

    `tries` counts those in a row that failed or were cut off, and this one.
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
    """The next time of a row, in seconds from the end of this one.

    An `error` says that this try failed; without one, the tries begin anew. A `payload` replaces
    the one that the row has.
    """

    in_s: float
    error: str = ""
    payload: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DueWork:
    """A kind of work. `do` returns when to do it again, None if it is done; it may be done twice.

    A try that raises is followed by the next one after `first_retry_s`, twice as long each time, up
    to `longest_retry_s`. After `most_tries` the row is set aside; None: never. The lease is renewed
    while `do` runs. A process does `most_at_once`. With `in_order`, those of one user are done one
    after the other, oldest first.

    The user of a row that is set aside reads the phrase `<kind>-set-aside`, if there is one.

    A try that ends its process is counted, too, see `Attempts`. Work that must not be set aside
    whatever happens, because everybody's depends on it, is not (`is_counted`).

    When its process stops, work has `grace_s` to end, and is given back then.
    """

    do: Callable[[DueRow], Awaitable[NextRun | None]]
    lease_s: float = 60.0
    most_at_once: int = 1
    first_retry_s: float = 15.0
    longest_retry_s: float = 3_600.0
    most_tries: int | None = 12
    in_order: bool = False
    is_counted: bool = True
    grace_s: float = 5.0

    def retry_s(self, tries: int) -> float:
        """The pause after so many tries that failed."""
        return min(self.first_retry_s * 2.0 ** min(tries - 1, 30), self.longest_retry_s)


@dataclass(frozen=True, slots=True)
class DueWorkEntry:
    """A row as an operator sees it, without what it says."""

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


class DueWorkQueue(Protocol):
    """The rows of due work, as the loop of a process takes them."""

    async def claim(self, kinds: Mapping[str, DueWork]) -> DueRow | None:
        """The row of these kinds that has been due for longest, leased and its try counted.

        A lone process gets those that ended others, see `Attempts`.
        """

    async def wait(self, timeout_s: float, kinds: Mapping[str, DueWork]) -> None:
        """Return when a row of these kinds may be due, at the latest after `timeout_s`."""

    async def renew(self, row: DueRow, lease_s: float) -> None:
        """Hold the row for longer. Raises: DueWorkLostError."""

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        """Give the row back for its next run, or delete it; nothing if it was lost.

        If it was added again meanwhile, it stays as it was added.
        """

    async def release(self, row: DueRow) -> None:
        """Give the row back as if it had not been taken."""

    async def set_aside(self, row: DueRow, error: str) -> None:
        """Keep the row without doing it; its user is told by a dead letter, once."""


class DueWorkReader(Protocol):
    """The rows of due work, as an operator sees them."""

    async def entries(self) -> Sequence[DueWorkEntry]:
        """The first 500: what is set aside or failed, then by when they are due."""

    async def counts(self) -> Sequence[DueWorkCount]:
        """The rows by kind and state."""

    async def retry(self, ids: Sequence[int]) -> Sequence[int]:
        """Have these done now, also if they were set aside; returns those that there are."""
