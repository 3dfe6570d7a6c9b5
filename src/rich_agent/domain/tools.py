"""Tools that a model is offered besides answering, its calls, and their results."""

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
"""What a tool does: it reads, changes what can be undone, deletes, or acts in another program.

One of a guided session keeps or ends that session, and is offered in no other turn.
"""
Policy = Literal["auto", "ask", "deny", "refused"]
"""Whether a call is run at once, after the user approved it, or never; or the user refused it."""
CallStatus = Literal["success", "error", "denied", "unknown"]
"""`denied` by the user or a policy; `unknown` when it may have been done or not: the process died
while the call ran, or a server did not answer."""

ASK_TOOL = "request_more_information"
"""The tool by which a model asks the user something; the turn waits for the answer."""
NAME_SEPARATOR = "__"
"""It stands between the name of a source of tools and its own name of a tool."""
_MOST_NAME = 64
_HASH_DIGITS = 8
_CLEAN = re.compile(r"[a-zA-Z0-9_-]+")
_UNCLEAN = re.compile(r"[^a-zA-Z0-9_-]")
MOST_CALLS = 10
"""Calls that one message may lead to."""
MOST_QUESTIONS = 4
"""Questions back that one message may lead to, approvals among them."""
MOST_TOOLS = 20
"""Tools in one prompt: with more of them a model chooses worse."""
MOST_ERRORS = 3
"""Failed calls in a row, after which the user is told instead of another try."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON Schema of an object.

    `origin` names the server of a tool that is not the product's own. `asks` when each call needs
    the user's approval. One that `reads_files` is for the files of the turn that have tables. One
    that `is_always_offered` keeps its place where there are too many tools for a prompt.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    effect: Effect = "read"
    origin: str = ""
    asks: bool = False
    reads_files: bool = False
    is_always_offered: bool = False


class CallState(TypedDict):
    """A `ToolCall` as JSON, for the graph's state."""

    id: str
    name: str
    arguments: dict[str, Any]
    problem: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model asks for; `problem`: why its arguments cannot be read, "" if they can.

    `id` is unique within a request.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""

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
    """The result of a call: `content` is for the model, `done` is one line for the user.

    `passages` can be cited, each by its own number; without them `content` can. `done` is "" for a
    call that only read. `undoable` when the user can take it back. `question` is what the user has
    to be asked before it can be done, and `choices` likely answers. `card` is Markdown that the
    user is shown in place of `done`; `attachments` are pictures of what it tells of.
    `words` name others who wrote some of the content.
    """

    call_id: str
    status: CallStatus
    content: str
    passages: tuple[Passage, ...] = ()
    done: str = ""
    undoable: bool = False
    question: str = ""
    card: str = ""
    attachments: tuple[Attachment, ...] = ()
    words: tuple[Words, ...] = ()
    choices: tuple[str, ...] = ()

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
            state["attachments"] = [one.to_state() for one in self.attachments]
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
    """The tools that the model called at once, the text before them, and each call's result."""

    text: str
    calls: list[CallState]
    results: list[ResultState]


class PermittedState(TypedDict):
    """A call that runs by a permission of the user, by both their ids."""

    call_id: str
    permission: int


class ActingState(TypedDict, total=False):
    """The calls made in this turn, and those that the model wants next.

    `calls` wait to be run, `policies` say how, by their places; `said` is the text before them.
    `permitted` are those of this turn that the user had permitted for good.
    `errors` counts the calls in a row that failed. `limit` tells why no more is called. `plan` are
    the calls that the user's words alone lead to, once they were planned; None if that failed.
    """

    rounds: list[ToolRoundState]
    said: str
    calls: list[CallState]
    policies: list[Policy]
    permitted: list[PermittedState]
    errors: int
    limit: Literal["calls", "errors", "cancelled"]
    plan: list[PlannedCallState] | None


def fingerprint_of(calls: Iterable[CallState]) -> str:
    """Hash calls for their approval: 16 hex digits of tools and arguments, in their order."""
    canonical = json.dumps(
        [[call["name"], call["arguments"]] for call in calls], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def public_name(source: str, tool: str) -> str:
    """The name by which a model calls a tool: `source__tool`, of at most 64 letters, digits, _, -.

    It is always the same. A name that had to be changed ends in a hash of what it was, so that no
    two tools get one name by that.
    """
    name = f"{source}{NAME_SEPARATOR}{tool}"
    if _CLEAN.fullmatch(name) and len(name) <= _MOST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    readable = _UNCLEAN.sub("_", name[:_MOST_NAME])[: _MOST_NAME - _HASH_DIGITS - 1]
    return f"{readable}_{digest}"


def source_of(name: str) -> str:
    """The source that the name of a tool begins with, "" if it is the product's own."""
    source, between, _ = name.partition(NAME_SEPARATOR)
    return source if between else ""
