"""Searches the registered documents for a turn."""

from collections.abc import Sequence

from rich_agent.domain.retrieval.passage import Passage, interleave
from rich_agent.domain.retrieval.reordering import Reordering
from rich_agent.domain.rights import space_guard
from rich_agent.domain.routing.plan import ABOUT_BOT
from rich_agent.domain.text import shorten
from rich_agent.errors import UpstreamError
from rich_agent.graph.embedding import embedding_text
from rich_agent.graph.services import NodeContext, Services, with_retries
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import locale_of, reader_of, words_of
from rich_agent.phrases import say
from rich_agent.ports.knowledge import PassageQuery, SourceSummary
from rich_agent.runtime.tracing import DATA_SOURCE, RETRIEVAL, TOP_K, span_of

MOST_SOURCES = 20
MOST_TITLES = 40
_NAME_CHARS = 80


async def embed_queries(
    queries: Sequence[str], state: TurnState, context: NodeContext
) -> Sequence[list[float] | None]:
    """A vector for each query; None for each if there is no model, no index or an error."""
    services = context.services
    texts = [embedding_text(query, words_of(state)) for query in queries]
    space = await services.passages.space() if services.embeddings else None
    if services.embeddings is None or space is None:
        return [None] * len(queries)
    model = services.embeddings.in_space(space)
    try:
        return await with_retries(lambda: model.embed(texts), context)
    except UpstreamError as error:
        context.run.notes.survive("embedding_failed", error)
        return [None] * len(queries)


async def search_documents(
    query: str, vector: list[float] | None, state: TurnState, context: NodeContext
) -> list[Passage]:
    """The passages of registered documents and of the user's long files that fit a query."""
    services, intent = context.services, state["routing"]["intent"]
    limit = services.limits.retrieval.passages
    reordering = _reordering_for(query, context)
    reader, internal = reader_of(state), _internal_filter(intent, services)
    with span_of(RETRIEVAL, "documents", {DATA_SOURCE: "documents", TOP_K: limit}):
        passages = await services.passages.search(
            PassageQuery(
                query,
                vector,
                limit,
                internal=internal,
                reordering=reordering,
                reader=reader,
                files=True,
                spaces=tuple(state["routing"].get("spaces", ())) or None,
            )
        )
    if intent == ABOUT_BOT and len(passages) < limit:
        domain_passages = await services.passages.search(
            PassageQuery(
                query,
                vector,
                limit - len(passages),
                internal=False,
                reordering=reordering,
                reader=reader,
            )
        )
        passages = [*passages, *domain_passages]
    return passages


def _reordering_for(query: str, context: NodeContext) -> Reordering | None:
    """The reranker's order for the passages of this query, None without a reranker."""
    reranking = context.services.reranking
    if reranking is None:
        return None
    return reranking.of(query, lambda error: context.run.notes.survive("rerank_failed", error))


def _internal_filter(intent: str, services: Services) -> bool | None:
    """True for a question about the bot, False for one about the domain, None for other questions.

    True searches the bot's own documents only, False all but these.
    """
    return {ABOUT_BOT: True, services.domain.intent: False}.get(intent)


async def in_order(
    queries: Sequence[str],
    passage_lists: Sequence[Sequence[Passage]],
    state: TurnState,
    services: Services,
) -> list[Passage]:
    """The passages of all queries in one order, then a list of the documents if it is asked for."""
    passages = interleave(passage_lists, services.limits.retrieval.passages)
    if state["rag"].get("lists_documents"):
        catalogue = await _catalogue(" ".join(queries), state, services)
        passages += [catalogue] if catalogue else []
    return passages


async def _catalogue(query: str, state: TurnState, services: Services) -> Passage | None:
    """The sources with their counts, and titles near to the query; None without documents."""
    locale, reader = locale_of(state), reader_of(state)
    page = await services.catalogue.page(0, MOST_SOURCES, reader)
    if not page.documents:
        return None
    titles = await services.catalogue.titles(query, MOST_TITLES, reader)
    title_count = len(titles.matching) + len(titles.others)
    source_lines = [_source_line(source, locale) for source in page.sources]
    catalogue_counts = {
        "sources": page.source_count,
        "documents": page.documents,
        "shown": title_count,
    }
    content = "\n\n".join(
        [
            say(locale, "catalogue-counts", **catalogue_counts),
            *_name_section(say(locale, "catalogue-sources"), source_lines),
            *_name_section(say(locale, "catalogue-matching"), titles.matching),
            *_name_section(say(locale, "catalogue-others"), titles.others),
        ]
    )
    space_guards = [space_guard(space.id) for space in await services.spaces.readable(reader)]
    guards = [
        *space_guards,
        *(source.guard for source in page.sources if source.guard),
        *titles.guards,
    ]
    title = say(locale, "catalogue-title")
    return Passage("catalogue", "catalogue", content, "", title, guards=guards)


def _name_section(heading: str, names: Sequence[str]) -> list[str]:
    """A section of names as Markdown, [] without names."""
    name_lines = [f"- {shorten(name, _NAME_CHARS)}" for name in names]
    return ["\n".join([f"## {heading}", "", *name_lines])] if name_lines else []


def _source_line(source: SourceSummary, locale: str) -> str:
    """The line of the catalogue about one source."""
    key = "catalogue-source-internal" if source.is_internal else "catalogue-source"
    name = shorten(source.name, _NAME_CHARS // 2)
    return say(locale, key, name=name, documents=source.documents)
