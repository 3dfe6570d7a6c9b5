"""Images that came as files of another type: they are looked at, whatever they are called."""

from collections.abc import Sequence

from rich_agent.graph.files.state import SentFileState
from rich_agent.graph.state import ImageRef, InputState, PhotoState, RequestState, TurnUpdate
from rich_agent.graph.views import images_in, message_of


def as_images(
    request: RequestState, received: InputState, pictures: Sequence[ImageRef]
) -> TurnUpdate:
    """The request and its input with these files as images of the message."""
    if not pictures:
        return {}
    known = {picture["file_id"] for picture in pictures}
    images = [*received.get("images", ()), *pictures]
    seen: InputState = {
        **received,
        "image": images[0],
        "images": images,
        "files": _without(known, received.get("files", ())),
    }
    if context := received.get("reply_context"):
        seen["reply_context"] = {**context, "files": _without(known, context.get("files", ()))}
    photos: list[PhotoState] = [
        {"file_id": one["file_id"], "size_bytes": one.get("size_bytes")} for one in pictures
    ]
    asked: RequestState = {
        **request,
        "photos": [*request.get("photos", ()), *photos],
        "files": _without(known, request.get("files", ())),
    }
    if reply := request.get("reply"):
        asked["reply"] = {**reply, "files": _without(known, reply.get("files", ()))}
    return {
        "request": asked,
        "input": seen,
        "last_images": images_in(seen),
        "messages": [message_of(seen, request["request_id"])],
    }


def _without(known: set[str], files: Sequence[SentFileState]) -> list[SentFileState]:
    return [file for file in files if file["file_id"] not in known]
