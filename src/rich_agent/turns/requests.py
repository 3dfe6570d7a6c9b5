"""A request as the graph's state holds it: JSON that can be stored, and back."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from rich_agent.domain.message import (
    AskedBefore,
    Forwarded,
    IncomingMessage,
    Photo,
    ReplyContext,
    TurnRequest,
    User,
)
from rich_agent.domain.routing.clarification import completed_by
from rich_agent.domain.text import clean_text


def to_state(request: TurnRequest) -> dict[str, Any]:
    """The request as JSON that can be stored, whatever characters it came with."""
    message = request.message
    return {
        "thread_id": request.thread_id,
        "request_id": request.request_id,
        "revision": request.revision,
        "user": asdict(replace(message.user, first_name=clean_text(message.user.first_name))),
        "text": clean_text(message.text),
        "photos": [asdict(photo) for photo in message.photos],
        "reply": _cleaned(message.reply, "text", "quote"),
        "forwarded": _cleaned(message.forwarded, "text", "author"),
        "unread": list(message.unread),
        "fresh_from": request.fresh_from,
        "replaces": request.replaces,
        "answers": request.answers,
        "message_id": message.message_id,
    }


def _cleaned(part: ReplyContext | Forwarded | None, *texts: str) -> dict[str, Any] | None:
    if part is None:
        return None
    values = asdict(part)
    return {**values, **{name: clean_text(values[name]) for name in texts}}


def from_state(request: Mapping[str, Any]) -> AskedBefore:
    """The message that `to_state` wrote."""
    reply, forwarded = request["reply"], request.get("forwarded")
    message = IncomingMessage(
        user=User(**request["user"]),
        text=request["text"],
        photos=_photos_from(request),
        reply=replace(ReplyContext(**reply), photos=_photos_from(reply)) if reply else None,
        forwarded=Forwarded(**forwarded) if forwarded else None,
        unread=tuple(request.get("unread", ())),
    )
    return AskedBefore(message, request["request_id"])


def _photos_from(stored: Mapping[str, Any]) -> tuple[Photo, ...]:
    return tuple(Photo(**photo) for photo in stored["photos"])


def belongs_to(values: Mapping[str, Any], request: TurnRequest) -> bool:
    """Whether the state is that of this request, in this form of it."""
    known = values.get("request", {})
    wanted = (request.request_id, request.revision)
    return (known.get("request_id"), known.get("revision", 0)) == wanted


def words_before(values: Mapping[str, Any], request: TurnRequest) -> str:
    """The conversation that the turn's prompts are going to hold, with its question."""
    before = (str(message.text) for message in values.get("messages", ()))
    return "\n".join([*before, request.message.words()])


def is_reply_of(values: Mapping[str, Any], request: TurnRequest) -> bool:
    """Whether the turn in `values` asked back, and this very request was the answer."""
    reply = _reply_in(values)
    return (reply.get("request_id"), reply.get("revision")) == (
        request.request_id,
        request.revision,
    )


def with_other_reply(values: Mapping[str, Any], request: TurnRequest) -> dict[str, Any]:
    """The request; joined to what it answers again if it is the edited answer to a question."""
    asked, reply, new = values.get("clarification") or {}, _reply_in(values), to_state(request)
    if reply.get("request_id") != request.request_id:
        return new
    before = values["request"]
    photos = before["photos"][: len(before["photos"]) - len(reply["photos"])]
    return {
        **new,
        "text": completed_by(asked["said"], new["text"]),
        "photos": [*photos, *new["photos"]],
        "replaces": asked["request_id"],
        "clarification": {**asked, "status": "answered", "reply": new},
    }


def _reply_in(values: Mapping[str, Any]) -> Mapping[str, Any]:
    reply: Mapping[str, Any] = (values.get("clarification") or {}).get("reply") or {}
    return reply
