"""A proxy on this machine, for a program that opens its own connections.

The program reaches only the hosts that it is meant for, over connections that are checked as all
others are, and receives a bounded number of bytes. What it sends stays encrypted.
"""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import h11
import httpcore

from rich_agent.domain.intranet import Intranet
from rich_agent.errors import RichAgentError
from rich_agent.upstreams.guarded_network import GuardedBackend
from rich_agent.upstreams.proxied_network import ProxiedBackend

_HTTPS_PORT: Final = "443"
_READ_BYTES: Final = 65_536
_CONNECT_S: Final = 10.0
_USER: Final = "tunnel"


class _TunnelRefusedError(RichAgentError):
    """A request that gets no tunnel."""


class TunnelProxy:
    """Opens tunnels for HTTPS to the hosts that `permits` names, for those who know its password.

    Each tunnel ends after `most_bytes` received bytes. `failures` are the reasons why there was no
    tunnel, or why one ended early.
    """

    def __init__(
        self, backend: httpcore.AsyncNetworkBackend, permits: Callable[[str], bool], most_bytes: int
    ) -> None:
        self._backend = backend
        self._permits = permits
        self._most_bytes = most_bytes
        self._password = secrets.token_urlsafe(24)
        self.failures: list[str] = []

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[str]:
        """Listen on the loopback during the block; the address holds the password."""
        connections = set[asyncio.Task[None]]()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None  # noqa: S101 - asyncio runs this in a task
            connections.add(task)
            try:
                await self._serve(reader, writer)
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
            finally:
                writer.transport.abort()
                connections.discard(task)

        server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=_READ_BYTES)
        try:
            port = server.sockets[0].getsockname()[1]
            yield f"http://{_USER}:{self._password}@127.0.0.1:{port}"
        finally:
            server.close()
            open_connections = [*connections]
            for task in open_connections:
                task.cancel()
            await asyncio.gather(*open_connections, return_exceptions=True)
            await asyncio.sleep(0)  # in which the loop closes their sockets

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Open the tunnel that is asked for, and forward bytes until one side ends."""
        try:
            async with asyncio.timeout(_CONNECT_S):
                host = self._check(await _read_request(reader))
                stream = await self._backend.connect_tcp(host, int(_HTTPS_PORT), _CONNECT_S)
        except (httpcore.NetworkError, httpcore.ProxyError, httpcore.TimeoutException) as error:
            self._fail(writer, 502, error)
        except (h11.ProtocolError, RichAgentError) as error:
            self._fail(writer, 403, error)
        except (OSError, TimeoutError) as error:
            self._fail(writer, 504, error)
        else:
            try:
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await self._forward(reader, writer, stream)
            finally:
                await stream.aclose()

    def _check(self, request: h11.Request) -> str:
        """The host that a request wants to reach. Raises: _TunnelRefusedError."""
        login = dict(request.headers).get(b"proxy-authorization", b"")
        expected = b"Basic " + b64encode(f"{_USER}:{self._password}".encode())
        if not secrets.compare_digest(login, expected):
            raise _TunnelRefusedError("the password is wrong")
        host, _, port = request.target.decode("ascii", "replace").rpartition(":")
        if request.method != b"CONNECT" or port != _HTTPS_PORT or not self._permits(host):
            raise _TunnelRefusedError(f"{host}:{port} is not to be reached")
        return host

    def _fail(self, writer: asyncio.StreamWriter, status: int, error: Exception) -> None:
        self.failures.append(str(error) or type(error).__name__)
        writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: 0\r\n\r\n" % status)

    async def _forward(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stream: httpcore.AsyncNetworkStream,
    ) -> None:
        """Forward bytes both ways until one side ends."""
        ways = [
            asyncio.ensure_future(_send(reader, stream)),
            asyncio.ensure_future(self._receive(stream, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _receive(
        self, stream: httpcore.AsyncNetworkStream, writer: asyncio.StreamWriter
    ) -> None:
        """Forward what comes from the host, up to the limit."""
        left_bytes = self._most_bytes
        while data := await stream.read(_READ_BYTES):
            left_bytes -= len(data)
            if left_bytes < 0:
                self.failures.append(f"more than {self._most_bytes / 1_000_000:g} MB came")
                return
            writer.write(data)
            await writer.drain()


def tunnels_to_public(permits: Callable[[str], bool], most_bytes: int) -> TunnelProxy:
    """Tunnels to public hosts, through the proxy of the environment if it names one."""
    backend = ProxiedBackend(GuardedBackend(Intranet()), permits)
    return TunnelProxy(backend, permits, most_bytes)


async def _send(reader: asyncio.StreamReader, stream: httpcore.AsyncNetworkStream) -> None:
    """Forward what comes from the program."""
    while data := await reader.read(_READ_BYTES):
        await stream.write(data)


async def _read_request(reader: asyncio.StreamReader) -> h11.Request:
    """The request at the start of a connection. Raises: h11.ProtocolError, OSError."""
    connection = h11.Connection(h11.SERVER)
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Request):
            return event
        if event is not h11.NEED_DATA:
            raise h11.RemoteProtocolError("no request came")
        connection.receive_data(await reader.read(_READ_BYTES))
