"""The web search by a search engine, with the parts that all engines share.

Each search is charged and has a deadline, its results become passages, and any error of an engine
becomes an UpstreamError.
"""

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit

from rich_agent.domain.retrieval.passage import Passage, number_web_results
from rich_agent.domain.text import clean_text
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import UpstreamError, UpstreamTimeoutError, UpstreamUnavailableError
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.runtime.metering import charge

SEARCH_S = 15.0


class EngineSearch:
    """Implements `WebSearch` by one search engine."""

    def __init__(self, engine: SearchEngine, timeout_s: float = SEARCH_S) -> None:
        self._engine = engine
        self._timeout_s = timeout_s

    async def search(self, query: str, limit: int) -> list[Passage]:
        """See `WebSearch`."""
        async with charge(Call("search", self._engine.name, searches=1)) as receipt:
            try:
                return await self._search(query, limit)
            except UpstreamError:
                receipt.refuse()  # engines charge only for answers
                raise

    async def _search(self, query: str, limit: int) -> list[Passage]:
        """The engine's results as passages.

        Raises: UpstreamError.
        """
        name = self._engine.name
        try:
            async with asyncio.timeout(self._timeout_s):
                results = await self._engine.search(query[: self._engine.query_chars], limit)
            passages = [_passage(result) for result in results if _is_page(result.url)]
        except UpstreamError:
            raise
        except TimeoutError as error:
            raise UpstreamTimeoutError(name, self._timeout_s) from error
        except Exception as error:  # a feature's engine may raise anything
            raise UpstreamUnavailableError(name, "the search failed") from error
        return number_web_results(passages[:limit])


def first_engine(engines: Sequence[SearchEngine]) -> WebSearch | None:
    """The web search on the first of the engines; None without any."""
    return EngineSearch(engines[0]) if engines else None


def _is_page(url: str) -> bool:
    """Whether a citation can open the address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _passage(result: WebResult) -> Passage:
    """A result as a passage."""
    return Passage(
        id="web:0",
        kind="web",
        content=clean_text(result.content),
        source_url=result.url,
        title=clean_text(result.title) or result.url,
        link=result.url,
        score=min(max(result.score, 0.0), 1.0),
    )
