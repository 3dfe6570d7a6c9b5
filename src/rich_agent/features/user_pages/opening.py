"""Makes the pages of users, and the panels of what the core keeps for them."""

from pathlib import Path

from rich_agent.feature import Core, Parts
from rich_agent.feature.pages import PageArea, PageLink, surroundings_of
from rich_agent.features.user_pages.actions import PanelActions
from rich_agent.features.user_pages.pages import PATH, PageEntries, PanelPages
from rich_agent.features.user_pages.panels.files import FilesPanel
from rich_agent.features.user_pages.panels.memory import MemoryPanel
from rich_agent.features.user_pages.panels.settings import LanguagePanel, TimeZonePanel
from rich_agent.features.user_pages.privacy import PrivacyPage

_NAME_KEY = "user_pages-name"


def make_parts(core: Core) -> Parts:
    """The pages, in a process that serves HTTP at a public address, and the panels."""
    surface, around = core.surface, surroundings_of(core)
    if surface is None or around is None:
        return Parts()
    panels = (
        FilesPanel(surface.user_files).panel(),
        MemoryPanel(surface.memories).panel(),
        LanguagePanel(core.accounts).panel(),
        TimeZonePanel(core.accounts, surface.choose_time_zone).panel(),
    )
    area = PageArea(
        PATH,
        _NAME_KEY,
        Path(__file__).parent / "templates",
        around,
        is_framed=True,
        entries=PageEntries(core.panels),
    )
    actions = PanelActions(core.databases.app, surface.undo)
    pages = PanelPages(core.panels, core.accounts, actions)
    privacy = PrivacyPage(surface.personal_data, core.confirmations)
    return Parts(
        panels=panels,
        routes=[area.live_route(), *area.routes([*privacy.routes(), *pages.routes()])],
        page_links=[PageLink(PATH, _NAME_KEY)],
    )
