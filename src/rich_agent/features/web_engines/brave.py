"""The search engine of Brave.

Source: https://api-dashboard.search.brave.com/api-reference/web/search/get
"""

import time
from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Final

import httpx
from typing_extensions import override

from rich_agent.feature import UpstreamUnavailableError, WebResult
from rich_agent.feature.connectors import wait_from
from rich_agent.feature.rest_client import Params, RestService
from rich_agent.features.web_engines.requests import EngineClient, items_in, result_of

NAME: Final = "brave"
_MOST_RESULTS: Final = 20
_MOST_WORDS: Final = 50
_MOST_DIGITS: Final = 10
_HINTS: Final[Mapping[int, str]] = MappingProxyType(
    dict.fromkeys((401, 403, 422), "Check BRAVE_API_KEY and what its plan allows.")
)


def _asked_wait_s(headers: Mapping[str, str]) -> float | None:
    """The seconds until the longest of the used-up windows ends.

    The headers list one number for each window, such as a second and a month.
    Source: https://api-dashboard.search.brave.com/documentation/guides/rate-limiting
    """
    remaining, resets_s = (
        [part.strip() for part in headers.get(f"X-RateLimit-{name}", "").split(",")][:9]
        for name in ("Remaining", "Reset")
    )
    waits_s = [
        float(reset_s)
        for left, reset_s in zip(remaining, resets_s, strict=False)
        if left == "0" and reset_s.isascii() and reset_s.isdigit() and len(reset_s) < _MOST_DIGITS
    ]
    return max(waits_s, default=wait_from(headers.get("Retry-After"), time.time()))


class _Token(httpx.Auth):
    """The header by which Brave knows a subscription."""

    def __init__(self, key: str) -> None:
        self._key = key

    @override
    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["X-Subscription-Token"] = self._key
        yield request


class Brave:
    """Searches with a key."""

    def __init__(self, api_key: str, base_url: str) -> None:
        service = RestService(
            NAME, base_url, _Token(api_key), _HINTS, asked_wait_s=_asked_wait_s, uses_proxy=True
        )
        self._client = EngineClient(service)

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError."""
        words = " ".join(query.split()[:_MOST_WORDS])
        params: Params = {
            "q": words,
            "count": min(limit, _MOST_RESULTS),
            "text_decorations": "false",
        }
        content = await self._client.get("web/search", params)
        try:
            # Without results, the section is left out.
            items = [*items_in(content["web"]["results"])] if "web" in content else []
        except (KeyError, TypeError, ValueError) as error:
            raise UpstreamUnavailableError(NAME, "the answer has no list of results") from error
        results = [result_of(item, "description") for item in items]
        return [result for result in results if result.url][:limit]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
