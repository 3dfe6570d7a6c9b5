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
        service = RestService(name, base_url, auth or httpx.Auth(), hints)
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


def items_in(content: Mapping[str, Any], *path: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list inside an object, as far as it is a list of objects."""
    value: object = content
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


def result_of(item: Mapping[str, Any], *texts: str) -> WebResult:
    """A result of an item, whose fields `texts` hold what the page says."""
    content = "\n".join(filter(None, (_text(item.get(name)) for name in texts)))
    return WebResult(_text(item.get("url")), _text(item.get("title")), content)


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
