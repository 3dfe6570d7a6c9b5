"""N1: turns a request into the state of a new turn; nothing of the turn before remains."""

import hashlib
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.concurrency import run_all
from rich_agent.domain.text import choose_locale
from rich_agent.errors import ImageRefusedError
from rich_agent.graph.services import Services
from rich_agent.graph.state import ImageRef, InputState, ReplyState, TurnState, TurnUpdate
from rich_agent.graph.views import said_in, words_in


async def ingest_input(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Hash the images that came with the message and reset every per-turn key.

    The pair of a question that was edited since gives way to the new one.

    Raises: ImageRefusedError if an image is too large to be fetched.
    """
    request = state["request"]
    user = request["user"]
    received = await _receive(request, runtime.context)
    return {
        "user": {
            "telegram_user_id": user["telegram_user_id"],
            "first_name": user["first_name"],
            "locale": choose_locale(words_in(received), user["language_code"]),
        },
        "input": received,
        "messages": [
            *_replaced(state["messages"], request["request_id"]),
            HumanMessage(said_in(received), id=f"{request['request_id']}:user"),
        ],
        "vision": {},
        "rag": {},
        "memory": {},
        "routing": {},
        "answer": {},
    }


def _replaced(messages: Sequence[AnyMessage], request_id: str) -> list[RemoveMessage]:
    """Removals of what this very turn said before its question was edited."""
    return [
        RemoveMessage(id=str(message.id))
        for message in messages
        if str(message.id).rpartition(":")[0] == request_id
    ]


async def _receive(request: dict[str, Any], services: Services) -> InputState:
    images = await _hash_images(request["photos"], services)
    received: InputState = {"text": request["text"]}
    if images:
        received |= {"image": images[0], "images": images}
    if forwarded := request.get("forwarded"):
        received["forwarded"] = forwarded
    if unread := request.get("unread"):
        received["unread"] = list(unread)
    if request["reply"]:
        received["reply_context"] = await _reply(request["reply"], services)
    return received


async def _reply(reply: dict[str, Any], services: Services) -> ReplyState:
    images = await _hash_images(reply["photos"], services)
    context: ReplyState = {
        "message_id": reply["message_id"],
        "text": reply["text"],
        "author": reply.get("author", "user"),
    }
    if quote := reply.get("quote"):
        context["quote"] = quote
    if images:
        context |= {"image": images[0], "images": images}
    return context


async def _hash_images(photos: Sequence[dict[str, Any]], services: Services) -> list[ImageRef]:
    limit = services.limits.images.max_bytes
    for photo in photos:
        # What the messenger announced is enough to refuse; nothing is asked for then.
        if (photo["size_bytes"] or 0) > limit:
            raise ImageRefusedError("too_large", f"{photo['size_bytes']} bytes are over {limit}")
    contents = await run_all(services.files.fetch(photo["file_id"]) for photo in photos)
    return [
        {
            "file_id": photo["file_id"],
            "sha256": hashlib.sha256(data).hexdigest(),
            "size_bytes": len(data),
        }
        for photo, data in zip(photos, contents, strict=True)
    ]
