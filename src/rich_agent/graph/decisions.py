"""Records how a turn was decided: begun when it is planned, completed at its end."""

from dataclasses import replace
from typing import Any

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.routing.plan import Routing
from rich_agent.graph.services import Services
from rich_agent.graph.state import RoutingState, TurnState, request_of
from rich_agent.graph.views import passages_of


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
        queries=tuple(rag.get("queries", ())),
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
    cited = {citation["id"] for citation in state["answer"].get("citations", ())}
    return [
        {
            "id": passage.id,
            "label": passage.label,
            "kind": passage.kind,
            "score": round(passage.score, 3),
            "cited": passage.id in cited,
        }
        for passage in passages_of(state)
    ]


async def record_decision(
    routing: Routing, reason: str, state: TurnState, services: Services
) -> RoutingState:
    """Record how a turn is going to be answered; the routing as the state keeps it."""
    kept: RoutingState = {
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
    }
    decision = decision_of({**state, "routing": kept})
    wanted = replace(decision, query=routing.query, queries=routing.queries)
    return {**kept, "decision_log_id": await services.decisions.record(wanted)}
