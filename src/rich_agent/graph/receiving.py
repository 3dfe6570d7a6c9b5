"""Reads a message for a turn: images by hash, links found, attachments of a reply."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from rich_agent.domain.answer.links import web_links
from rich_agent.domain.message import IncomingMessage, Photo, ReplyContext
from rich_agent.errors import ImageRefusedError
from rich_agent.graph.services import NodeContext
from rich_agent.runtime.concurrency import run_all


async def receive(message: IncomingMessage, context: NodeContext) -> IncomingMessage:
    """The message as a turn reads it; images are fetched and hashed.

    Raises: ImageRefusedError if an image is too large to be fetched, UpstreamError.
    """
    links, is_only_links = _links_in(message, context)
    return replace(
        message,
        photos=await _hash_images(message.photos, context),
        links=links,
        is_only_links=is_only_links,
        reply=await _reply(message.reply, context) if message.reply else None,
    )


def _links_in(message: IncomingMessage, context: NodeContext) -> tuple[tuple[str, ...], bool]:
    """The links, and whether nothing else came; where no messenger marked them, those in it."""
    if not context.services.limits.links:
        return (), False
    if message.links is not None:
        return message.links, message.is_only_links and bool(message.links)
    found, is_only = web_links(message.text)
    return tuple(found), is_only


async def _reply(reply: ReplyContext, context: NodeContext) -> ReplyContext:
    """Return the message replied to; attachments of a message of the bot are not the user's."""
    if reply.author == "assistant":
        return replace(reply, photos=(), links=(), files=())
    links = reply.links if context.services.limits.links else ()
    return replace(reply, photos=await _hash_images(reply.photos, context), links=links)


async def _hash_images(photos: Iterable[Photo], context: NodeContext) -> tuple[Photo, ...]:
    limit = context.services.limits.images.max_bytes
    for photo in photos:
        # What the messenger announced is enough to refuse; nothing is asked for then.
        if (photo.size_bytes or 0) > limit:
            raise ImageRefusedError("too_large", f"{photo.size_bytes} bytes are over {limit}")
    return tuple(await run_all(_hash_image(photo, context) for photo in photos))


async def _hash_image(photo: Photo, context: NodeContext) -> Photo:
    """The image by its hash; one that was hashed in the turn's first run is not fetched again."""
    if photo.sha256:
        return photo
    async with context.turn.reading:
        data = await context.services.files.fetch(photo.file_id)
        sha256, size_bytes = hashlib.sha256(data).hexdigest(), len(data)
        del data
    return replace(photo, sha256=sha256, size_bytes=size_bytes)
