"""Routes that are reached over HTTP: the core's own and those of features, behind one gate."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.routing import Route
from starlette.types import ASGIApp

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.feature.parts import Parts
from rich_agent.runtime.memberships import prepare_all
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.web.access import Gate, RateLimit
from rich_agent.web.addresses import PASSAGE_PATH
from rich_agent.web.on_demand import OnDemand
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.pages.files import page_file_routes
from rich_agent.web.routes import GuardedRoute, OpenRoute, guard, open_to_all


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
        self, guarded_routes: Sequence[GuardedRoute], open_routes: Sequence[OpenRoute]
    ) -> Iterator[Route]:
        """The routes behind the gate, and those that are open to all."""
        yield from guard(
            guarded_routes,
            self.gate,
            pages=self.gate.pages,
            origins=self.settings.web.cors_origins,
            front=self.front,
        )
        yield from open_to_all(open_routes, self.front)


def make_web_access(live: LiveSettings, repositories: Repositories, parts: Parts) -> WebAccess:
    """The gate, which all ways to sign in open."""
    settings, requests = live.now, RateLimit(0)
    live.react(lambda changed: requests.admit(changed.web.api_requests_per_minute))
    public = settings.web.public_address
    gate = Gate(
        parts.sign_ins,
        Access(settings.access.allowed_ids, settings.access.admin_users).permits,
        requests,
        pages=OwnPages(public) if public else None,
        hearing=repositories.news.hearing,
        prepare=prepare_all(parts.memberships),
    )
    return WebAccess(settings, gate)


OpenApp = Callable[[Settings, Repositories], AbstractAsyncContextManager[ASGIApp]]


@asynccontextmanager
async def open_web_routes(
    live: LiveSettings, repositories: Repositories
) -> AsyncIterator[Callable[[Parts], Iterator[Route]]]:
    """Give a function that makes the routes of the core and of features, once these are open."""
    async with AsyncExitStack() as stack:

        async def open_passages() -> ASGIApp:
            # In a thread: what comes meanwhile is received and stored.
            opening = await asyncio.to_thread(_load_passage_page)
            return await stack.enter_async_context(opening(live.now, repositories))

        passages = GuardedRoute(PASSAGE_PATH, "knowledge", OnDemand(open_passages))

        def make_routes(parts: Parts) -> Iterator[Route]:
            access = make_web_access(live, repositories, parts)
            open_routes = [*page_file_routes(), *parts.open_routes]
            return access.routes([passages, *parts.routes], open_routes)

        yield make_routes


def _load_passage_page() -> OpenApp:
    # Else `Repositories.knowledge` loads it, in the loop.
    import rich_agent.repositories.knowledge.passages  # noqa: F401
    from rich_agent.composition.knowledge import open_passage_page

    return open_passage_page
