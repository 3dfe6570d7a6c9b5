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

_MOST_BYTES = 5_000_000
_LIMITS = RequestLimits(
    timeout_s=10.0, deadline_s=15.0, longest_rest_s=2.0, most_json_bytes=_MOST_BYTES
)
_TOO_MANY_REQUESTS = 429


class EngineClient:
    """A connection to a search engine, whose host may be one of the operator's own network."""

    def __init__(self, service: RestService) -> None:
        self._name = service.name
        intranet = Intranet.parse([httpx.URL(service.base_url).host])
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


def auth_in(url: str) -> httpx.Auth:
    """The user name and password of an address, if it has them."""
    address = httpx.URL(url)
    return httpx.BasicAuth(address.username, address.password) if address.userinfo else httpx.Auth()


def items_in(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a list; other items are skipped. Raises: ValueError if it is no list."""
    if not isinstance(value, list):
        raise ValueError("the answer has no list of results")  # noqa: TRY004 - it came from outside
    yield from (item for item in value if isinstance(item, Mapping))


def result_of(item: Mapping[str, Any], text_field: str) -> WebResult:
    """A result of an item, whose field `text_field` holds what the page says."""
    url, title, text = (item.get(name) for name in ("url", "title", text_field))
    return WebResult(_text(url), _text(title), _text(text))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
