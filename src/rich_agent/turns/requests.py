"""A request as the graph's state holds it: JSON that can be stored, and back."""

from dataclasses import asdict
from typing import Any, cast

from pydantic import TypeAdapter

from rich_agent.domain.message import AskedBefore, IncomingMessage, TurnRequest
from rich_agent.domain.routing.clarification import completed_by
from rich_agent.domain.text import clean_text
from rich_agent.graph.clarifying import clarification_of
from rich_agent.graph.state import RequestState, TurnState

_MESSAGE = TypeAdapter(IncomingMessage)


def to_state(request: TurnRequest) -> RequestState:
    """The request as JSON that can be stored, whatever characters it came with."""
    values = asdict(request)
    return cast("RequestState", _storable({**values.pop("message"), **values}))


def _storable(value: Any) -> Any:  # noqa: ANN401 - JSON of any shape
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {name: _storable(part) for name, part in value.items()}
        case tuple():
            return [_storable(part) for part in value]
    return value


def from_state(request: RequestState) -> AskedBefore:
    """The message that `to_state` wrote; it is no answer to that very message of Telegram's."""
    message = _MESSAGE.validate_python({**request, "message_id": 0})
    return AskedBefore(message, request["request_id"])


def belongs_to(state: TurnState, request: TurnRequest) -> bool:
    """Whether the state is that of this request, in this form of it."""
    return "request" in state and _is(state["request"], request)


def words_before(state: TurnState, request: TurnRequest) -> str:
    """The conversation that the turn's prompts are going to hold, with its question."""
    before = (str(message.text) for message in state.get("messages", ()))
    return "\n".join([*before, request.message.words()])


def is_reply_of(state: TurnState, request: TurnRequest) -> bool:
    """Whether the turn in `state` asked back, and this very request was the answer."""
    asked = clarification_of(state)
    return "reply" in asked and _is(asked["reply"], request)


def with_other_reply(state: TurnState, request: TurnRequest) -> RequestState:
    """The request; joined to what it answers again if it is the edited answer to a question."""
    asked, new = clarification_of(state), to_state(request)
    if "reply" not in asked or asked["reply"]["request_id"] != request.request_id:
        return new
    photos = state["request"].get("photos", [])
    before = photos[: len(photos) - len(asked["reply"].get("photos", []))]
    return {
        **new,
        "text": completed_by(asked["said"], new["text"]),
        "photos": [*before, *new.get("photos", [])],
        "replaces": asked["request_id"],
        "clarification": {**asked, "status": "answered", "reply": new},
    }


def _is(known: RequestState, request: TurnRequest) -> bool:
    return (known["request_id"], known.get("revision", 0)) == (request.request_id, request.revision)
