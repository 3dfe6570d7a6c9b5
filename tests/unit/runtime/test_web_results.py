"""Foreign results of any content: what reaches a prompt is bounded, storable, and can be opened."""

import asyncio
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.errors import UpstreamError
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.runtime.web_search import EngineSearch, ResultHosts

_TEXTS = st.text(max_size=60) | st.builds(str.__mul__, st.text(max_size=5), st.integers(0, 9_000))
_SCHEMES = st.sampled_from(["https://", "HTTP://", "javascript:", "https:\\\\", "//", "ftp://", ""])
_HOSTS = st.sampled_from(
    [
        "a.example",
        "A.EXAMPLE.",
        "b.a.example:81",
        "u:p@a.example",
        "[::1",
        "ä.example",
        "..",
        "xn--",
    ]
)
_URLS = st.builds("{}{}{}".format, _SCHEMES, _HOSTS | st.text(max_size=9), st.text(max_size=9))
_SCORES = st.floats()
_RESULTS = st.lists(st.builds(WebResult, _URLS | _TEXTS, _TEXTS, _TEXTS, _SCORES), max_size=6)


@given(_RESULTS, st.sampled_from([(), ("a.example",)]))
@settings(max_examples=150, deadline=None)
def test_any_results_become_passages_within_bounds(
    results: list[WebResult], blocked: tuple[str, ...]
) -> None:
    """None of them ends the search, whatever its titles, addresses and scores are."""

    async def find(_query: str, _limit: int) -> list[WebResult]:
        return results

    hosts = ResultHosts.parse((), blocked)
    web = EngineSearch([SearchEngine("brook", find)], hosts)
    for passage in asyncio.run(web.search("tea", 4)).passages:
        parts = urlsplit(passage.link)
        assert parts.scheme in {"http", "https"}
        assert parts.hostname
        assert not (blocked and parts.hostname.rstrip(".").endswith(blocked))
        assert 0 < len(passage.title) <= 2_000
        assert len(passage.content) <= 4_000
        assert 0 <= passage.score <= 1
        f"{passage.title}{passage.content}{passage.link}".encode()
        assert "\0" not in f"{passage.title}{passage.content}{passage.link}"


def test_result_that_is_none_is_an_error_of_the_engine() -> None:
    """It does not end the turn."""

    async def find(_query: str, _limit: int) -> list[WebResult]:
        return [WebResult(7, None, b"")]  # type: ignore[arg-type]

    with pytest.raises(UpstreamError):
        asyncio.run(EngineSearch([SearchEngine("brook", find)]).search("tea", 4))
