"""Every search engine over real HTTP: passages, bounds and failures are the same for all."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import NamedTuple, cast
from urllib.parse import urlsplit

import psutil
import pytest
from pydantic import SecretStr

from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.feature import Core, SearchEngine, loaded_features
from rich_agent.feature.rest_client import RequestLimits
from rich_agent.graph.nodes.retrieve import web_search
from rich_agent.installed import section_of
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.runtime.web_search import EngineSearch, ResultHosts
from rich_agent.settings.tools import ToolSettings
from tests import make
from tests.certificates import Certificate, make_certificate
from tests.integration.sandbox_openai.serving import served
from tests.proxies import tunnel_stand_in
from tests.scripted import ScriptedWeb
from tests.search_servers import KEY, SERVERS, Mode, Page, SearchServer

TEA = Page("https://tea.example/green?a=1&b=2", "Green tea", "It is not fermented.")
MILK = Page("https://shop.milk.example/", "Milk", "It is white.")
TRAP = Page("javascript:alert(1)", "Prizes", "Press here.")
DUCK = "html.duckduckgo.com"
FEATURE_OF = {"tavily": "tavily", "searxng": "web_engines", "brave": "web_engines"}
FEATURE_OF |= {"tavily without a key": "tavily", "duckduckgo": "web_engines"}
ENGINES = [
    pytest.param(title, marks=pytest.mark.feature(feature), id=title)
    for title, feature in FEATURE_OF.items()
]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate of the host that has no address of its own here."""
    return make_certificate(DUCK, tmp_path_factory.mktemp("certificate"))


class Opened(NamedTuple):
    """An engine, as the product opens it, and its stand-in."""

    engine: SearchEngine
    server: SearchServer

    def web(self, hosts: ResultHosts | None = None) -> EngineSearch:
        """The web search on this engine."""
        return EngineSearch([self.engine], hosts)


def settings_for(title: str, url: str) -> dict[str, object]:
    """The section of settings that leads an engine to its stand-in."""
    if title == "searxng":
        return {"searxng_url": url}
    if title == "brave":
        return {"brave_api_key": SecretStr(KEY), "brave_base_url": url}
    if title.startswith("tavily"):
        key = None if "without" in title else SecretStr(KEY)
        return {"api_key": key, "base_url": url}
    return {}


@asynccontextmanager
async def opened(
    title: str, certificate: Certificate, *, pages: Sequence[Page] = (TRAP, TEA, MILK)
) -> AsyncIterator[Opened]:
    """An engine whose stand-in finds the pages; one of HTTPS is reached through a proxy."""
    name, server = title.partition(" ")[0], SearchServer(pages=[*pages])
    own = certificate.own if name == "duckduckgo" else None
    with served(SERVERS[name](server), own) as url, pytest.MonkeyPatch.context() as patch:
        if name in {"searxng", "brave"}:  # which try again, at once here
            limits = RequestLimits(5.0, 5.0, 2.0, pause_s=0, most_json_bytes=5_000_000)
            patch.setattr("rich_agent.features.web_engines.requests._LIMITS", limits)
        async with tunnel_stand_in(urlsplit(url).port or 0) as proxy:
            if own:
                patch.setenv("HTTPS_PROXY", proxy.url)
                patch.setenv("SSL_CERT_FILE", str(certificate.authority))
            (feature,) = (one for one in loaded_features() if one.name == FEATURE_OF[title])
            group = section_of(feature)
            assert group is not None
            section = group.model_validate(settings_for(title, url))
            settings = SimpleNamespace(tools=ToolSettings(web_search=(name,)))
            core = SimpleNamespace(section=lambda _group: section, settings=settings)
            async with feature.open(cast("Core", core)) as parts:
                (engine,) = (one for one in parts.search if one.name == name)
                yield Opened(engine, server)
            if own:
                assert set(proxy.targets) <= {f"{DUCK}:443"}
                assert all("Basic YW5uYTp0ZWEh" in head for head in proxy.heads)


@pytest.mark.req("TOOL-1")
@pytest.mark.parametrize("title", ENGINES)
async def test_pages_of_every_engine_become_the_same_passages(
    title: str, certificate: Certificate
) -> None:
    """In order, up to a number, charged as one search, without hosts that are left out."""
    async with opened(title, certificate) as one:
        meter = Meter()
        with bill_to(meter, "a node"):
            passages = (await one.web().search("tea", 9)).passages
        shown = [(passage.id, passage.link, passage.title, passage.content) for passage in passages]
        assert shown == [("web:1", *TEA), ("web:2", *MILK)]
        charges = [(use["model"], use["searches"]) for use in meter.used_in()]
        assert charges == [(one.engine.name, 1)]
        hosts = ResultHosts.parse((), ("tea.example",))
        findings = await one.web(hosts).search("tea", 1)
        assert [passage.link for passage in findings.passages] == [MILK.url]


@pytest.mark.req("TOOL-1")
@pytest.mark.parametrize("title", ENGINES)
async def test_no_engine_learns_what_the_bot_keeps(title: str, certificate: Certificate) -> None:
    """A planned query that would carry it off leaves as the user's own words; [] is an answer."""
    async with opened(title, certificate, pages=()) as one:
        state = make.state(
            input={"text": "Find a bank in Bonn"},
            memory={"long_term_entries": ["The account is DE89370400440532013000."]},
            rag={"query": "bank DE89370400440532013000"},
        )
        web = cast("ScriptedWeb", one.web())
        update = await web_search(state, make.runtime(make.Fakes(web=web)))
        assert one.server.queries == ["Find a bank in Bonn"]
        assert "web_error" not in update["rag"]


class Failure(NamedTuple):
    """A failure as the product tells it: its kind, words in it, and seconds to wait."""

    kind: type[UpstreamError]
    words: str = ""
    wait_s: float | None = None


_BUSY, _AWAY, _NO = UpstreamRateLimitedError, UpstreamUnavailableError, UpstreamRefusedError
FAILURES: dict[str, dict[Mode, Failure]] = {
    "tavily": {
        "refused": Failure(_NO, "TAVILY_API_KEY"),
        "busy": Failure(_BUSY, wait_s=40),
        "used_up": Failure(_NO, "limit of the plan"),
        "broken": Failure(_AWAY),
        "odd": Failure(_AWAY),
        "huge": Failure(_AWAY, "more than 5 MB"),
    },
    "tavily without a key": {
        "busy": Failure(_BUSY, wait_s=40),
        "used_up": Failure(_BUSY, wait_s=1800),
    },
    "searxng": {
        "refused": Failure(_NO, "formats"),
        "busy": Failure(_BUSY),
        "used_up": Failure(_AWAY, "bing (HTTP connection error)"),
        "broken": Failure(_AWAY),
        "odd": Failure(_AWAY),
        "huge": Failure(_NO, "JSON"),
    },
    "brave": {
        "refused": Failure(_NO, "token is invalid"),
        "busy": Failure(_BUSY, wait_s=9),
        "used_up": Failure(_BUSY, wait_s=1_419_704),
        "broken": Failure(_AWAY),
        "odd": Failure(_AWAY),
        "huge": Failure(_NO, "JSON"),
    },
    "duckduckgo": {
        "refused": Failure(_BUSY, wait_s=300),
        "broken": Failure(_AWAY, "500"),
        "odd": Failure(_AWAY, "Update ddgs"),
        "huge": Failure(_AWAY, "more than 3 MB"),
    },
}


@pytest.mark.parametrize("title", ENGINES)
async def test_failure_of_an_engine_says_what_to_do(title: str, certificate: Certificate) -> None:
    """As each engine fails in earnest: by status, by body, by headers."""
    async with opened(title, certificate) as one:
        for mode, expected in FAILURES[title].items():
            one.server.mode = mode
            with pytest.raises(expected.kind) as caught:
                await one.web().search("tea", 3)
            assert expected.words in f"{caught.value} {caught.value.hint}", mode
            assert str(caught.value).startswith(f"{one.engine.name}: ")
            if isinstance(caught.value, UpstreamRateLimitedError):
                assert caught.value.retry_after_s == expected.wait_s


@pytest.mark.feature("web_engines")
async def test_process_ends_with_the_wait_for_it(certificate: Certificate) -> None:
    """Nothing of a search that nobody waits for goes on."""
    async with opened("duckduckgo", certificate) as one:
        one.server.mode = "slow"
        web = EngineSearch([one.engine], timeout_s=1.0)
        with pytest.raises(UpstreamTimeoutError):
            await web.search("tea", 3)
        _, left = psutil.wait_procs(_page_readers(), timeout=10.0)
        assert not left


def _page_readers() -> list[psutil.Process]:
    """The children of this process that still read pages."""
    readers = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            readers += [child] if "page_reader" in " ".join(child.cmdline()) else []
    return readers


@pytest.mark.feature("web_engines")
async def test_engine_behind_a_proxy_that_refuses_is_out_of_reach(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint names the setting."""
    async with opened("duckduckgo", certificate) as one, tunnel_stand_in(1) as proxy:
        proxy.status = b"407 Proxy Authentication Required"
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(_AWAY) as caught:
            await one.web().search("tea", 3)
    assert "the proxy 127.0.0.1 answers 407" in str(caught.value)
    assert "HTTPS_PROXY" in caught.value.hint


@pytest.mark.feature("tavily", "web_engines")
async def test_failures_of_a_chain_are_told_in_order(certificate: Certificate) -> None:
    """Each engine fails in its own way; the last one answers, through a process and a proxy."""
    async with (
        opened("tavily", certificate) as first,
        opened("searxng", certificate) as second,
        opened("brave", certificate) as third,
        opened("duckduckgo", certificate) as last,
    ):
        first.server.mode, second.server.mode, third.server.mode = "used_up", "refused", "busy"
        web = EngineSearch([one.engine for one in (first, second, third, last)])
        findings = await web.search("tea", 2)
        assert [passage.link for passage in findings.passages] == [TEA.url]
        assert [error.service for error in findings.failures] == ["tavily", "searxng", "brave"]
        await web.search("milk", 1)
        assert [len(one.server.queries) for one in (first, second, third, last)] == [1, 1, 1, 2]
