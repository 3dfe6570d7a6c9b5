"""Runs a past turn again up to its answer, on services that store nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import StateSnapshot

from rich_agent.domain.answer.citation import strip_markers
from rich_agent.domain.answer.trace import NodeId
from rich_agent.errors import TurnNotReplayableError
from rich_agent.graph.build import build_graph
from rich_agent.graph.decisions import passages_read
from rich_agent.graph.embedding import for_one_turn
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import JsonObject, TurnState
from rich_agent.graph.views import message_marks
from rich_agent.ports.turns import StoredTurn, TurnMessages
from rich_agent.turns.snapshots import state_of


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The result of one run of a turn.

    `read` and `cited` are the passages that it read and cited, as pairs of id and label.
    """

    intent: str
    plan: str
    reason: str
    query: str
    answer: str
    read: tuple[tuple[str, str], ...] = ()
    cited: tuple[tuple[str, str], ...] = ()


LEFT_OUT: NodeId = "N7_persist"
"""The node before which a replay ends, because it only stores things."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn that was run again, with the latency in ms and the report of each node."""

    result: TurnResult
    latency_ms: Mapping[str, float]
    nodes: Mapping[str, Any]


async def replay(
    turn: StoredTurn, conversation: Sequence[tuple[str, TurnMessages]], services: Services
) -> Replayed:
    """Run a past turn on today's services, from its request and the conversation before it.

    The run ends before the node `LEFT_OUT`. The nodes before that must not store anything, which
    the caller has to ensure by its `services`.

    Raises: TurnNotReplayableError if the request was not stored; the errors of the nodes.
    """
    snapshot = await run_to_answer(stored_request(turn), conversation, services)
    state_values = snapshot.values
    return Replayed(_result_of(snapshot), state_values["latency_ms"], state_values["node_log"])


async def run_to_answer(
    request: JsonObject, conversation: Sequence[tuple[str, TurnMessages]], services: Services
) -> StateSnapshot:
    """Run a turn after a conversation; return its state before the node `LEFT_OUT`."""
    config: RunnableConfig = {"configurable": {"thread_id": request["thread_id"]}}
    graph = build_graph(InMemorySaver())
    state_before = _state_before(conversation, request.get("fresh_from", 0))
    await graph.aupdate_state(config, state_before, as_node=LEFT_OUT)
    limits = services.limits.within(await services.window())
    embeddings = for_one_turn(services.embeddings)
    context = NodeContext(replace(services, limits=limits, embeddings=embeddings))
    try:
        await graph.ainvoke(
            {"request": request}, config, context=context, interrupt_before=[LEFT_OUT]
        )
    finally:
        await context.turn.speculation.drop()
    return await graph.aget_state(config)


def stored_request(turn: StoredTurn) -> JsonObject:
    """The request with which the turn began. Raises: TurnNotReplayableError if it is not stored."""
    decision = turn.decision
    if turn.said is None or not turn.said.request:
        raise TurnNotReplayableError(decision.request_id)
    return {
        # The user's own text is stored in the transcript only.
        "text": "" if turn.said.request.get("forwarded") else turn.said.question,
        **turn.said.request,
        "thread_id": decision.thread_id,
        "request_id": decision.request_id,
    }


def result_of(turn: StoredTurn) -> TurnResult:
    """The stored result of the turn."""
    decision = turn.decision
    return TurnResult(
        intent=decision.intent,
        plan=decision.plan,
        reason=decision.reason,
        query=decision.query,
        answer=turn.said.answer if turn.said else "",
        read=_keys_and_labels(decision.retrieved),
        cited=_keys_and_labels(passage for passage in decision.retrieved if passage["cited"]),
    )


def _state_before(conversation: Sequence[tuple[str, TurnMessages]], fresh_from: int) -> TurnState:
    """The state before a turn that follows the conversation."""
    messages: list[BaseMessage] = []
    last_images: list[JsonObject] = []
    for request_id, turn_messages in conversation:
        images, answer = _images_in(turn_messages.request), strip_markers(turn_messages.answer)
        image_count, files = (
            len({image["sha256"] for image in images}),
            turn_messages.request.get("files", ()),
        )
        file_names = [file["name"] for file in files]
        marks = message_marks(turn_messages.request.get("forwarded"), image_count, file_names)
        messages += [
            HumanMessage(turn_messages.question, id=f"{request_id}:user", additional_kwargs=marks),
            AIMessage(answer, id=f"{request_id}:assistant"),
        ]
        last_images = images or last_images
    return {"messages": messages, "fresh_from": fresh_from, "last_images": last_images}


def _images_in(request: Mapping[str, Any]) -> list[JsonObject]:
    """The images of a stored request that have a hash."""
    reply = request.get("reply") or {}
    photos = [*request.get("photos", ()), *reply.get("photos", ())]
    return [
        {"file_id": photo["file_id"], "sha256": photo["sha256"], "size_bytes": photo["size_bytes"]}
        for photo in photos
        if photo.get("sha256")
    ]


def _result_of(snapshot: StateSnapshot) -> TurnResult:
    """The result in the state of a turn."""
    state = state_of(snapshot)
    routing, passages = state["routing"], passages_read(state)
    questions = [str(interrupt.value["question"]) for interrupt in snapshot.interrupts]
    return TurnResult(
        intent=routing["intent"],
        plan=routing["plan"],
        reason=routing["reason"],
        query=state["rag"].get("query", ""),
        answer="\n".join(questions) or state["answer"].get("text", ""),
        read=_keys_and_labels(passages),
        cited=_keys_and_labels(passage for passage in passages if passage["cited"]),
    )


def _keys_and_labels(passages: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    """The id and label of each passage; a web result's id is only a rank, so its label twice."""
    return tuple(
        (passage["label"] if passage["kind"] == "web" else passage["id"], passage["label"])
        for passage in passages
    )
