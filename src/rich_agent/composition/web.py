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

from rich_agent.composition.features import OpeningFeatures
from rich_agent.composition.menus import make_menu
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
from rich_agent.web.access import Caller, Gate, RateLimit, SignIn
from rich_agent.web.addresses import PASSAGE_PATH
from rich_agent.web.agui.conversations import ConversationEndpoints
from rich_agent.web.agui.endpoints import AguiEndpoints
from rich_agent.web.agui.history import ThreadHistory
from rich_agent.web.agui.interrupts import UNDO_PATH
from rich_agent.web.agui.live import LiveEndpoint
from rich_agent.web.agui.places import PictureEndpoint, Places
from rich_agent.web.agui.turns import TurnEndpoints, TurnOffers
from rich_agent.web.bearer_tokens import BearerTokens
from rich_agent.web.chat.page_files import PageServer, read_page_files
from rich_agent.web.chat.sign_in import PageCookies, SignInPage
from rich_agent.web.chat.suggestions import SUGGESTIONS_PATH
from rich_agent.web.on_demand import OnDemand
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.routes import GuardedRoute, OpenRoute, guard, handled_by, open_to_all
from rich_agent.web.streams import StreamPlaces


@dataclass(frozen=True, slots=True)
class WebAccess:
    """The gate of all guarded routes, which every way to sign in opens."""

    settings: Settings
    gate: Gate

    @property
    def front(self) -> str:
        """The path of the public address, which a proxy may remove."""
        return urlsplit(self.settings.web.public_address or "").path

    def routes(
        self, guarded: Sequence[GuardedRoute], open_routes: Sequence[OpenRoute]
    ) -> Iterator[Route]:
        """The routes behind the gate, and those that are open to all."""
        yield from guard(
            guarded,
            self.gate,
            pages=self.gate.pages,
            origins=self.settings.web.cors_origins,
            front=self.front,
        )
        yield from open_to_all(open_routes, self.front)


def make_web_access(
    settings: Settings, repositories: Repositories, sign_ins: Sequence[SignIn]
) -> WebAccess:
    """The gate, which tokens open, and what else signs users in."""
    public = settings.web.public_address
    gate = Gate(
        (BearerTokens(repositories.programs.api_tokens), *sign_ins),
        Access(settings.access.allowed_ids, settings.access.admin_users).permits,
        RateLimit(settings.web.api_requests_per_minute),
        pages=OwnPages(public) if public else None,
        hearing=repositories.news.hearing,
    )
    return WebAccess(settings, gate)


@dataclass(frozen=True, slots=True)
class WebChat:
    """The parts that serve the page; its sessions are bound to its public address."""

    sign_in: SignInPage
    page: PageServer


def make_web_chat(
    settings: Settings,
    repositories: Repositories,
    features: OpeningFeatures,
    name: Callable[[], str],
) -> WebChat | None:
    """The web chat, None if nobody said under which address the page is reached.

    `name` is the bot's own.
    """
    public, token = settings.web.public_address, settings.telegram.bot_token
    if public is None or token is None:
        return None
    pages = OwnPages(public)
    cookies = PageCookies(repositories.programs.web_sessions, pages)
    permits = Access(settings.access.allowed_ids, settings.access.admin_users).permits
    secret = token.get_secret_value()
    sign_in = SignInPage(cookies, repositories.accounts, permits, secret, features.hears)
    page = PageServer(read_page_files(), pages.is_secure, name, make_menu(settings))
    return WebChat(sign_in, page)


PATH = "/api/token"


async def _describe(_request: Request, caller: Caller) -> Response:
    return JSONResponse({"user_id": caller.user_id, "scopes": sorted(caller.scopes)})


def token_check() -> GuardedRoute:
    """The route; every token opens it."""
    return GuardedRoute(PATH, None, handled_by(_describe))


OpenApp = Callable[[Settings, Repositories], AbstractAsyncContextManager[ASGIApp]]


@asynccontextmanager
async def open_web_routes(
    settings: Settings,
    repositories: Repositories,
    features: OpeningFeatures,
    files: ImageFiles,
    name: Callable[[], str],
) -> AsyncIterator[Callable[[Parts], Iterator[Route]]]:
    """Give a function that makes the routes, once the features are open.

    `files` is what Telegram keeps, `name` what it calls the bot. Changes made by tools of features
    are taken back with these.
    """
    page = make_web_chat(settings, repositories, features, name)
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
            *(page.sign_in.routes() if page else ()),
        )
        open_routes = page.page.routes() if page else ()

        def make_routes(parts: Parts) -> Iterator[Route]:
            cookies = [page.sign_in.cookies] if page else []
            access = make_web_access(settings, repositories, [*cookies, *parts.sign_ins])
            return access.routes([*routes, *parts.routes], [*open_routes, *parts.open_routes])

        yield make_routes


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
