"""Requests of OpenAI API clients.

Only the last message of the user is read. System messages, earlier messages, optional tools and
sampling parameters are ignored, because the bot has its own. A request that cannot be fulfilled
without these is refused.

Source: https://platform.openai.com/docs/api-reference/chat/create
"""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rich_agent.feature.web import RequestRefusedError, bad_request

MOST_TEXT_CHARS = 32_000
MOST_IMAGES = 10
_NAME_CHARS = 200
_DATA_OF_FILE = re.compile(r"data:(?P<mime>[a-z0-9.+/-]{0,100});base64,", re.IGNORECASE)
_DATA_URL = re.compile(r"data:(?P<mime>image/[a-z0-9.+-]{1,40});base64,", re.IGNORECASE)


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ImageAddress(_Read):
    """The address of an image: a data: URL with the image itself."""

    url: str


class FileContent(_Read):
    """A file in the request: its bytes as a data: URL or as base64."""

    file_data: str = ""
    filename: str = ""


class CompletionPart(_Read):
    """A part of a message: text, an image or a file."""

    type: str
    text: str = ""
    image_url: ImageAddress | None = None
    file: FileContent | None = None


class ChatMessage(_Read):
    """A message of the user."""

    content: str | list[CompletionPart] = ""

    def text(self) -> str:
        """The text of the message."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.type == "text")

    def images(self) -> Sequence[tuple[str, bytes]]:
        """The images with their media types. Raises: RequestRefusedError."""
        parts = () if isinstance(self.content, str) else self.content
        images = [_image_in(part) for part in parts if part.type not in {"text", "file"}]
        if len(images) > MOST_IMAGES:
            raise bad_request(f"A message has at most {MOST_IMAGES} images.")
        return images

    def files(self) -> Sequence[tuple[str, str, bytes]]:
        """The files with name, media type and bytes. Raises: RequestRefusedError."""
        parts = () if isinstance(self.content, str) else self.content
        files = [_file_in(part.file) for part in parts if part.type == "file"]
        if len(files) > MOST_IMAGES:
            raise bad_request(f"A message has at most {MOST_IMAGES} files.")
        return files


class StreamOptions(_Read):
    """The options of a stream."""

    include_usage: bool = False


class ResponseSchema(_Read):
    """A JSON Schema in `response_format`."""

    schema_: dict[str, Any] = Field(alias="schema")


class ResponseFormat(_Read):
    """The required form of an answer."""

    type: str
    json_schema: ResponseSchema | None = None

    def json_schema_of_answer(self) -> Mapping[str, Any]:
        """The JSON Schema, {} for text. Raises: RequestRefusedError if it cannot be fulfilled."""
        if self.type == "text":
            return {}
        if self.type == "json_object":
            return {"type": "object"}
        if self.type != "json_schema" or self.json_schema is None:
            message = "It is text, json_object, or json_schema with a schema."
            raise bad_request(f"response_format: {message}", param="response_format")
        from rich_agent.feature.json_schema import fault_of  # noqa: PLC0415 - loads a library

        if fault := fault_of(self.json_schema.schema_):
            raise bad_request(f"response_format: {fault}.", param="response_format")
        return self.json_schema.schema_


class CompletionRequest(_Read):
    """The fields of a request for a chat completion that are read."""

    model: str
    messages: list[dict[str, Any]] = Field(min_length=1)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    user: str | None = None
    n: int | None = 1
    response_format: ResponseFormat | None = None
    tool_choice: str | dict[str, Any] | None = None
    function_call: str | dict[str, Any] | None = None

    def shape(self) -> Mapping[str, Any]:
        """The JSON Schema of the answer, {} for text. Raises: RequestRefusedError."""
        return self.response_format.json_schema_of_answer() if self.response_format else {}

    def last_message(self) -> ChatMessage:
        """The last message, which must be the user's.

        Raises: RequestRefusedError.
        """
        if self.messages[-1].get("role") != "user":
            raise bad_request("The last message has to be the user's.", param="messages")
        try:
            message = ChatMessage.model_validate(self.messages[-1])
        except ValidationError as error:
            raise _refusal_of(error, "messages.-1.") from None
        if len(message.text()) > MOST_TEXT_CHARS:
            raise bad_request(f"A message has at most {MOST_TEXT_CHARS:,} characters.", 413)
        return message


def read_request(body: bytes) -> CompletionRequest:
    """Read the request in a body. Raises: RequestRefusedError with the problem."""
    try:
        request = CompletionRequest.model_validate_json(body)
    except ValidationError as error:
        raise _refusal_of(error) from None
    if request.n not in {None, 1}:
        raise bad_request("There is one answer: n has to be 1.", param="n")
    if _is_forced(request.tool_choice) or _is_forced(request.function_call):
        raise bad_request(
            "This bot runs its own tools and returns no tool calls, so tool_choice cannot be met. "
            "Leave it out, or use response_format with a json_schema.",
            param="tool_choice",
        )
    request.shape()
    return request


def _is_forced(choice: str | dict[str, Any] | None) -> bool:
    """Whether the client requires a tool call."""
    return choice not in {None, "none", "auto"} if not isinstance(choice, dict) else True


def _image_in(part: CompletionPart) -> tuple[str, bytes]:
    if part.type != "image_url" or part.image_url is None:
        raise bad_request(f"Parts of the type {part.type[:20]!r} cannot be read.", param="messages")
    url_prefix = _DATA_URL.match(part.image_url.url)
    if url_prefix is None:
        raise bad_request(
            "Images are not fetched from addresses. Send the image itself, as a data: URL "
            "(data:image/png;base64,…).",
            param="messages",
        )
    try:
        image_bytes = base64.b64decode(part.image_url.url[url_prefix.end() :], validate=True)
    except binascii.Error:
        raise bad_request("The data of an image is no base64.", param="messages") from None
    return url_prefix["mime"].lower(), image_bytes


def _file_in(file: FileContent | None) -> tuple[str, str, bytes]:
    if file is None or not file.file_data:
        raise bad_request("A file is sent in file_data, as base64.", param="messages")
    url_prefix = _DATA_OF_FILE.match(file.file_data)
    base64_text = file.file_data[url_prefix.end() :] if url_prefix else file.file_data
    try:
        file_bytes = base64.b64decode(base64_text, validate=True)
    except binascii.Error:
        raise bad_request("The data of a file is no base64.", param="messages") from None
    return file.filename[:_NAME_CHARS], url_prefix["mime"].lower() if url_prefix else "", file_bytes


def _refusal_of(error: ValidationError, prefix: str = "") -> RequestRefusedError:
    first_error = error.errors(include_url=False, include_input=False, include_context=False)[0]
    location = prefix + ".".join(map(str, first_error["loc"]))
    return bad_request(f"{location or 'body'}: {first_error['msg']}.")
