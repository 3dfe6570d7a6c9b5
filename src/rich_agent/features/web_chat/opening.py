"""Makes the endpoints, the page, and the command that leads to it."""

from collections.abc import Sequence
from dataclasses import replace

from rich_agent.feature import Core, Parts
from rich_agent.feature.pages import PageLink
from rich_agent.feature.runs import ImageLimits
from rich_agent.feature.surface import Surface
from rich_agent.feature.web import GuardedRoute, OwnPages, SignInPhrases, StreamPlaces
from rich_agent.features.web_chat.agui.conversations import ConversationEndpoints
from rich_agent.features.web_chat.agui.endpoints import AguiEndpoints
from rich_agent.features.web_chat.agui.history import ThreadHistory
from rich_agent.features.web_chat.agui.live import LiveEndpoint
from rich_agent.features.web_chat.agui.places import PictureEndpoint, Places
from rich_agent.features.web_chat.agui.turns import TurnEndpoints, TurnOffers
from rich_agent.features.web_chat.commands import WebChatCommand
from rich_agent.features.web_chat.page_files import PAGE_PATH, BotFace, PageServer, read_page_files
from rich_agent.features.web_chat.panel import BrowsersPanel
from rich_agent.features.web_chat.repository import BrowserSessions
from rich_agent.features.web_chat.sign_in import PageCookies, SignInPage
from rich_agent.features.web_chat.suggestions import SuggestedQuestions


def make_parts(core: Core) -> Parts:
    """The command; AG-UI in a process that serves HTTP; the page with a public address."""
    public_url, token = core.settings.web.public_address, core.settings.telegram.bot_token
    sessions = BrowserSessions(core.databases.app)
    address = public_url + PAGE_PATH if public_url else None
    command = WebChatCommand(sessions, address, core.page_links)
    # A process without HTTP also has to know whether a user may have a page open.
    parts = Parts(
        commands={"web": command.answer},
        presses=command.presses(),
        open_pages=[sessions.has_any],
        panels=[BrowsersPanel(sessions).panel()],
    )
    if core.surface is None:
        return parts
    routes = make_agui(core, core.surface)
    if public_url is None or token is None:
        return replace(parts, routes=routes)
    pages = OwnPages(public_url)
    cookies, surface = PageCookies(sessions, pages), core.surface
    secret = token.get_secret_value()
    sign_in = SignInPage(
        cookies, core.accounts, core.access.permits, secret, surface.hears, core.page_links
    )
    face = BotFace(surface.bot_name, surface.persona_of)
    page = PageServer(read_page_files(), pages.is_secure, face, surface.menu, core.sign_in_links)
    suggestions = SuggestedQuestions(surface.suggest, surface.persona_of)
    return replace(
        parts,
        sign_ins=[cookies],
        sign_in_phrases=[SignInPhrases("web_chat-sign-in-for-page", "web_chat-sign-in-or")],
        page_links=[PageLink(PAGE_PATH, "web_chat-title")],
        routes=[*routes, suggestions.route(), *sign_in.routes()],
        open_routes=page.routes(),
    )


def make_agui(core: Core, surface: Surface) -> Sequence[GuardedRoute]:
    """The routes of AG-UI."""
    runs, news, open_streams = core.runs.runs, surface.news, StreamPlaces()
    places = Places.below(core.settings.web.public_address)
    conversations = ConversationEndpoints(surface.conversations)
    offers = TurnOffers(surface.feedback, surface.user_files)
    history = ThreadHistory(runs, news, places, surface.attempts, offers)
    chat = AguiEndpoints(
        core.runs, core.uploads, ImageLimits(), places, history, conversations, open_streams
    )
    turns = TurnEndpoints(surface.feedback, surface.user_files, surface.explain, surface.undo)
    return (
        *LiveEndpoint(news, history, open_streams).routes(),
        *chat.routes(),
        *conversations.routes(),
        *turns.routes(),
        *PictureEndpoint(runs, surface.files).routes(),
    )
