"""Stand-ins for search engines, over HTTP, which answer and fail as the engines document it.

Sources: https://docs.tavily.com/documentation/api-reference/endpoint/search and /keyless;
https://docs.searxng.org/dev/search_api.html and the answers of a SearXNG of 22 August 2026;
https://api-dashboard.search.brave.com/documentation/guides/rate-limiting and /pricing; the pages of
html.duckduckgo.com as the library ddgs and SearXNG's engine read them.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

Mode = Literal["well", "refused", "busy", "used_up", "broken", "odd", "huge", "slow"]
KEY = "the-right-key"
_HUGE = 8_000_000


class Page(NamedTuple):
    """A page that an engine finds."""

    url: str
    title: str
    text: str


@dataclass
class SearchServer:
    """The answer of a stand-in, and the queries that came to it."""

    mode: Mode = "well"
    pages: list[Page] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)


def tavily(server: SearchServer) -> Starlette:
    """`POST /search`, with a key or in the mode without one."""

    async def search(request: Request) -> Response:
        body = await request.json()
        server.queries.append(body["query"])
        login = request.headers.get("Authorization")
        is_keyless = request.headers.get("X-Tavily-Access-Mode") == "keyless" and login is None
        if server.mode == "refused" or not (is_keyless or login == f"Bearer {KEY}"):
            reason = "Unauthorized: missing or invalid API key."
            return JSONResponse({"detail": {"error": reason}}, 401)
        if server.mode == "used_up" and is_keyless:
            limit = {"code": "keyless_limit", "message": "Sign up.", "retry_after_seconds": 1800}
            return JSONResponse({"error": limit | {"window": "day", "next_actions": []}}, 429)
        if server.mode == "used_up":
            reason = "This request exceeds your plan's set usage limit."
            return JSONResponse({"detail": {"error": reason}}, 432)
        if server.mode == "busy":
            reason = "Your request has been blocked due to excessive requests."
            return JSONResponse({"detail": {"error": reason}}, 429, {"Retry-After": "40"})
        results = [
            {"title": page.title, "url": page.url, "content": page.text, "score": 0.5}
            for page in server.pages[: body["max_results"]]
        ]
        answer = {"query": body["query"], "answer": None, "images": [], "response_time": 0.9}
        return _json(server, {**answer, "results": results, "request_id": "r"}, "results")

    return Starlette(routes=[Route("/search", search, methods=["POST"])])


def searxng(server: SearchServer) -> Starlette:
    """`GET /search?format=json`; refused is a server whose settings have no JSON."""

    async def search(request: Request) -> Response:
        assert request.query_params["format"] == "json"
        server.queries.append(request.query_params["q"])
        if server.mode == "refused":
            reason = (
                "<!doctype html>\n<html lang=en>\n<title>403 Forbidden</title>\n<h1>Forbidden</h1>"
            )
            return HTMLResponse(reason, 403)
        if server.mode == "busy":
            return PlainTextResponse("Too Many Requests", 429)
        silent = [["bing", "HTTP connection error"]] if server.mode == "used_up" else []
        results = [
            {
                "url": page.url,
                "title": page.title,
                "content": page.text,
                "engine": "local",
                "template": "default.html",
                "parsed_url": ["https", "", "", "", "", ""],
                "engines": ["local"],
                "positions": [at],
                "score": 1 / at,
                "category": "general",
            }
            for at, page in enumerate(server.pages if not silent else (), start=1)
        ]
        lists: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": []}
        answer = {"query": "q", "results": results, **lists, "suggestions": []}
        return _json(server, {**answer, "unresponsive_engines": silent}, "results")

    return Starlette(routes=[Route("/search", search)])


def brave(server: SearchServer) -> Starlette:
    """`GET /web/search` with its headers of limits by the second and by the month."""

    async def search(request: Request) -> Response:
        server.queries.append(request.query_params["q"])
        if server.mode == "refused" or request.headers.get("X-Subscription-Token") != KEY:
            return _brave_error(
                422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."
            )
        if server.mode in {"busy", "used_up"}:
            limits = {"X-RateLimit-Limit": "1, 2000", "X-RateLimit-Policy": "1;w=1, 2000;w=2592000"}
            is_busy = server.mode == "busy"
            limits["X-RateLimit-Remaining"] = "0, 1412" if is_busy else "1, 0"
            limits["X-RateLimit-Reset"] = "9, 1419704" if is_busy else "1, 1419704"
            detail = "Request rate limit exceeded for plan."
            return _brave_error(429, "RATE_LIMITED", detail, limits)
        results = [
            {"type": "search_result", "title": page.title, "url": page.url, "language": "en"}
            | {"description": page.text, "family_friendly": True, "is_source_local": False}
            for page in server.pages[: int(request.query_params["count"])]
        ]
        web = {"type": "search", "results": results, "family_friendly": True}
        answer = {"type": "search", "query": {"original": "q"}, "mixed": {"type": "mixed"}}
        return _json(server, {**answer, **({"web": web} if results else {})}, "web")

    return Starlette(routes=[Route("/web/search", search)])


def _brave_error(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    error = {"id": "5d1c", "status": status, "code": code, "detail": detail, "meta": {}}
    return JSONResponse({"type": "ErrorResponse", "error": error, "time": 1}, status, headers)


def duckduckgo(server: SearchServer) -> Starlette:
    """`POST /html/`; refused is the puzzle for programs, odd a page of another shape."""

    async def search(request: Request) -> Response:
        assert request.url.hostname == "html.duckduckgo.com"
        form = await request.form()
        server.queries.append(str(form["q"]))
        if server.mode == "slow":
            await asyncio.sleep(20)
        if server.mode in {"refused", "busy"}:
            puzzle = '<form id="challenge-form" action="//duckduckgo.com/anomaly.js" method="POST">'
            return HTMLResponse(f"<html><body>{puzzle}</form></body></html>", 202)
        if server.mode == "broken":
            return HTMLResponse("<html><body>Error</body></html>", 500)
        if server.mode == "odd":
            return HTMLResponse("<html><body><main><article>Tea</article></main></body></html>")
        ad = Page("https://duckduckgo.com/y.js?ad_domain=ads.example", "Buy tea", "An ad.")
        nothing = Page("http://www.google.com/search?hl=en&q=tea", "No  results.", "")
        results = "".join(map(_duckduckgo_result, [ad, *(server.pages or [nothing])]))
        filler = "<p>" + "x" * _HUGE if server.mode == "huge" else ""
        return HTMLResponse(f'<html><body><div id="links" class="results">{results}</div>{filler}')

    return Starlette(routes=[Route("/html/", search, methods=["POST"])])


def _duckduckgo_result(page: Page) -> str:
    url = escape(page.url)
    return (
        '<div class="result results_links results_links_deep web-result">'
        '<div class="links_main links_deep result__body"><h2 class="result__title">'
        f'<a rel="nofollow" class="result__a" href="{url}">{escape(page.title)}</a></h2>'
        f'<a class="result__snippet" href="{url}">{escape(page.text)}</a>'
        '<div class="clear"></div></div></div>'
    )


def _json(server: SearchServer, answer: Mapping[str, Any], key: str) -> Response:
    """The answer; or one that is broken, of another shape, or huge."""
    if server.mode == "broken":
        return PlainTextResponse("Internal Server Error", 500)
    if server.mode == "odd":
        return JSONResponse({**answer, key: {"hits": 7}})
    if server.mode == "huge":
        return JSONResponse({**answer, "filler": "x" * _HUGE})
    return JSONResponse(answer)


SERVERS: Mapping[str, Callable[[SearchServer], Starlette]] = {
    "tavily": tavily,
    "searxng": searxng,
    "brave": brave,
    "duckduckgo": duckduckgo,
}
