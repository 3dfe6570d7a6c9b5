"""The Tavily stand-in: `POST /search` over real HTTP, with example pages chosen by shared words.

Faults (`Fault.kind`), method `search`:

- `429` (with Retry-After), `500`, `503`, `401`: refused in Tavily's form.
- `timeout`, `slow`: waits `delay_s`, then answers.
- `truncated`: half of the answer, then the connection drops.
- `malformed`: half of a JSON object.
- `empty`: no results.
"""

import secrets
from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.exchange import (
    Endpoint,
    Exchange,
    RefusalError,
    UpstreamRules,
    broken_json,
    has_bearer_key,
)
from rich_agent_sandbox.ledger import Fault, Ledger
from rich_agent_sandbox.model.language.phrases import time_bound_alone
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.tavily.example_pages import PAGES, Page

LONGEST_QUERY = 400  # characters, https://docs.tavily.com/documentation/best-practices
_SMALLEST_SCORE = 0.2


class SearchRequest(BaseModel):
    """`POST /search`; other fields are accepted and unused.

    Fields: https://docs.tavily.com/documentation/api-reference/endpoint/search.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    query: str = Field(min_length=1)
    topic: Literal["general", "news", "finance"] = "general"
    max_results: int = Field(default=5, ge=0, le=20)
    include_domains: list[str] = Field(default_factory=list)
    exclude_domains: list[str] = Field(default_factory=list)
    include_answer: bool | Literal["basic", "advanced"] = False
    include_raw_content: bool | Literal["markdown", "text"] = False


def tavily_routes(ledger: Ledger) -> list[BaseRoute]:
    """The routes below `/tavily`; every call goes to `ledger`."""
    search = Endpoint(ledger, _RULES, "search", _search)
    return [Route("/search", search.answer, methods=["POST"])]


async def _search(call: Exchange) -> Response:
    try:
        request = SearchRequest.model_validate(call.body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise _refusal(
            400, f"Invalid {'.'.join(map(str, first['loc']))}: {first['msg']}"
        ) from error
    if len(request.query) > LONGEST_QUERY:
        raise _refusal(400, f"Query is too long. Max query length is {LONGEST_QUERY} characters.")
    found = [] if call.shows("empty") else find_pages(request)
    response = JSONResponse(_answer(request, found))
    return broken_json(response) if call.shows("malformed") else response


def find_pages(request: SearchRequest) -> list[tuple[float, Page]]:
    """The example pages with words of the query, best first, with scores in (0, 1]."""
    wanted = [page for page in PAGES if _is_wanted(page, request)]
    scored = [(_score(request.query, page), page) for page in wanted]
    fitting = [item for item in scored if item[0] >= _SMALLEST_SCORE]
    return sorted(fitting, key=lambda item: -item[0])[: request.max_results]


def _score(query: str, page: Page) -> float:
    """The share of the query's terms on the page; a term in the title counts fully."""
    terms = set(content_terms(query))
    title, text = content_terms(page.title), content_terms(f"{page.text} {page.topics}")
    shared = sum(1.0 if term in title else 0.8 for term in terms if term in title + text)
    least = _SMALLEST_SCORE if page.general and time_bound_alone(query) else 0.0
    return max(least, round(shared / len(terms), 4)) if terms else least


def _is_wanted(page: Page, request: SearchRequest) -> bool:
    host = urlsplit(page.url).hostname or ""
    if any(_covers(domain, host) for domain in request.exclude_domains):
        return False
    included = request.include_domains
    return not included or any(_covers(domain, host) for domain in included)


def _covers(domain: str, host: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _answer(request: SearchRequest, found: Sequence[tuple[float, Page]]) -> dict[str, Any]:
    told = found[0][1].content if request.include_answer and found else None
    return {
        "query": request.query,
        "follow_up_questions": None,
        "answer": told,
        "images": [],
        "results": [_result(request, score, page) for score, page in found],
        "response_time": 0.1,
        "request_id": secrets.token_hex(16),
    }


def _result(request: SearchRequest, score: float, page: Page) -> dict[str, Any]:
    """One result; Tavily gives dates only for news."""
    dated = {"published_date": page.published} if request.topic == "news" else {}
    return {
        "url": page.url,
        "title": page.title,
        "content": page.content,
        "score": score,
        "raw_content": page.content if request.include_raw_content else None,
        **dated,
    }


def _refusal(status: int, message: str) -> RefusalError:
    return RefusalError(status, {"detail": {"error": message}})


def _check_key(request: Request) -> None:
    if not has_bearer_key(request):
        raise _refusal(401, "Unauthorized: missing or invalid API key.")


def _refuse_by_fault(fault: Fault) -> None:
    if fault.kind == "401":
        raise _refusal(401, "Unauthorized: missing or invalid API key.")
    if fault.kind == "429":
        message = "Your request has been blocked due to excessive requests."
        raise _refusal(429, message).retried_after(fault)
    if fault.kind in ("500", "503"):
        raise _refusal(int(fault.kind), "Internal server error.")


_RULES = UpstreamRules(
    upstream="tavily",
    check_key=_check_key,
    refuse_by_fault=_refuse_by_fault,
    bad_body=lambda message: _refusal(400, message),
)
