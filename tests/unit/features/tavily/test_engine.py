"""Tavily's engine on a server over HTTP: results, and answers of any shape."""

from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.errors import Target
from rich_agent.feature import UpstreamError, UpstreamRefusedError
from rich_agent.features.tavily.engine import Tavily
from tests.integration.sandbox_openai.serving import served
from tests.odd_bodies import BODIES


@pytest.mark.req("TOOL-1")
async def test_search_returns_what_tavily_found() -> None:
    """The key and the number of results go with the query."""
    requests = []

    async def search(request: Request) -> Response:
        requests.append((request.headers["authorization"], await request.json()))
        hit = {"title": "Tea", "url": "https://tea.example/", "content": "Green.", "score": 0.5}
        return JSONResponse({"results": [hit]})

    app = Starlette(routes=[Route("/search", search, methods=["POST"])])
    with served(app) as url:
        async with Tavily("tvly-any", url) as tavily:
            (result,) = await tavily.search("tea", 3)
    assert (result.url, result.title, result.content) == ("https://tea.example/", "Tea", "Green.")
    ((key, body),) = requests
    assert key == "Bearer tvly-any"
    assert (body["query"], body["max_results"]) == ("tea", 3)


async def test_whatever_tavily_answers_is_an_error_of_the_upstream() -> None:
    """The reader of a refusal, or of an answer that is none, does not fail itself."""
    answer = [Response()]

    async def search(request: Request) -> Response:
        await request.body()
        return answer[0]

    app = Starlette(routes=[Route("/{path:path}", search, methods=["POST"])])
    with served(app) as url:
        async with Tavily("tvly-any", url) as tavily:
            for status in (200, 207, 400, 401, 404, 422, 429, 500):
                for body in BODIES:
                    answer[0] = Response(body, status, media_type="application/json")
                    with suppress(UpstreamError) if status < 300 else pytest.raises(UpstreamError):
                        await tavily.search("tea", 1)


async def test_refusal_names_the_settings() -> None:
    """Whoever runs the bot learns what to check."""

    async def refuse(_request: Request) -> Response:
        return JSONResponse({"detail": {"error": "Unauthorized"}}, 401)

    with served(Starlette(routes=[Route("/search", refuse, methods=["POST"])])) as url:
        async with Tavily("tvly-any", url) as tavily:
            with pytest.raises(UpstreamRefusedError) as caught:
                await tavily.search("tea", 1)
    assert "TAVILY_API_KEY" in caught.value.hint


async def test_target_has_no_password() -> None:
    """Its words go into what is said of a server that is away."""
    async with Tavily("key", "https://u:geheim@tav.example") as tavily:
        assert tavily._target == Target("web search", "tav.example")
