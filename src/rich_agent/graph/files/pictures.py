"""Images that came as files of another type: they are looked at, whatever they are called."""

from collections.abc import Sequence
from dataclasses import replace

from rich_agent.domain.message import IncomingMessage, Photo, SentFile
from rich_agent.graph.requests import (
    input_of,
    input_to_state,
    photos_to_state,
    request_of,
    request_with,
)
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import images_in, message_of


def as_images(state: TurnState, pictures: Sequence[Photo]) -> TurnUpdate:
    """The request and its input with these files as images of the message."""
    if not pictures:
        return {}
    request, seen = request_of(state), _with_images(input_of(state), pictures)
    return {
        "request": request_with(state, _with_images(request.message, pictures)),
        "input": input_to_state(seen),
        "last_images": photos_to_state(images_in(seen)),
        "messages": [message_of(seen, request.request_id)],
    }


def _with_images(message: IncomingMessage, pictures: Sequence[Photo]) -> IncomingMessage:
    reply = message.reply
    return replace(
        message,
        photos=(*message.photos, *pictures),
        files=_without(pictures, message.files),
        reply=replace(reply, files=_without(pictures, reply.files)) if reply else None,
    )


def _without(pictures: Sequence[Photo], files: Sequence[SentFile]) -> tuple[SentFile, ...]:
    known = {picture.file_id for picture in pictures}
    return tuple(file for file in files if file.file_id not in known)
