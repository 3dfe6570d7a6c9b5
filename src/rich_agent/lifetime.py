"""A process from start to end: its socket, its HTTP server, and the signals that end it."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import structlog
import uvicorn
from starlette.applications import Starlette
from typing_extensions import override

from rich_agent.errors import PortTakenError

_LAST_ANSWERS_S = 5
_log = structlog.get_logger()


@asynccontextmanager
async def stopped_by_signals(stop: asyncio.Event) -> AsyncIterator[None]:
    """Set `stop` on SIGTERM and Ctrl-C; a second one ends the process at once."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def forget() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)

    def end() -> None:
        _log.info("stopping")
        stop.set()
        forget()

    for number in numbers:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        forget()


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """The socket to serve on, taken before anything else is started.

    Raises: PortTakenError.
    """
    try:
        listener = socket.create_server((host, port), backlog=2048)
        # asyncio does not know this socket as TCP; with Nagle's algorithm each answer takes 40 ms.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise PortTakenError(host, port) from error
    with listener:
        yield listener


async def serve_http(app: Starlette, listener: socket.socket, stop: asyncio.Event) -> None:
    """Serve until `stop` is set, then answer what was asked already."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
    )
    server = _HttpServer(config)
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve(sockets=[listener]))
        await stop.wait()
        server.should_exit = True
        await serving


class _HttpServer(uvicorn.Server):
    """A uvicorn server that leaves the signals to us."""

    @contextmanager
    @override
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield
