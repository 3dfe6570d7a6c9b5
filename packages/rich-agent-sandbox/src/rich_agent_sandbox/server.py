"""Runs the sandbox with uvicorn, and lets a route drop its connection without an answer."""

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

_DROP = "rich_agent_sandbox.drop"
_LINGER_OFF = struct.pack("ii", 1, 0)


async def drop_connection(request: Request) -> Response:
    """Reset the connection of a request; the returned response is not sent."""
    drop = cast("Callable[[], None]", request.scope["extensions"][_DROP])
    drop()
    # The server notices the loss in the next iteration of the loop, before the response is sent.
    await asyncio.sleep(0)
    return Response()


class _DroppableProtocol(H11Protocol):
    """HTTP/1.1 protocol whose requests can reset their connection."""

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast("asyncio.Transport", transport)
        super().connection_made(stream)
        self.app = _with_drop(cast("ASGIApp", self.app), stream)


def _with_drop(app: ASGIApp, transport: asyncio.Transport) -> ASGIApp:
    def drop() -> None:
        peer = transport.get_extra_info("socket")
        # Without lingering, the peer gets a reset, as after a crash.
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_OFF)
        transport.abort()

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "extensions": {_DROP: drop}}, receive, send)

    return call


class SandboxServer(uvicorn.Server):
    """A server that ends long requests before it stops, and reports when it listens."""

    def __init__(
        self,
        app: Starlette,
        *,
        on_listening: Callable[[], None] = lambda: None,
        on_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_DroppableProtocol,
                ws="none",
                lifespan="on",
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=2,
                # Longer than clients keep a connection: if it is closed just as it is used
                # again, the request fails. nginx's default.
                timeout_keep_alive=75,
            )
        )
        self._on_listening = on_listening
        self._on_stopping = on_stopping

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_listening()

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_stopping()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 selects a free port. Raises: OSError if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    # asyncio does not know this socket as TCP; with Nagle's algorithm each answer takes 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address_of(listener: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
