"""Turns a request into state: images by hash, replies and forwards as quoted."""

import hashlib
from collections.abc import Sequence

from rich_agent.errors import ImageRefusedError
from rich_agent.graph.files.links import links_in_request
from rich_agent.graph.services import Services
from rich_agent.graph.state import (
    ImageRef,
    InputState,
    PhotoState,
    RepliedState,
    ReplyState,
    RequestState,
)
from rich_agent.runtime.concurrency import run_all


async def receive(request: RequestState, services: Services) -> InputState:
    """The input of a request; images are fetched and hashed.

    Raises: ImageRefusedError if an image is too large to be fetched, UpstreamError.
    """
    images = await _hash_images(request.get("photos", []), services)
    received: InputState = {"text": request["text"]}
    if services.limits.links:
        received |= links_in_request(request)
    if images:
        received |= {"image": images[0], "images": images}
    if files := request.get("files"):
        received["files"] = list(files)
    if forwarded := request.get("forwarded"):
        received["forwarded"] = forwarded
    if unread := request.get("unread"):
        received["unread"] = list(unread)
    if reply := request.get("reply"):
        received["reply_context"] = await _reply(reply, services)
    return received


async def _reply(reply: RepliedState, services: Services) -> ReplyState:
    """Return the message replied to; attachments of a message of the bot are not the user's."""
    context: ReplyState = {
        "message_id": reply["message_id"],
        "text": reply["text"],
        "author": reply.get("author", "user"),
    }
    if quote := reply.get("quote"):
        context["quote"] = quote
    if context["author"] == "assistant":
        return context
    if images := await _hash_images(reply.get("photos", []), services):
        context |= {"image": images[0], "images": images}
    if services.limits.links and (links := reply.get("links")):
        context["links"] = list(links)
    if files := reply.get("files"):
        context["files"] = list(files)
    return context


async def _hash_images(photos: Sequence[PhotoState], services: Services) -> list[ImageRef]:
    limit = services.limits.images.max_bytes
    for photo in photos:
        # What the messenger announced is enough to refuse; nothing is asked for then.
        if (photo["size_bytes"] or 0) > limit:
            raise ImageRefusedError("too_large", f"{photo['size_bytes']} bytes are over {limit}")
    return await run_all(_hash_image(photo, services) for photo in photos)


async def _hash_image(photo: PhotoState, services: Services) -> ImageRef:
    """The image by reference; one that was hashed in the turn's first run is not fetched again."""
    file_id = photo["file_id"]
    if known := photo.get("sha256"):
        return {"file_id": file_id, "sha256": known, "size_bytes": photo["size_bytes"] or 0}
    async with services.reading:
        data = await services.files.fetch(file_id)
        sha256, size_bytes = hashlib.sha256(data).hexdigest(), len(data)
        del data
    return {"file_id": file_id, "sha256": sha256, "size_bytes": size_bytes}
