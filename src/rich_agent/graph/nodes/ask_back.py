"""N9: puts the question back to the user into the conversation; the next node waits."""

from langgraph.runtime import Runtime

from rich_agent.domain.routing.plan import GENERAL, Routing
from rich_agent.domain.text import bare_words
from rich_agent.graph.clarifying import (
    about_what_came,
    asked_in,
    clarification_of,
    question_text,
)
from rich_agent.graph.decisions import record_decision
from rich_agent.graph.origins import answered
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import ClarificationState, TurnState, TurnUpdate, input_of, request_of
from rich_agent.graph.views import ON_MATERIAL, question_of, said_in
from rich_agent.ports.turns import AskedBack

_REASON = "asked back: an image or a file came without a question"


async def ask_back(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Word the question, note that its answer is awaited, and why it is asked.

    Everything here can be repeated: nothing of it is sent before the next node stands still.
    """
    services, request = runtime.context.services, request_of(state)
    is_planned = clarification_of(state).get("status") == "wanted"
    asked = asked_in(state) if is_planned else about_what_came(state)
    number = clarification_of(state).get("round", 0)
    turn = AskedBack(request.thread_id, request.request_id, request.revision, number)
    await services.clarifications.open(turn)
    question: ClarificationState = {
        "status": "open",
        "question": asked.question,
        "choices": list(asked.choices),
        "only_choices": asked.only_choices,
        "request_id": turn.request_id,
        "shown_by": clarification_of(state).get("shown_by", turn.request_id),
        "revision": turn.revision,
        "said": said_in(input_of(state)),
        "round": number,
        "approves": clarification_of(state).get("approves", ""),
        "cards": clarification_of(state).get("cards", []),
    }
    words = question_text({**state, "clarification": question})
    routing = state["routing"]
    if not is_planned:
        routing = await record_decision(Routing(GENERAL, "direct"), _REASON, state, services)
    marks = {} if bare_words(question_of(state)) else {ON_MATERIAL: 1}
    return {
        "clarification": question,
        "routing": routing,
        "messages": [await answered(words, state, **marks)],
    }
