"""N9 and N10: ask the user, wait for the answer, and join it to the message before."""

from dataclasses import replace
from typing import Any

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from rich_agent.domain.message import (
    DECISIONS,
    IncomingMessage,
    TurnRequest,
)
from rich_agent.domain.routing.clarification import complete_question
from rich_agent.domain.routing.plan import GENERAL, Routing
from rich_agent.domain.text import bare_words
from rich_agent.domain.tools import fingerprint_of
from rich_agent.graph.acting.answering import (
    drop_question,
    read_answer,
    repeat_question,
)
from rich_agent.graph.acting.calling import after_decision, with_answer
from rich_agent.graph.decisions import record_decision
from rich_agent.graph.files.gathering import to_keep
from rich_agent.graph.files.links import receive
from rich_agent.graph.origins import answer_message
from rich_agent.graph.planning import (
    about_what_came,
    cards_of,
    clarification_of,
    needing_approval,
    pending_question,
    question_text,
)
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import (
    ClarificationState,
    JsonObject,
    TurnState,
    TurnUpdate,
    input_of,
    input_to_state,
    photos_to_state,
    read_request,
    request_of,
    request_to_state,
    request_with,
)
from rich_agent.graph.views import (
    ON_MATERIAL,
    acting_of,
    conversation_text,
    images_in,
    message_of,
    question_of,
)
from rich_agent.ports.turns import AskedBack


async def take_answer(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Wait for the request that answers; its words, images and files join the input.

    The question is removed from the conversation: question and answer become one message of the
    user.

    Raises: ImageRefusedError, UpstreamError.
    """
    # LangGraph runs the node again from its start when the answer comes: nothing may happen before.
    question = clarification_of(state)
    request_state: JsonObject = interrupt(
        interrupt_value(state), response_schema=_schema_of(question)
    )
    reply = read_request(request_state)
    answer_state: ClarificationState = {**question, "status": "answered", "reply": request_state}
    if reply.decision:
        return _decide(state, answer_state, reply)
    if question.get("approves") and (
        decision_update := await _decide_by_words(answer_state, reply, state, runtime)
    ):
        return decision_update
    message = _join(input_of(state), await receive(reply.message, runtime.context))
    return _complete(state, answer_state, reply, message)


def _complete(
    state: TurnState,
    answer_state: ClarificationState,
    reply: TurnRequest,
    message: IncomingMessage,
) -> TurnUpdate:
    """The state with the words, images and files of an answer; it is planned anew."""
    request = request_of(state)
    completed_message = replace(
        request.message,
        text=message.text,
        # The time zone may have become known while the question waited.
        user=replace(
            request.message.user,
            time_zone=reply.message.user.time_zone or request.message.user.time_zone,
        ),
        photos=(*request.message.photos, *reply.message.photos),
        files=(*request.message.files, *reply.message.files),
    )
    return {
        "clarification": answer_state,
        "input": input_to_state(message),
        "request": request_with(state, completed_message),
        "last_images": photos_to_state(images_in(message)) or state.get("last_images", []),
        "acting": after_decision(state, reply)
        if answer_state.get("approves")
        else with_answer(state, reply.message.text),
        "messages": [
            message_of(message, request.request_id),
            RemoveMessage(id=f"{request.request_id}:assistant"),
        ],
    }


async def _decide_by_words(
    answer_state: ClarificationState,
    reply: TurnRequest,
    state: TurnState,
    runtime: Runtime[NodeContext],
) -> TurnUpdate:
    """The state after words that decide on calls, or that are no answer; {} for changes to plan.

    The surface that shows the calls learns the decision from the stream.
    """
    meaning = await read_answer(reply, state, runtime.context)
    if meaning == "changes" or meaning == "other":  # noqa: PLR1714 - so that the types are known
        runtime.stream_writer({"taken": ""})
        return await drop_question(answer_state, state) if meaning == "other" else {}
    runtime.stream_writer({"taken": meaning})
    if not meaning:
        return repeat_question(answer_state, reply)
    decided_reply = replace(reply, decision=meaning, approves=answer_state["approves"])
    return _decide(state, {**answer_state, "reply": request_to_state(decided_reply)}, decided_reply)


def _decide(state: TurnState, answer_state: ClarificationState, reply: TurnRequest) -> TurnUpdate:
    """The state after a decision on calls. It has no words, so the input stays as it is."""
    acting = after_decision(state, reply)
    if reply.edits and acting.get("calls"):
        # The user approved the calls as edited.
        answer_state = {**answer_state, "approves": fingerprint_of(needing_approval(acting))}
    return {
        "clarification": answer_state,
        "acting": acting,
        "messages": [RemoveMessage(id=f"{request_of(state).request_id}:assistant")],
    }


def _schema_of(question: ClarificationState) -> dict[str, Any]:
    """The JSON Schema of a reply: words, or a decision on waiting calls."""
    decisions = DECISIONS[: len(question["choices"])] if question.get("approves") else ()
    return {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            **({"decision": {"type": "string", "enum": list(decisions)}} if decisions else {}),
            **({"edits": {"type": "object"}} if decisions else {}),
        },
        "required": ["text"],
    }


def interrupt_value(state: TurnState) -> dict[str, object]:
    """The value of the interrupt, which surfaces read."""
    question, approves = pending_question(state), clarification_of(state).get("approves")
    question_json = {"question": question.question, "choices": list(question.choices)}
    if not approves:
        files = to_keep(state)
        return {"kind": "question", **question_json, **({"files": files} if files else {})}
    calls = [
        {"name": call["name"], "arguments": call["arguments"]}
        for call in needing_approval(acting_of(state))
    ]
    cards = [card.to_state() for card in cards_of(state)]
    return {
        "kind": "tool_approval",
        **question_json,
        "calls": calls,
        "cards": cards,
        "fingerprint": approves,
    }


def _join(first_message: IncomingMessage, answer: IncomingMessage) -> IncomingMessage:
    """The first message with the words, images and files of the answer."""
    links = (*(first_message.links or ()), *(answer.links or ()))
    return replace(
        first_message,
        text=complete_question(first_message.text, answer.text),
        photos=(*first_message.photos, *answer.photos),
        files=(*first_message.files, *answer.files),
        links=tuple(dict.fromkeys(links)),
        unread=tuple(dict.fromkeys((*first_message.unread, *answer.unread))),
    )


_REASON = "asked back: an image or a file came without a question"


async def ask_back(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Write the question, record why it is asked, and note that its answer is awaited.

    Each step can be repeated: the question is sent when the next node waits.
    """
    services, request = runtime.context.services, request_of(state)
    is_planned = clarification_of(state).get("status") == "wanted"
    clarification = pending_question(state) if is_planned else about_what_came(state)
    round_number = clarification_of(state).get("round", 0)
    asked_turn = AskedBack(request.thread_id, request.request_id, request.revision, round_number)
    await services.clarifications.open(asked_turn)
    question: ClarificationState = {
        "status": "open",
        "question": clarification.question,
        "choices": list(clarification.choices),
        "only_choices": clarification.only_choices,
        "request_id": asked_turn.request_id,
        "shown_by": clarification_of(state).get("shown_by", asked_turn.request_id),
        "revision": asked_turn.revision,
        "said": conversation_text(input_of(state)),
        "round": round_number,
        "approves": clarification_of(state).get("approves", ""),
        "lasting": clarification_of(state).get("lasting", ""),
        "fixed": clarification_of(state).get("fixed"),
        "cards": clarification_of(state).get("cards", []),
    }
    text = question_text({**state, "clarification": question})
    routing = state["routing"]
    if not is_planned:
        routing = await record_decision(Routing(GENERAL, "direct"), _REASON, state, services)
    marks = {} if bare_words(question_of(state)) else {ON_MATERIAL: 1}
    return {
        "clarification": question,
        "routing": routing,
        "messages": [await answer_message(text, state, **marks)],
    }
