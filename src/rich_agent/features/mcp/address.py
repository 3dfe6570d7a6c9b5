"""A server at an address: its HTTP client, with limits on answers, and the status of refusals."""

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
    """The last refusal of the server."""

    refusal_status: int = 0
    """Status with which the server refused the last message, 0 if it did not refuse it."""
    is_too_large: bool = False
    """Whether an answer was too large."""

    @property
    def is_login_refused(self) -> bool:
        """Whether the server refused the login."""
        return self.refusal_status in _NO_LOGIN

    async def observe(self, response: httpx2.Response) -> None:
        """Record the status of a response, and limit the bytes read from its body.

        Raises: httpx2.DecodingError if the response is compressed, because its size is unknown
        beforehand.
        """
        if response.request.method == "POST":
            self.refusal_status = response.status_code if response.is_error else 0
        if response.headers.get("content-encoding", "identity") != "identity":
            raise httpx2.DecodingError("the answer is compressed", request=response.request)
        if "text/event-stream" not in response.headers.get("content-type", ""):
            assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - an async client's
            response.stream = _Bounded(response.stream, self)


class _Bounded(httpx2.AsyncByteStream):
    """A body that breaks off when it is too large. The size of events is limited by the SDK."""

    def __init__(self, body: httpx2.AsyncByteStream, watch: HttpWatch) -> None:
        self._body = body
        self._watch = watch

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces of the body."""
        size_bytes = 0
        async for piece in self._body:
            size_bytes += len(piece)
            if size_bytes > MOST_BYTES:
                self._watch.is_too_large = True
                raise httpx2.StreamError("the answer is too large")
            yield piece

    @override
    async def aclose(self) -> None:
        """Return the connection to its pool."""
        await self._body.aclose()


@asynccontextmanager
async def reach_address(server: McpServer, watch: HttpWatch) -> AsyncIterator[Transport]:
    """Open a transport for the SDK's client. Its connections are closed with the block."""
    timeout = httpx2.Timeout(LONGEST_TIMEOUT_S + CONNECT_HTTP_S, connect=CONNECT_HTTP_S)
    async with httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity", **server.headers},
        timeout=timeout,
        event_hooks={"response": [watch.observe]},
    ) as http:
        yield streamable_http_client(server.url, http_client=http, max_sse_event_size=MOST_BYTES)
