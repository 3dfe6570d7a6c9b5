"""Streams over real connections: what one costs that nobody reads, and how it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rich_agent.runtime.connections import ConnectionLimiter
from rich_agent.runtime.lifetime import listening, serve_http
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.streams import PlacedStreamResponse, StreamPlaces

PIECE = "x" * 65_536
MOST_BYTES = 32_000_000
"""More than what the kernel holds of a connection on one machine."""


class Endless:
    """A stream without an end that counts what was taken of it."""

    def __init__(self) -> None:
        self.taken = 0
        self.closed = asyncio.Event()
        self.places = StreamPlaces(most_of_one=1)

    async def lines(self) -> AsyncIterator[str]:
        """The stream."""
        try:
            while True:
                self.taken += 1
                yield PIECE
                await asyncio.sleep(0)
        finally:
            self.closed.set()

    async def is_free(self) -> None:
        """Return once the place can be taken again."""
        while True:
            with suppress(RequestRefusedError), self.places.place("reader"):
                return
            await asyncio.sleep(0.01)

    async def answer(self, _request: Request) -> Response:
        """The stream, in the only place of its reader."""
        return PlacedStreamResponse(self.lines(), self.places, "reader")


@asynccontextmanager
async def unread(
    stream: Endless, limiter: ConnectionLimiter
) -> AsyncIterator[asyncio.StreamReader]:
    """A connection that has asked for the stream, and of which nothing is read by itself."""
    stop = asyncio.Event()
    app = Starlette(routes=[Route("/", stream.answer)])
    with listening("127.0.0.1", 0) as listener:
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(serve_http(app, listener, stop, limiter))
            port = listener.getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            try:
                yield reader
            finally:
                writer.transport.abort()
                with suppress(ConnectionError):
                    await writer.wait_closed()
                stop.set()


async def test_reader_who_stands_still_is_cut_off() -> None:
    """The stream ends, its place is free, and the connection is gone, not only closed."""
    stream = Endless()
    async with unread(stream, ConnectionLimiter(unread_s=0.2)) as reader:
        await stream.closed.wait()
        assert stream.taken * len(PIECE) < MOST_BYTES
        await stream.is_free()
        with suppress(ConnectionError):
            while await reader.read(65_536):
                pass


async def test_reader_who_is_slow_costs_a_bounded_memory_and_is_not_cut_off() -> None:
    """Nothing more is taken of the stream than what fits into the connection."""
    stream = Endless()
    async with unread(stream, ConnectionLimiter()) as reader:
        seen = -1
        while seen != stream.taken:
            seen = stream.taken
            await asyncio.sleep(0.1)
        assert 0 < stream.taken * len(PIECE) < MOST_BYTES
        for _ in range(100):
            assert await reader.read(65_536)
        assert not stream.closed.is_set()
