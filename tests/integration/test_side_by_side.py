"""Whether a server takes two calls at once, as it is measured over HTTP."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from rich_agent.runtime.concurrency import alongside
from rich_agent.upstreams.servers.side_by_side import takes_side_by_side
from tests import make
from tests.integration.sandbox_openai.serving import served

WORDS_S = 0.3
"""So long does the server write at one answer."""
CHUNK = (
    b'data: {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", '
    b'"choices": [{"index": 0, "delta": {"content": "one"}, "finish_reason": "stop"}]}\n\n'
)


def server(slots: int) -> Starlette:
    """A server that writes so many answers at a time; others wait, as with llama.cpp's slots."""
    free = asyncio.Semaphore(slots)

    async def words() -> AsyncIterator[bytes]:
        async with free:
            await asyncio.sleep(WORDS_S)
            yield CHUNK
        yield b"data: [DONE]\n\n"

    async def chat(_: Request) -> Response:
        return StreamingResponse(words(), media_type="text/event-stream")

    return Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])


@pytest.mark.parametrize("slots", [1, 4])
async def test_slots_of_a_server_are_found(slots: int) -> None:
    """One slot makes the second call wait for the first."""
    async with httpx2.AsyncClient() as http:
        with served(server(slots)) as address:
            takes = await takes_side_by_side(make.access(f"{address}/v1", http))
    assert takes == (slots > 1)


async def test_server_that_fails_is_asked_again_later() -> None:
    """Nothing is begun early meanwhile, and nothing breaks."""
    asked = asyncio.Event()

    async def refuse(_: Request) -> Response:
        asked.set()
        return JSONResponse({"error": {"message": "loading"}}, 503)

    app = Starlette(routes=[Route("/v1/chat/completions", refuse, methods=["POST"])])
    async with httpx2.AsyncClient() as http:
        with served(app) as address:
            asking = takes_side_by_side(make.access(f"{address}/v1", http))
            async with alongside(asking), asyncio.timeout(10):
                while not asked.is_set():  # noqa: ASYNC110 - the server has a loop of its own
                    await asyncio.sleep(0.01)
