"""N5: finds the passages of registered documents that the answer may rest on."""

import structlog
from langgraph.runtime import Runtime

from rich_agent.domain.passage import Passage, internal_first, is_weak
from rich_agent.domain.plan import ABOUT_BOT, DOCS_REQUIRED
from rich_agent.errors import UpstreamError
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.ports import PassageQuery

log = structlog.get_logger()


async def retrieve(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Search the registered documents; weak evidence turns rag into rag+web where the web serves.

    Questions about the bot are looked up in its own documents, and in the others after those.
    """
    services = runtime.context
    runtime.stream_writer({"stage": "searching"})
    query, intent = state["rag"].get("query", ""), state["routing"]["intent"]
    vector = await _embed(query, services)
    limit = services.limits.retrieval.passages
    found = await services.passages.search(
        PassageQuery(query, vector, limit, internal=_wanted(intent, services))
    )
    if intent == ABOUT_BOT and len(found) < limit:
        others = await services.passages.search(
            PassageQuery(query, vector, limit - len(found), internal=False)
        )
        found = internal_first([*found, *others])
    return {
        "rag": {"query": query, "retrieved_chunks": [passage.to_state() for passage in found]},
        "routing": {**state["routing"], **_widen(state, found, services)},
    }


def _wanted(intent: str, services: Services) -> bool | None:
    """Whose documents: the bot's own for questions about it, never for those of the domain."""
    return {ABOUT_BOT: True, services.domain.intent: False}.get(intent)


async def _embed(query: str, services: Services) -> list[float] | None:
    """The query's vector; None without a model, or without vectors to compare it with."""
    space = await services.passages.space() if services.embeddings else None
    if services.embeddings is None or space is None:
        return None
    try:
        return (await services.embeddings.in_space(space).embed([query]))[0]
    except UpstreamError as error:
        log.warning("embedding_failed", error=str(error), instead="full text")
        return None


def _widen(state: TurnState, found: list[Passage], services: Services) -> TurnUpdate:
    routing = state["routing"]
    searchable = services.web is not None and routing["intent"] not in {ABOUT_BOT, DOCS_REQUIRED}
    if routing["plan"] != "rag" or not searchable:
        return {}
    if not is_weak(found, services.limits.retrieval.min_score):
        return {}
    return {
        "plan": "rag+web",
        "reason": f"{routing['reason']}; the registered documents say little, so the web too",
    }
