"""The search engine of Brave.

Source: https://api-dashboard.search.brave.com/api-reference/web/search/get
"""

from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import Final

import httpx
from typing_extensions import override

from rich_agent.feature import WebResult
from rich_agent.feature.rest_client import Params
from rich_agent.features.web_engines.requests import EngineClient, items_in, result_of

_MOST_RESULTS: Final = 20
_MOST_WORDS: Final = 50
_HINTS: Final[Mapping[int, str]] = MappingProxyType(
    dict.fromkeys((401, 403, 422), "Check BRAVE_API_KEY and what its plan allows.")
)


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
        self._client = EngineClient("brave", base_url, _HINTS, _Token(api_key))

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError."""
        words = " ".join(query.split()[:_MOST_WORDS])
        params: Params = {
            "q": words,
            "count": min(limit, _MOST_RESULTS),
            "text_decorations": "false",
        }
        content = await self._client.get("web/search", params)
        results = [result_of(item, "description") for item in items_in(content, "web", "results")]
        return [result for result in results if result.url][:limit]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
