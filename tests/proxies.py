"""A stand-in for a proxy: it opens tunnels to one port of this machine, whatever is asked for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class TunnelStandIn:
    """The address of the proxy, and the head of each request that came to it."""

    url: str = ""
    port: int = 0
    status: bytes = b"200 OK"
    heads: list[str] = field(default_factory=list)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def targets(self) -> list[str]:
        """The hosts and ports to which tunnels were asked for."""
        return [head.split()[1] for head in self.heads]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Open a tunnel to the port, or refuse it."""
        self.tasks |= {task} if (task := asyncio.current_task()) else set()
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 " + self.status + b"\r\n\r\n")
        if self.status.startswith(b"200"):
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
            ways = [_copy(reader, back), _copy(there, writer)]
            await asyncio.gather(*ways, return_exceptions=True)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes until one side ends."""
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


@asynccontextmanager
async def tunnel_stand_in(port: int) -> AsyncIterator[TunnelStandIn]:
    """A proxy during the block, which leads to this port of the loopback."""
    proxy = TunnelStandIn(port=port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"http://anna:tea%21@127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await asyncio.wait_for(asyncio.gather(*proxy.tasks, return_exceptions=True), 5)
