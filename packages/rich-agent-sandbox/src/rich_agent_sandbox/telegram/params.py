"""Reads the parameters of a Bot API call in each of the four ways that Telegram accepts.

Source: https://core.telegram.org/bots/api#making-requests
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request

from rich_agent_sandbox.telegram.refusals import bad_request

# A query string or a form contains only text, so types depend on the names.
INTEGERS = frozenset(
    (
        "cache_time",
        "chat_id",
        "draft_id",
        "ephemeral_message_id",
        "from_chat_id",
        "height",
        "limit",
        "max_connections",
        "message_id",
        "message_thread_id",
        "offset",
        "receiver_user_id",
        "reply_to_message_id",
        "timeout",
        "user_id",
        "width",
    )
)
FLAGS = frozenset(
    (
        "allow_queries",
        "allow_sending_without_reply",
        "can_stop",
        "disable_content_type_detection",
        "disable_notification",
        "disable_web_page_preview",
        "drop_pending_updates",
        "has_spoiler",
        "is_big",
        "is_shared",
        "keep_on_stop",
        "protect_content",
        "show_alert",
        "show_caption_above_media",
    )
)
STRUCTURES = frozenset(
    (
        "allowed_updates",
        "caption_entities",
        "commands",
        "entities",
        "ephemeral_message_parameters",
        "link_preview_options",
        "reaction",
        "reply_markup",
        "reply_parameters",
        "result",
        "rich_message",
        "scope",
    )
)
_TRUE = frozenset({"true", "yes", "1"})


@dataclass(frozen=True, slots=True)
class Upload:
    """A file sent with a call."""

    file_name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Params:
    """The typed parameters of one call, and its files."""

    values: Mapping[str, Any] = field(default_factory=dict)
    uploads: Mapping[str, Upload] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The parameters for a log; a file is `{file_name, size_bytes}`."""
        files = {
            name: {"file_name": upload.file_name, "size_bytes": len(upload.content)}
            for name, upload in self.uploads.items()
        }
        return {**self.values, **files}

    def text(self, name: str) -> str:
        """A string; "" if it is absent. Raises: BotApiError for a lone surrogate."""
        value = self.values.get(name)
        text = "" if value is None else str(value)
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise bad_request("strings must be encoded in UTF-8")
        return text

    def integer(self, name: str) -> int | None:
        """An integer, None if it is absent. Raises: BotApiError for another type."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise bad_request(f"invalid {name} specified")
        return value

    def flag(self, name: str) -> bool:
        """Whether a boolean parameter is true."""
        return self.values.get(name) is True

    def items(self, name: str) -> list[Any] | None:
        """A list, None if it is absent. Raises: BotApiError for another type."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, list):
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object")
        return value

    def fields(self, name: str) -> dict[str, Any] | None:
        """An object, None if it is absent. Raises: BotApiError for another type."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, dict):
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object")
        return value

    def renamed(self, name: str, new_name: str) -> "Params":
        """The parameters with another name for one of them."""
        values = {new_name if key == name else key: value for key, value in self.values.items()}
        uploads = {new_name if key == name else key: value for key, value in self.uploads.items()}
        return Params(values, uploads)

    def upload(self, name: str) -> Upload | None:
        """The file of a parameter, also if the parameter refers to it by `attach://`."""
        value = self.values.get(name)
        if isinstance(value, str) and value.startswith("attach://"):
            return self.uploads.get(value.removeprefix("attach://"))
        return self.uploads.get(name)


async def read_params(request: Request) -> Params:
    """Read the query string and the body.

    Raises: BotApiError if the body does not match its type.
    """
    values: dict[str, Any] = {
        name: _typed(name, value) for name, value in request.query_params.items()
    }
    uploads: dict[str, Upload] = {}
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type == "application/json":
        values |= await _json_object(request)
    elif content_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
        async with request.form() as form:
            for name, form_value in form.multi_items():
                if isinstance(form_value, UploadFile):
                    uploads[name] = await _upload(form_value)
                else:
                    values[name] = _typed(name, form_value)
    return Params(values, uploads)


async def _json_object(request: Request) -> dict[str, Any]:
    body = await request.body()
    if not body:
        return {}
    try:
        fields = json.loads(body)
    except ValueError as error:
        raise bad_request("can't parse JSON object") from error
    if not isinstance(fields, dict):
        raise bad_request("can't parse JSON object")
    return {
        name: _typed(name, value) if isinstance(value, str) else value
        for name, value in fields.items()
    }


async def _upload(file: UploadFile) -> Upload:
    return Upload(
        file_name=file.filename or "file",
        mime_type=file.content_type or "application/octet-stream",
        content=await file.read(),
    )


def _typed(name: str, value: str) -> object:
    """`value` with the type for its name; unchanged if it does not fit, for a method to refuse."""
    if name in FLAGS:
        return value.lower() in _TRUE
    if name in INTEGERS:
        try:
            return int(value)
        except ValueError:
            return value
    if name in STRUCTURES:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
