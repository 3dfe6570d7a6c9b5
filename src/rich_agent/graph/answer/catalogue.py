"""What documents there are, as a passage that an answer can quote and cite: names, no addresses."""

from collections.abc import Sequence

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.text import shorten
from rich_agent.graph.services import Services
from rich_agent.phrases import say
from rich_agent.ports.knowledge import SourceSummary

MOST_SOURCES = 20
MOST_TITLES = 40
_NAME_CHARS = 80


async def catalogue_passage(query: str, locale: str, services: Services) -> Passage | None:
    """The sources with their counts and the titles nearest to the query; None without documents."""
    page = await services.catalogue.page(0, MOST_SOURCES)
    if not page.documents:
        return None
    listed = await services.catalogue.titles(query, MOST_TITLES)
    shown = len(listed.matching) + len(listed.others)
    sources = [_line(source, locale) for source in page.sources]
    counts = {"sources": page.source_count, "documents": page.documents, "shown": shown}
    content = "\n\n".join(
        [
            say(locale, "catalogue-counts", **counts),
            *_listed(say(locale, "catalogue-sources"), sources),
            *_listed(say(locale, "catalogue-matching"), listed.matching),
            *_listed(say(locale, "catalogue-others"), listed.others),
        ]
    )
    return Passage("catalogue", "catalogue", content, "", say(locale, "catalogue-title"))


def _listed(heading: str, names: Sequence[str]) -> list[str]:
    items = [f"- {shorten(name, _NAME_CHARS)}" for name in names]
    return ["\n".join([f"## {heading}", "", *items])] if items else []


def _line(source: SourceSummary, locale: str) -> str:
    key = "catalogue-source-internal" if source.is_internal else "catalogue-source"
    name = shorten(source.name, _NAME_CHARS // 2)
    return say(locale, key, name=name, documents=source.documents)
