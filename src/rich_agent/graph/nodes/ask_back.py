"""N9: puts the question back to the user into the conversation; the next node waits."""

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from rich_agent.domain.answer.answer import Decision
from rich_agent.domain.routing.plan import GENERAL
from rich_agent.graph.clarifying import about_image, asked_in, clarification_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import ClarificationState, RoutingState, TurnState, TurnUpdate
from rich_agent.graph.views import said_in
from rich_agent.ports.turns import AskedBack


async def ask_back(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Word the question, note that its answer is awaited, and why it is asked.

    Everything here can be repeated: nothing of it is sent before the next node stands still.
    """
    services, request = runtime.context, state["request"]
    is_planned = clarification_of(state).get("status") == "wanted"
    asked = asked_in(state) if is_planned else about_image(state)
    turn = AskedBack(request["thread_id"], request["request_id"], request.get("revision", 0))
    await services.clarifications.open(turn)
    question: ClarificationState = {
        "status": "open",
        "question": asked.question,
        "choices": list(asked.choices),
        "only_choices": asked.only_choices,
        "request_id": turn.request_id,
        "revision": turn.revision,
        "said": said_in(state["input"]),
    }
    routing = state["routing"] if is_planned else await _decide(state, services)
    return {
        "clarification": question,
        "routing": routing,
        "messages": [AIMessage(asked.question, id=f"{turn.request_id}:assistant")],
    }


async def _decide(state: TurnState, services: Services) -> RoutingState:
    """The decision to ask before anything is planned."""
    request, reason = state["request"], "asked back: an image came without a question"
    decision_id = await services.decisions.record(
        Decision(
            request["thread_id"],
            request["request_id"],
            GENERAL,
            "direct",
            reason,
            latency_ms=state["latency_ms"],
            nodes=state["node_log"],
        )
    )
    return {
        "intent": GENERAL,
        "plan": "direct",
        "reason": reason,
        "decision_log_id": decision_id,
    }
