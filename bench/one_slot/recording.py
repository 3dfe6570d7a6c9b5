"""A proxy in front of a llama.cpp server that records each request to the model."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from bench.prompts.requests import ANSWER, Request

_UNCACHED = re.compile(r"prefix-match hit, remaining (\d+) prompt tokens to eval")
_EVENT = re.compile(rb"^data: (\{.*\})$", re.MULTILINE)
_PASSED_ON = ("content-type", "authorization", "accept")
_LOOK_S = 0.2


@dataclass(slots=True)
class Exchange:
    """A request and its reply; times are of the monotonic clock.

    `written` are the tokens that the server wrote, `uncached` those that it read and had not kept.
    """

    request: Request
    began: float
    first_text: float | None = None
    ended: float | None = None
    status: int = 0
    written: int = 0
    uncached: int = 0


@dataclass(slots=True)
class Recorder:
    """The proxy; the server's `log` says how many tokens of each prompt it had not kept."""

    upstream: str
    log: Path
    exchanges: list[Exchange] = field(default_factory=list)

    def app(self) -> Starlette:
        """All routes of the server."""
        route = Route("/v1/{path:path}", self._forward, methods=["GET", "POST"])
        return Starlette(routes=[route])

    def mark(self) -> tuple[int, int]:
        """The place up to which exchanges and log have come, for `since`."""
        return len(self.exchanges), self.log.stat().st_size

    def since(self, mark: tuple[int, int]) -> list[Exchange]:
        """The exchanges after a mark that the server did not refuse, with the tokens of its log.

        The server begins its answers in the order of the requests, and notes what it reads.
        """
        first, offset = mark
        answered = [one for one in self.exchanges[first:] if one.status == httpx.codes.OK]
        with self.log.open("rb") as log:
            log.seek(offset)
            notes = _UNCACHED.findall(log.read().decode(errors="replace"))
        for exchange, tokens in zip(answered, notes, strict=False):
            exchange.uncached = int(tokens)
        return answered

    async def _forward(self, http_request: HttpRequest) -> Response:
        body = await http_request.body()
        exchange = None
        if http_request.url.path.endswith("/chat/completions"):
            exchange = Exchange(Request.read(0, json.loads(body)), time.monotonic())
            self.exchanges.append(exchange)
        client = httpx.AsyncClient(timeout=None, trust_env=False)  # noqa: S113 - the bot's counts
        headers = {name: http_request.headers.get(name, "") for name in _PASSED_ON}
        url = f"{self.upstream}/{http_request.path_params['path']}"
        outgoing = client.build_request(http_request.method, url, content=body, headers=headers)
        sending = asyncio.create_task(client.send(outgoing, stream=True))
        while not (await asyncio.wait([sending], timeout=_LOOK_S))[0]:
            if await http_request.is_disconnected():
                sending.cancel()
                await client.aclose()
                return Response(status_code=499)
        reply = sending.result()
        if exchange:
            exchange.status = reply.status_code
        media_type = reply.headers.get("content-type")
        pieces = self._pieces(client, reply, exchange)
        return StreamingResponse(pieces, reply.status_code, media_type=media_type)

    @staticmethod
    async def _pieces(
        client: httpx.AsyncClient, reply: httpx.Response, exchange: Exchange | None
    ) -> AsyncIterator[bytes]:
        try:
            async for piece in reply.aiter_bytes():
                if exchange:
                    _note(exchange, piece)
                yield piece
        finally:
            if exchange:
                exchange.ended = time.monotonic()
            await client.aclose()


def _note(exchange: Exchange, piece: bytes) -> None:
    """Count the tokens in a part of a reply; a streaming server sends one in each event."""
    for text in _texts(piece):
        exchange.written += 1
        if text.strip() and exchange.first_text is None:
            exchange.first_text = time.monotonic()
    if usage := re.search(rb'"completion_tokens": ?(\d+)', piece):
        exchange.written = int(usage[1])


def _texts(piece: bytes) -> Iterator[str]:
    for event in _EVENT.findall(piece):
        choices: Sequence[Any] = json.loads(event).get("choices") or ()
        yield from (text for one in choices if (text := one.get("delta", {}).get("content")))


def calls_in_a_row(exchanges: Sequence[Exchange]) -> int:
    """The most exchanges of which each began after the end of the one before."""
    count, free_from = 0, 0.0
    for one in sorted(exchanges, key=lambda one: one.ended or float("inf")):
        if one.began >= free_from:
            count, free_from = count + 1, one.ended or float("inf")
    return count


def before_first_word(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """The exchanges that began before the answer's first word, with that of the answer itself."""
    words = [one.first_text for one in exchanges if one.request.kind == ANSWER and one.first_text]
    first = min(words, default=float("inf"))
    return [one for one in exchanges if one.began < first]
