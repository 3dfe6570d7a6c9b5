"""The web search on an engine: passages, charges, and failures, whatever the engine does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.runtime.reach import noting_outages, present_outages
from rich_agent.runtime.web_search import EngineSearch, ResultHosts, open_web_search

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
    return EngineSearch([SearchEngine("brook", engine.search, query_chars)], timeout_s=5.0)


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
    first, second = (await searching(Engine(results)).search("ferry", 2)).passages
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
        await EngineSearch([SearchEngine("brook", hang)], timeout_s=0.01).search("ferry", 3)


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


@dataclass
class Clock:
    """A clock that is set by hand."""

    now_s: float = 1_000.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now_s


def both(first: Engine, second: Engine, clock: Clock | None = None) -> EngineSearch:
    """The web search on two engines."""
    engines = [SearchEngine("brook", first.search), SearchEngine("creek", second.search)]
    return EngineSearch(engines, clock=clock or Clock())


async def test_next_engine_is_asked_when_one_fails() -> None:
    """The failure is told with the results, and only the engine that answered is charged."""
    failure = UpstreamUnavailableError("brook", "no connection")
    meter = Meter()
    with bill_to(meter, "a node"):
        findings = await both(Engine(failure=failure), Engine([FERRY])).search("ferry", 3)
    assert [passage.link for passage in findings.passages] == [FERRY.url]
    assert findings.failures == [failure]
    assert [(one["model"], one["searches"]) for one in meter.used_in()] == [("creek", 1)]


async def test_engine_that_finds_nothing_has_answered() -> None:
    """No other engine learns the query."""
    brook, creek = Engine(), Engine([FERRY])
    findings = await both(brook, creek).search("ferry", 3)
    assert (findings.passages, creek.queries) == ([], [])


async def test_all_engines_that_failed_are_named() -> None:
    """An outage of each, in the order in which they were asked."""
    brook = Engine(failure=UpstreamRefusedError("brook", "no such key"))
    creek = Engine(failure=UpstreamRateLimitedError("creek", 30))
    expected = "brook: no such key; creek: too many requests, retry after 30 s"
    with pytest.raises(UpstreamUnavailableError, match=expected):
        await both(brook, creek).search("ferry", 3)


@pytest.mark.parametrize(
    ("failure", "rest_s"),
    [
        (UpstreamUnavailableError("brook", "no connection"), 60),
        (UpstreamRateLimitedError("brook", 600), 600),
        (UpstreamRateLimitedError("brook", 1e9), 3600),
    ],
    ids=["away", "busy", "busy-for-ever"],
)
async def test_engine_that_failed_rests(failure: UpstreamError, rest_s: float) -> None:
    """It is asked after the others until then, and first again from then on."""
    clock, brook, creek = Clock(), Engine(failure=failure), Engine([FERRY])
    web = both(brook, creek, clock)
    await web.search("one", 3)
    clock.now_s += rest_s - 1
    await web.search("two", 3)
    clock.now_s += 2
    await web.search("three", 3)
    assert brook.queries == ["one", "three"]
    assert creek.queries == ["one", "two", "three"]


async def test_resting_engine_is_asked_when_the_others_fail_too() -> None:
    """A person waits for an answer now."""
    brook = Engine([FERRY], failure=UpstreamUnavailableError("brook", "no connection"))
    creek = Engine([FERRY])
    web = both(brook, creek)
    await web.search("one", 3)
    brook.failure, creek.failure = None, KeyError("hits")
    assert (await web.search("two", 3)).passages


async def test_wait_for_other_searches_is_no_failure_of_the_engine() -> None:
    """Two searches take longer than one may; the third is told that the engine is busy."""
    creek, seconds, queries = Engine([FERRY]), [0.7], list[str]()

    async def take_time(query: str, _limit: int) -> list[WebResult]:
        queries.append(query)
        await asyncio.sleep(seconds[0])
        return [FERRY]

    engines = [SearchEngine("brook", take_time, at_once=1), SearchEngine("creek", creek.search)]
    web, meter = EngineSearch(engines, timeout_s=1.0), Meter()
    with noting_outages(), bill_to(meter, "a node"):
        burst = await asyncio.gather(*(web.search(query, 3) for query in ("one", "two", "three")))
        assert present_outages() == []
        seconds[0] = 0
        await web.search("four", 3)
    assert all(findings.passages for findings in burst)
    assert [list(map(str, findings.failures)) for findings in burst] == [
        [],
        [],
        ["brook: other searches are under way, and none ended within 1 s"],
    ]
    assert (queries, creek.queries) == (["one", "two", "four"], ["three"])
    charges = sorted((one["model"], one["searches"]) for one in meter.used_in())
    assert charges == [("brook", 3), ("creek", 1)]


async def test_order_of_the_engines_is_the_operators() -> None:
    """One with terms is asked only by name; no name, or another, leaves the web alone."""
    brook, creek = Engine([FERRY]), Engine([FERRY])
    free = SearchEngine("creek", creek.search, terms="Asks creek.example.")
    engines = [SearchEngine("brook", brook.search), free]
    for names, asked in (
        ((), (1, 0)),
        (("creek",), (1, 1)),
        (("creek", "brook", "creek"), (1, 2)),
        (("brook", "lake"), (2, 2)),
    ):
        web = open_web_search(engines, names, ResultHosts())
        assert web is not None
        await web.search("ferry", 1)
        assert (len(brook.queries), len(creek.queries)) == asked
    assert open_web_search(engines, ("off",), ResultHosts()) is None
    assert open_web_search([free], (), ResultHosts()) is None
    assert open_web_search((), (), ResultHosts()) is None


@pytest.mark.parametrize(
    ("allowed", "blocked", "expected"),
    [
        ((), (), ["ferry.example", "www.tides.example", "tides.example.org"]),
        ((), ("*.Tides.example",), ["ferry.example", "tides.example.org"]),
        (("tides.example", "ferry.example"), ("www.tides.example",), ["ferry.example"]),
        (("example.org",), (), ["tides.example.org"]),
        (("xample",), (), []),
    ],
)
async def test_pages_of_other_hosts_are_left_out(
    allowed: Sequence[str], blocked: Sequence[str], expected: list[str]
) -> None:
    """A host stands for the hosts below it; credentials, ports and dots do not hide it."""
    results = [
        WebResult("https://ferry.example/", "Ferry", "Times."),
        WebResult("https://ferry.example@www.tides.example.:8443/", "Tides", "High."),
        WebResult("https://tides.example.org/tides.example", "Others", "Low."),
    ]
    engine = SearchEngine("brook", Engine(results).search)
    web = EngineSearch([engine], ResultHosts.parse(allowed, blocked))
    passages = (await web.search("tides", 3)).passages
    assert [urlsplit(one.link).hostname.rstrip(".") for one in passages] == expected  # type: ignore[union-attr]


async def test_texts_of_results_are_bounded() -> None:
    """A server that sends megabytes fills no prompt with them."""
    huge = WebResult("https://a.example/", "T" * 10**6, "word " * 10**6)
    endless = WebResult("https://b.example/" + "b" * 10**6, "Endless address", "Text.")
    findings = await searching(Engine([endless, huge])).search("ferry", 3)
    (passage,) = findings.passages
    assert len(passage.title) <= 300
    assert 3_000 < len(passage.content) <= 4_000
