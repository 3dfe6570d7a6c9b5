"""Interfaces to the tools that a model may call, and to the record of their calls.

May raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import KeptPermission, NewPermission, Permission
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.rules import OF_EFFECT, Rule, Ruling, SpentToday
from rich_agent.domain.tools import Effect, ResultState, ToolCall, ToolResult, ToolSpec
from rich_agent.domain.value_texts import texts_in
from rich_agent.domain.words import Words
from rich_agent.ports.user_files import OpenFiles, no_files

UNDO_MINUTES = 10
"""The minutes for which a user can undo a change."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The user and request that a tool runs for."""

    user_id: int
    thread_id: str
    request_id: str
    locale: str = "en"
    time_zone: str = ""
    """The IANA name of the user's time zone, "" if unknown."""
    words: str = ""
    """The text that the turn is about."""
    in_session: bool = False
    """Whether a guided session is open, in which every change asks first."""
    allowed: frozenset[str] = frozenset()
    """The tools that the session offers, all if none is named."""
    said: str = ""
    """The text that the user wrote in this message, "" once they refused a call in it."""
    others: Sequence[Words] = ()
    """The texts in the prompt that the user did not write."""
    has_approved: bool = False
    """Whether the user approved the calls that are run."""
    files: tuple[int, ...] = ()
    """The ids of the user's files that the message is about."""
    acts: bool = True
    """Whether tools may do more than look into these files."""
    is_unattended: bool = False
    """Whether nobody is present, so that only tools that read are called."""
    spent: Mapping[str, SpentToday] = field(default_factory=dict)
    """The earlier calls of tools with limits, by tool."""
    permitted: tuple[Permission, ...] = ()
    """The user's permanent permissions."""
    planned: tuple[PlannedCall, ...] = ()
    """The calls still to come by the user's words alone."""
    made: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """The calls of this turn so far, as tool and arguments."""
    open_files: OpenFiles = field(default=no_files, compare=False, repr=False)
    """Opens those of the files that have tables, for a tool that `reads_files`."""

    def sent_to(self, has_tool: Callable[[str], bool]) -> tuple[str, ...]:
        """The texts that calls of this turn sent to the same recipient, by their tools."""
        return tuple(
            text
            for name, arguments in self.made
            if has_tool(name)
            for _, text in texts_in(arguments)
        )

    def provenance(self) -> PromptProvenance:
        """The texts of the prompt, in a form that caches what was looked up in them."""
        return PromptProvenance(self.said, self.others)


class Tools(Protocol):
    """Every tool of a process. A call that fails has a result that says so."""

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools for this message: all of a small set, else those that fit best."""

    async def names(self, asker: Asker) -> Sequence[str]:
        """The names of all tools that a message may ask for.

        They do not depend on the turn's plan, because the planning model reads them.
        """

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that ask for approval, except for calls that the user's words alone led to."""

    def words(self) -> Sequence[Words]:
        """The untrusted texts in the descriptions of the tools that were offered last."""

    async def spending(self, calls: Sequence[ToolCall], asker: Asker) -> Mapping[str, SpentToday]:
        """The earlier calls of those of these tools that have a limit, by tool."""

    async def permissions(self, calls: Sequence[ToolCall], asker: Asker) -> tuple[Permission, ...]:
        """The user's permanent permissions; () if none of the calls may have one."""

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, fixed_names: Sequence[str] | None
    ) -> None:
        """Store a permanent permission for this call, if its tool still has this fingerprint.

        The arguments outside `fixed_names` may differ later; None fixes all.
        """

    async def use(self, permission: int, asker: Asker) -> None:
        """Note that a permission let a call run."""

    async def with_current(self, permissions: Sequence[KeptPermission]) -> Sequence[KeptPermission]:
        """The permissions, each with whether its tool is unchanged since then."""

    def decide(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Ruling]:
        """The ruling on each of several simultaneous calls: run, ask the user first, or never run.

        Several changes ask together.
        """

    def only_read(self, names: Sequence[str]) -> bool:
        """Whether calls of all these tools change nothing, so that they may run concurrently."""

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments; that of any object if the tool is unavailable."""

    def problem_with(self, call: ToolCall) -> str:
        """The problem with the arguments of a call, "" if the call can be tried."""

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """The approval card of a call: its tool, and all of its arguments."""

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """Run a call once; the same call of the same request returns the first result again."""

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """Undo the changes of a request in the last `UNDO_MINUTES`; return a line for each.

        [] if nothing can be undone. Repeating it changes nothing.
        """


@dataclass(frozen=True, slots=True)
class SourceTool:
    """A tool of a source as operators see it; without an effect, all tools of a missing origin."""

    name: str
    origin: str
    """The server or program that runs it."""
    effect: Effect | None = None
    rule: Rule = OF_EFFECT
    """The rule on which the ruling on a call depends, besides the effect."""
    fault: str = ""
    """The reason why it is hidden, "" if it is not."""
    note: str = ""
    """The reason why it asks although the operator set otherwise."""
    change: str = ""
    """Its present description, until an operator accepts the change."""
    bounds: str = ""
    """The limits that the kernel enforces, "" for none."""
    digest: str = ""
    """The fingerprint that permanent permissions are bound to, "" for none."""


class ToolSource(Protocol):
    """Tools that come and go while the bot runs, such as those of a server.

    A name is `source__tool`, at most 64 letters, digits, _ and -; other tools are not offered. Text
    that a source did not write itself has to be marked as untrusted in `ToolResult.words`. The core
    records, counts and permits calls. A class that inherits from this one may leave out the methods
    that have a body here.
    """

    def has(self, name: str) -> bool:
        """Whether the name is that of one of its tools, even if the tool is unavailable."""

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that may be called, for any message."""

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that ask, but run at once if the user's words alone planned the call."""

    def words(self) -> Sequence[Words]:
        """The untrusted words in the descriptions of its tools."""

    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        """The ruling on a call; a call of an unknown tool asks first."""

    def only_reads(self, name: str) -> bool:
        """Whether a call of the tool is known to change nothing."""

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments; that of any object if it is unknown."""

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""

    def card(self, call: ToolCall) -> ApprovalCard:
        """See `Tools.card`."""

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """The result of a call, made now; the core requests it only once."""

    def may_repeat(self, name: str) -> bool:
        """Whether a second call, as after a crash, has no further effect."""
        return False

    def summed_arguments(self, name: str) -> Sequence[str] | None:
        """The arguments whose sums over 24 hours matter to `decide`; None if no calls do."""
        return None

    def permission(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> NewPermission | None:
        """The permanent permission for this call, None if its tool has another fingerprint now."""
        return None

    async def digests(self, tools: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        """The fingerprints of tools, by server and its name of the tool, as permissions name them.

        "" while a change waits to be accepted. Tools of other sources are left out.
        """
        return {}

    async def catalogue(self) -> Sequence[SourceTool]:
        """All tools for the operator, also hidden ones; missing origins are waited for."""
        return ()

    async def accept(self, origin: str, tool: str) -> Sequence[str]:
        """Accept the present descriptions of an origin's tools, or of one; "" for all.

        Returned is a text about each change.
        """
        return ()


class Permissions(Protocol):
    """The permanent permissions of users."""

    async def of(self, user_id: int) -> tuple[Permission, ...]:
        """All permissions of a user, also for tools that have changed since."""

    async def give(self, new: NewPermission) -> None:
        """Store a permission, at most `MOST_PERMISSIONS` of a user; an equal one is stored once.

        Raises: LaneLostError.
        """

    async def use(self, permission: int, user_id: int) -> None:
        """Count a call that a permission let run. Raises: LaneLostError."""

    async def all(self, user_id: int) -> Sequence[KeptPermission]:
        """The permissions of a user as they read them, newest first."""

    async def take_back(self, user_id: int, permission: int | None = None) -> None:
        """Delete one permission of a user, or all; a missing one is no error."""

    async def prune(self, days: float) -> int:
        """Delete permissions that let no call run for `days` days; return their number."""


@dataclass(frozen=True, slots=True)
class Execution:
    """A recorded call that can be undone; `undo` is the data for that."""

    id: int
    tool: str
    undo: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LastChange:
    """The request with the newest change; `done` has a line for each change, newest first.

    `words` are the foreign words in these lines.
    """

    request_id: str
    done: tuple[str, ...]
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class RecentChange:
    """A change of the last `UNDO_MINUTES` that was not undone; `done` says what it was."""

    request_id: str
    done: str
    at: datetime
    can_be_undone: bool


@dataclass(frozen=True, slots=True)
class UndoableCall:
    """A call that can still be undone, with its request; `undo` is the data for that."""

    request_id: str
    undo: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Executed:
    """The result of a call, and the data to undo it, None if it cannot be undone."""

    result: ResultState
    undo: Mapping[str, Any] | None = None


Undo = Callable[[Execution], Awaitable[str]]


class ToolExecutions(Protocol):
    """The record of every call.

    Writes under a lane raise LaneLostError once it is lost.
    """

    async def once(
        self, asker: Asker, call: ToolCall, run: Callable[[], Awaitable[Executed]]
    ) -> ResultState:
        """Run a call unless it was run; its changes in this database and its record are one commit.

        If `run` raises, nothing is stored.
        """

    async def begin(self, asker: Asker, call: ToolCall) -> ResultState | None:
        """Record that a call with an effect elsewhere begins; None if it is the first time.

        If it began and did not end, its result is `unknown`.
        """

    async def end(self, asker: Asker, call: ToolCall, execution: Executed) -> None:
        """Record the result of a call with an effect elsewhere."""

    async def record(
        self, asker: Asker, call: ToolCall, result: ResultState, took_s: float
    ) -> None:
        """Record a call that only read, or that failed and changed nothing."""

    async def use_today(
        self, user_id: int, tools: Sequence[str], sums: Sequence[str]
    ) -> SpentToday:
        """The user's calls of a tool, by its names, in the last 24 hours, and sums of arguments.

        Calls that failed or were refused do not count, and neither do values that are no numbers.
        """

    async def last_change(self, user_id: int, before: str) -> LastChange | None:
        """The newest request with changes that can be undone, other than `before`."""

    async def recent(self, user_id: int, limit: int) -> Sequence[RecentChange]:
        """The newest changes of a user, newest first."""

    async def undoable(self, user_id: int, call_id: str) -> Sequence[UndoableCall]:
        """The user's calls with this id that can be undone, newest first."""

    async def undo(self, user_id: int, request_id: str, undo: Undo) -> Sequence[str]:
        """Undo each change of a request, the last first, in one transaction with its record.

        Returned is the text of each `undo`. A change that is older than `UNDO_MINUTES`, or undone,
        is left.
        """
