"""robots.txt over real HTTP: what it forbids, how it is asked for, what its absence means."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from starlette.responses import RedirectResponse, Response

from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import Fetcher
from rich_agent.documents.fetch.outcomes import Unreadable, Validators
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.source import make_source
from tests.unit.documents.web_site import QUICK, site

RULES = """
User-agent: *
Disallow: /

User-agent: rich-agent
Disallow: /private/
Allow: /private/open
Sitemap: https://example.com/map.xml
"""


def page(text: str) -> Response:
    """A text that is there."""
    return Response(text, media_type="text/plain")


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    """A fetcher that respects robots.txt."""
    made = Fetcher(replace(QUICK, attempts=1))
    yield made
    await made.aclose()


async def test_robots_rules_for_our_name_count(fetcher: Fetcher) -> None:
    """The longest rule wins, and rules for everyone do not count where we are named."""
    with site(page("x"), pages={"/robots.txt": page(RULES)}) as (server, url):
        assert await fetcher.fetch(f"{url}/a") is not None
        assert await fetcher.fetch(f"{url}/private/open") is not None
        with pytest.raises(FetchError, match="RESPECT_ROBOTS=false"):
            await fetcher.fetch(f"{url}/private/b")
    assert [request.url.path for request in server.requests] == ["/a", "/private/open"]


async def test_robots_is_asked_once_for_each_host(fetcher: Fetcher) -> None:
    """Also when many pages are fetched at once."""
    with site(page("")) as (server, url):
        del server.pages["/robots.txt"]
        await asyncio.gather(*(fetcher.fetch(f"{url}/{number}") for number in range(9)))
    asked = [request.url.path for request in server.requests]
    assert asked.count("/robots.txt") == 1
    assert len(asked) == 10


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_robots_that_is_not_there_allows_all(fetcher: Fetcher, status: int) -> None:
    """No file, no rules."""
    with site(page("x"), pages={"/robots.txt": Response(status_code=status)}) as (_, url):
        assert await fetcher.fetch(url) is not None


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_host_without_an_answer_for_robots_is_not_read(fetcher: Fetcher, status: int) -> None:
    """Nothing is known of its rules, so it is left for another time; nothing is taken for gone."""
    with site(page("x"), pages={"/robots.txt": Response(status_code=status)}) as (server, url):
        for _ in range(2):
            with pytest.raises(FetchError, match=r"robots\.txt could not be fetched") as refused:
                await fetcher.fetch(url)
    assert f"HTTP {status}" in str(refused.value)
    assert not refused.value.is_gone
    assert server.requests == []


async def test_robots_is_found_behind_a_redirect(fetcher: Fetcher) -> None:
    """It counts for the host that redirected."""
    pages: dict[str, Response] = {
        "/robots.txt": RedirectResponse("/rules"),
        "/rules": page("User-agent: *\nDisallow: /"),
    }
    with (
        site(page("x"), pages=pages) as (_, url),
        pytest.raises(FetchError, match="forbids reading it"),
    ):
        await fetcher.fetch(url)


async def test_robots_counts_where_a_redirect_leads(fetcher: Fetcher) -> None:
    """A page that may be read can lead to one that may not."""
    with (
        site(page("x"), pages={"/robots.txt": page("User-agent: *\nDisallow: /b")}) as (other, to),
        site(RedirectResponse(f"{to}/b")) as (_, url),
        pytest.raises(FetchError, match="forbids reading it"),
    ):
        await fetcher.fetch(url)
    assert other.requests == []


async def test_many_redirects_at_once_do_not_wait_for_each_other(fetcher: Fetcher) -> None:
    """All turns are taken by pages that need the robots.txt of one more host."""
    with site(page("x")) as (_, to), site(RedirectResponse(to)) as (_, url):
        async with asyncio.timeout(5):
            pages = await asyncio.gather(*(fetcher.fetch(f"{url}/{n}") for n in range(12)))
    assert all(pages)


async def test_setting_can_overrule_robots() -> None:
    """For the operator's own sites; robots.txt is not even asked for."""
    options = replace(QUICK, respect_robots=False)
    with site(page("x"), pages={"/robots.txt": Response(status_code=500)}) as (_, url):
        made = Fetcher(options)
        assert await made.fetch(url) is not None
        await made.aclose()


async def test_reader_says_how_to_read_a_forbidden_page() -> None:
    """A registered page is no exception; its reason names the setting."""
    rules = {"/robots.txt": page("User-agent: *\nDisallow: /")}
    with site(page("x"), pages=rules) as (_, url):
        async with SourceReader(QUICK) as reader:
            outcome = await reader.read(make_source(url), url, Validators())
    assert isinstance(outcome, Unreadable)
    assert "RESPECT_ROBOTS=false" in outcome.reason
    assert not outcome.is_gone


@pytest.mark.parametrize(("wish", "delay_s"), [("0.5", 0.5), ("3600", 10.0), ("soon", 0.0)])
async def test_crawl_delay_has_a_limit(fetcher: Fetcher, wish: str, delay_s: float) -> None:
    """Sites that ask for an hour would never be read."""
    rules = {"/robots.txt": page(f"User-agent: *\nCrawl-delay: {wish}")}
    with site(pages=rules) as (_, url):
        assert await fetcher.robots.delay_s(url) == delay_s


async def test_crawl_delay_spaces_requests(fetcher: Fetcher) -> None:
    """Requests begin no closer to each other, also when they are made at once."""
    begun: list[float] = []

    def answer(_: object) -> Response:
        begun.append(time.monotonic())
        return page("x")

    rules = {"/robots.txt": page("User-agent: *\nCrawl-delay: 0.2")}
    with site(answer, pages=rules) as (_, url):
        await asyncio.gather(*(fetcher.fetch(f"{url}/{number}") for number in range(3)))
    assert begun[2] - begun[0] > 0.3


async def test_robots_names_sitemaps(fetcher: Fetcher) -> None:
    """As they are written there."""
    with site(pages={"/robots.txt": page(RULES)}) as (_, url):
        assert await fetcher.robots.sitemaps(url) == ["https://example.com/map.xml"]
