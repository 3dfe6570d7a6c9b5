"""Interfaces to task lists on CalDAV servers, and to the stored connections with them.

Methods of what is stored may raise DatabaseUnavailableError.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from rich_agent.feature import DueRow
from rich_agent.feature.errors import RichAgentError
from rich_agent.features.calendars.task_lists.entries import Fields, TaskEntry

FEATURE = "calendars"
"""Changes of tasks that were made there are not pushed back."""
TASK_LIST_WORK = "calendars_task_list"
"""The kind of due work that synchronises a connection; its key is the user."""
REPLACED_NOTICE = "calendars_replaced"
"""The kind of notices that a user's change of a task was replaced."""
TROUBLE_NOTICE = "calendars_trouble"
"""The kind of notices that only the user can repair their connection."""
Problem = Literal["away", "login", "address", "no_list", "private", "insecure", "refused", "key"]


PASSING: frozenset[str] = frozenset({"", "away", "refused"})
"""Problems that may end by themselves, and none."""


class TaskListError(RichAgentError):
    """A task list cannot be reached or changed; `problem` says why, in a word of `Problem`."""

    def __init__(self, problem: Problem, message: str) -> None:
        super().__init__(f"caldav: {message}")
        self.problem = problem


class EntryChangedError(TaskListError):
    """The entry was changed, or deleted, since it was read (412)."""

    def __init__(self) -> None:
        super().__init__("refused", "the entry was changed meanwhile")


@dataclass(frozen=True, slots=True)
class TaskListLogin:
    """The address of a task list's server, and the user's name and password there."""

    url: str
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TaskList:
    """A collection of a server that takes tasks."""

    url: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedEntries:
    """The ETag of each entry with a task by its path; `tag` changes when anything does."""

    etags: Mapping[str, str]
    tag: str


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry in the format of RFC 5545."""

    href: str
    etag: str
    text: bytes


class TaskListClient(Protocol):
    """A user's requests to one server. Every method may raise TaskListError."""

    async def lists(self) -> Sequence[TaskList]:
        """The task lists that the address leads to, at least one."""

    async def listing(self, tag: str) -> ListedEntries | None:
        """All entries of the list that is the address; None if its tag is still `tag`."""

    async def read(self, hrefs: Sequence[str]) -> Sequence[EntryText]:
        """These entries, without those that do not exist."""

    async def write(self, href: str, text: bytes, etag: str) -> str:
        """Replace an entry that has this ETag, or create it if that is ""; its new ETag.

        "" if the server does not tell it. Raises: EntryChangedError.
        """

    async def remove(self, href: str, etag: str) -> None:
        """Delete an entry that has this ETag; nothing if there is none.

        Raises: EntryChangedError.
        """


class TaskListServers(Protocol):
    """Every server that users may connect to."""

    def open(self, login: TaskListLogin) -> AbstractAsyncContextManager[TaskListClient]:
        """A session. Raises: TaskListError for an address that must not be used."""


@dataclass(frozen=True, slots=True)
class TaskListConnection:
    """A user's connection, as they are told; `url` is "" until one of the `choices` is taken."""

    url: str
    name: str
    username: str
    choices: tuple[TaskList, ...]
    synced_at: datetime | None
    problem: str


@dataclass(frozen=True, slots=True)
class NewConnection:
    """A new connection of a user; the password is sealed, and `lists` has one list or several."""

    user_id: int
    username: str
    password: bytes = field(repr=False)
    lists: Sequence[TaskList] = ()


@dataclass(frozen=True, slots=True)
class HeldConnection:
    """A connection that this process synchronises, for as long as it holds the `row`."""

    row: DueRow
    user_id: int
    url: str
    username: str
    password: bytes = field(repr=False)
    tag: str
    time_zone: str
    etags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PendingPush:
    """A task whose entry is to be written, or deleted if `task` says so; `etag` "": there is none.

    `ours` is the task as of the last sync.
    """

    id: int
    uid: str
    href: str
    etag: str
    task: Fields
    ours: Fields


@dataclass(frozen=True, slots=True)
class EntryNews:
    """The news of a server: entries that changed, and paths where there is none any more."""

    changed: Sequence[TaskEntry] = ()
    gone: Sequence[str] = ()
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """The tasks to push after news were merged."""

    pushes: Sequence[PendingPush]


@dataclass(frozen=True, slots=True)
class ReplacedTask:
    """A task that was changed in the bot and in the list.

    `task` has the bot's fields, `entry` those that replaced them. Fields as in `FIELDS`.
    """

    user_id: int
    task: Fields
    entry: Fields


@dataclass(frozen=True, slots=True)
class ConnectionTrouble:
    """A problem of a user's connection."""

    user_id: int
    problem: str


class TaskListConnections(Protocol):
    """The connections of users, and which entry is which task."""

    async def connect(self, new: NewConnection) -> None:
        """Store a connection in place of an older one of the user."""

    async def choose(self, user_id: int, number: int) -> TaskList | None:
        """Take one of the choices, from 0; None if there is no such choice."""

    async def passwords(self) -> Sequence[tuple[int, bytes]]:
        """The sealed password of each user who is connected."""

    async def disconnect(self, user_id: int) -> bool:
        """Forget address, user name and password; whether there was a connection."""

    async def find(self, user_id: int) -> TaskListConnection | None:
        """The connection of a user."""

    async def hold(self, row: DueRow) -> HeldConnection | None:
        """The connection of a row of due work; None if it was ended."""

    async def merge(self, holding: HeldConnection, news: EntryNews) -> Merged:
        """Merge news into the tasks, notify of replaced tasks, and return the tasks to push.

        Raises: DueWorkLostError.
        """

    async def note_push(self, holding: HeldConnection, push: PendingPush, entry: TaskEntry) -> None:
        """Note that a task was pushed and what its entry is now. Raises: DueWorkLostError."""

    async def note_removal(self, holding: HeldConnection, push: PendingPush) -> None:
        """Note that an entry was deleted. Raises: DueWorkLostError."""

    async def note(self, holding: HeldConnection, problem: str) -> None:
        """Note what became of a synchronisation, "" if it succeeded.

        The user is told once about a problem that does not pass by itself.

        Raises: DueWorkLostError.
        """

    async def trouble(self, update_id: int) -> ConnectionTrouble | None:
        """Return the trouble that an internal update is about, None if it is over or forgotten."""

    async def freshen(self, user_id: int, older_than_s: float) -> bool:
        """Have a connection synchronised now if its last sync is older; whether to wait for that.

        There is nothing to wait for if the server is away or no process does the work.
        """

    async def is_fresh(self, user_id: int, older_than_s: float) -> bool:
        """Whether the connection was synchronised within these seconds, or cannot be."""

    async def replaced_task(self, update_id: int) -> ReplacedTask | None:
        """Return the task that an internal update tells of, None once it was changed again."""

    async def restore(self, user_id: int, update_id: int) -> bool:
        """Bring that task back as it was; whether that was possible, and the task the user's."""


class TaskListConnecting(Protocol):
    """Connects users to their lists."""

    async def connect(self, user_id: int, login: TaskListLogin) -> Sequence[TaskList]:
        """Connect to the list of an address; of several, the user has to choose one.

        Raises: TaskListError.
        """
