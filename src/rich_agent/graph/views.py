"""Typed readings of the state that several nodes share."""

import json
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage

from rich_agent.domain.passage import Passage
from rich_agent.graph.state import ImageRef, TurnState


def locale_of(state: TurnState) -> str:
    """The language of the product's own phrases in this turn."""
    return state["user"].get("locale", "en")


def question_of(state: TurnState) -> str:
    """The user's text, "" for a photo without caption."""
    return state["input"].get("text", "")


def images_of(state: TurnState) -> list[ImageRef]:
    """The images of the message, then those of the message it replies to; each content once."""
    reply = state["input"].get("reply_context")
    found = [*state["input"].get("images", ()), *(reply.get("images", ()) if reply else ())]
    return list({image["sha256"]: image for image in found}.values())


def passages_of(state: TurnState) -> list[Passage]:
    """The passages found so far, in the order in which they are numbered."""
    return [Passage.from_state(chunk) for chunk in state["rag"].get("retrieved_chunks", ())]


def image_summary_of(state: TurnState) -> str:
    """The summary of the turn's images as a prompt shows it, "" without one."""
    summary = state["vision"].get("summary")
    return json.dumps(summary, ensure_ascii=False) if summary else ""


def reply_text_of(state: TurnState) -> str:
    """The text of the message replied to, "" without one."""
    reply = state["input"].get("reply_context")
    return reply["text"] if reply else ""


def history_of(state: TurnState) -> list[tuple[str, str]]:
    """The conversation before this turn as (role, text), oldest first."""
    current = f"{state['request']['request_id']}:user"
    return [_entry(m) for m in state["messages"] if m.id != current and m.text]


def conversation_slots(state: TurnState) -> dict[str, Any]:
    """The slots that planning and synthesis prompts have in common."""
    memory = state["memory"]
    return {
        "memory": memory.get("long_term_entries", []),
        "conversation_summary": memory.get("conversation_summary", ""),
        "image_summary": image_summary_of(state),
        "reply_to": reply_text_of(state),
    }


def _entry(message: AnyMessage) -> tuple[str, str]:
    return ("assistant" if isinstance(message, AIMessage) else "user", str(message.text))
