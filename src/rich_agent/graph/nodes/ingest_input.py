"""N1: turns a request into the state of a new turn; nothing of the turn before remains."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.concurrency import run_all
from rich_agent.domain.text import choose_locale
from rich_agent.errors import ImageRefusedError
from rich_agent.graph.services import Services
from rich_agent.graph.state import ImageRef, InputState, ReplyState, TurnState, TurnUpdate
from rich_agent.graph.views import said_in, words_in
from rich_agent.graph.window import request_of, turns_of


async def ingest_input(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Hash the images that came with the message and reset every per-turn key.

    The first turn after a /new begins without the messages of those before. The pair of a question
    that was edited since, or is asked again, gives way to the new one.

    Raises: ImageRefusedError if an image is too large to be fetched.
    """
    request = state["request"]
    user = request["user"]
    received = await _receive(request, runtime.context)
    leaving = await _leave_behind(state, runtime.context) or _replaced(state)
    return {
        "user": {
            "telegram_user_id": user["telegram_user_id"],
            "first_name": user["first_name"],
            "locale": user.get("locale")
            or choose_locale(words_in(received), user["language_code"]),
        },
        "input": received,
        "messages": [
            *(RemoveMessage(id=str(message.id)) for message in leaving),
            HumanMessage(said_in(received), id=f"{request['request_id']}:user"),
        ],
        "fresh_from": max(request.get("fresh_from", 0), state.get("fresh_from", 0)),
        "vision": {},
        "rag": {},
        "memory": {},
        "routing": {},
        "answer": {},
    }


async def _leave_behind(state: TurnState, services: Services) -> Sequence[AnyMessage]:
    """What was said before a /new that this conversation has not heeded yet; it is archived.

    The summary of older turns goes too; what is remembered of the user stays.
    """
    request = state["request"]
    if request.get("fresh_from", 0) <= state.get("fresh_from", 0):
        return ()
    messages, user_id = state["messages"], request["user"]["telegram_user_id"]
    await services.transcript.archive(turns_of(messages, user_id, request["thread_id"]))
    await services.memories.change(
        user_id,
        lambda memory: replace(memory, conversation_summary="", summary_updated_at=None),
    )
    return messages


def _replaced(state: TurnState) -> Sequence[AnyMessage]:
    """What this very turn said before its question was edited, or the turn that it does again."""
    gone = {state["request"]["request_id"], state["request"].get("replaces")}
    return [message for message in state["messages"] if request_of(message) in gone]


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
