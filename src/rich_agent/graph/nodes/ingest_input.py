"""N1: turns a request into the state of a new turn; nothing stays of the previous turn."""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.runtime import Runtime

from rich_agent.domain.languages import choose_locale
from rich_agent.graph.decisions import approval_outcomes
from rich_agent.graph.files.links import receive
from rich_agent.graph.memory.window import to_remember, turns_of
from rich_agent.graph.planning import clarification_of, question_text
from rich_agent.graph.rights import unreadable_messages
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import (
    TurnState,
    TurnUpdate,
    input_to_state,
    photos_to_state,
    request_of,
)
from rich_agent.graph.views import images_in, message_of, request_id_of
from rich_agent.ports.turns import TurnRecord

_NOTHING_YET: TurnUpdate = {
    "vision": {},
    "files": {},
    "rag": {},
    "memory": {},
    "routing": {},
    "acting": {},
    "session": {},
    "approval": {},
    "answer": {},
}


async def ingest_input(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Hash the images that came with the message, and reset every key of a single turn.

    The first turn after /new starts without earlier messages. If a question was edited or asked
    again, its earlier question and answer are removed. So are answers from documents that the
    reader may no longer read.

    Raises: ImageRefusedError if an image is too large to be fetched.
    """
    services, request = runtime.context.services, request_of(state)
    user, incoming = request.message.user, await receive(request.message, runtime.context)
    await _record_open_question(state, services)
    is_fresh = request.fresh_from > state.get("fresh_from", 0)
    past_messages = await _leave_behind(state, services) if is_fresh else _replaced_messages(state)
    closed_messages = await unreadable_messages(state, services)
    earlier_images = [] if is_fresh else state.get("last_images", [])
    removed_ids = list(
        dict.fromkeys(str(message.id) for message in (*past_messages, *closed_messages))
    )
    decided_answers = await approval_outcomes(state, services)
    return {
        "user": {
            "telegram_user_id": user.telegram_user_id,
            "first_name": user.first_name,
            "locale": user.locale or choose_locale(incoming.words(), user.language_code),
        },
        "input": input_to_state(incoming),
        "messages": [
            *(message for message in decided_answers if message.id not in removed_ids),
            *(RemoveMessage(id=message_id) for message_id in removed_ids),
            message_of(incoming, request.request_id),
        ],
        "fresh_from": max(request.fresh_from, state.get("fresh_from", 0)),
        "last_images": photos_to_state(images_in(incoming)) or earlier_images,
        "clarification": state["request"].get("clarification") or {},
        **_NOTHING_YET,
    }


async def _record_open_question(state: TurnState, services: Services) -> None:
    """Record the turn before if its question got no answer, since it never ended."""
    question, request = clarification_of(state), request_of(state)
    if question.get("status") not in {"open", "dropped"}:
        return
    await services.transcript.record(
        TurnRecord(
            user_id=request.message.user.telegram_user_id,
            thread_id=request.thread_id,
            request_id=question["request_id"],
            question=question["said"],
            answer=question_text(state),
            meta={"plan": "direct", "images": [], "citations": []},
            revision=question["revision"],
        )
    )


async def _leave_behind(state: TurnState, services: Services) -> Sequence[BaseMessage]:
    """Archive the messages before the latest /new, and return them.

    The summary of older turns is removed as well; memories of the user stay.
    """
    request, messages = request_of(state), state["messages"]
    user_id = request.message.user.telegram_user_id
    turns = turns_of(messages, user_id, request.thread_id)
    await services.archive.begin_anew(user_id, to_remember(turns))
    return messages


def _replaced_messages(state: TurnState) -> Sequence[BaseMessage]:
    """The messages of this turn before its question was edited, or of the turn it repeats."""
    request = request_of(state)
    replaced_ids = {request.request_id, request.replaces}
    return [message for message in state["messages"] if request_id_of(message) in replaced_ids]
