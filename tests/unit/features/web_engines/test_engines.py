"""SearXNG and Brave over HTTP: what is asked, what is found, and answers of any shape."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.feature import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamUnavailableError,
    WebResult,
)
from rich_agent.feature.rest_client import RequestLimits
from rich_agent.features.web_engines import requests as engine_requests
from rich_agent.features.web_engines.brave import Brave
from rich_agent.features.web_engines.searxng import Searxng
from rich_agent.features.web_engines.settings import WebEngineSettings
from tests.integration.sandbox_openai.serving import served
from tests.odd_bodies import BODIES

Engine = Callable[[str], Searxng | Brave]


def open_searxng(url: str) -> Searxng:
    """The engine at an address, as an operator writes it."""
    return Searxng(f"{url}/searx/")


def open_brave(url: str) -> Brave:
    """The engine with a key."""
    return Brave("key", f"{url}/res/v1")


ENGINES = [pytest.param(open_searxng, id="searxng"), pytest.param(open_brave, id="brave")]


@dataclass
class Server:
    """A server with one answer, which keeps what it was asked."""

    answer: Response
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    async def respond(self, request: Request) -> Response:
        """Keep the request and answer."""
        self.requests.append(request)
        return self.answer


@contextmanager
def serving(answer: Response) -> Iterator[Server]:
    """A server that gives this answer to everything."""
    server = Server(answer)
    with served(Starlette(routes=[Route("/{path:path}", server.respond)])) as server.url:
        yield server


async def search(
    open_engine: Engine, url: str, query: str = "tea", limit: int = 3
) -> list[WebResult]:
    """The results of a new engine."""
    engine = open_engine(url)
    try:
        return await engine.search(query, limit)
    finally:
        await engine.close()


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    limits = RequestLimits(timeout_s=5, deadline_s=5, longest_rest_s=2, pause_s=0)
    monkeypatch.setattr(engine_requests, "_LIMITS", limits)


@pytest.mark.req("TOOL-1")
async def test_searxng_is_asked_for_json_below_its_address() -> None:
    """It returns as many pages as it likes; those without an address are left out."""
    page = {"url": "https://tea.example/", "title": "Tea", "content": "Green.", "score": 4.5}
    body = {"results": [{"title": "An answer"}, *[page] * 4], "unresponsive_engines": [["a", "b"]]}
    with serving(JSONResponse(body)) as server:
        results = await search(open_searxng, server.url)
    assert results == [WebResult("https://tea.example/", "Tea", "Green.")] * 3
    (request,) = server.requests
    assert request.url.path == "/searx/search"
    assert dict(request.query_params) == {"q": "tea", "format": "json"}


async def test_searxng_whose_engines_are_silent_has_not_searched() -> None:
    """Nothing found is an answer; nothing asked is a failure that names the engines."""
    with serving(JSONResponse({"results": [], "unresponsive_engines": []})) as server:
        assert await search(open_searxng, server.url) == []
        server.answer = JSONResponse({"results": [], "unresponsive_engines": [["bing", "timeout"]]})
        with pytest.raises(UpstreamUnavailableError, match="bing"):
            await search(open_searxng, server.url)


@pytest.mark.req("TOOL-1")
async def test_brave_is_asked_with_its_key_and_fitting_words() -> None:
    """At most fifty words and twenty results."""
    hit = {"url": "https://tea.example/", "title": "Tea", "description": "Green."}
    body = {"web": {"results": [hit, {"title": "No page"}, 7]}}
    with serving(JSONResponse(body)) as server:
        results = await search(open_brave, server.url, "tea " * 60, 30)
    assert results == [WebResult("https://tea.example/", "Tea", "Green.")]
    (request,) = server.requests
    assert request.url.path == "/res/v1/web/search"
    assert request.headers["x-subscription-token"] == "key"
    assert request.query_params["q"].split() == ["tea"] * 50
    assert request.query_params["count"] == "20"


async def test_searxng_behind_a_password_is_asked_with_it() -> None:
    """As people put a server of their own behind a proxy."""
    with serving(JSONResponse({"results": []})) as server:
        await search(Searxng, server.url.replace("http://", "http://anna:tea@"))
    assert server.requests[0].headers["authorization"] == "Basic YW5uYTp0ZWE="


def test_host_that_is_none_is_told_before_anything_opens() -> None:
    """The setting is named; an address of one's own network is fine."""
    problems = [*WebEngineSettings(searxng_url="http://127.1:8080").find_problems()]
    assert [problem.name for problem in problems] == ["SEARXNG_URL"]
    assert not [*WebEngineSettings(searxng_url="http://searx.lan:8080").find_problems()]
    assert not [*WebEngineSettings().find_problems()]


@pytest.mark.parametrize(
    ("open_engine", "status", "advice"),
    [
        pytest.param(open_searxng, 403, "settings.yml", id="searxng"),
        pytest.param(open_brave, 422, "BRAVE_API_KEY", id="brave"),
    ],
)
async def test_refusal_says_what_to_check(open_engine: Engine, status: int, advice: str) -> None:
    """Whoever runs the bot learns what to change."""
    with (
        serving(Response("Forbidden", status)) as server,
        pytest.raises(UpstreamRefusedError) as caught,
    ):
        await search(open_engine, server.url)
    assert advice in caught.value.hint


@pytest.mark.parametrize("open_engine", ENGINES)
async def test_engine_that_has_had_enough_tells_when_to_come_back(open_engine: Engine) -> None:
    """A long wait is not waited for."""
    with (
        serving(Response("", 429, {"Retry-After": "30"})) as server,
        pytest.raises(UpstreamRateLimitedError) as caught,
    ):
        await search(open_engine, server.url)
    assert caught.value.retry_after_s == pytest.approx(30, abs=1)
    assert len(server.requests) == 1


@pytest.mark.parametrize("open_engine", ENGINES)
async def test_whatever_an_engine_answers_is_an_error_of_the_upstream(open_engine: Engine) -> None:
    """The reader of an answer that is none does not fail itself."""
    with serving(Response()) as server:
        for status in (200, 204, 400, 401, 404, 500):
            for body in BODIES:
                server.answer = Response(body, status, media_type="application/json")
                expected: Any = suppress if status < 300 else pytest.raises
                with expected(UpstreamError):
                    await search(open_engine, server.url)


@pytest.mark.parametrize("open_engine", ENGINES)
async def test_engine_that_cannot_be_reached_is_unavailable(open_engine: Engine) -> None:
    """Nothing listens at the address."""
    with pytest.raises(UpstreamUnavailableError):
        await search(open_engine, "http://127.0.0.1:9")
