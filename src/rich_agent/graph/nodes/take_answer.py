"""N10: waits for the user's answer to the question of N9, and joins it to what they sent."""

from typing import Any

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from rich_agent.domain.routing.clarification import completed_by
from rich_agent.domain.tools import fingerprint_of
from rich_agent.graph.acting.calling import after_decision, with_answer
from rich_agent.graph.clarifying import asked_in, cards_of, clarification_of, needing_approval
from rich_agent.graph.files.footnotes import to_keep
from rich_agent.graph.receiving import receive
from rich_agent.graph.services import Services
from rich_agent.graph.state import (
    ClarificationState,
    InputState,
    RequestState,
    TurnState,
    TurnUpdate,
)
from rich_agent.graph.views import acting_of, images_in, message_of


async def take_answer(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Stand still until a request comes as the answer; its words, images and files join the input.

    The question leaves the conversation: what was asked and answered is one message of the user.
    Raises: ImageRefusedError, UpstreamError.
    """
    # What stands before runs again when the answer comes: nothing may.
    asked = clarification_of(state)
    reply: RequestState = interrupt(interrupt_value(state), response_schema=_schema_of(asked))
    if reply.get("decision"):
        return _decided(state, reply)
    request = state["request"]
    received = _joined(state["input"], await receive(reply, runtime.context))
    return {
        "input": received,
        "request": {
            **request,
            "text": received.get("text", ""),
            "photos": [*request.get("photos", []), *reply.get("photos", [])],
            "files": [*request.get("files", []), *reply.get("files", [])],
        },
        "last_images": images_in(received) or state.get("last_images", []),
        "clarification": {**asked, "status": "answered", "reply": reply},
        "acting": after_decision(state, reply)
        if asked.get("approves")
        else with_answer(state, reply["text"]),
        "messages": [
            message_of(received, request["request_id"]),
            RemoveMessage(id=f"{request['request_id']}:assistant"),
        ],
    }


def _decided(state: TurnState, reply: RequestState) -> TurnUpdate:
    """Return the state after a pressed button: it has no words, so the input stays as it is."""
    asked, acting = clarification_of(state), after_decision(state, reply)
    if reply.get("edits") and acting.get("calls"):
        # What was approved is what the user made of the calls.
        asked = {**asked, "approves": fingerprint_of(needing_approval(acting))}
    return {
        "clarification": {**asked, "status": "answered", "reply": reply},
        "acting": acting,
        "messages": [RemoveMessage(id=f"{state['request']['request_id']}:assistant")],
    }


def _schema_of(asked: ClarificationState) -> dict[str, Any]:
    """Return the JSON Schema of a reply: words, or a decision on what waits for approval."""
    decisions = ["approved", "cancelled"] if asked.get("approves") else []
    return {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            **({"decision": {"type": "string", "enum": decisions}} if decisions else {}),
            **({"edits": {"type": "object"}} if decisions else {}),
        },
        "required": ["text"],
    }


def interrupt_value(state: TurnState) -> dict[str, object]:
    """Return what a surface reads of the interrupt."""
    asked, approves = asked_in(state), clarification_of(state).get("approves")
    shown = {"question": asked.question, "choices": list(asked.choices)}
    if not approves:
        files = to_keep(state)
        return {"kind": "question", **shown, **({"files": files} if files else {})}
    calls = [
        {"name": call["name"], "arguments": call["arguments"]}
        for call in needing_approval(acting_of(state))
    ]
    cards = [card.to_state() for card in cards_of(state)]
    return {
        "kind": "tool_approval",
        **shown,
        "calls": calls,
        "cards": cards,
        "fingerprint": approves,
    }


def _joined(before: InputState, answer: InputState) -> InputState:
    """Join what was sent first with the words and images of the answer."""
    joined: InputState = {
        **before,
        "text": completed_by(before.get("text", ""), answer.get("text", "")),
    }
    if images := [*before.get("images", ()), *answer.get("images", ())]:
        joined |= {"image": images[0], "images": images}
    if files := [*before.get("files", ()), *answer.get("files", ())]:
        joined["files"] = files
    if links := [*before.get("links", ()), *answer.get("links", ())]:
        joined["links"] = list(dict.fromkeys(links))
    if unread := [*before.get("unread", ()), *answer.get("unread", ())]:
        joined["unread"] = list(dict.fromkeys(unread))
    return joined
