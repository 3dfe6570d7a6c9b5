"""Connections of a service's own client library: checked, through the proxy, and bounded."""

from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

import httpx
from typing_extensions import override

from rich_agent.domain.intranet import Intranet
from rich_agent.upstreams.guarded_network import GuardedBackend, GuardedTransport
from rich_agent.upstreams.proxied_network import ProxiedBackend

_CONNECTIONS: Final = 8


def service_client(base_url: str, most_bytes: int, timeout_s: float) -> httpx.AsyncClient:
    """A client for the service at an address that the operator or the product chose.

    It reaches this host and public ones, follows no redirects, and fails with httpx.DecodingError
    after `most_bytes` of an answer. It raises HostRefusedError and HostUnknownError too.
    """
    host = urlsplit(base_url).hostname or ""
    guarded = GuardedBackend(Intranet.parse([host]), home=base_url)
    transport = GuardedTransport(ProxiedBackend(guarded, host.__eq__), _CONNECTIONS)
    return httpx.AsyncClient(
        base_url=base_url,
        transport=_BoundedTransport(transport, most_bytes),
        headers={"Accept-Encoding": "identity"},
        timeout=timeout_s,
        trust_env=False,
    )


class _BoundedTransport(httpx.AsyncBaseTransport):
    """Ends answers that are too long, and refuses compressed ones, whose length is not known."""

    def __init__(self, transport: httpx.AsyncBaseTransport, most_bytes: int) -> None:
        self._transport = transport
        self._most_bytes = most_bytes

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """See `httpx.AsyncBaseTransport`. Raises: httpx.DecodingError."""
        response = await self._transport.handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx.DecodingError("the answer is compressed, which was not requested")
        assert isinstance(response.stream, httpx.AsyncByteStream)  # noqa: S101 - as it is async
        response.stream = _BoundedStream(response.stream, self._most_bytes)
        return response

    @override
    async def aclose(self) -> None:
        await self._transport.aclose()


class _BoundedStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, most_bytes: int) -> None:
        self._stream = stream
        self._most_bytes = most_bytes

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        left_bytes = self._most_bytes
        async for piece in self._stream:
            left_bytes -= len(piece)
            if left_bytes < 0:
                raise httpx.DecodingError(f"more than {self._most_bytes / 1_000_000:g} MB came")
            yield piece

    @override
    async def aclose(self) -> None:
        await self._stream.aclose()
