"""N5, N8 and N13: search the documents and the web for the answer, and read files."""

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
    is_in_group,
    lacks_plan,
    locale_of,
)
from rich_agent.graph.web_query import public_query
from rich_agent.phrases import say
from rich_agent.runtime.concurrency import run_all
from rich_agent.times import say_limit


async def retrieve(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Search the registered documents, and the files that the message is about.

    Each part of a compound question has its own share of the passages; those of features come last.
    Weak evidence leads to the web, where the planner allows it. Questions about the bot use its own
    documents first. A question which documents there are gets a list of them, too.
    """
    services, rag = runtime.context.services, state["rag"]
    queries = rag.get("queries") or [rag.get("query", "")]
    runtime.stream_writer({"stage": "searching"})
    # Files come first: the index of the first file creates the space in which queries are embedded.
    files = await open_files(state, services)
    vectors = await embed_queries(queries, state, runtime.context)
    file_material = await gather_from_files(files, SearchedFor(queries, vectors), state, runtime)
    *passage_lists, feature_passages = await _search(queries, vectors, state, runtime.context)
    is_off_topic = not file_material.used and _is_off_topic(state, passage_lists, services)
    passages = [*file_material.passages, *await in_order(queries, passage_lists, state, services)]
    passages = [] if is_off_topic else [*passages, *feature_passages]
    retrieval_limits = services.limits.retrieval
    description = rag.get("described", "")
    gap = gap_in(passage_lists, description, retrieval_limits.min_score) if passage_lists else None
    return {
        "rag": {
            **rag,
            "retrieved_chunks": [passage.to_state() for passage in passages],
            "gap": (gap if retrieval_limits.rounds > 1 else None) or "",
        },
        "files": {**state.get("files", {}), "used": file_material.used},
        "routing": {
            **state["routing"],
            **({} if file_material.used else _widen(state, queries, passage_lists, services)),
            **({"plan": "direct"} if is_off_topic else {}),
        },
    }


async def _search(
    queries: Sequence[str],
    vectors: Sequence[list[float] | None],
    state: TurnState,
    context: NodeContext,
) -> Sequence[Sequence[Passage]]:
    """The passages of documents for each query, then those of features.

    A message that is about files alone searches no documents.
    """
    searched_queries = [] if state["routing"].get("files_only", False) else queries
    return await run_all(
        [
            *(
                search_documents(query, vector, state, context)
                for query, vector in zip(searched_queries, vectors, strict=False)
            ),
            passages_of_features(searched_queries, state, context),
        ]
    )


def _is_off_topic(
    state: TurnState, passage_lists: Sequence[Sequence[Passage]], services: Services
) -> bool:
    """Whether the message has no plan, and the documents say hardly anything about it.

    Then the model answers, and a note says that there was no plan.
    """
    min_score = services.limits.retrieval.min_score
    is_unplanned = lacks_plan(state) and not is_in_group(state)
    return is_unplanned and all(is_weak(passages, min_score) for passages in passage_lists)


def _widen(
    state: TurnState,
    queries: Sequence[str],
    passage_lists: Sequence[Sequence[Passage]],
    services: Services,
) -> RoutingState:
    """The plan and reason with the web added if some query found little; {} otherwise.

    The web is added only if the planner allowed it for this message.
    """
    routing = state["routing"]
    is_of_documents = routing["intent"] in {ABOUT_BOT, DOCS_REQUIRED}
    may_widen = routing.get("may_widen", False) and services.web is not None
    if routing["plan"] != "rag" or is_of_documents or not may_widen:
        return {}
    min_score = services.limits.retrieval.min_score
    passages_by_query = dict(zip(queries, passage_lists, strict=True))
    weak_queries = [
        query for query, passages in passages_by_query.items() if is_weak(passages, min_score)
    ]
    if not weak_queries:
        return {}
    locale, is_part = locale_of(state), len(weak_queries) < len(passages_by_query)
    widening_reason = say(
        locale, "reason-say_little_on" if is_part else "reason-say_little", subject=weak_queries[0]
    )
    return {"plan": "rag+web", "reason": f"{routing['reason'].rstrip('.。')}; {widening_reason}"}


async def read_files(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Store the text of each file for its user; the state refers to it.

    The answer says which files could not be read; the others are used. Image files become images of
    the message.

    Raises: UpstreamError if a file may be available later; DailyLimitError.
    """
    files, pictures = await read_all(files_of(state), state, runtime)
    return {"files": files, **as_images(state, pictures)}


async def web_search(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Add web results after the retrieved passages.

    The answer says if the search failed, or if the user's daily limit did not allow it.
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
        findings = await services.web.search(query, services.limits.retrieval.web_results)
    except DailyLimitError as error:
        limit_text = say_limit(error, clocks_of(state, services.now()))
        return {"rag": {**rag, "web_error": str(error), "web_limit": limit_text}}
    except UpstreamError as error:
        runtime.context.run.notes.survive("web_search_failed", error)
        return {"rag": {**rag, "web_error": str(error)}}
    for failure in findings.failures:
        runtime.context.run.notes.survive("search_engine_failed", failure)
    chunks = [
        *rag.get("retrieved_chunks", ()),
        *(web_passage.to_state() for web_passage in findings.passages),
    ]
    return {"rag": {**rag, "retrieved_chunks": chunks}}
