"""Requests to the JSON interfaces of search engines."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from rich_agent.feature import (
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamUnavailableError,
    WebResult,
)
from rich_agent.feature.connectors import ConnectorError, Intranet
from rich_agent.feature.rest_client import (
    Params,
    RequestLimits,
    RestClient,
    RestService,
    ServiceRefusedError,
)

_LIMITS = RequestLimits(timeout_s=10.0, deadline_s=15.0, longest_rest_s=2.0)
_TOO_MANY_REQUESTS = 429


class EngineClient:
    """A connection to the search engine `name`; `hints` are advice by HTTP status."""

    def __init__(
        self, name: str, base_url: str, hints: Mapping[int, str], auth: httpx.Auth | None = None
    ) -> None:
        self._name = name
        # The operator named the host, which may be one of their own network.
        intranet = Intranet.parse([httpx.URL(base_url).host])
        service = RestService(name, base_url, auth or _auth_in(base_url), hints)
        self._client = RestClient(service, intranet, _LIMITS)

    async def get(self, path: str, params: Params) -> Mapping[str, Any]:
        """The JSON object at a path below the address. Raises: UpstreamError."""
        try:
            return await self._client.get(path, params)
        except ServiceRefusedError as error:
            if error.status == _TOO_MANY_REQUESTS:
                raise UpstreamRateLimitedError(self._name, error.after_s) from error
            raise self._failure(error) from error
        except ConnectorError as error:
            raise self._failure(error) from error

    def _failure(self, error: ConnectorError) -> UpstreamRefusedError | UpstreamUnavailableError:
        reason = str(error).removeprefix(f"{self._name}: ")
        kind = UpstreamRefusedError if error.is_refused else UpstreamUnavailableError
        return kind(self._name, reason, hint=error.hint)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _auth_in(url: str) -> httpx.Auth:
    """The user name and password of an address, if it has them."""
    address = httpx.URL(url)
    return httpx.BasicAuth(address.username, address.password) if address.userinfo else httpx.Auth()


def items_in(content: Mapping[str, Any], *path: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in the list at a path of keys; other items are skipped."""
    value: object = content
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


def result_of(item: Mapping[str, Any], text_field: str) -> WebResult:
    """A result of an item, whose field `text_field` holds what the page says."""
    url, title, text = (item.get(name) for name in ("url", "title", text_field))
    return WebResult(_text(url), _text(title), _text(text))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
