"""Decisions on a turn: its plan, and the answers that a person approved."""

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
"""Marks the message that stands in the conversation for an answer under review."""


def is_withheld(state: TurnState, intents: Collection[str]) -> bool:
    """Whether the turn's answer may not be shown before a person approves it.

    The kind of a turn without a plan is unknown. If any kind needs approval, such a turn does, too.
    """
    routing = state.get("routing", {})
    may_be_one = routing.get("intent") in intents or routing.get("rule") in UNJUDGED
    return bool(intents) and may_be_one and not state.get("approval")


async def approval_outcomes(state: TurnState, services: Services) -> list[BaseMessage]:
    """The approved or corrected answers that replace their notices in the conversation."""
    thread_id = request_of(state).thread_id
    notices = [
        notice for notice in state["messages"] if notice.additional_kwargs.get(AWAITS_APPROVAL)
    ]
    notices_with_approvals = [
        (message, await services.approvals.of_turn(thread_id, request_id_of(message)))
        for message in notices
    ]
    return [
        AIMessage(
            final_answer(approval), id=str(message.id), additional_kwargs=_without_mark(message)
        )
        for message, approval in notices_with_approvals
        if approval and approval.state in {"approved", "corrected"}
    ]


def _without_mark(message: BaseMessage) -> dict[str, object]:
    """The marks of a message, except that it awaits approval."""
    marks = message.additional_kwargs
    return {
        mark_name: mark_value
        for mark_name, mark_value in marks.items()
        if mark_name != AWAITS_APPROVAL
    }


def final_answer(approval: Approval) -> str:
    """The answer as it was approved or corrected, without markers."""
    is_corrected = approval.state == "corrected"
    return strip_markers(approval.words if is_corrected else approval.draft.answer)


def decision_of(state: TurnState) -> Decision:
    """The decision on a turn, with its results so far."""
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
    """The passages that the answer could rest on, best first, without their text."""
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
    """Record the decision how a turn is answered; return the routing as the state keeps it."""
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
    planned_decision = replace(decision, query=routing.query, queries=routing.queries)
    return {**routing_state, "decision_log_id": await services.decisions.record(planned_decision)}


_UNPLANNED = "unplanned"
"""Marks an answer that was written without a plan."""


def plan_marks(state: TurnState) -> dict[str, int]:
    """The marks of an answer that was written without a plan; {} with a plan."""
    return {_UNPLANNED: 1} if lacks_plan(state) else {}


def plan_failure_note(state: TurnState) -> str:
    """The note that nothing was done because there was no plan; "" with a plan.

    The reason stands only below the first of several such answers in a row. Without a plan no tool
    is offered, but the answer may claim that something was done.
    """
    if not lacks_plan(state):
        return ""
    kind = "still" if last_answer_has_mark(state, _UNPLANNED) else "note"
    return say(locale_of(state), f"planner-failed-{kind}")
