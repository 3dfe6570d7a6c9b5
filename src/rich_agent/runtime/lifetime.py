"""The lifetime of a process: its socket, its HTTP server, and the signals that end it."""

import asyncio
import ctypes
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import cast

import structlog
import uvicorn
from starlette.applications import Starlette
from typing_extensions import override

from rich_agent.errors import PortTakenError
from rich_agent.runtime.connections import BoundedHttp, ConnectionLimiter

_LAST_ANSWERS_S = 5
_BACKLOG = 2048
_ACCEPTED_AT_ONCE = 32
_PR_SET_PDEATHSIG = 1
_PARENT_LOOK_S = 0.5
_log = structlog.get_logger()


@asynccontextmanager
async def stop_on_signals(stop: asyncio.Event) -> AsyncIterator[None]:
    """Set `stop` on SIGTERM and Ctrl-C in this block; a second signal ends the process at once."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def remove_handlers() -> None:
        for signal_number in signals:
            loop.remove_signal_handler(signal_number)

    def stop_process() -> None:
        _log.info("stopping")
        tell_service_manager("STOPPING=1")
        stop.set()
        remove_handlers()

    for signal_number in signals:
        loop.add_signal_handler(signal_number, stop_process)
    try:
        yield
    finally:
        remove_handlers()


def end_with(parent: int) -> None:
    """Have this process killed when its parent, whose process id is `parent`, ends in any way."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_follow_parent, args=(parent,), daemon=True).start()


def _follow_parent(parent: int) -> None:
    """Kill this process once its parent has ended."""
    # For systems whose kernel does not do it, and for a parent that ended before the call.
    while os.getppid() == parent:
        time.sleep(_PARENT_LOOK_S)
    os.kill(os.getpid(), signal.SIGKILL)


def tell_service_manager(state: str) -> None:
    """Tell systemd the state of this process, such as READY=1; without systemd, do nothing.

    Source: sd_notify(3), NOTIFY_SOCKET; an address that begins with @ is an abstract one.
    """
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify_socket:
            address_bytes = f"\0{address[1:]}" if address.startswith("@") else address
            notify_socket.sendto(state.encode(), address_bytes)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Open the socket to serve on, before anything else is started. Raises: PortTakenError."""
    try:
        listener = socket.create_server((host, port), backlog=_BACKLOG)
        # asyncio does not know this socket as TCP; with Nagle's algorithm each answer takes 40 ms.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise PortTakenError(host, port) from error
    with listener:
        yield listener


def check_is_free(host: str, port: int) -> None:
    """Check that this process could listen there, without listening. Raises: PortTakenError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise PortTakenError(host, port) from error


async def serve_http(
    app: Starlette,
    listener: socket.socket,
    stop: asyncio.Event,
    limiter: ConnectionLimiter | None = None,
) -> None:
    """Serve until `stop` is set, then finish the requests received so far."""
    limiter = limiter or ConnectionLimiter()
    config = uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", partial(BoundedHttp, limiter=limiter)),
        ws="none",
        backlog=_ACCEPTED_AT_ONCE,
        # Each malformed request would be a warning, so that any client could fill the disk.
        log_level="error",
        log_config=None,
        access_log=False,
        lifespan="off",
        # The true peer decides who may see metrics, not a header that any client can write.
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
    )
    server = _HttpServer(config)
    asyncio.get_running_loop().set_exception_handler(limiter.on_loop_error)
    async with asyncio.TaskGroup() as group:
        serve_task = group.create_task(server.serve(sockets=[listener]))
        await stop.wait()
        server.should_exit = True
        await serve_task


class _HttpServer(uvicorn.Server):
    """A uvicorn server that handles no signals, and accepts few connections at a time."""

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, with a kernel queue that is longer than the number accepted at one go.

        asyncio has one setting for both, with which it would take more descriptors than there are.
        """
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)

    @contextmanager
    @override
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield
