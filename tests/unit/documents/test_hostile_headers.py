"""Hostile headers of a server cost its own page at most, never the sync."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from typing_extensions import override

from ingest.sync.inspection import Inspector
from rich_agent.documents.fetch.outcomes import (
    Listing,
    NotModified,
    Outcome,
    RawDocument,
    Unreadable,
    Validators,
)
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.source import Source, make_source
from tests.unit.documents.web_site import QUICK

NONE = Validators()
HEADERS = (
    "Last-Modified",
    "ETag",
    "Content-Type",
    "Content-Disposition",
    "Content-Encoding",
    "Content-Location",
    "Link",
    "Set-Cookie",
    "Location",
    "Retry-After",
)
VALUES = (
    "",
    "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
    "Mon, 01 Jan 9999 23:59:59 -2359",
    "Mon, 01 Jan 0000 00:00:00 GMT",
    "Mon, 99 Foo 2024 99:99:99 +99999999999999",
    "9" * 400,
    "-1",
    "1e999",
    "nan",
    "\xb2",
    "\xe9\xff\x80",
    "text/html; charset=",
    "text/html; charset=\xe9",
    "text/html; charset*=x'y'%ff%00",
    "text/html; charset*0*=idna''%ff; charset*1=%00",
    "text/html; charset*=undefined'en'%41",
    "text/html; charset=punycode",
    "text/html;" * 200,
    'text/html; a="' + "\\" * 500,
    "=?utf-8?b?////?=",
    "http://[::1",
    "http://\xe9\x80.example:99999999/",
    "//a@b:c@d:-1/%",
    "<" * 500,
    "</a>; rel=canonical" * 50,
    "(" * 500,
    "a" * 20_000,
)


@asynccontextmanager
async def hostile_server() -> AsyncIterator[str]:
    """Answers /STATUS/HEADER/VALUE with that header; by their numbers."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        status, header, value = head.split(b" ")[1].decode().strip("/").split("/")
        line = f"{HEADERS[int(header)]}: {VALUES[int(value)]}".encode("latin-1")
        start = f"HTTP/1.1 {status} So\r\nConnection: close\r\nContent-Length: 5\r\n".encode()
        kind = b"" if HEADERS[int(header)] == "Content-Type" else b"Content-Type: text/plain\r\n"
        writer.write(start + kind + line + b"\r\n\r\nhello")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("status", "named"), [(200, HEADERS[:-2]), (302, HEADERS[-2:-1]), (503, HEADERS[-1:])]
)
async def test_reader_outlives_every_header(status: int, named: tuple[str, ...]) -> None:
    """Read once, and again with the validators that came with it."""
    options = replace(QUICK, attempts=1, respect_robots=False, concurrency=32, per_host=32)
    pairs = [(h, v) for h in map(HEADERS.index, named) for v in range(len(VALUES))]
    async with (
        hostile_server() as url,
        SourceReader(options) as reader,
        asyncio.TaskGroup() as group,
    ):
        for header, value in pairs:
            group.create_task(_read_twice(reader, f"{url}/{status}/{header}/{value}"))


async def _read_twice(reader: SourceReader, url: str) -> None:
    source = make_source(url)
    outcome = await reader.read(source, url, NONE)
    assert isinstance(outcome, RawDocument | Unreadable)
    if isinstance(outcome, RawDocument):
        validators = Validators(outcome.etag, outcome.last_modified)
        again = await reader.read(source, url, validators)
        assert isinstance(again, RawDocument | NotModified)


class BrokenReader(SourceReader):
    """A reader with a mistake that some pages bring to light."""

    @override
    async def _list(self, source: Source) -> Listing:
        raise OverflowError("an unforeseen listing")

    @override
    async def read(self, source: Source, url: str, validators: Validators) -> Outcome:
        if url.endswith("hostile"):
            raise OverflowError("an unforeseen page")
        return Unreadable(url, "there is no such page", is_gone=True)


async def test_page_that_breaks_its_reader_stops_no_other() -> None:
    """It has failed, with the reason; the other one was read."""
    urls = ["https://a.example/hostile", "https://a.example/other"]
    async with BrokenReader() as reader:
        inspector = Inspector(reader, make_source(urls[0]), 1_000, print)
        found = [one async for portion in inspector.inspect(urls, {}) for one in portion]
    assert [(one.state, one.reason) for one in found] == [
        ("failed", "cannot be read: OverflowError('an unforeseen page')"),
        ("failed", "there is no such page"),
    ]


async def test_source_that_breaks_its_reader_is_a_listing_that_failed() -> None:
    """Nothing is taken for removed, and the other sources are listed."""
    async with BrokenReader() as reader:
        listing = await reader.list_documents(make_source("https://a.example/hostile"))
    assert (listing.urls, listing.is_complete) == ((), False)
    assert "OverflowError('an unforeseen listing')" in listing.problem
