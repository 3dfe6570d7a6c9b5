"""/sources: the active sources, with counts and dates."""

from dataclasses import dataclass, replace

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
    paging,
)
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import shorten, whole_number
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
        return Handlers({"sources": self.answer}, {VERB: self.turn_page})

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page."""
        return Reply(await self._page(request.clocks, 0, Reader(request.user_id)))

    async def turn_page(self, press: PressRequest) -> PressReply:
        """Another page in the same message."""
        offset = whole_number(press.argument) or 0
        return PressReply(message=await self._page(press.clocks, offset, Reader(press.user_id)))

    async def _page(self, clocks: Clocks, offset: int, reader: Reader) -> RenderedMessage:
        locale, page = clocks.locale, await self.catalogue.page(offset, PER_PAGE, reader)
        if page.source_count == 0:
            return RenderedMessage(say(locale, "sources-none"))
        lines = [_line(source, clocks) for source in page.sources]
        buttons = paging(VERB, offset, PER_PAGE, page.source_count)
        return replace(section(_heading(page, locale), *lines), buttons=buttons)


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
