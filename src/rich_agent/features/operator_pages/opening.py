"""Makes the operator's pages."""

from pathlib import Path

from rich_agent.feature import Core, Parts
from rich_agent.feature.database import OPERATORS
from rich_agent.feature.pages import PageArea, PageEntry, PageLink, surroundings_of
from rich_agent.features.operator_pages import audit, today
from rich_agent.features.operator_pages.audit import AuditPage
from rich_agent.features.operator_pages.repositories.today import TodayReader
from rich_agent.features.operator_pages.roles import READERS, GivenRoles, OperatorRoles
from rich_agent.features.operator_pages.today import TodayPage

AREA = "operator"
PATH = "/operator"
_NAME_KEY = "operator_pages-name"


def make_parts(core: Core) -> Parts:
    """The pages, in a process that serves HTTP at a public address."""
    around = surroundings_of(core)
    if around is None:
        return Parts()
    roles = OperatorRoles(core.access, GivenRoles(core.databases.app))
    area = PageArea(
        PATH,
        _NAME_KEY,
        Path(__file__).parent / "templates",
        around,
        roles.of,
        news_of=lambda _user_id: OPERATORS,
        audit=core.audit,
    )
    pages = (
        (
            PageEntry(today.PATH, "operator_pages-today", READERS),
            TodayPage(TodayReader(core.databases), core.settings.prices),
        ),
        (
            PageEntry(audit.PATH, "operator_pages-audit", READERS),
            AuditPage(core.audit, core.accounts),
        ),
    )
    area.entries.extend(entry for entry, _ in pages)
    core.areas[AREA] = area
    routes = [route for _, page in pages for route in page.routes()]
    return Parts(
        routes=[*area.routes(routes), area.live_route()],
        page_links=[PageLink(PATH, _NAME_KEY, roles.has_any)],
    )
