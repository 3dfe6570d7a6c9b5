"""A TCP proxy before PostgreSQL that delays what passes: `python -m bench.load.delay SOCKET MS`.

Half of the milliseconds is for each direction. It prints its port, and serves until killed.
"""

import asyncio
import sys

from typing_extensions import override


class _Direction(asyncio.Protocol):
    """Passes what comes to the other side, after a while."""

    def __init__(self, delay_s: float, other: asyncio.Transport | None = None) -> None:
        self.delay_s = delay_s
        self.other = other
        self.transport: asyncio.Transport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    @override
    def data_received(self, data: bytes) -> None:
        if self.other:
            asyncio.get_running_loop().call_later(self.delay_s, self.other.write, data)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if self.other:
            asyncio.get_running_loop().call_later(self.delay_s, self.other.close)


class _Client(_Direction):
    """A connection of a client, which gets one of the server."""

    def __init__(self, socket: str, delay_s: float) -> None:
        super().__init__(delay_s)
        self._socket = socket
        self._early: list[bytes] = []
        self._joining: asyncio.Task[None] | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._joining = asyncio.get_running_loop().create_task(self._join())

    async def _join(self) -> None:
        server, _ = await asyncio.get_running_loop().create_unix_connection(
            lambda: _Direction(self.delay_s, self.transport), self._socket
        )
        self.other = server
        for data in self._early:
            server.write(data)

    @override
    def data_received(self, data: bytes) -> None:
        if self.other:
            super().data_received(data)
        else:
            self._early.append(data)


async def main() -> None:
    """Serve until killed."""
    socket, delay_s = sys.argv[1], float(sys.argv[2]) / 2000
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Client(socket, delay_s), "127.0.0.1", 0)
    async with server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
