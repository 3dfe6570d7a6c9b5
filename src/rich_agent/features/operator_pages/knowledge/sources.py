"""The list of sources, with what is being read now."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from rich_agent.feature.pages import PageRoute, Visit
from rich_agent.feature.registry import (
    Clock,
    KnowledgeListing,
    ListedSource,
    PostgresSpaceRegistry,
    SourceRegistration,
    SyncProgressReader,
)
from rich_agent.features.operator_pages.knowledge.visiting import PATH, PER_PAGE, reader_of
from rich_agent.features.operator_pages.knowledge.wording import (
    say_clock,
    say_missing,
    say_problem,
    say_progress,
)
from rich_agent.features.operator_pages.roles import CHANGERS, KNOWLEDGE_CHANGERS, KNOWLEDGE_READERS

_BUSY_S, _IDLE_S = 2.0, 15.0
_LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True)
class SourcesPage:
    """Shows all sources, page by page."""

    listing: KnowledgeListing
    registration: SourceRegistration
    spaces: PostgresSpaceRegistry
    progress: SyncProgressReader
    most_mb: int

    def routes(self) -> Sequence[PageRoute]:
        """The route of the list."""
        return (PageRoute(PATH, self.show, roles=KNOWLEDGE_READERS),)

    async def show(self, visit: Visit) -> Response:
        """A page of sources, with forms to add some."""
        words = visit.query.get("q", "").strip()[:_LONGEST_SEARCH]
        after = visit.query.get("after", "")
        rows = await self.listing.sources(
            reader_of(visit), words=words, after=after, limit=PER_PAGE + 1
        )
        sources = rows[:PER_PAGE]
        clocks = await self.registration.clocks.all([source.id for source in sources])
        readings = await self.progress.readings()
        is_busy = any(reading.is_running for reading in readings)
        return visit.page(
            "knowledge.html",
            title=visit.say("operator_pages-knowledge"),
            refresh_s=_BUSY_S if is_busy else _IDLE_S,
            sums=await self.listing.sums(),
            readings=[(one.source, one.source_id, say_progress(one, visit)) for one in readings],
            rows=[_row_of(source, clocks, visit) for source in sources],
            spaces=[space.name for space in await self.spaces.all()],
            text=words,
            next=rows[PER_PAGE - 1].position if len(rows) > PER_PAGE else "",
            is_first=not after,
            may_change=visit.role in KNOWLEDGE_CHANGERS,
            may_search=visit.role in CHANGERS,
            most_mb=self.most_mb,
        )


def _row_of(source: ListedSource, clocks: Sequence[Clock], visit: Visit) -> dict[str, object]:
    own_clocks = [clock for clock in clocks if clock.source_id == source.id]
    return {
        "source": source,
        "at": visit.clocks.moment(source.last_synced_at) if source.last_synced_at else "",
        "clock": say_clock(own_clocks, visit),
        "problem": say_problem(own_clocks, source),
        "missing": say_missing(source.outcome, visit),
    }
