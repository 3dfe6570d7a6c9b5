"""Pages of features: areas of pages, their routes, and the visits that they answer."""

from typing import TYPE_CHECKING

from rich_agent.web.own_pages import OwnPages
from rich_agent.web.pages.areas import PageArea as PageArea
from rich_agent.web.pages.areas import PageSurroundings as PageSurroundings
from rich_agent.web.pages.routes import EVERYBODY as EVERYBODY
from rich_agent.web.pages.routes import PageEntry as PageEntry
from rich_agent.web.pages.routes import PageGoneError as PageGoneError
from rich_agent.web.pages.routes import PageLink as PageLink
from rich_agent.web.pages.routes import PageRefusedError as PageRefusedError
from rich_agent.web.pages.routes import PageRoute as PageRoute
from rich_agent.web.pages.visits import Visit as Visit

if TYPE_CHECKING:
    from rich_agent.feature.core import Core


def surroundings_of(core: "Core") -> PageSurroundings | None:
    """The surroundings of pages; None without a public address, or in a process without HTTP."""
    public_url, surface = core.settings.web.public_address, core.surface
    if public_url is None or surface is None:
        return None
    return PageSurroundings(
        core.accounts,
        surface.news,
        OwnPages(public_url),
        surface.bot_name,
        core.page_links,
        core.sign_in_links,
        core.sign_in_phrases,
    )
