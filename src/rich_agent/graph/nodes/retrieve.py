"""N5, N8 and N13: find what the answer may rest on, in documents, on the web, and in files."""

import asyncio
from collections.abc import Sequence

from langgraph.runtime import Runtime

from rich_agent.domain.retrieval.further_search import gap_in
from rich_agent.domain.retrieval.passage import Passage, is_weak
from rich_agent.domain.routing.plan import ABOUT_BOT, DOCS_REQUIRED
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.feature_additions import passages_of_features
from rich_agent.graph.files.gathering import SearchedFor, gather_from_files, open_files
from rich_agent.graph.files.receiving import as_images, read_all
from rich_agent.graph.searching import embed_queries, in_order, search_documents
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import RoutingState, TurnState, TurnUpdate
from rich_agent.graph.views import (
    clocks_of,
    files_of,
    is_for_group,
    lacks_plan,
    locale_of,
)
from rich_agent.graph.web_query import public_query
from rich_agent.phrases import say
from rich_agent.runtime.concurrency import run_all
from rich_agent.times import say_limit


async def retrieve(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Search the registered documents; weak evidence turns rag into rag+web where the web serves.

    Each part of a compound question is searched for, and has its places among the passages.
    Passages of features come last.
    Questions about the bot are looked up in its own documents, and in the others after those.
    They, and questions on what documents say, may ask which ones there are.
    """
    services, rag = runtime.context.services, state["rag"]
    queries = rag.get("queries") or [rag.get("query", "")]
    runtime.stream_writer({"stage": "searching"})
    # First the files: an index of the first one brings the space in which queries are embedded.
    files = await open_files(state, services)
    vectors = await embed_queries(queries, state, runtime.context)
    of_files = await gather_from_files(files, SearchedFor(queries, vectors), state, runtime)
    is_enough = state["routing"].get("files_only", False)
    results = await run_all(
        search_documents(query, vector, state, runtime.context)
        for query, vector in zip(queries, vectors, strict=True)
        if not is_enough
    )
    of_features = await passages_of_features(queries, state, runtime.context)
    is_elsewhere = not of_files.used and _is_off_topic(state, results, services)
    passages = [*of_files.passages, *await in_order(queries, results, state, services)]
    passages = [*([] if is_elsewhere else passages), *of_features]
    retrieval = services.limits.retrieval
    gap = gap_in(results, rag.get("described", ""), retrieval.min_score) if results else None
    return {
        "rag": {
            **rag,
            "retrieved_chunks": [passage.to_state() for passage in passages],
            "gap": (gap if retrieval.rounds > 1 else None) or "",
        },
        "files": {**state.get("files", {}), "used": of_files.used},
        "routing": {
            **state["routing"],
            **({} if of_files.used else _widen(state, queries, results, services)),
            **({"plan": "direct"} if is_elsewhere and not of_features else {}),
        },
    }


def _is_off_topic(
    state: TurnState, passage_lists: Sequence[Sequence[Passage]], services: Services
) -> bool:
    """Whether nobody planned the message, and the documents hardly speak of it.

    Nothing says that it was meant for them: the model answers, and a note tells of the plan.
    """
    least = services.limits.retrieval.min_score
    is_unplanned = lacks_plan(state) and not is_for_group(state)
    return is_unplanned and all(is_weak(passages, least) for passages in passage_lists)


def _widen(
    state: TurnState,
    queries: Sequence[str],
    passage_lists: Sequence[Sequence[Passage]],
    services: Services,
) -> RoutingState:
    """Plan and reason when the web has to help: some query found nothing near.

    Only where the planner said of this message that the web may be searched.
    """
    routing = state["routing"]
    is_of_documents = routing["intent"] in {ABOUT_BOT, DOCS_REQUIRED}
    may_widen = routing.get("may_widen", False) and services.web is not None
    if routing["plan"] != "rag" or is_of_documents or not may_widen:
        return {}
    least = services.limits.retrieval.min_score
    each = dict(zip(queries, passage_lists, strict=True))
    weak = [query for query, passages in each.items() if is_weak(passages, least)]
    if not weak:
        return {}
    locale, is_part = locale_of(state), len(weak) < len(each)
    widening_reason = say(
        locale, "reason-say_little_on" if is_part else "reason-say_little", subject=weak[0]
    )
    return {"plan": "rag+web", "reason": f"{routing['reason'].rstrip('.。')}; {widening_reason}"}


async def read_files(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """The text of each file is stored as private material of its user; the state names it.

    What cannot be read is told, and stops nothing else. An image becomes one of the message.
    Raises: UpstreamError, where the same file may be had later; DailyLimitError.
    """
    files, pictures = await read_all(files_of(state), state, runtime)
    return {"files": files, **as_images(state, pictures)}


async def web_search(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Add web results after the retrieved passages; a failed search is told in the answer.

    So is one that the user's limit of the day does not allow.
    """
    services = runtime.context.services
    rag = state["rag"]
    if services.web is None:
        return {"rag": {**rag, "web_error": "no key for web search"}}
    query = await asyncio.to_thread(public_query, state, services.now())
    if not query:
        return {"rag": rag}
    runtime.stream_writer({"stage": "searching_web"})
    try:
        results = await services.web.search(query, services.limits.retrieval.web_results)
    except DailyLimitError as error:
        limit_text = say_limit(error, clocks_of(state, services.now()))
        return {"rag": {**rag, "web_error": str(error), "web_limit": limit_text}}
    except UpstreamError as error:
        runtime.context.run.notes.survive("web_search_failed", error)
        return {"rag": {**rag, "web_error": str(error)}}
    chunks = [*rag.get("retrieved_chunks", ()), *(result.to_state() for result in results)]
    return {"rag": {**rag, "retrieved_chunks": chunks}}
