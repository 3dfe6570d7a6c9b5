"""A request, compared with the one that the state of its thread holds."""

from dataclasses import replace

from rich_agent.domain.message import AskedBefore, TurnRequest
from rich_agent.domain.routing.clarification import completed_by
from rich_agent.graph.clarifying import clarification_of
from rich_agent.graph.requests import read_request, reply_of, request_of, request_to_state
from rich_agent.graph.state import JsonObject, TurnState


def asked_before(state: TurnState) -> AskedBefore | None:
    """The message of the turn, None once it was forgotten; it answers no message of Telegram's."""
    if "request" not in state or state["request"].get("erased"):
        return None
    request = request_of(state)
    return AskedBefore(replace(request.message, message_id=0), request.request_id)


def belongs_to(state: TurnState, request: TurnRequest) -> bool:
    """Whether the state is that of this request, in this form of it."""
    return "request" in state and _is_same(request_of(state), request)


def words_before(state: TurnState, request: TurnRequest) -> str:
    """The conversation that the turn's prompts are going to hold, with its question."""
    before = (str(message.text) for message in state.get("messages", ()))
    return "\n".join([*before, request.message.words()])


def is_reply_of(state: TurnState, request: TurnRequest) -> bool:
    """Whether the turn in `state` asked back, and this very request was the answer."""
    reply = reply_of(state)
    return reply is not None and _is_same(reply, request)


def with_other_reply(state: TurnState, request: TurnRequest) -> JsonObject:
    """The request; joined to what it answers again if it is the edited answer to a question."""
    asked, reply, new = clarification_of(state), reply_of(state), request_to_state(request)
    if reply is None or reply.request_id != request.request_id:
        return new
    photos, message = request_of(state).message.photos, read_request(new).message
    before = photos[: len(photos) - len(reply.message.photos)]
    joined = replace(
        message,
        text=completed_by(asked["said"], message.text),
        photos=(*before, *message.photos),
    )
    return {
        **request_to_state(replace(request, message=joined, replaces=asked["request_id"])),
        "clarification": {**asked, "status": "answered", "reply": new},
    }


def _is_same(known: TurnRequest, request: TurnRequest) -> bool:
    return (known.request_id, known.revision) == (request.request_id, request.revision)
