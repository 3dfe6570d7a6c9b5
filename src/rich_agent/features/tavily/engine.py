"""The search engine of Tavily, with its own client.

Sources: https://docs.tavily.com/documentation/api-reference/endpoint/search,
https://docs.tavily.com/documentation/keyless
"""

from http import HTTPStatus
from typing import Final, Self

import httpx
from pydantic import BaseModel, Field
from tavily import AsyncTavilyClient
from tavily.errors import BadRequestError, ForbiddenError, InvalidAPIKeyError
from tavily.errors import TimeoutError as TavilyTimeoutError

from rich_agent.feature import (
    RichAgentError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
    WebResult,
)
from rich_agent.feature.network import service_client
from rich_agent.feature.reach import Target, explain_failure, proxy_of

SERVICE: Final = "tavily"
_MOST_BYTES: Final = 5_000_000
_USED_UP_STATUSES: Final = frozenset({432, 433})
"""The searches of the key's plan, or those paid beyond it, are used up."""
_BAD_KEY_HINT: Final = "Check TAVILY_API_KEY and TAVILY_BASE_URL."


class _Result(BaseModel):
    title: str = ""
    url: str
    content: str = ""
    score: float = 0.0


class _Answer(BaseModel):
    results: list[_Result] = Field(default_factory=list)


class _Limit(BaseModel):
    retry_after_seconds: float | None = None


class _Refusal(BaseModel):
    """The body of a refusal without a key, which says when to come back."""

    error: _Limit


class Tavily:
    """Searches with Tavily, with a key or without; closed at the end of its `async with` block."""

    def __init__(self, api_key: str | None, base_url: str, timeout_s: float = 15.0) -> None:
        self._timeout_s = timeout_s
        self._base_url = base_url
        self._target = Target.at("web search", base_url)
        self._http = service_client(base_url, _MOST_BYTES, timeout_s)
        self._http.event_hooks = {"response": [_refuse_when_used_up]}
        if api_key is None:
            self._http.headers["X-Tavily-Access-Mode"] = "keyless"
        self._client = AsyncTavilyClient(api_key=api_key, client=self._http)

    async def search(self, query: str, limit: int) -> list[WebResult]:
        """Return at most `limit` results, best first. Raises: UpstreamError."""
        try:
            body = await self._client.search(query, max_results=limit, timeout=self._timeout_s)
            answer = _Answer.model_validate(body)
        except UpstreamError:
            raise
        except RichAgentError as error:  # the network's own refusals
            raise UpstreamUnavailableError(SERVICE, str(error), hint=error.hint) from error
        except (TavilyTimeoutError, httpx.TimeoutException, TimeoutError) as error:
            raise UpstreamTimeoutError(SERVICE, self._timeout_s) from error
        except (InvalidAPIKeyError, ForbiddenError, BadRequestError) as error:
            reason = str(error) or "the request is refused"
            raise UpstreamRefusedError(SERVICE, reason, hint=_BAD_KEY_HINT) from error
        except httpx.DecodingError as error:
            raise UpstreamUnavailableError(SERVICE, str(error)) from error
        except httpx.TransportError as error:
            hint = "Check TAVILY_BASE_URL, and the network of this machine."
            failure = explain_failure(error, self._target, hint, proxy_of(self._base_url))
            raise failure.of_service(SERVICE) from error
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
        await self._http.aclose()


async def _refuse_when_used_up(response: httpx.Response) -> None:
    """Raise what the client would tell without the time. Raises: UpstreamError."""
    if response.status_code in _USED_UP_STATUSES:
        hint = "Raise the limit of the plan, or name another engine in WEB_SEARCH."
        raise UpstreamRefusedError(SERVICE, "the searches of the plan are used up", hint=hint)
    if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
        return
    await response.aread()
    try:
        wait_s = _Refusal.model_validate_json(response.content).error.retry_after_seconds
    except ValueError:
        seconds = response.headers.get("Retry-After", "")
        wait_s = float(seconds) if seconds.isascii() and seconds.isdigit() else None
    raise UpstreamRateLimitedError(SERVICE, wait_s)
