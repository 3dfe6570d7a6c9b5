"""Decisions on a turn: how it was planned, and which answers a person has approved."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from rich_agent.domain.answer.citation import Decision, strip_markers
from rich_agent.domain.routing.plan import UNJUDGED, Routing
from rich_agent.graph.services import Services
from rich_agent.graph.state import RoutingState, TurnState, request_of
from rich_agent.graph.views import (
    further_queries,
    lacks_plan,
    last_answer_has_mark,
    locale_of,
    passages_of,
    request_id_of,
)
from rich_agent.phrases import say
from rich_agent.ports.approvals import Approval

AWAITS_APPROVAL = "awaits_approval"
"""Marks the message that stands in the conversation for an answer that is being reviewed."""


def is_withheld(state: TurnState, intents: Collection[str]) -> bool:
    """Whether the turn's answer may not be shown: it is of a kind that a person approves.

    Of what kind a turn without a plan is, nobody knows: where any kind is approved, it waits too.
    """
    routing = state.get("routing", {})
    may_be_one = routing.get("intent") in intents or routing.get("rule") in UNJUDGED
    return bool(intents) and may_be_one and not state.get("approval")


async def approval_outcomes(state: TurnState, services: Services) -> list[BaseMessage]:
    """The answers that were decided since they were asked for, in the place of their notices."""
    thread_id = request_of(state).thread_id
    waiting = [m for m in state["messages"] if m.additional_kwargs.get(AWAITS_APPROVAL)]
    approvals = [
        (message, await services.approvals.of_turn(thread_id, request_id_of(message)))
        for message in waiting
    ]
    return [
        AIMessage(
            final_answer(approval), id=str(message.id), additional_kwargs=_without_mark(message)
        )
        for message, approval in approvals
        if approval and approval.state in {"approved", "corrected"}
    ]


def _without_mark(message: BaseMessage) -> dict[str, object]:
    marks = message.additional_kwargs
    return {name: value for name, value in marks.items() if name != AWAITS_APPROVAL}


def final_answer(approval: Approval) -> str:
    """The answer that was given in the end, without markers."""
    is_corrected = approval.state == "corrected"
    return strip_markers(approval.words if is_corrected else approval.draft.answer)


def decision_of(state: TurnState) -> Decision:
    """The decision on a turn, with what came of it so far."""
    request, routing, rag = request_of(state), state["routing"], state["rag"]
    return Decision(
        thread_id=request.thread_id,
        request_id=request.request_id,
        intent=routing["intent"],
        plan=routing["plan"],
        reason=routing["reason"],
        query=rag.get("query", ""),
        queries=(*rag.get("queries", ()), *further_queries(state)),
        retrieved_count=len(rag.get("retrieved_chunks", ())),
        citations_count=len(state["answer"].get("citations", ())),
        latency_ms=state["latency_ms"],
        nodes=state["node_log"],
        retrieved=passages_read(state),
    )


def passages_read(state: TurnState) -> list[dict[str, Any]]:
    """Return the passages that the answer could rest on, best first, without their text.

    The decision keeps them.
    """
    cited_ids = {citation["id"] for citation in state["answer"].get("citations", ())}
    return [
        {
            "id": passage.id,
            "label": passage.label,
            "kind": passage.kind,
            "score": round(passage.score, 3),
            "cited": passage.id in cited_ids,
            **({"guards": list(passage.guards)} if passage.guards else {}),
        }
        for passage in passages_of(state)
    ]


async def record_decision(
    routing: Routing, reason: str, state: TurnState, services: Services
) -> RoutingState:
    """Record how a turn is going to be answered; the routing as the state keeps it."""
    routing_state: RoutingState = {
        "intent": routing.intent,
        "plan": routing.plan,
        "reason": reason,
        "rule": routing.rule,
        "language": routing.language,
        "may_widen": routing.may_widen,
        "teaches": routing.teaches,
        "acts": routing.acts,
        "file_ids": list(routing.files),
        "reads_whole": routing.reads_whole,
        "files_only": routing.files_only,
        "spaces": list(routing.spaces),
    }
    decision = decision_of({**state, "routing": routing_state})
    with_queries = replace(decision, query=routing.query, queries=routing.queries)
    return {**routing_state, "decision_log_id": await services.decisions.record(with_queries)}


_UNPLANNED = "unplanned"
"""Marks an answer that was given without a plan."""


def plan_marks(state: TurnState) -> dict[str, int]:
    """The marks that the answer gets of how it was planned."""
    return {_UNPLANNED: 1} if lacks_plan(state) else {}


def plan_failure_note(state: TurnState) -> str:
    """The note that nothing was done, "" with a plan; why, below the first of a row alone.

    No tool is offered without a plan, and each answer may claim an act.
    """
    if not lacks_plan(state):
        return ""
    kind = "still" if last_answer_has_mark(state, _UNPLANNED) else "note"
    return say(locale_of(state), f"planner-failed-{kind}")
