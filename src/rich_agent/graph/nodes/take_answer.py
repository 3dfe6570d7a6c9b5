"""N10: waits for the user's answer to the question of N9, and joins it to what they sent."""

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from rich_agent.domain.routing.clarification import completed_by
from rich_agent.graph.clarifying import asked_in, clarification_of
from rich_agent.graph.receiving import receive
from rich_agent.graph.services import Services
from rich_agent.graph.state import InputState, RequestState, TurnState, TurnUpdate
from rich_agent.graph.views import images_in, message_of


async def take_answer(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Stand still until a request comes as the answer; its words and images join the input.

    The question leaves the conversation: what was asked and answered is one message of the user.
    Raises: ImageRefusedError, UpstreamError.
    """
    # What stands before runs again when the answer comes: nothing may.
    reply: RequestState = interrupt(interrupt_value(state))
    request, asked = state["request"], clarification_of(state)
    received = _joined(state["input"], await receive(reply, runtime.context))
    return {
        "input": received,
        "request": {
            **request,
            "text": received.get("text", ""),
            "photos": [*request.get("photos", []), *reply.get("photos", [])],
        },
        "last_images": images_in(received) or state.get("last_images", []),
        "clarification": {**asked, "status": "answered", "reply": reply},
        "messages": [
            message_of(received, request["request_id"]),
            RemoveMessage(id=f"{request['request_id']}:assistant"),
        ],
    }


def interrupt_value(state: TurnState) -> dict[str, object]:
    """What a surface reads of the interrupt."""
    asked = asked_in(state)
    return {"kind": "question", "question": asked.question, "choices": list(asked.choices)}


def _joined(before: InputState, answer: InputState) -> InputState:
    """What was sent first, with the words and images of the answer."""
    joined: InputState = {
        **before,
        "text": completed_by(before.get("text", ""), answer.get("text", "")),
    }
    if images := [*before.get("images", ()), *answer.get("images", ())]:
        joined |= {"image": images[0], "images": images}
    if unread := [*before.get("unread", ()), *answer.get("unread", ())]:
        joined["unread"] = list(dict.fromkeys(unread))
    return joined
