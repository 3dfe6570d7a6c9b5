"""Requests and messages in the state: the JSON of `domain.message`, written and read.

A field that a checkpoint lacks has its default; one that the domain does not know is left alone.
"""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from pydantic import TypeAdapter

from rich_agent.domain.json_values import storable
from rich_agent.domain.message import IncomingMessage, Photo, ReplyContext, SentFile, TurnRequest
from rich_agent.graph.state import JsonObject, TurnState

_REQUEST = TypeAdapter(TurnRequest)
_MESSAGE = TypeAdapter(IncomingMessage)
_PHOTOS = TypeAdapter(tuple[Photo, ...])


def request_to_state(request: TurnRequest) -> JsonObject:
    """The request as flat JSON that can be stored, whatever characters it came with."""
    values = asdict(request)
    found: JsonObject = storable({**values.pop("message"), **values})
    return found


def read_request(stored: JsonObject) -> TurnRequest:
    """The request that `request_to_state` wrote."""
    return _REQUEST.validate_python({**stored, "message": stored})


def request_of(state: TurnState) -> TurnRequest:
    """The request that the turn answers."""
    return read_request(state["request"])


def reply_of(state: TurnState) -> TurnRequest | None:
    """The request that answered the turn's question back, None without one."""
    reply = (state.get("clarification") or {}).get("reply")
    return read_request(reply) if reply else None


def request_with(state: TurnState, message: IncomingMessage) -> JsonObject:
    """The turn's request with this message; what else is stored with it stays."""
    return {**state["request"], **request_to_state(replace(request_of(state), message=message))}


def input_to_state(message: IncomingMessage) -> JsonObject:
    """A message whose photos were hashed, as JSON; what is empty is left out."""
    found: JsonObject = storable(
        {
            "text": message.text,
            **_filled(
                forwarded=message.forwarded and asdict(message.forwarded),
                links=message.links,
                is_only_links=message.is_only_links,
                unread=message.unread,
                **_attached(message.photos, message.files),
                reply_context=message.reply and _reply_to_state(message.reply),
            ),
        }
    )
    return found


def input_of(state: TurnState) -> IncomingMessage:
    """The message that the turn is about, joined with what answered a question back."""
    received = state["input"]
    reply = received.get("reply_context")
    return _MESSAGE.validate_python(
        {
            **received,
            "user": state["user"],
            "photos": received.get("images", ()),
            "reply": reply and {**reply, "photos": reply.get("images", ())},
        }
    )


def photos_to_state(photos: Iterable[Photo]) -> list[JsonObject]:
    """Photos by reference: their bytes never enter the state."""
    return [
        {"file_id": one.file_id, "sha256": one.sha256, "size_bytes": one.size_bytes or 0}
        for one in photos
    ]


def last_images_of(state: TurnState) -> list[Photo]:
    """The images that the user sent last."""
    return list(_PHOTOS.validate_python(state.get("last_images", ())))


def _reply_to_state(reply: ReplyContext) -> JsonObject:
    return {
        "message_id": reply.message_id,
        "text": reply.text,
        "author": reply.author,
        **_filled(quote=reply.quote, links=reply.links, **_attached(reply.photos, reply.files)),
    }


def _attached(photos: Iterable[Photo], files: Iterable[SentFile]) -> JsonObject:
    images = photos_to_state(photos)
    return {"image": next(iter(images), None), "images": images, "files": list(map(asdict, files))}


def _filled(**values: Any) -> JsonObject:  # noqa: ANN401 - JSON of any shape
    return {name: value for name, value in values.items() if value}
