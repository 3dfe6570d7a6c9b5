"""Routes that are reached over HTTP: those behind the gate, and the web chat."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from rich_agent.chat_commands.menu import CORE_MENU, Menu
from rich_agent.composition.features import OpeningFeatures
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.domain.access import Access
from rich_agent.feature.parts import Parts
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.memories import Memories
from rich_agent.ports.turns import Archive
from rich_agent.ports.user_files import UserFiles
from rich_agent.runs.service import RunService, UploadedFiles
from rich_agent.settings.settings import Settings
from rich_agent.web.access import Caller, Gate, RateLimit
from rich_agent.web.addresses import PASSAGE_PATH
from rich_agent.web.agui.conversations import ConversationEndpoints
from rich_agent.web.agui.endpoints import AguiEndpoints
from rich_agent.web.agui.history import ThreadHistory
from rich_agent.web.agui.interrupts import UNDO_PATH
from rich_agent.web.agui.live import LiveEndpoint
from rich_agent.web.agui.places import PictureEndpoint, Places
from rich_agent.web.agui.turns import TurnEndpoints, TurnOffers
from rich_agent.web.chat.page_files import PageServer, read_page_files
from rich_agent.web.chat.sign_in import PageCookies, SignIn
from rich_agent.web.chat.suggestions import SUGGESTIONS_PATH
from rich_agent.web.on_demand import OnDemand
from rich_agent.web.routes import GuardedRoute, guard, handled_by, open_to_all
from rich_agent.web.streams import StreamPlaces


@dataclass(frozen=True, slots=True)
class WebAccess:
    """The gate of all guarded routes; `page` is the web chat, None without a public address."""

    settings: Settings
    gate: Gate
    page: "WebChat | None"

    @property
    def front(self) -> str:
        """The path of the public address, which a proxy may remove."""
        return urlsplit(self.settings.web.public_address or "").path

    def guarded(self, routes: Sequence[GuardedRoute]) -> Iterator[Route]:
        """The routes behind the gate."""
        origins = self.settings.web.cors_origins
        return guard(routes, self.gate, origins=origins, front=self.front)


def make_web_access(
    settings: Settings, repositories: Repositories, menu: Menu, hears: Callable[[], bool]
) -> WebAccess:
    """The gate, which tokens and sessions of the web chat open.

    `hears` tells whether recordings can be written down.
    """
    access = Access(settings.access.allowed_ids, settings.access.admin_users)
    page = make_web_chat(settings, repositories, menu, hears)
    gate = Gate(
        repositories.programs.api_tokens,
        access.permits,
        RateLimit(settings.web.api_requests_per_minute),
        sessions=page.cookies if page else None,
        hearing=repositories.news.hearing,
    )
    return WebAccess(settings, gate, page)


def feature_routes(access: WebAccess, parts: Parts) -> Iterator[Route]:
    """The routes of features."""
    yield from access.guarded(parts.routes)
    yield from open_to_all(parts.open_routes, access.front)


@dataclass(frozen=True, slots=True)
class WebChat:
    """The parts that serve the page; its sessions are bound to its public address."""

    sign_in: SignIn
    menu: Menu = CORE_MENU

    @property
    def cookies(self) -> PageCookies:
        """The cookies that tell the gate whose session a request belongs to."""
        return self.sign_in.cookies

    def routes(self, gate: Gate, front: str, name: Callable[[], str]) -> Iterator[Route]:
        """Everything below /chat; sites that CORS_ORIGINS names have no business there."""
        yield from guard(self.sign_in.routes(), gate, front=front)
        yield from guard(self.sign_in.open_routes(), self.sign_in, front=front)
        page = PageServer(read_page_files(), self.cookies.is_secure, name, self.menu)
        yield from page.routes(front)


def make_web_chat(
    settings: Settings, repositories: Repositories, menu: Menu, hears: Callable[[], bool]
) -> WebChat | None:
    """The web chat, None if nobody said under which address the page is reached."""
    public, token = settings.web.public_address, settings.telegram.bot_token
    if public is None or token is None:
        return None
    stored = repositories.programs.web_sessions
    cookies = PageCookies(stored, public)
    permits = Access(settings.access.allowed_ids, settings.access.admin_users).permits
    secret = token.get_secret_value()
    sign_in = SignIn(cookies, repositories.accounts, permits, secret, hears)
    return WebChat(sign_in, menu)


PATH = "/api/token"


async def _describe(_request: Request, caller: Caller) -> Response:
    return JSONResponse({"user_id": caller.user_id, "scopes": sorted(caller.scopes)})


def token_check() -> GuardedRoute:
    """The route; every token opens it."""
    return GuardedRoute(PATH, None, handled_by(_describe))


OpenApp = Callable[[Settings, Repositories], AbstractAsyncContextManager[ASGIApp]]


@asynccontextmanager
async def open_web_routes(
    access: WebAccess,
    repositories: Repositories,
    features: OpeningFeatures,
    files: ImageFiles,
    name: Callable[[], str],
) -> AsyncIterator[Sequence[Route]]:
    """The routes; without a token or a session they answer 401.

    `files` is what Telegram keeps, `name` what it calls the bot. Changes made by tools of features
    are taken back with these.
    """
    settings, page = access.settings, access.page
    async with AsyncExitStack() as stack:

        def on_demand(load: Callable[[], OpenApp]) -> ASGIApp:
            async def open_app() -> ASGIApp:
                # In a thread: what comes meanwhile is received and stored.
                opening = await asyncio.to_thread(load)
                return await stack.enter_async_context(opening(settings, repositories))

            return OnDemand(open_app)

        post = ("POST",)
        routes = (
            token_check(),
            *_chat(settings, repositories, files),
            GuardedRoute(UNDO_PATH, "chat", on_demand(partial(_load_undoing, features)), post),
            GuardedRoute(PASSAGE_PATH, "knowledge", on_demand(_load_passage_page)),
            GuardedRoute(SUGGESTIONS_PATH, "chat", on_demand(_load_suggestions)),
        )
        yield [
            *access.guarded(routes),
            *(page.routes(access.gate, access.front, name) if page else ()),
        ]


def _chat(
    settings: Settings, repositories: Repositories, files: ImageFiles
) -> Sequence[GuardedRoute]:
    service, uploads = RunService(repositories.runs, repositories.stops), repositories.uploads
    places = Places.below(settings.web.public_address)
    conversations = ConversationEndpoints(lambda: repositories.conversations)

    def files_of_users() -> UserFiles:
        return repositories.user_files

    async def said_before() -> tuple[Memories, Archive]:
        await asyncio.to_thread(_load_memories)
        return repositories.graph.memories, repositories.graph.archive

    news, attempts, open_streams = repositories.news, repositories.inbox.attempts, StreamPlaces()
    offers = TurnOffers(repositories.feedback, files_of_users)
    history = ThreadHistory(repositories.runs, news, places, attempts, offers)
    chat = AguiEndpoints(
        service, uploads, IMAGE_LIMITS, places, history, conversations, open_streams
    )
    live = LiveEndpoint(news, history, open_streams)
    turns = TurnEndpoints(
        repositories.feedback,
        repositories.decisions,
        repositories.spaces,
        files_of_users,
        said_before,
    )
    pictures = PictureEndpoint(repositories.runs, UploadedFiles(uploads, files))
    return (
        *live.routes(),
        *chat.routes(),
        *conversations.routes(),
        *turns.routes(),
        *pictures.routes(),
    )


def _load_memories() -> None:
    # Else `Repositories.graph` loads them, in the loop.
    import rich_agent.repositories.memories
    import rich_agent.repositories.turns.archive
    import rich_agent.repositories.turns.checkpoints  # noqa: F401


def _load_knowledge() -> None:
    # Else `Repositories.knowledge` loads it, in the loop.
    import rich_agent.repositories.knowledge.passages  # noqa: F401


def _load_undoing(features: OpeningFeatures) -> OpenApp:
    _load_knowledge()
    from rich_agent.composition.tools import open_undoing

    return partial(open_undoing, features)


def _load_passage_page() -> OpenApp:
    _load_knowledge()
    from rich_agent.composition.knowledge import open_passage_page

    return open_passage_page


def _load_suggestions() -> OpenApp:
    _load_knowledge()
    from rich_agent.composition.knowledge import open_suggestions

    return open_suggestions
