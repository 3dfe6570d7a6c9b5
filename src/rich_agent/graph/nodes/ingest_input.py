"""N1: turns a request into the state of a new turn; nothing of the turn before remains."""

import hashlib
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from rich_agent.concurrency import run_all
from rich_agent.domain.text import choose_locale
from rich_agent.graph.services import Services
from rich_agent.graph.state import ImageRef, InputState, ReplyState, TurnState, TurnUpdate


async def ingest_input(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Hash the images that came with the message and reset every per-turn key.

    Raises: ImageRefusedError if an image is too large to be fetched.
    """
    request = state["request"]
    user, text = request["user"], request["text"]
    images = await _hash_images(request["photos"], runtime.context)
    received: InputState = {"text": text}
    if images:
        received |= {"image": images[0], "images": images}
    if request["reply"]:
        received["reply_context"] = await _reply(request["reply"], runtime.context)
    return {
        "user": {
            "telegram_user_id": user["telegram_user_id"],
            "first_name": user["first_name"],
            "locale": choose_locale(text, user["language_code"]),
        },
        "input": received,
        "messages": [HumanMessage(text, id=f"{request['request_id']}:user")],
        "vision": {},
        "rag": {},
        "memory": {},
        "routing": {},
        "answer": {},
    }


async def _reply(reply: dict[str, Any], services: Services) -> ReplyState:
    images = await _hash_images(reply["photos"], services)
    context: ReplyState = {
        "message_id": reply["message_id"],
        "text": reply["text"],
    }
    if images:
        context |= {"image": images[0], "images": images}
    return context


async def _hash_images(photos: Sequence[dict[str, Any]], services: Services) -> list[ImageRef]:
    contents = await run_all(services.files.fetch(photo["file_id"]) for photo in photos)
    return [
        {
            "file_id": photo["file_id"],
            "sha256": hashlib.sha256(data).hexdigest(),
            "size_bytes": len(data),
        }
        for photo, data in zip(photos, contents, strict=True)
    ]
