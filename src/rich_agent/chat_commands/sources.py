"""/sources: the active sources, with counts and dates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.paged_list import ListPage, ListPlace, PagedList
from rich_agent.chat_commands.replies import Handlers
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.knowledge import SourceCatalogue, SourcePage, SourceSummary
from rich_agent.rendering.notices import section
from rich_agent.times import Clocks

VERB = "sources1"
PER_PAGE = 10
_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Sources:
    """Lists the active sources."""

    catalogue: SourceCatalogue

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        pages = PagedList(VERB, PER_PAGE, self._load, self._render)
        return Handlers({"sources": pages.answer}, {VERB: pages.turn})

    async def _load(self, place: ListPlace) -> tuple[Sequence[SourceSummary], int]:
        page = await self.catalogue.page(place.offset, PER_PAGE, Reader(place.user_id))
        return page.sources, page.source_count

    async def _render(self, page: ListPage[SourceSummary]) -> RenderedMessage:
        place = page.place
        if not page.total:
            return RenderedMessage(say(place.locale, "sources-none"))
        lines = [_line(source, place.clocks) for source in page.items]
        sums = await self.catalogue.page(0, 0, Reader(place.user_id))
        heading = section(_heading(sums, place.locale), *lines)
        return replace(heading, buttons=page.turning)


def _heading(page: SourcePage, locale: str) -> str:
    return say(
        locale,
        "sources-known",
        sources=page.source_count,
        documents=page.documents,
        passages=page.passages,
    )


def _line(source: SourceSummary, clocks: Clocks) -> str:
    return say(
        clocks.locale,
        "sources-line-internal" if source.is_internal else "sources-line",
        name=shorten(source.name, _NAME_LENGTH),
        documents=source.documents,
        passages=source.passages,
        synced=clocks.last(source.synced_at),
    )
