"""The web search on an engine: passages, charges, and failures, whatever the engine does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.errors import (
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.runtime.web_search import EngineSearch, first_engine

FERRY = WebResult("https://ferry.example/times", "Times", "The ferry leaves at 9:10.", 0.7)


@dataclass
class Engine:
    """Gives `results`, or raises `failure`; remembers the queries."""

    results: Sequence[Any] | None = ()
    failure: Exception | None = None
    queries: list[str] = field(default_factory=list)

    async def search(self, query: str, _limit: int) -> Sequence[WebResult]:
        """See `SearchEngine`."""
        self.queries.append(query)
        if self.failure:
            raise self.failure
        return self.results  # type: ignore[return-value]


def searching(engine: Engine, query_chars: int = 400) -> EngineSearch:
    """The web search on this engine."""
    return EngineSearch(SearchEngine("brook", engine.search, query_chars), timeout_s=5.0)


@pytest.mark.req("TOOL-1")
async def test_results_become_numbered_passages_from_the_web() -> None:
    """Storable text, a title and a link that opens, of no more than were wanted."""
    results = [
        FERRY,
        WebResult("javascript:alert(1)", "Free prizes", "Press here."),
        WebResult("http://[", "Broken", "An address of nobody."),
        WebResult("https://tides.example/", "", "High\x00 at noon\ud800.", score=7.0),
        FERRY,
    ]
    first, second = await searching(Engine(results)).search("ferry", 2)
    assert (first.id, first.kind, first.link, first.score) == (
        "web:1",
        "web",
        "https://ferry.example/times",
        0.7,
    )
    assert (second.id, second.content, second.score) == ("web:2", "High at noon.", 1.0)
    assert second.title == "https://tides.example/"
    assert first.words.origin == "page"


async def test_query_is_cut_to_what_the_engine_takes() -> None:
    """An engine says how much that is."""
    engine = Engine()
    await searching(engine, query_chars=5).search("ferry times", 3)
    assert engine.queries == ["ferry"]


@pytest.mark.parametrize(
    ("engine", "error"),
    [
        (Engine(failure=UpstreamRefusedError("brook", "no such key")), UpstreamRefusedError),
        (Engine(failure=TimeoutError()), UpstreamTimeoutError),
        (Engine(failure=KeyError("hits")), UpstreamUnavailableError),
        (Engine(results=None), UpstreamUnavailableError),
        (Engine(results=[None]), UpstreamUnavailableError),
        (Engine(results=[WebResult("https://a.example", "A", None)]), UpstreamUnavailableError),  # type: ignore[arg-type]
    ],
    ids=["refused", "late", "broken", "nothing", "no-result", "no-text"],
)
async def test_whatever_an_engine_raises_is_an_error_of_an_upstream(
    engine: Engine, error: type[UpstreamError]
) -> None:
    """The turn goes on without the web, and nothing is charged."""
    meter = Meter()
    with bill_to(meter, "a node"), pytest.raises(error, match="brook"):
        await searching(engine).search("ferry", 3)
    assert meter.used_in() == []


async def test_engine_that_hangs_is_left() -> None:
    """The deadline is the core's, too."""

    async def hang(_query: str, _limit: int) -> Sequence[WebResult]:
        await asyncio.Event().wait()
        return ()

    with pytest.raises(UpstreamTimeoutError, match=r"brook: no answer within 0\.01 s"):
        await EngineSearch(SearchEngine("brook", hang), timeout_s=0.01).search("ferry", 3)


@dataclass
class _Ledger:
    """Writes down what is charged."""

    charged: list[tuple[Call, Usage]] = field(default_factory=list)

    def observe(self, call: Call, usage: Usage) -> None:
        """See `UseObserver`."""
        self.charged.append((call, usage))

    def observe_refusal(self, resource: str) -> None:
        """See `UseObserver`."""
        raise AssertionError(resource)

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """See `UseObserver`."""
        raise AssertionError(calls, calls_before_answer)


@pytest.mark.req("COST-1")
async def test_search_is_charged_when_it_was_answered() -> None:
    """Under the name of its engine."""
    ledger = _Ledger()
    meter = Meter(observer=ledger)
    with bill_to(meter, "a node"):
        await searching(Engine([FERRY])).search("ferry", 3)
    assert ledger.charged == [(Call("search", "brook", searches=1), Usage(1, searches=1))]


async def test_first_of_several_engines_is_used() -> None:
    """In the order of their features; without any the web is not searched."""
    brook, creek = Engine([FERRY]), Engine([FERRY])
    web = first_engine([SearchEngine("brook", brook.search), SearchEngine("creek", creek.search)])
    assert web is not None
    await web.search("ferry", 1)
    assert (brook.queries, creek.queries) == (["ferry"], [])
    assert first_engine(()) is None
