"""The search engine SearXNG, which people run themselves.

Source: https://docs.searxng.org/dev/search_api.html
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rich_agent.feature import UpstreamUnavailableError, WebResult
from rich_agent.feature.rest_client import RestService
from rich_agent.features.web_engines.requests import EngineClient, auth_in, items_in, result_of

NAME: Final = "searxng"
_HINTS: Final[Mapping[int, str]] = MappingProxyType(
    {
        403: "Add `json` to `search: formats:` in the server's settings.yml, or let its limiter "
        "pass this machine.",
        401: "Write the user name and password into SEARXNG_URL: https://NAME:PASSWORD@HOST.",
        404: "Check SEARXNG_URL.",
    }
)


class Searxng:
    """Searches with the server at an address."""

    def __init__(self, url: str) -> None:
        self._client = EngineClient(RestService(NAME, url, auth_in(url), _HINTS, uses_proxy=True))

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError.

        The server has no parameter for their number. Where it asks all engines in vain, it answers
        with an empty list and says which did not respond.
        """
        content = await self._client.get("search", {"q": query, "format": "json"})
        try:
            results = [result_of(item, "content") for item in items_in(content.get("results"))]
        except ValueError as error:
            raise UpstreamUnavailableError(NAME, str(error)) from error
        results = [result for result in results if result.url]
        if not results and (silent := content.get("unresponsive_engines")):
            silent_names = ", ".join(_engine_names(silent)) or "all"
            raise UpstreamUnavailableError(NAME, f"engines did not respond: {silent_names}")
        return results[:limit]

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _engine_names(engines: object) -> list[str]:
    """The names, each with its reason, in a list of pairs of both."""
    pairs = engines[:10] if isinstance(engines, list) else []
    texts = (
        [part for part in pair[:2] if isinstance(part, str)]
        for pair in pairs
        if isinstance(pair, list)
    )
    return [f"{text[0]} ({text[1]})" if text[1:] else text[0] for text in texts if text]
