"""One tool: its arguments, its action, and the way to take the action back."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import structlog
from pydantic import BaseModel, ConfigDict

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rules import OF_EFFECT, Rule
from rich_agent.domain.tools import CallStatus, Effect, ResultState, ToolCall, ToolResult, ToolSpec
from rich_agent.domain.words import Words
from rich_agent.errors import (
    DatabaseUnavailableError,
    LaneLostError,
    OutcomeUnknownError,
    RichAgentError,
    UpstreamTimeoutError,
)
from rich_agent.ports.tools import Asker
from rich_agent.tools.line_forms import TITLE_AND_SUBJECT, LineForm


class Arguments(BaseModel):
    """Arguments of a tool; an unknown one is an error, which the model is told.

    In those whose `null_clears`, null differs from an argument that is left out.
    """

    null_clears: ClassVar[bool] = False
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class ToolRefusedError(RichAgentError):
    """A call that cannot be done as asked; the message is for the model, and says what to do.

    `question` is for the user, where the call only waits for their answer, which may be one of
    `choices`.
    """

    def __init__(self, message: str, *, question: str = "", choices: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.question = question
        self.choices = choices


def wrong_arguments(problem: str) -> ToolRefusedError:
    """The refusal of a call because of its arguments."""
    return ToolRefusedError(f"Wrong arguments: {problem}. Correct them and call the tool again.")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a call.

    `data` is JSON for the model. `done` is one line for the user, "" if nothing changed. `undo` is
    what the tool's `undo` is given to take the change back, None if it cannot. `card` is Markdown
    that the user is shown in place of `done`, and `attachments` are pictures of it.
    `words` name others who wrote some of the data.
    """

    data: Mapping[str, Any]
    passages: tuple[Passage, ...] = ()
    done: str = ""
    undo: Mapping[str, Any] | None = None
    card: str = ""
    attachments: tuple[Attachment, ...] = ()
    words: tuple[Words, ...] = ()


Run = Callable[[Any, Asker], Awaitable[Outcome]]
"""Takes the checked arguments. Raises: ToolRefusedError, UpstreamError."""
Undo = Callable[[Mapping[str, Any], Asker], Awaitable[str]]
"""Takes the `undo` of an outcome; gives one line for the user."""


Shown = Callable[[Asker], Awaitable[Mapping[str, str]]]
"""Gives rows of a card, by their names."""
Naming = Callable[[int, int], Awaitable[str]]
"""Takes a user's id and that of something of theirs; gives what that is called, "" for nothing."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the product. What it changes in the database is one transaction with its record.

    `description` is for the model. A tool without `undo` cannot be taken back. `aliases` are other
    names that a model may call it by. One that `reads_files` is for the files of the turn, and
    offered where there are some. `card_extras` is what its card says besides the arguments. One
    that is not `is_requestable` only helps with what the user asks for. `rule` decides when it asks
    the user, besides its effect. `names` tell what ids stand for, by the argument that holds them.
    `line` words its card in one line. One that `is_always_offered` is what most messages are about:
    it keeps its place where there are too many tools for a prompt.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Run
    effect: Effect = "read"
    undo: Undo | None = None
    aliases: tuple[str, ...] = field(default=())
    reads_files: bool = False
    card_extras: Shown | None = None
    is_requestable: bool = True
    rule: Rule = field(default=OF_EFFECT, hash=False)
    names: Mapping[str, Naming] = field(default_factory=dict, hash=False)
    line: LineForm = TITLE_AND_SUBJECT
    is_always_offered: bool = False

    def is_called(self, name: str) -> bool:
        """Whether a model calls it by this name."""
        return name in {self.name, *self.aliases}

    def spec(self, *, asks: bool) -> ToolSpec:
        """The tool as a model sees it."""
        schema = _schema_of(self.arguments)
        return ToolSpec(
            self.name,
            self.description,
            schema,
            self.effect,
            asks=asks,
            reads_files=self.reads_files,
            is_always_offered=self.is_always_offered,
        )


@cache
def _schema_of(arguments: type[Arguments]) -> Mapping[str, Any]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    return schema


MOST_RESULT_CHARS = 12_000
"""What a model is given of a result."""
_log = structlog.get_logger()


async def attempt(call: ToolCall, work: Awaitable[ResultState], *, acts: bool) -> ResultState:
    """The result of the work, or how it failed.

    A call that `acts` and got no answer may have been done: its status is `unknown`.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    try:
        return await work
    except (LaneLostError, DatabaseUnavailableError):
        raise
    except (UpstreamTimeoutError, OutcomeUnknownError) as error:
        message = f"{error}. It may have been done, or not: tell the user." if acts else str(error)
        return failure_result(call, message, "unknown" if acts else "error")
    except ToolRefusedError as error:
        result = failure_result(call, str(error))
        if error.question:
            return {**result, "question": error.question, "choices": list(error.choices)}
        return result
    except RichAgentError as error:
        return failure_result(call, " ".join(filter(None, [str(error), error.hint])))
    except Exception:  # noqa: BLE001 - a tool that breaks must not end the turn
        _log.exception("tool.broke", tool=call.name)
        return failure_result(call, "The tool broke. Tell the user that it did not work.")


def failure_result(call: ToolCall, message: str, status: CallStatus = "error") -> ResultState:
    """The result of a failed call, with a message for the model."""
    content = json.dumps({"error": message[:MOST_RESULT_CHARS]}, ensure_ascii=False)
    return ToolResult(call.id, status, content).to_state()
