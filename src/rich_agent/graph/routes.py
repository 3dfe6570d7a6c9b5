"""The edges that depend on the state."""

from typing import Literal

from rich_agent.graph.state import TurnState
from rich_agent.graph.views import images_of


def after_memory(
    state: TurnState,
) -> Literal["N3_vision_summarize", "N4_build_effective_query"]:
    """Look at images only when there are any."""
    return "N3_vision_summarize" if images_of(state) else "N4_build_effective_query"


def after_query(state: TurnState) -> Literal["N5_retrieve", "N8_web_search", "N6_synthesize"]:
    """Documents first, then the web, or straight to the answer."""
    plan = state["routing"]["plan"]
    if plan == "direct":
        return "N6_synthesize"
    return "N8_web_search" if plan == "web" else "N5_retrieve"


def after_retrieval(state: TurnState) -> Literal["N8_web_search", "N6_synthesize"]:
    """The web too, when the plan says so (also after weak evidence)."""
    return "N8_web_search" if state["routing"]["plan"] == "rag+web" else "N6_synthesize"
