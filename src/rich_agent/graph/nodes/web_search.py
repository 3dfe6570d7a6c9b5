"""N8: searches the web; its results are passages like those of documents."""

from langgraph.runtime import Runtime

from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import locale_of
from rich_agent.phrases import say_limit


async def web_search(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Add web results after the retrieved passages; a failed search is told in the answer.

    So is one that the user's limit of the day does not allow.
    """
    services = runtime.context.services
    rag = state["rag"]
    if services.web is None:
        return {"rag": {**rag, "web_error": "no key for web search"}}
    runtime.stream_writer({"stage": "searching_web"})
    try:
        results = await services.web.search(
            rag.get("query", ""), services.limits.retrieval.web_results
        )
    except DailyLimitError as error:
        told = say_limit(error, locale_of(state))
        return {"rag": {**rag, "web_error": str(error), "web_limit": told}}
    except UpstreamError as error:
        runtime.context.run.notes.survive("web_search_failed", error)
        return {"rag": {**rag, "web_error": str(error)}}
    found = [*rag.get("retrieved_chunks", ()), *(result.to_state() for result in results)]
    return {"rag": {**rag, "retrieved_chunks": found}}
