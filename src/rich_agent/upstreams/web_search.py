"""Web search by Tavily."""

from typing import Self

import httpx
from pydantic import BaseModel, Field
from tavily import AsyncTavilyClient
from tavily.errors import (
    BadRequestError,
    ForbiddenError,
    InvalidAPIKeyError,
    UsageLimitExceededError,
)
from tavily.errors import TimeoutError as TavilyTimeoutError

from rich_agent.domain.retrieval.passage import Passage, number_web_results
from rich_agent.domain.text import clean_text
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.runtime.metering import charged

SERVICE = "tavily"
QUERY_CHARS = 400
"""Longest query that Tavily accepts, in characters. Source: Tavily API, search, `query`."""


class _Result(BaseModel):
    title: str = ""
    url: str
    content: str = ""
    score: float = 0.0


class _Results(BaseModel):
    results: list[_Result] = Field(default_factory=list)


class TavilyWebSearch:
    """Implements `WebSearch`."""

    def __init__(self, api_key: str, base_url: str, timeout_s: float = 15.0) -> None:
        self._timeout_s = timeout_s
        self._client = AsyncTavilyClient(api_key=api_key, api_base_url=base_url)

    async def search(self, query: str, limit: int) -> list[Passage]:
        async with charged(Call("search", SERVICE, searches=1)) as receipt:
            try:
                return await self._search(query, limit)
            except UpstreamError:
                receipt.refuse()  # Tavily charges only for answers
                raise

    async def _search(self, query: str, limit: int) -> list[Passage]:
        try:
            answer = await self._client.search(
                query[:QUERY_CHARS], max_results=limit, timeout=self._timeout_s
            )
            found = _Results.model_validate(answer)
        except (TavilyTimeoutError, httpx.TimeoutException, TimeoutError) as error:
            raise UpstreamTimeoutError(SERVICE, self._timeout_s) from error
        except UsageLimitExceededError as error:
            raise UpstreamRateLimitedError(SERVICE) from error
        except (InvalidAPIKeyError, ForbiddenError, BadRequestError) as error:
            raise UpstreamRefusedError(
                SERVICE, str(error), hint="Check TAVILY_API_KEY and TAVILY_BASE_URL."
            ) from error
        except (httpx.HTTPError, AttributeError, RecursionError, TypeError, ValueError) as error:
            # The client raises all but the first for what is no JSON object, and for a 2xx but 200.
            raise UpstreamUnavailableError(SERVICE, "the search failed") from error
        return number_web_results([_passage(result) for result in found.results[:limit]])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._client.close()


def _passage(result: _Result) -> Passage:
    return Passage(
        id="web:0",
        kind="web",
        content=clean_text(result.content),
        source_url=result.url,
        title=clean_text(result.title) or result.url,
        link=result.url,
        score=min(max(result.score, 0.0), 1.0),
    )
