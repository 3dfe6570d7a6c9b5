"""Requests of AG-UI clients.

Only the last message of the user is read. System messages, tools, context and state of a client are
ignored. Source: AG-UI 1.0, RunAgentInput.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from rich_agent.feature.runs import BusyPolicy
from rich_agent.feature.web import RequestRefusedError

MOST_TEXT_CHARS = 32_000
MOST_IMAGES = 10
_NAME_CHARS = 200
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
Name = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{1,200}$")]
"""An id that a client chose. It is used in headers and in lines of a stream."""


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)


class PartSource(_Wire):
    """The place of a part's bytes: given here (base64), at an address, or uploaded before."""

    type: Literal["data", "url", "file"]
    value: str
    mime_type: str = ""


class ContentPart(_Wire):
    """A part of a message; `binary` is the form before 1.0."""

    type: str
    text: str = ""
    source: PartSource | None = None
    mime_type: str = ""
    data: str = ""
    url: str = ""
    id: str = ""
    filename: str = ""
    metadata: Any = None

    def name(self) -> str:
        """The name of its file, "" if the client sends none."""
        metadata = self.metadata if isinstance(self.metadata, Mapping) else {}
        name = self.filename or metadata.get("filename") or metadata.get("name") or ""
        return str(name)[:_NAME_CHARS]

    def its_source(self) -> PartSource | None:
        """The source of its bytes, None without a source."""
        if self.type != "binary":
            return self.source
        for kind, value in (("data", self.data), ("file", self.id), ("url", self.url)):
            if value:
                return PartSource.model_validate(
                    {"type": kind, "value": value, "mimeType": self.mime_type}
                )
        return None


class SaidMessage(_Wire):
    """A message of the user."""

    id: str = Field("", max_length=200)
    content: str | list[ContentPart] = ""

    def text(self) -> str:
        """The words of the message."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.type == "text")

    def attachments(self) -> Sequence[ContentPart]:
        """The parts of the message that are not text."""
        if isinstance(self.content, str):
            return ()
        return [part for part in self.content if part.type != "text"]


class Resumption(_Wire):
    """The answer to an interrupt."""

    interrupt_id: str = Field(max_length=300)
    status: Literal["resolved", "cancelled"]
    payload: Any = None


class BlockPress(_Wire):
    """A press of a button in the living block that a run began."""

    run: Name
    data: str = Field(min_length=1, max_length=64)


class RunInput(_Wire):
    """The fields that are read of a RunAgentInput; `messages` are as the client sent them."""

    thread_id: Name
    run_id: Name
    messages: list[dict[str, Any]] = []
    forwarded_props: Any = None
    resume: list[Resumption] | None = None

    @property
    def busy(self) -> BusyPolicy:
        """The policy while another answer is being written."""
        props = self.forwarded_props
        policy_name = props.get("busy", "queue") if isinstance(props, Mapping) else "queue"
        if policy_name in get_args(BusyPolicy):
            return cast("BusyPolicy", policy_name)
        raise refused_input("forwardedProps.busy is none of queue, interrupt, refuse.")

    @property
    def is_spoken(self) -> bool:
        """Whether the message was dictated."""
        props = self.forwarded_props
        return isinstance(props, Mapping) and props.get("spoken") is True

    @property
    def replaces(self) -> str:
        """The turn that is answered again, "" for none."""
        props = self.forwarded_props
        turn = props.get("replaces", "") if isinstance(props, Mapping) else ""
        if turn == "" or (isinstance(turn, str) and is_name(turn)):
            return turn
        raise refused_input("forwardedProps.replaces is no id of a turn.")

    @property
    def press(self) -> BlockPress | None:
        """The pressed button of a living block, None if none was pressed."""
        props = self.forwarded_props
        pressed = props.get("press") if isinstance(props, Mapping) else None
        if pressed is None:
            return None
        try:
            return BlockPress.model_validate(pressed)
        except ValidationError as error:
            raise _input_error(error, "forwardedProps.press.") from None

    def last_user_message(self) -> SaidMessage | None:
        """The newest message, if the user wrote it."""
        if not self.messages or self.messages[-1].get("role") != "user":
            return None
        return _valid(SaidMessage, self.messages[-1], "messages.-1.")


def read_input(body: bytes) -> RunInput:
    """The request in a body. Raises: RequestRefusedError with the problem."""
    try:
        return RunInput.model_validate_json(body)
    except ValidationError as error:
        raise _input_error(error) from None


def is_name(text: str) -> bool:
    """Whether a text may be an id that a client chose."""
    return _NAME.fullmatch(text) is not None


def refused_input(message: str, status: int = 400) -> RequestRefusedError:
    """The refusal of a request that cannot be read."""
    return RequestRefusedError(status, "invalid_input", message)


def _valid(model: type[SaidMessage], message_json: Mapping[str, Any], prefix: str) -> SaidMessage:
    try:
        return model.model_validate(message_json)
    except ValidationError as error:
        raise _input_error(error, prefix) from None


def _input_error(error: ValidationError, prefix: str = "") -> RequestRefusedError:
    first_error = error.errors(include_url=False, include_input=False, include_context=False)[0]
    location = prefix + ".".join(map(str, first_error["loc"]))
    return refused_input(f"This is no RunAgentInput: {location or 'body'}: {first_error['msg']}.")
