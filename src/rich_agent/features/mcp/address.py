"""A server at an address: its HTTP client, what it may send, and what status it answered with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from typing_extensions import override

from rich_agent.features.mcp.definitions import LONGEST_TIMEOUT_S, McpServer
from rich_agent.features.mcp.limits import CONNECT_HTTP_S, MOST_BYTES

_NO_LOGIN = frozenset({401, 403})


@dataclass(slots=True)
class HttpWatch:
    """The last status with which the server refused a message, 0 while there is none."""

    refusal_status: int = 0
    is_too_large: bool = False

    @property
    def is_login_refused(self) -> bool:
        """Whether the server does not take the login."""
        return self.refusal_status in _NO_LOGIN

    async def observe(self, response: httpx2.Response) -> None:
        """Note the status, and bound what is read of an answer.

        Raises: httpx2.DecodingError if it is compressed: its size cannot be told beforehand.
        """
        if response.request.method == "POST":
            self.refusal_status = response.status_code if response.is_error else 0
        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx2.DecodingError("the answer is compressed", request=response.request)
        if "text/event-stream" not in response.headers.get("content-type", ""):
            assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - an async client's
            response.stream = _Bounded(response.stream, self)


class _Bounded(httpx2.AsyncByteStream):
    """A body, which breaks off when it is too large; events are bounded by the SDK."""

    def __init__(self, body: httpx2.AsyncByteStream, watch: HttpWatch) -> None:
        self._body = body
        self._watch = watch

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces of the body."""
        size = 0
        async for piece in self._body:
            size += len(piece)
            if size > MOST_BYTES:
                self._watch.is_too_large = True
                raise httpx2.StreamError("the answer is too large")
            yield piece

    @override
    async def aclose(self) -> None:
        """Give the connection back."""
        await self._body.aclose()


@asynccontextmanager
async def reach_address(server: McpServer, watch: HttpWatch) -> AsyncIterator[Transport]:
    """A transport for the SDK's client; its connections are closed with the block."""
    timeout = httpx2.Timeout(LONGEST_TIMEOUT_S + CONNECT_HTTP_S, connect=CONNECT_HTTP_S)
    async with httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity", **server.headers},
        timeout=timeout,
        event_hooks={"response": [watch.observe]},
    ) as http:
        yield streamable_http_client(server.url, http_client=http, max_sse_event_size=MOST_BYTES)
