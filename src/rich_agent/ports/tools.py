"""Interfaces to the tools that a model may call, and to the record of their calls.

May raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
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
"""How long the user can take back what was done."""


@dataclass(frozen=True, slots=True)
class Asker:
    """For whom a tool is run, and in which request; `words` are what the user asked.

    `time_zone` is an IANA name, "" while it is not known. `in_session` during a guided session:
    then everything asks first, and only the tools `allowed` are offered, all if none are named.
    `said` is what the user wrote in this message, "" once they refused a call in it, and `others`
    are the words in the prompt that they did not write. `has_approved` when the user approved the
    calls that are run. `spent` is what was called before, by the names of tools for which that
    matters, `permitted` what the user permitted for good, `planned` the calls that are to come by
    the user's words alone, and `made` those of this turn so far, by tool and arguments. `files` are
    the user's files that the message is about, and `open_files` opens those of them that have
    tables, for a tool that `reads_files`; without `acts` nothing but a look into them is
    wanted. `is_unattended` when nobody is there: then only what reads is called.
    """

    user_id: int
    thread_id: str
    request_id: str
    locale: str = "en"
    time_zone: str = ""
    words: str = ""
    in_session: bool = False
    allowed: frozenset[str] = frozenset()
    said: str = ""
    others: Sequence[Words] = ()
    has_approved: bool = False
    files: tuple[int, ...] = ()
    acts: bool = True
    is_unattended: bool = False
    spent: Mapping[str, SpentToday] = field(default_factory=dict)
    permitted: tuple[Permission, ...] = ()
    planned: tuple[PlannedCall, ...] = ()
    made: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    open_files: OpenFiles = field(default=no_files, compare=False, repr=False)

    def sent_to(self, has_tool: Callable[[str], bool]) -> tuple[str, ...]:
        """The texts of the calls of the turn so far that went to the same place, by their tools."""
        return tuple(
            text
            for name, arguments in self.made
            if has_tool(name)
            for _, text in texts_in(arguments)
        )

    def provenance(self) -> PromptProvenance:
        """The texts in sight, in a form that remembers what was looked up in them."""
        return PromptProvenance(self.said, self.others)


class Tools(Protocol):
    """Every tool of one process. A call that fails gives a result that says so."""

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools for this message: those that fit it best, all of a small set."""

    async def names(self, asker: Asker) -> Sequence[str]:
        """The names of all tools that a message may ask for, chosen by nothing.

        They are the same whether this turn acts or not: a model that plans it reads them.
        """

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that ask, and do not if the user's words alone led to a call."""

    def words(self) -> Sequence[Words]:
        """Return what others say of the tools that were offered last, except those trusted."""

    async def spending(self, calls: Sequence[ToolCall], asker: Asker) -> Mapping[str, SpentToday]:
        """The earlier calls of those of these tools that have a bound, by their names."""

    async def permissions(self, calls: Sequence[ToolCall], asker: Asker) -> tuple[Permission, ...]:
        """The user's permissions for good; () if none of the calls may have one."""

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, fixed_names: Sequence[str] | None
    ) -> None:
        """Keep that the user permits this call for good, if its tool still has this fingerprint.

        The arguments that are not `fixed_names` may be others; None for all.
        """

    async def use(self, permission: int, asker: Asker) -> None:
        """Note that a permission let a call run."""

    async def with_current(self, permissions: Sequence[KeptPermission]) -> Sequence[KeptPermission]:
        """The permissions, each with whether its tool is still what it was when it was given."""

    def decide(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Ruling]:
        """For each of the calls that a model makes at once: run it, ask the user first, or never.

        Several that change something are asked for together.
        """

    def only_read(self, names: Sequence[str]) -> bool:
        """Whether calls of all these tools change nothing, so that they may run side by side."""

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments, that of any object if the tool is away."""

    def problem_with(self, call: ToolCall) -> str:
        """Tell what is wrong with the arguments of a call, "" if nothing: then it can be tried."""

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """Return the card that the approver is shown: the tool, and all that it is given."""

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """Run a call once: the same call of the same request again gives what it gave then."""

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """Take back what a request changed in the last `UNDO_MINUTES`; a line for each change.

        Empty when nothing can be taken back (any more). The same again changes nothing.
        """


@dataclass(frozen=True, slots=True)
class SourceTool:
    """A tool of a source as operators see it.

    `origin` is who runs it, such as a server, and `rule` says on what else a call depends. `fault`
    is why it is hidden, "" if it is not. `note` is why it asks although the operator would not have
    it so. `change` is what is said of it now, until that is accepted. `bounds` are what the kernel
    holds it to, "" for nothing. To `digest` permissions for good are bound, "" for none. Without an
    effect it stands for all tools of an origin that is away.
    """

    name: str
    origin: str
    effect: Effect | None = None
    rule: Rule = OF_EFFECT
    fault: str = ""
    note: str = ""
    change: str = ""
    bounds: str = ""
    digest: str = ""


class ToolSource(Protocol):
    """Tools that come and go while the bot runs, such as those of a server.

    A name is `source__tool`, of at most 64 letters, digits, _ and -; others are not offered. Text
    that a source did not write itself is to be marked as untrusted in `ToolResult.words`. Calls are
    recorded, counted and permitted for good by the core. What has a body here may be left out by a
    class that inherits from this one.
    """

    def has(self, name: str) -> bool:
        """Whether the name is that of one of its tools, also of one that is away."""

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that may be called, for any message."""

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """The tools that ask, and that a plan of the user's words alone can have run at once."""

    def words(self) -> Sequence[Words]:
        """The untrusted words in what is said of its tools."""

    def decide(self, call: ToolCall, asker: Asker, provenance: PromptProvenance) -> Ruling:
        """The decision on a call; one of a tool that is not listed asks first."""

    def only_reads(self, name: str) -> bool:
        """Whether a call of the tool is known to change nothing."""

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """The JSON Schema of a tool's arguments, that of any object if it is not listed."""

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""

    def card(self, call: ToolCall) -> ApprovalCard:
        """See `Tools.card`."""

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """The result of a call, made now; the core asks for that only once."""

    def may_repeat(self, name: str) -> bool:
        """Whether a call does no more when it is made twice, as after a crash."""
        return False

    def summed_arguments(self, name: str) -> Sequence[str] | None:
        """The arguments whose sums in 24 hours matter to `decide`, None if no earlier call does."""
        return None

    def permission(
        self, call: ToolCall, asker: Asker, digest: str, constant_arguments: Sequence[str] | None
    ) -> NewPermission | None:
        """The permission for good for this call, None if its tool has another fingerprint now."""
        return None

    async def digests(self, tools: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        """The fingerprints of tools as permissions name them: by server, and its name of the tool.

        "" while a change waits to be accepted. Tools of other sources are left out.
        """
        return {}

    async def catalogue(self) -> Sequence[SourceTool]:
        """All tools for the operator, hidden ones too; what is away is waited for."""
        return ()

    async def accept(self, origin: str, tool: str) -> Sequence[str]:
        """Accept what an origin says of its tools now, or of one of them; "" for all.

        A text for each that tells what changed.
        """
        return ()


class Permissions(Protocol):
    """The calls that users permitted for good."""

    async def of(self, user_id: int) -> tuple[Permission, ...]:
        """Every permission of a user, also for tools that have changed since."""

    async def give(self, new: NewPermission) -> None:
        """Keep a permission, at most `MOST_PERMISSIONS` of a user; the same again is kept once.

        Raises: LaneLostError.
        """

    async def use(self, permission: int, user_id: int) -> None:
        """Count a call that a permission let run. Raises: LaneLostError."""

    async def all(self, user_id: int) -> Sequence[KeptPermission]:
        """The permissions of a user as they read them, the newest first."""

    async def take_back(self, user_id: int, permission: int | None = None) -> None:
        """End one permission of a user, or all; it is no error if it has ended."""

    async def prune(self, days: float) -> int:
        """End those that let no call run for so many days; how many."""


@dataclass(frozen=True, slots=True)
class Execution:
    """A recorded call that can be taken back: which tool made it, and what its undo needs."""

    id: int
    tool: str
    undo: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LastChange:
    """The request that changed something last; `done` has a line for each change, newest first.

    `words` are what others wrote of it.
    """

    request_id: str
    done: tuple[str, ...]
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Executed:
    """The result of a call, with what its undo needs, None if it cannot be taken back."""

    result: ResultState
    undo: Mapping[str, Any] | None = None


Undo = Callable[[Execution], Awaitable[str]]


class ToolExecutions(Protocol):
    """The record of every call.

    What a lane writes is refused with LaneLostError once it is lost.
    """

    async def once(
        self, asker: Asker, call: ToolCall, run: Callable[[], Awaitable[Executed]]
    ) -> ResultState:
        """Run a call unless it was run: what it changes in this database and its record are one.

        What `run` raises leaves nothing behind.
        """

    async def begin(self, asker: Asker, call: ToolCall) -> ResultState | None:
        """Record that a call which acts elsewhere begins; None if it had not begun before.

        Of one that began and did not end, the result is `unknown`.
        """

    async def end(self, asker: Asker, call: ToolCall, execution: Executed) -> None:
        """Record what a call that acts elsewhere gave."""

    async def record(
        self, asker: Asker, call: ToolCall, result: ResultState, took_s: float
    ) -> None:
        """Record a call that only read, or that failed and changed nothing."""

    async def use_today(
        self, user_id: int, tools: Sequence[str], sums: Sequence[str]
    ) -> SpentToday:
        """The user's calls of a tool, by its names, in the last 24 hours, and sums of arguments.

        Calls that failed or were refused count for nothing, and neither does what is no number.
        """

    async def last_change(self, user_id: int, before: str) -> LastChange | None:
        """The newest request that made changes which can be taken back, other than `before`."""

    async def undo(self, user_id: int, request_id: str, undo: Undo) -> Sequence[str]:
        """Take back each change of a request, the last first, in one transaction with its record.

        What each `undo` says. A change older than `UNDO_MINUTES`, or taken back already, is left.
        """
