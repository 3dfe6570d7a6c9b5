import json

import httpx
import pytest
from tavily import AsyncTavilyClient
from tavily.errors import (
    BadRequestError,
    InvalidAPIKeyError,
    UsageLimitExceededError,
)
from tavily.errors import TimeoutError as TavilyTimeoutError

from rich_agent_sandbox.ledger import Fault
from tests.integration.sandbox_openai.conftest import Upstreams


def tavily(upstreams: Upstreams, api_key: str = "tvly-any") -> AsyncTavilyClient:
    """Tavily's own client on the stand-in; it has to be closed."""
    return AsyncTavilyClient(api_key=api_key, api_base_url=f"{upstreams.url}/tavily")


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("latest release of PostgreSQL", "PostgreSQL"),
        ("SOL price today", "SOL price"),
        ("who is now the president of a small country far away", "news"),
        ("今日の天気", "Weather"),
    ],
)
async def test_search_finds_example_pages(upstreams: Upstreams, query: str, title: str) -> None:
    """Time-bound questions find at least two pages, each of which says what it is."""
    async with tavily(upstreams) as client:
        answer = await client.search(query, max_results=4, search_depth="advanced")
    results = answer["results"]
    assert 2 <= len(results) <= 4
    assert any(title in result["title"] for result in results)
    assert all("example result of the sandbox" in result["content"] for result in results)
    scores = [result["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1
    (call,) = upstreams.ledger.calls("tavily")
    assert (call.method, call.status, call.body["query"]) == ("search", 200, query)


async def test_search_finds_nothing_for_unknown_words(upstreams: Upstreams) -> None:
    """A query that fits no page has no results."""
    async with tavily(upstreams) as client:
        assert (await client.search("zygomorphic orchids"))["results"] == []


async def test_search_dates_news_and_answers_when_asked(upstreams: Upstreams) -> None:
    """News carry a date; answer and raw content come when they are asked for."""
    async with tavily(upstreams) as client:
        news = await client.search(
            "latest news", topic="news", include_answer=True, include_raw_content=True
        )
        plain = await client.search("latest news")
    assert news["results"][0]["published_date"].endswith("GMT")
    assert news["results"][0]["raw_content"]
    assert news["answer"]
    assert "published_date" not in plain["results"][0]
    assert plain["answer"] is None


async def test_search_keeps_to_domains(upstreams: Upstreams) -> None:
    """Included and excluded domains are obeyed."""
    async with tavily(upstreams) as client:
        other = await client.search("latest news", include_domains=["example.org"])
        without = await client.search("latest news", exclude_domains=["example.com"])
        same = await client.search("latest news", include_domains=["example.com"])
    assert (other["results"], without["results"]) == ([], [])
    assert same["results"]


async def test_search_needs_a_key(upstreams: Upstreams, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key the client's keyless mode is refused."""
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    async with tavily(upstreams, api_key="") as client:
        with pytest.raises(InvalidAPIKeyError, match="missing or invalid API key"):
            await client.search("tea")


@pytest.mark.parametrize(
    ("query", "words"), [("", "query"), ("x" * 401, "Max query length is 400 characters")]
)
async def test_search_refuses_bad_queries(upstreams: Upstreams, query: str, words: str) -> None:
    """Empty and overlong queries are refused as Tavily does."""
    async with tavily(upstreams) as client:
        with pytest.raises(BadRequestError, match=words):
            await client.search(query)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("401", InvalidAPIKeyError),
        ("429", UsageLimitExceededError),
        ("500", httpx.HTTPStatusError),
        ("503", httpx.HTTPStatusError),
        ("malformed", json.JSONDecodeError),
        ("truncated", httpx.RemoteProtocolError),
    ],
)
async def test_search_shows_faults(upstreams: Upstreams, kind: str, error: type[Exception]) -> None:
    """Each kind reaches the caller as Tavily's client shows it, once."""
    upstreams.ledger.plan_fault(Fault("tavily", kind, "search"))
    async with tavily(upstreams) as client:
        with pytest.raises(error):
            await client.search("latest news")
        assert (await client.search("latest news"))["results"]


async def test_search_shows_timeout_and_empty(upstreams: Upstreams) -> None:
    """A late answer is the client's timeout; an empty one has no results."""
    upstreams.ledger.plan_fault(Fault("tavily", "timeout", delay_s=30, containing="old news"))
    upstreams.ledger.plan_fault(Fault("tavily", "empty", containing="latest news"))
    async with tavily(upstreams) as client:
        with pytest.raises(TavilyTimeoutError):
            await client.search("old news", timeout=0.1)
        assert (await client.search("latest news"))["results"] == []
