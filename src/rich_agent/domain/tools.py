"""Tools that a model may call, its calls, and their results."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, Self, TypedDict

from rich_agent.domain.answer.attachments import Attachment, AttachmentState, attachments_in
from rich_agent.domain.planned_calls import PlannedCallState
from rich_agent.domain.retrieval.passage import Passage, PassageState
from rich_agent.domain.words import Words, WordsState, read_words

Effect = Literal["read", "change", "delete", "foreign", "session"]
"""The effect of a tool: it reads, changes reversibly, deletes, or acts in another program.

A tool with the effect "session" continues or ends a guided session; no other turn offers it.
"""
Policy = Literal["auto", "ask", "deny", "refused"]
"""The policy for a call: run at once, ask the user first, never run; or the user refused."""
CallStatus = Literal["success", "error", "denied", "unknown"]
"""The status of a call. `denied`: the user or a policy refused it. `unknown`: it may have had its
effect, but the process died during the call, or a server did not answer."""

ASK_TOOL = "request_more_information"
"""The tool by which a model asks the user a question. The turn waits for the answer."""
NAME_SEPARATOR = "__"
"""The separator between the name of a source of tools and the source's name of a tool."""
_MOST_NAME = 64
_HASH_DIGITS = 8
_CLEAN = re.compile(r"[a-zA-Z0-9_-]+")
_UNCLEAN = re.compile(r"[^a-zA-Z0-9_-]")
MOST_CALLS = 10
"""Limit of calls for one message."""
MOST_QUESTIONS = 4
"""Limit of questions back for one message, including questions for approval."""
MOST_TOOLS = 20
"""Limit of tools in one prompt. With more tools a model chooses worse."""
MOST_ERRORS = 3
"""Limit of failed calls in a row. After these the user is told, and no call is tried."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of an object: the arguments."""
    effect: Effect = "read"
    origin: str = ""
    """Name of the server that has the tool; "" for the product's own tools."""
    asks: bool = False
    """Whether every call needs the user's approval."""
    reads_files: bool = False
    """Whether the tool works on the turn's files that have tables."""
    is_always_offered: bool = False
    """Whether the tool stays in the prompt when there are too many tools."""


class CallState(TypedDict):
    """A `ToolCall` as JSON, for the graph's state."""

    id: str
    name: str
    arguments: dict[str, Any]
    problem: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that a model requests."""

    id: str
    """Id that is unique within a request."""
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    """Reason why the arguments cannot be read, "" if they can."""

    def to_state(self) -> CallState:
        """The call as JSON for the graph's state."""
        return {
            "id": self.id,
            "name": self.name,
            "arguments": dict(self.arguments),
            "problem": self.problem,
        }


class ResultState(TypedDict):
    """A `ToolResult` as JSON, for the graph's state."""

    call_id: str
    status: CallStatus
    content: str
    passages: list[PassageState]
    done: str
    undoable: bool
    question: NotRequired[str]
    choices: NotRequired[list[str]]
    card: NotRequired[str]
    attachments: NotRequired[list[AttachmentState]]
    words: NotRequired[list[WordsState]]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call."""

    call_id: str
    status: CallStatus
    content: str
    """Result for the model. It can be cited if there are no `passages`."""
    passages: tuple[Passage, ...] = ()
    """Parts of the result that can be cited, each by a number of its own."""
    done: str = ""
    """Line that tells the user of the change; "" if the call only read."""
    undoable: bool = False
    """Whether the user can undo the change."""
    question: str = ""
    """Question that the user has to answer before the call can be made."""
    card: str = ""
    """Markdown that the user sees instead of `done`."""
    attachments: tuple[Attachment, ...] = ()
    """Pictures that belong to the card."""
    words: tuple[Words, ...] = ()
    """Other authors of parts of `content`."""
    choices: tuple[str, ...] = ()
    """Likely answers to `question`."""

    def to_state(self) -> ResultState:
        """The result as JSON for the graph's state."""
        state: ResultState = {
            "call_id": self.call_id,
            "status": self.status,
            "content": self.content,
            "passages": [passage.to_state() for passage in self.passages],
            "done": self.done,
            "undoable": self.undoable,
        }
        if self.question:
            state["question"] = self.question
            state["choices"] = list(self.choices)
        if self.card:
            state["card"] = self.card
        if self.attachments:
            state["attachments"] = [attachment.to_state() for attachment in self.attachments]
        if self.words:
            state["words"] = [words.to_state() for words in self.words]
        return state

    @classmethod
    def from_state(cls, value: ResultState) -> Self:
        """The result that `to_state` wrote."""
        return cls(
            value["call_id"],
            value["status"],
            value["content"],
            tuple(Passage.from_state(passage) for passage in value["passages"]),
            value["done"],
            value["undoable"],
            value.get("question", ""),
            value.get("card", ""),
            attachments_in(value),
            read_words(value.get("words")),
            tuple(value.get("choices", ())),
        )


class ToolRoundState(TypedDict):
    """Calls that the model made at once, the text before them, and the result of each."""

    text: str
    calls: list[CallState]
    results: list[ResultState]


class PermittedState(TypedDict):
    """The id of a call, and the id of the user's permission that lets it run."""

    call_id: str
    permission: int


class ActingState(TypedDict, total=False):
    """The calls made in this turn, and the calls that the model requests next."""

    rounds: list[ToolRoundState]
    """Calls that were made, with their results."""
    said: str
    """Text of the model before the `calls`."""
    calls: list[CallState]
    """Calls that are not made yet."""
    policies: list[Policy]
    """Policy for each of the `calls`, in the same order."""
    permitted: list[PermittedState]
    """Calls of this turn that run by a permanent permission of the user."""
    errors: int
    """Number of calls in a row that failed."""
    limit: Literal["calls", "errors", "cancelled"]
    """Reason why no further call is made."""
    plan: list[PlannedCallState] | None
    """Calls that were planned from the user's words alone; None if planning failed."""


def fingerprint_of(calls: Iterable[CallState]) -> str:
    """Hash calls for their approval: 16 hex digits over tools and arguments, in order."""
    canonical = json.dumps(
        [[call["name"], call["arguments"]] for call in calls], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def public_name(source: str, tool: str) -> str:
    """The name by which a model calls a tool: `source__tool`, at most 64 letters, digits, _ and -.

    Equal arguments give equal names. If characters had to be replaced or cut, the name ends in a
    hash of the original, so that no two tools get the same name.
    """
    name = f"{source}{NAME_SEPARATOR}{tool}"
    if _CLEAN.fullmatch(name) and len(name) <= _MOST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    readable = _UNCLEAN.sub("_", name[:_MOST_NAME])[: _MOST_NAME - _HASH_DIGITS - 1]
    return f"{readable}_{digest}"


def source_of(name: str) -> str:
    """The source in the name of a tool, "" for the product's own tools."""
    source, separator, _ = name.partition(NAME_SEPARATOR)
    return source if separator else ""
