"""Fetching over real HTTP: limits, redirects, conditional requests, retries, plain words."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from rich_agent.documents.fetch.errors import FetchError, RefusedAddressError
from rich_agent.documents.fetch.fetching import Fetcher, FetchOptions, admit
from tests.integration.sandbox_openai.serving import served
from tests.unit.documents.web_site import QUICK, site


@asynccontextmanager
async def fetcher(options: FetchOptions = QUICK) -> AsyncIterator[Fetcher]:
    """A fetcher that is closed at the end."""
    made = Fetcher(options)
    try:
        yield made
    finally:
        await made.aclose()


async def refusal(url: str, options: FetchOptions = QUICK) -> FetchError:
    """The error of fetching an address."""
    async with fetcher(options) as made:
        with pytest.raises(FetchError) as raised:
            await made.fetch(url)
    return raised.value


async def test_fetch_gives_the_page_and_its_validators() -> None:
    """The page comes with what the next request needs; the request says who asks."""
    page = Response(b"hello", headers={"ETag": '"1"', "Last-Modified": "yesterday"})
    with site(page) as (made, url):
        async with fetcher() as client:
            found = await client.fetch(f"{url}/a")
    assert found is not None
    assert (found.data, found.etag, found.last_modified) == (b"hello", '"1"', "yesterday")
    assert made.requests[0].headers["User-Agent"].startswith("rich-agent/")


@pytest.mark.req("RAG-5")
async def test_fetch_asks_only_for_what_changed() -> None:
    """An unchanged page is not sent again."""

    def conditional(request: Request) -> Response:
        asked = (
            request.headers.get("If-None-Match"),
            request.headers.get("If-Modified-Since"),
        )
        return Response(status_code=304) if asked == ('"1"', "then") else Response(b"all")

    with site(conditional) as (_, url):
        async with fetcher() as client:
            assert await client.fetch(url, etag='"1"', last_modified="then") is None
            assert await client.fetch(url, etag='"2"', last_modified="then") is not None


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_fetch_tries_again_what_may_pass(status: int) -> None:
    """Two failures and an answer are an answer."""
    with site(Response(status_code=status), Response(status_code=status), Response(b"ok")) as (
        made,
        url,
    ):
        async with fetcher() as client:
            page = await client.fetch(url)
    assert page is not None
    assert page.data == b"ok"
    assert len(made.requests) == 3


async def test_fetch_gives_up_after_three_tries() -> None:
    """The reason is the last one, in words; the page is not taken for removed."""
    with site(Response(status_code=503)) as (made, url):
        error = await refusal(url)
    assert str(error) == "server trouble (HTTP 503)"
    assert not error.is_gone
    assert len(made.requests) == 3


@pytest.mark.parametrize("status", [404, 410])
async def test_fetch_says_when_a_page_is_gone(status: int) -> None:
    """A lasting refusal is asked for once."""
    with site(Response(status_code=status)) as (made, url):
        error = await refusal(url)
    assert error.is_gone
    assert len(made.requests) == 1


@pytest.mark.parametrize(("status", "words"), [(403, "not open to everyone"), (400, "refused")])
async def test_fetch_names_other_refusals(status: int, words: str) -> None:
    """No access is no removal."""
    with site(Response(status_code=status)) as (made, url):
        error = await refusal(url)
    assert words in str(error)
    assert not error.is_gone
    assert len(made.requests) == 1


async def test_fetch_waits_no_longer_than_it_may() -> None:
    """A server that asks for an hour is not asked again, as seconds or as a date."""
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    for value in ("3600", later):
        with site(Response(status_code=429, headers={"Retry-After": value})) as (made, url):
            error = await refusal(url)
        assert "too many requests" in str(error)
        assert "after 3" in str(error)
        assert len(made.requests) == 1


@pytest.mark.parametrize("value", ["0", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"])
async def test_fetch_obeys_a_short_retry_after(value: str) -> None:
    """A moment in the past and an unreadable one are no hindrance."""
    busy = Response(status_code=429, headers={"Retry-After": value})
    with site(busy, Response(b"ok")) as (_, url):
        async with fetcher() as client:
            assert await client.fetch(url) is not None


async def test_fetch_follows_five_redirects_and_no_sixth() -> None:
    """Also relative ones."""

    def countdown(request: Request) -> Response:
        left = int(request.path_params["path"])
        return RedirectResponse(str(left - 1), 302) if left else Response(b"there")

    with site(countdown) as (_, url):
        async with fetcher() as client:
            page = await client.fetch(f"{url}/5")
        error = await refusal(f"{url}/6")
    assert page is not None
    assert page.data == b"there"
    assert str(error) == "redirected more than 5 times"


def _leads_to(address: str) -> Response:
    markup = f'<meta http-equiv="refresh" content="0; url={address}"><p>Moved'
    return Response(markup, media_type="text/html")


async def test_fetch_follows_pages_that_lead_on_like_redirects() -> None:
    """To the page behind them, at most five times, and not to themselves or other schemes."""
    with site(_leads_to("/next"), Response(b"there")) as (made, url):
        async with fetcher() as client:
            page = await client.fetch(f"{url}/a")
    assert page is not None
    assert page.data == b"there"
    assert [request.url.path for request in made.requests] == ["/a", "/next"]
    with site(lambda request: _leads_to(request.url.path + "x")) as (made, url):
        assert str(await refusal(url)) == "redirected more than 5 times"
    for address in ("/a", "#part", "javascript:go()", ""):
        with site(_leads_to(address)) as (made, url):
            async with fetcher() as client:
                page = await client.fetch(f"{url}/a")
        assert page is not None
        assert b"Moved" in page.data
        assert len(made.requests) == 1


async def test_fetch_admits_each_hop_of_pages_that_lead_on() -> None:
    """A page leads to no private host, and not past robots.txt."""
    with site(_leads_to("http://127.0.0.2:1/")) as (_, url):
        assert isinstance(await refusal(url), RefusedAddressError)
    robots = Response("User-agent: *\nDisallow: /secret")
    with site(_leads_to("/secret"), pages={"/robots.txt": robots}) as (made, url):
        assert (await refusal(url)).problem == "robots"
    assert len(made.requests) == 1


async def test_fetch_tells_what_must_not_be_indexed() -> None:
    """By the header of the page."""
    for header, is_noindex in (("noindex", True), ("otherbot: noindex", False)):
        with site(Response(b"x", headers={"X-Robots-Tag": header})) as (_, url):
            async with fetcher() as client:
                page = await client.fetch(url)
        assert page is not None
        assert page.is_noindex is is_noindex


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://x/y", "http://a:b@127.0.0.1/"])
async def test_fetch_admits_each_hop_of_a_redirect(target: str) -> None:
    """A server cannot send us where an address could not."""
    with site(Response(status_code=302, headers={"Location": target})) as (made, url):
        await refusal(url)
    assert len(made.requests) == 1
    with pytest.raises(FetchError):
        admit(target)


async def test_fetch_is_not_led_from_https_to_http() -> None:
    """Pages over http may be anybody's; the other way round is an improvement."""
    asked: list[str] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        if request.url.path == "/start":
            other = "http" if request.url.scheme == "https" else "https"
            return httpx.Response(302, headers={"Location": f"{other}://a.example/end"})
        return httpx.Response(200, stream=httpx.ByteStream(b"there"))

    options = replace(QUICK, respect_robots=False)
    made = Fetcher(options, httpx.MockTransport(answer))
    with pytest.raises(FetchError, match="from https to http"):
        await made.fetch("https://a.example/start")
    page = await made.fetch("http://a.example/start")
    await made.aclose()
    assert page is not None
    assert asked[1:] == ["http://a.example/start", "https://a.example/end"]


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [("gzip", gzip.compress(b"text " * 1000)), ("deflate", zlib.compress(b"text " * 1000))],
    ids=["gzip", "deflate"],
)
async def test_fetch_unpacks(encoding: str, packed: bytes) -> None:
    """Both ways that are asked for."""
    with site(Response(packed, headers={"Content-Encoding": encoding})) as (_, url):
        async with fetcher() as client:
            page = await client.fetch(url)
    assert page is not None
    assert page.data == b"text " * 1000


@pytest.mark.parametrize(
    ("encoding", "data", "words"),
    [
        ("gzip", gzip.compress(bytes(30_000_000), 1), "larger than 20 MB"),
        ("", bytes(20_000_001), "larger than 20 MB"),
        ("br", b"x", "which was not requested"),
        ("gzip", b"not packed at all", "cannot be decompressed"),
        ("gzip", gzip.compress(b"text " * 1000)[:-20], "broke off"),
    ],
    ids=["bomb", "large", "unknown", "garbage", "cut"],
)
async def test_fetch_refuses_what_it_cannot_hold(encoding: str, data: bytes, words: str) -> None:
    """A small body that unpacks to a large one is refused as a large one is."""
    headers = {"Content-Encoding": encoding} if encoding else {}
    with site(Response(data, headers=headers)) as (_, url):
        error = await refusal(url, replace(QUICK, attempts=1))
    assert words in str(error)


async def test_fetch_has_a_deadline_for_a_page_that_never_ends() -> None:
    """A body that drips does not hold the sync up."""

    async def drip() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b"x"
            await asyncio.sleep(0.02)

    options = replace(QUICK, attempts=1, deadline_s=0.3)
    with site(lambda _: StreamingResponse(drip())) as (_, url):
        error = await refusal(url, options)
    assert "not complete within 0.3 s" in str(error)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nshort", "connection broke"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\nabc",
            "connection broke",
        ),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "connection broke"),
        (b"not HTTP at all\r\n\r\n", "connection broke"),
    ],
    ids=["long", "two", "chunk", "none"],
)
async def test_fetch_believes_no_false_length(answer: bytes, words: str) -> None:
    """A truncated page is refused, and an announced size allocates no memory."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        options = replace(QUICK, attempts=1, respect_robots=False)
        error = await refusal(f"http://127.0.0.1:{port}/", options)
    assert words in str(error)


async def test_fetch_names_a_server_that_is_not_there() -> None:
    """The host is named, and nothing is taken for removed."""
    with site(Response(b"")) as (_, url):
        pass
    error = await refusal(url)
    assert "no connection to 127.0.0.1" in str(error)
    assert not error.is_gone


async def test_fetch_keeps_to_its_limits() -> None:
    """At most as many requests at once as one host may get."""
    running = most = 0

    async def slow(_: Request) -> Response:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        return Response(b"ok")

    with served(Starlette(routes=[Route("/{path:path}", slow)])) as url:
        async with fetcher(replace(QUICK, per_host=3)) as client:
            pages = await asyncio.gather(*(client.fetch(f"{url}/{n}") for n in range(12)))
    assert all(page and page.data == b"ok" for page in pages)
    assert most == 3
