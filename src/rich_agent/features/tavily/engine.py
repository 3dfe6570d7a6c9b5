"""The search engine of Tavily, with its own client."""

from typing import Self
from urllib.parse import urlsplit

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

from rich_agent.feature import (
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
    WebResult,
)
from rich_agent.feature.reach import Target, explain_failure, proxy_of

SERVICE = "tavily"


class _Result(BaseModel):
    title: str = ""
    url: str
    content: str = ""
    score: float = 0.0


class _Answer(BaseModel):
    results: list[_Result] = Field(default_factory=list)


class Tavily:
    """Searches with Tavily; closed at the end of its `async with` block."""

    def __init__(self, api_key: str, base_url: str, timeout_s: float = 15.0) -> None:
        self._timeout_s = timeout_s
        self._base_url = base_url
        self._target = Target("web search", urlsplit(base_url).netloc)
        self._client = AsyncTavilyClient(api_key=api_key, api_base_url=base_url)

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError."""
        try:
            body = await self._client.search(query, max_results=limit, timeout=self._timeout_s)
            answer = _Answer.model_validate(body)
        except (TavilyTimeoutError, httpx.TimeoutException, TimeoutError) as error:
            raise UpstreamTimeoutError(SERVICE, self._timeout_s) from error
        except UsageLimitExceededError as error:
            raise UpstreamRateLimitedError(SERVICE) from error
        except (InvalidAPIKeyError, ForbiddenError, BadRequestError) as error:
            raise UpstreamRefusedError(
                SERVICE, str(error), hint="Check TAVILY_API_KEY and TAVILY_BASE_URL."
            ) from error
        except httpx.TransportError as error:
            hint = "Check TAVILY_BASE_URL, and the network of this machine."
            found = explain_failure(error, self._target, hint, proxy_of(self._base_url))
            raise UpstreamUnavailableError(SERVICE, found.problem, hint=found.hint) from error
        except (httpx.HTTPError, AttributeError, RecursionError, TypeError, ValueError) as error:
            # The client raises all but the first for what is no JSON object, and for a 2xx but 200.
            raise UpstreamUnavailableError(SERVICE, "the search failed") from error
        return [
            WebResult(result.url, result.title, result.content, result.score)
            for result in answer.results
        ]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._client.close()
