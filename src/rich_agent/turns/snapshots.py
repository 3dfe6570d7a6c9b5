"""Reads a turn's checkpoint: the request that it belongs to, how far it got, and its outcome."""

from dataclasses import replace
from typing import cast

from langgraph.constants import START
from langgraph.types import StateSnapshot

from rich_agent.domain.answer.attachments import attachments_in
from rich_agent.domain.answer.citation import Answer, Citation, CommandOffer
from rich_agent.domain.message import AskedBefore, TurnRequest
from rich_agent.domain.routing.clarification import complete_question
from rich_agent.domain.routing.plan import Routing
from rich_agent.graph.planning import clarification_of, question_text
from rich_agent.graph.state import (
    JsonObject,
    TurnState,
    read_request,
    reply_of,
    request_of,
    request_to_state,
)
from rich_agent.ports.turns import TurnOutcome


def question_before(state: TurnState) -> AskedBefore | None:
    """The message of the turn in a state, without its message id; None if it was forgotten."""
    if "request" not in state or state["request"].get("erased"):
        return None
    request = request_of(state)
    return AskedBefore(replace(request.message, message_id=0), request.request_id)


def belongs_to(state: TurnState, request: TurnRequest) -> bool:
    """Whether the state is that of a turn on this request, in the same revision."""
    return "request" in state and _is_same(request_of(state), request)


def words_before(state: TurnState, request: TurnRequest) -> str:
    """The text of the conversation in the state and of the request, as prompts will contain it."""
    texts = (str(message.text) for message in state.get("messages", ()))
    return "\n".join([*texts, request.message.words()])


def is_reply_of(state: TurnState, request: TurnRequest) -> bool:
    """Whether the turn in `state` asked back, and this request, in this revision, answered it."""
    reply = reply_of(state)
    return reply is not None and _is_same(reply, request)


def with_other_reply(state: TurnState, request: TurnRequest) -> JsonObject:
    """The request as the input of the graph.

    If it is the edited answer to a question of the bot, it is joined to the message that led to
    the question, whose turn it replaces.
    """
    question, reply, new_request = (
        clarification_of(state),
        reply_of(state),
        request_to_state(request),
    )
    if reply is None or reply.request_id != request.request_id:
        return new_request
    photos, message = request_of(state).message.photos, read_request(new_request).message
    earlier_photos = photos[: len(photos) - len(reply.message.photos)]
    full_message = replace(
        message,
        text=complete_question(question["said"], message.text),
        photos=(*earlier_photos, *message.photos),
    )
    return {
        **request_to_state(replace(request, message=full_message, replaces=question["request_id"])),
        "clarification": {**question, "status": "answered", "reply": new_request},
    }


def _is_same(earlier: TurnRequest, request: TurnRequest) -> bool:
    """Whether both are the same request in the same revision."""
    return (earlier.request_id, earlier.revision) == (request.request_id, request.revision)


def broken_off(snapshot: StateSnapshot) -> frozenset[str]:
    """The nodes from which an interrupted turn goes on."""
    return frozenset(task.name for task in snapshot.tasks)


def has_reset(snapshot: StateSnapshot) -> bool:
    """Whether the state is that of the present turn, because the step of node N1 is stored.

    Before that it is the state of the turn before. `snapshot.next` cannot tell, because it leaves
    out a node that ended without its step being stored.
    """
    return not {START, "N1_ingest_input"} & {task.name for task in snapshot.tasks}


def state_of(snapshot: StateSnapshot) -> TurnState:
    """The state of the thread's last turn, {} before its first."""
    return cast("TurnState", snapshot.values)


def answer_of(state: TurnState) -> Answer:
    """The answer in a state, or in the update of node N6."""
    answer = state["answer"]
    citations = tuple(Citation.from_state(citation_state) for citation_state in answer["citations"])
    is_rated, is_cut = answer.get("worth_rating", True), answer.get("is_cut", False)
    locale, undo = answer.get("locale"), answer.get("undo", "")
    attachments = attachments_in({**answer})
    files = tuple(answer.get("files", ()))
    commands = tuple(CommandOffer(**offer) for offer in answer.get("commands", ()))
    answer_parts = (answer["text"], citations, is_rated, is_cut, locale, undo)
    return Answer(*answer_parts, attachments, files, commands)


def outcome_of(snapshot: StateSnapshot) -> TurnOutcome:
    """The outcome of a turn for a surface.

    Its answer is the bot's question while the turn waits for an answer, and a notice while the
    answer waits for approval.
    """
    state = state_of(snapshot)
    routing, interrupts = state["routing"], snapshot.interrupts
    question = interrupts[0].value if interrupts else None
    return TurnOutcome(
        answer=Answer(question_text(state)) if question else answer_of(state),
        routing=Routing(
            routing["intent"],
            routing["plan"],
            routing["reason"],
            state["rag"].get("query", ""),
        ),
        nodes=tuple(state["latency_ms"]),
        latency_ms=state["latency_ms"],
        interrupt=question or state.get("approval") or None,
        request_id=request_of(state).request_id,
    )


def question_closed_by(request: TurnRequest, snapshot: StateSnapshot) -> str | None:
    """The request whose answer shows the question that `request` answers or gives up.

    None if there is no such question, or it stands in the answer to `request` itself.
    """
    state = state_of(snapshot)
    if not snapshot.interrupts and not is_reply_of(state, request):
        return None
    question = state["clarification"]
    shown_by = question.get("shown_by", question["request_id"])
    return shown_by if shown_by != request.request_id else None
