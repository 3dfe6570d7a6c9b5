"""Listing sources and reading their documents, from folders and over real HTTP."""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rich_agent.documents.fetch.files import list_folder
from rich_agent.documents.fetch.outcomes import NotModified, RawDocument, Unreadable, Validators
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.source import make_source
from tests.integration.sandbox_openai.serving import served
from tests.unit.documents.web_site import QUICK, site

NONE = Validators()


@pytest.fixture
async def reader() -> AsyncIterator[SourceReader]:
    """A reader with small limits."""
    async with SourceReader(
        replace(QUICK, attempts=1, max_bytes=1_000, max_file_bytes=1_000)
    ) as made:
        yield made


@pytest.mark.req("RAG-1")
async def test_list_documents_of_a_folder_finds_texts_at_any_depth(
    reader: SourceReader, tmp_path: Path
) -> None:
    """Files that are no text are counted; hidden ones are not looked at."""
    for name in ["b.md", "a.txt", "sub/c.HTML", "sub/d.rst", "e.exe", ".git/f.md", ".g.md"]:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
    listing = await reader.list_documents(make_source(str(tmp_path)))
    names = ["a.txt", "b.md", "sub/c.HTML", "sub/d.rst"]
    assert listing.urls == tuple((tmp_path / name).as_uri() for name in names)
    assert (listing.is_complete, listing.skipped.total) == (True, 1)


async def test_reader_stays_in_the_folder(reader: SourceReader, tmp_path: Path) -> None:
    """A link that leads out, a pipe and `..` are refused; a link within is a file."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("secret")
    (root / "own.md").write_text("own")
    (root / "link.md").symlink_to(root / "own.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.md")
    source = make_source(str(root))
    listing = await reader.list_documents(source)
    assert [url.rpartition("/")[2] for url in listing.urls] == ["link.md", "own.md"]
    assert listing.skipped.total == 2
    for name in ["out.md", "pipe.md", "sub/../../secret.md"]:
        outcome = await reader.read(source, f"{root.as_uri()}/{name}", NONE)
        assert isinstance(outcome, Unreadable), name
        assert not outcome.is_gone


async def test_read_gives_a_files_bytes_and_kind(reader: SourceReader, tmp_path: Path) -> None:
    """Bytes as they are; the kind by the suffix, plain text for an unknown one."""
    (tmp_path / "a b.md").write_bytes(b"\xff# A")
    (tmp_path / "notes.log").write_bytes(b"n")
    folder = make_source(str(tmp_path))
    (url,) = (await reader.list_documents(folder)).urls
    assert await reader.read(folder, url, NONE) == RawDocument(url, b"\xff# A", "text/markdown")
    single = make_source(str(tmp_path / "notes.log"))
    (url,) = (await reader.list_documents(single)).urls
    assert await reader.read(single, url, NONE) == RawDocument(url, b"n", "text/plain")


async def test_read_says_when_a_file_is_gone_or_too_large(
    reader: SourceReader, tmp_path: Path
) -> None:
    """Gone is a fact for the sync; too large is not gone."""
    (tmp_path / "a.md").write_text("x" * 1_001)
    source = make_source(str(tmp_path))
    (url,) = (await reader.list_documents(source)).urls
    large = await reader.read(source, url, NONE)
    assert isinstance(large, Unreadable)
    assert not large.is_gone
    assert large.reason == (
        "the file has 0.1 MB, and at most 0.001 MB are read; set MAX_FILE_MB to read larger ones"
    )
    (tmp_path / "a.md").unlink()
    gone = await reader.read(source, url, NONE)
    assert gone == Unreadable(url, "there is no such file", is_gone=True)


@pytest.mark.req("RAG-3")
async def test_files_can_have_the_address_where_they_are_published(
    reader: SourceReader, tmp_path: Path
) -> None:
    """Citations of a folder then open on the web; the address leads back to the file."""
    (tmp_path / "ja").mkdir()
    (tmp_path / "ja" / "資 金.v2.md").write_text("x")
    (tmp_path / "same.html").write_text("<p>same")
    (tmp_path / "same.md").write_text("same")
    base = "https://example.com/docs"
    source = make_source(str(tmp_path), base_url=base, strip_suffix=True)
    listing = await reader.list_documents(source)
    assert listing.urls == (f"{base}/ja/%E8%B3%87%20%E9%87%91.v2", f"{base}/same")
    assert listing.skipped.total == 1
    outcomes = [await reader.read(source, url, NONE) for url in listing.urls]
    assert [o.data for o in outcomes if isinstance(o, RawDocument)] == [b"x", b"<p>same"]
    gone = await reader.read(source, f"{base}/gone", NONE)
    assert isinstance(gone, Unreadable)
    assert gone.is_gone
    single = make_source(str(tmp_path / "same.md"), base_url=base)
    assert (await reader.list_documents(single)).urls == (f"{base}/same.md",)


async def test_list_documents_is_not_complete_without_the_folder(
    reader: SourceReader, tmp_path: Path
) -> None:
    """A disk that is not mounted is no reason to forget its documents; nor is an empty folder."""
    root = tmp_path / "root"
    root.mkdir()
    source = make_source(str(root))
    empty = await reader.list_documents(source)
    root.rmdir()
    missing = await reader.list_documents(source)
    assert (empty.is_complete, missing.is_complete) == (False, False)
    assert "contains no document" in empty.problem
    assert "no such folder" in missing.problem


def test_list_folder_stops_at_a_limit(tmp_path: Path) -> None:
    """A tree without end is not walked to it, and nothing of it is taken for removed."""
    for name in "abc":
        (tmp_path / f"{name}.md").touch()
    listing = list_folder(str(tmp_path), lambda _: "", most=2)
    assert len(listing.paths) == 2
    assert "more than 2" in listing.problem


@pytest.mark.req("RAG-1")
async def test_list_documents_of_a_url_list_from_file_and_web(
    reader: SourceReader, tmp_path: Path
) -> None:
    """The same lines give the same pages; a line that is none makes the list incomplete."""
    lines = "# pages\nhttps://x.example/1\nhttps://x.example/2#a\n"
    file = tmp_path / "urls.txt"
    file.write_text(lines)
    urls = ("https://x.example/1", "https://x.example/2")
    with served(_one_page(PlainTextResponse(lines))) as url:
        for source in [make_source(str(file)), make_source(url, kind="url-list")]:
            listing = await reader.list_documents(source)
            assert (listing.urls, listing.is_complete) == (urls, True)
    file.write_text(lines + "x.example/3\n")
    listing = await reader.list_documents(make_source(str(file), kind="url-list"))
    assert (listing.urls, listing.is_complete, listing.skipped.total) == (urls, False, 1)
    assert "x.example/3" in listing.problem


async def test_list_documents_is_not_complete_when_the_list_cannot_be_had(
    reader: SourceReader, tmp_path: Path
) -> None:
    """A failing server, an empty list and a kind not yet known remove nothing."""
    file = tmp_path / "urls.txt"
    file.write_text("# nothing\n")
    with served(_one_page(Response(status_code=404))) as url:
        sources = [
            make_source(url, kind="url-list"),
            make_source(str(file), kind="url-list"),
            make_source(f"{url}/sitemap.xml"),
        ]
        listings = [await reader.list_documents(source) for source in sources]
    assert [listing.is_complete for listing in listings] == [False, False, False]
    assert "HTTP 404" in listings[0].problem
    assert "contains no address" in listings[1].problem
    assert "HTTP 404" in listings[2].problem


@pytest.mark.parametrize(
    ("content_type", "path", "media_type"),
    [
        ("text/html; charset=Shift_JIS", "a", "text/html"),
        ("application/xhtml+xml", "a", "text/html"),
        ("text/markdown", "a", "text/markdown"),
        ("text/plain", "a.md", "text/markdown"),
        ("text/plain", "a.html", "text/plain"),
        ("application/octet-stream", "a.rst", "text/x-rst"),
        ("", "a.html", "text/html"),
        ("application/pdf; x=y", "a", "application/pdf"),
        ("image/png", "a.png", None),
        ("", "a.bin", None),
    ],
)
async def test_read_knows_what_a_page_is(
    reader: SourceReader, content_type: str, path: str, media_type: str | None
) -> None:
    """The server's word counts, and the suffix where that says little."""
    response = Response(b"x", headers={"Content-Type": content_type, "ETag": "e"})
    with served(_one_page(response)) as address:
        url = f"{address}/{path}"
        outcome = await reader.read(make_source(url, kind="page"), url, NONE)
    if media_type is None:
        assert isinstance(outcome, Unreadable)
        assert "cannot be read" in outcome.reason
    else:
        assert isinstance(outcome, RawDocument)
        assert outcome.media_type == media_type
        assert outcome.charset == ("shift_jis" if "Shift_JIS" in content_type else None)
        assert outcome.etag == "e"


@pytest.mark.req("RAG-5")
async def test_read_tells_unchanged_from_gone(reader: SourceReader) -> None:
    """304 and 404 are outcomes, not errors."""

    async def answer(request: Request) -> Response:
        is_known = request.headers.get("If-None-Match") == '"1"'
        return Response(status_code=304 if is_known else 404)

    with served(Starlette(routes=[Route("/", answer)])) as url:
        source = make_source(url)
        unchanged = await reader.read(source, source.root_url, Validators(etag='"1"'))
        gone = await reader.read(source, source.root_url, NONE)
    assert unchanged == NotModified(source.root_url)
    assert isinstance(gone, Unreadable)
    assert gone.is_gone


@pytest.mark.req("RAG-5")
async def test_read_asks_twice_before_a_page_is_gone(reader: SourceReader) -> None:
    """One 404 may be a site that is being updated."""
    missing = Response(status_code=404)
    with site(missing, Response("back", media_type="text/plain")) as (server, url):
        back = await reader.read(make_source(url), url, NONE)
    assert isinstance(back, RawDocument)
    assert len(server.requests) == 2
    with site(missing) as (server, url):
        gone = await reader.read(make_source(url), url, NONE)
    assert gone == Unreadable(url, "there is no such page (HTTP 404)", is_gone=True)
    assert len(server.requests) == 2
    with site(missing, Response(status_code=500)) as (_, url):
        failed = await reader.read(make_source(url), url, NONE)
    assert failed == Unreadable(url, "server trouble (HTTP 500)", is_gone=False)


async def test_read_keeps_the_address_that_is_listed(reader: SourceReader) -> None:
    """The target of a redirect may change from day to day."""
    moved = RedirectResponse("/there")
    with site(moved, Response("x", media_type="text/plain")) as (_, url):
        outcome = await reader.read(make_source(url), url, NONE)
    assert isinstance(outcome, RawDocument)
    assert outcome.url == url


@pytest.mark.req("RAG-1")
async def test_list_documents_of_a_url_list_takes_each_page_once(
    reader: SourceReader, tmp_path: Path
) -> None:
    """Spellings of one address are one page; patterns see its path."""
    lines = [
        "HTTPS://X.example:443/docs/~a",
        "https://x.example/docs/%7ea#part",
        "https://x.example/docs/../docs/~a",
        "https://x.example/docs/b.pdf",
        "https://x.example/blog/c",
    ]
    (tmp_path / "urls.txt").write_text("\n".join(lines))
    source = make_source(str(tmp_path / "urls.txt"), include=["/docs/**"], exclude=["*.pdf"])
    listing = await reader.list_documents(source)
    assert (listing.urls, listing.is_complete) == (("https://x.example/docs/~a",), True)
    assert listing.skipped.counts == {"left out by --include or --exclude": 2}
    nothing = await reader.list_documents(replace(source, include=("/none/**",)))
    assert (nothing.is_complete, nothing.urls) == (False, ())


def _one_page(response: Response) -> Starlette:
    async def answer(_: Request) -> Response:
        return response

    return Starlette(routes=[Route("/{path:path}", answer)])
