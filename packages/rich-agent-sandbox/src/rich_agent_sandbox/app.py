"""Puts the sandbox together: three stand-ins, `/sim`, chat page, library, further services."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rich_agent_sandbox.guard import Guard
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.library import library_routes
from rich_agent_sandbox.openai.api import openai_routes
from rich_agent_sandbox.page.api import sim_routes
from rich_agent_sandbox.page.model_control import ModelControl
from rich_agent_sandbox.page.widget_page import frame_source
from rich_agent_sandbox.server import SandboxServer
from rich_agent_sandbox.tavily.api import tavily_routes
from rich_agent_sandbox.telegram.api import telegram_routes
from rich_agent_sandbox.telegram.changes import Changes
from rich_agent_sandbox.telegram.sandbox import Sandbox, SandboxConfig
from rich_agent_sandbox.telegram.saved_state import Keeper, kept
from rich_agent_sandbox.web_pages import page_routes

_STATIC = Path(__file__).parent / "page" / "static"
_UPSTREAM_PATHS = ("/bot", "/v1/", "/tavily/")
# The page shows text from outside, so nothing in it may load or run anything.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; media-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; frame-src "
)


class _CallsAnnounced:
    """Notifies open pages after each call of an upstream."""

    def __init__(self, app: ASGIApp, changes: Changes) -> None:
        self._app = app
        self._changes = changes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if scope["type"] == "http" and scope["path"].startswith(_UPSTREAM_PATHS):
            self._changes.publish("calls")


def create_app(config: SandboxConfig, control: ModelControl | None = None) -> Starlette:
    """The sandbox as an application; its state is `app.state.sandbox`.

    With `control` its page can connect a model.
    """
    ledger = Ledger(journal=config.journal)
    sandbox = Sandbox(config, ledger)
    keeper = Keeper(config.state, sandbox.chats, sandbox.files) if config.state else None
    if keeper:
        keeper.load()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if control:
            control.publish_in(asyncio.get_running_loop(), sandbox.changes.publish)
        async with kept(keeper, sandbox.changes), sandbox.webhooks.running():
            yield

    routes: list[BaseRoute] = [
        *telegram_routes(sandbox),
        Mount("/v1", routes=openai_routes(ledger)),
        Mount("/tavily", routes=tavily_routes(ledger)),
        *sim_routes(sandbox, control),
        *library_routes(config.libraries),
        *page_routes(),
        *config.services(ledger),
        Route("/", _page, methods=["GET"]),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    middleware = [
        Middleware(Guard, hosts=config.hosts),
        Middleware(_CallsAnnounced, changes=sandbox.changes),
    ]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.state.sandbox = sandbox
    return app


def create_server(
    config: SandboxConfig,
    *,
    on_listening: Callable[[], None] = lambda: None,
    control: ModelControl | None = None,
) -> SandboxServer:
    """A server for the sandbox; pass a listening socket to its `serve` or `run`."""
    app = create_app(config, control)
    return SandboxServer(app, on_listening=on_listening, on_stopping=app.state.sandbox.close)


async def _page(request: Request) -> Response:
    headers = {"Content-Security-Policy": _PAGE_POLICY + frame_source(request.url)}
    return FileResponse(_STATIC / "index.html", headers=headers)
