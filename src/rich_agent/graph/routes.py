"""The edges that depend on the state."""

from typing import Literal

from langgraph.runtime import Runtime

from rich_agent.graph.clarifying import clarification_of, lacks_question
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import images_of
from rich_agent.graph.withholding import is_withheld


def after_memory(
    state: TurnState,
) -> Literal["N3_vision_summarize", "N4_build_effective_query"]:
    """Look at images only when there are any."""
    return "N3_vision_summarize" if images_of(state) else "N4_build_effective_query"


def after_looking(state: TurnState) -> Literal["N9_ask_back", "N4_build_effective_query"]:
    """Ask what is wanted of an image that came without a question."""
    return "N9_ask_back" if lacks_question(state) else "N4_build_effective_query"


def after_answer(
    state: TurnState,
) -> Literal["N3_vision_summarize", "N4_build_effective_query"]:
    """Look at the images that came with the answer, and plan with it."""
    came = clarification_of(state).get("reply", {}).get("photos")
    return "N3_vision_summarize" if came else "N4_build_effective_query"


def after_query(
    state: TurnState,
) -> Literal["N1_ingest_input", "N9_ask_back", "N5_retrieve", "N8_web_search", "N6_synthesize"]:
    """Documents first, then the web, or straight to the answer; or first a question back.

    What came instead of an answer begins a turn of its own.
    """
    match clarification_of(state).get("status"):
        case "wanted":
            return "N9_ask_back"
        case "dropped":
            return "N1_ingest_input"
    plan = state["routing"]["plan"]
    if plan == "direct":
        return "N6_synthesize"
    return "N8_web_search" if plan == "web" else "N5_retrieve"


def after_synthesis(
    state: TurnState, runtime: Runtime[Services]
) -> Literal["N11_request_approval", "N7_persist"]:
    """A person first, where one has to approve."""
    held = is_withheld(state, runtime.context.approval_intents)
    return "N11_request_approval" if held else "N7_persist"


def after_retrieval(state: TurnState) -> Literal["N8_web_search", "N6_synthesize"]:
    """The web too, when the plan says so (also after weak evidence)."""
    return "N8_web_search" if state["routing"]["plan"] == "rag+web" else "N6_synthesize"
