"""Sitemaps over real HTTP: their forms, their limits, and what makes a listing incomplete."""

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.responses import Response

from rich_agent.documents.fetch.fetching import Fetcher
from rich_agent.documents.fetch.outcomes import Listing
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.fetch.sitemaps import (
    SitemapError,
    SitemapLimits,
    SitemapReader,
    parse_sitemap,
)
from rich_agent.documents.source import make_source
from rich_agent.domain.intranet import Intranet
from tests.unit.documents.web_site import QUICK, site

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
BILLION_LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
]><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&e;</loc></url></urlset>"""
FOREIGN_ENTITY = b"""<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>https://example.com/&x;</loc></url></urlset>"""


def urlset(*urls: str) -> bytes:
    """A sitemap of pages."""
    entries = "".join(f"<url><loc>{url}</loc><lastmod>2026-01-01</lastmod></url>" for url in urls)
    return f'<?xml version="1.0"?><urlset xmlns="{NAMESPACE}">{entries}</urlset>'.encode()


def index(*urls: str) -> bytes:
    """A sitemap of sitemaps."""
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="{NAMESPACE}">{entries}</sitemapindex>'.encode()


async def listing(
    files: Mapping[str, bytes | Response],
    *,
    target: str = "/sitemap.xml",
    limits: SitemapLimits | None = None,
    **options: object,
) -> Listing:
    """The listing of a site's sitemaps; SITE in a file is its address, and is "" in the outcome."""
    with site() as (server, address):
        for path, content in files.items():
            data = content if isinstance(content, Response) else _placed(content, address)
            server.pages[path] = data
        source = make_source(f"{address}{target}", kind="sitemap")
        fetcher = Fetcher(replace(QUICK, attempts=1))
        try:
            reader = SitemapReader(fetcher, limits)
            found = await reader.list_pages(replace(source, **options))  # type: ignore[arg-type] # a test's own fields
        finally:
            await fetcher.aclose()
    return replace(
        found,
        urls=tuple(url.removeprefix(address) for url in found.urls),
        problem=found.problem.replace(address, ""),
    )


def _placed(content: bytes, address: str) -> Response:
    return Response(content.replace(b"SITE", address.encode()))


@pytest.mark.req("RAG-1")
@pytest.mark.parametrize(
    "content",
    [
        urlset("SITE/a", "SITE/b?x=1&amp;y=2"),
        b"\xef\xbb\xbf \n" + urlset("SITE/a", "SITE/b?x=1&amp;y=2"),
        urlset("\n SITE/a ", "<![CDATA[SITE/b?x=1&y=2]]>"),
        urlset("SITE/a#part", "SITE/b?x=1&amp;y=2", "SITE/a"),
        b"SITE/a\r\n\r\nSITE/b?x=1&y=2\r\n",
        b"<urlset><url><loc>SITE/a</loc></url><url><loc>SITE/b?x=1&amp;y=2</loc></url></urlset>",
    ],
    ids=["plain", "byte-order-mark", "cdata", "repeated", "text", "no-namespace"],
)
async def test_list_pages_reads_every_form(content: bytes) -> None:
    """The same pages, each once, in the order of the sitemap."""
    found = await listing({"/sitemap.xml": content})
    assert found == Listing(("/a", "/b?x=1&y=2"), is_complete=True)


@pytest.mark.req("RAG-1")
async def test_reader_lists_a_sitemap() -> None:
    """The kind is found out from the name, and pages are read like any other."""
    with site() as (server, address):
        server.pages["/sitemap_index.xml"] = _placed(index("SITE/1.xml.gz"), address)
        packed = gzip.compress(urlset(f"{address}/a"))
        server.pages["/1.xml.gz"] = Response(packed, media_type="application/gzip")
        source = make_source(f"{address}/sitemap_index.xml")
        async with SourceReader(QUICK) as reader:
            found = await reader.list_documents(source)
    assert source.type == "sitemap"
    assert found == Listing((f"{address}/a",), is_complete=True)


async def test_list_pages_leaves_images_and_translations_out() -> None:
    """Only the address of the page itself counts."""
    content = f"""<urlset xmlns="{NAMESPACE}" xmlns:image="https://i.example" xmlns:x="https://x">
        <!-- a remark --><url><image:image><image:loc>SITE/i.png</image:loc></image:image>
        <loc>SITE/a</loc><x:link href="SITE/de/a"/></url><url><lastmod>2026</lastmod></url>
        </urlset>"""
    assert (await listing({"/sitemap.xml": content.encode()})).urls == ("/a",)


async def test_list_pages_keeps_to_its_site() -> None:
    """Other hosts, ports and schemes are counted and left out; a lookalike is another host."""
    others = [
        "https://example.com/a",
        "http://127.0.0.1.example.com/",
        "http://127.0.0.1:9/",
        "file:///etc/passwd",
        "http://me:word@127.0.0.1/",
        "/relative",
    ]
    files = {
        "/sitemap.xml": index("SITE/1.xml", "https://example.com/2.xml"),
        "/1.xml": urlset("SITE/a", *others),
    }
    found = await listing(files)
    assert (found.urls, found.is_complete, found.problem) == (("/a",), True, "")
    assert found.skipped.counts == {"of other sites": 4, "that are not web addresses": 3}


async def test_list_pages_takes_www_for_the_same_site() -> None:
    """And the other spellings of its name; another port is another site."""
    with site() as (server, address):
        port = address.rpartition(":")[2]
        pages = [f"http://{host}:{port}/a" for host in ("www.localhost", "LOCALHOST")]
        server.pages["/sitemap.xml"] = Response(urlset(*pages, "http://localhost/a"))
        intranet = Intranet.parse(["localhost"])
        async with SourceReader(replace(QUICK, intranet=intranet)) as reader:
            found = await reader.list_documents(make_source(f"http://localhost:{port}/sitemap.xml"))
    assert found.urls == (f"http://www.localhost:{port}/a", f"http://localhost:{port}/a")
    assert found.skipped.total == 1


async def test_list_pages_selects_by_path() -> None:
    """Patterns see the path as it is read, without the query."""
    urls = ["SITE/docs/a?b=/c", "SITE/docs/%E8%B3%87/b", "SITE/docs/c.pdf", "SITE/blog/d"]
    found = await listing(
        {"/sitemap.xml": urlset(*urls)}, include=("/docs/資/*", "docs/*"), exclude=("*.pdf",)
    )
    assert found.urls == ("/docs/a?b=/c", "/docs/%E8%B3%87/b")
    assert (found.is_complete, found.skipped.total) == (True, 2)


@pytest.mark.parametrize(("depth", "is_complete"), [(2, True), (1, False), (0, False)])
async def test_list_pages_goes_down_to_a_depth(depth: int, is_complete: bool) -> None:  # noqa: FBT001 - a row
    """Deeper sitemaps are reported, not silently skipped."""
    files = {
        "/sitemap.xml": index("SITE/1.xml"),
        "/1.xml": index("SITE/2.xml"),
        "/2.xml": urlset("SITE/a"),
    }
    found = await listing(files, depth=depth)
    assert found.is_complete == is_complete
    assert ("--depth" in found.problem) != is_complete
    assert found.urls == (("/a",) if is_complete else ())


async def test_list_pages_ends_in_a_circle() -> None:
    """Each sitemap is read once."""
    files = {
        "/sitemap.xml": index("SITE/1.xml", "SITE/sitemap.xml"),
        "/1.xml": index("SITE/sitemap.xml", "SITE/1.xml", "SITE/2.xml"),
        "/2.xml": urlset("SITE/a"),
    }
    assert await listing(files) == Listing(("/a",), is_complete=True)


@pytest.mark.parametrize("named", ["Sitemap: SITE/map.xml\n", ""], ids=["robots", "guess"])
async def test_list_pages_finds_the_sitemaps_of_a_site(named: str) -> None:
    """Sitemaps that robots.txt names, or else the usual place."""
    files = {
        "/robots.txt": f"User-agent: *\nDisallow: /x\n{named}".encode(),
        "/map.xml" if named else "/sitemap.xml": urlset("SITE/a"),
    }
    assert (await listing(files, target="/")).urls == ("/a",)


async def test_list_pages_needs_robots_to_find_sitemaps() -> None:
    """A host that is down lists nothing, and loses nothing."""
    found = await listing({"/robots.txt": Response(status_code=500)}, target="/")
    assert not found.is_complete
    assert "robots.txt could not be fetched" in found.problem


@pytest.mark.req("RAG-5")
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (Response(status_code=404), "HTTP 404"),
        (Response(status_code=500), "HTTP 500"),
        (b"", "this is not a sitemap"),
        (urlset("SITE/b")[:-52], "its XML is broken"),
        (b"<html><body>Gone</body></html>", "begins with <html>"),
        (b"<!DOCTYPE html><html></html>", "begins with <html>"),
        (b"Not found", "holds 'Not found'"),
        (BILLION_LAUGHS, "declares entities"),
        (FOREIGN_ENTITY, "declares entities"),
        (gzip.compress(urlset("SITE/b"))[:-12], "broke off"),
        (b"\x1f\x8bjunk", "cannot be decompressed"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_list_pages_is_not_complete_with_a_broken_part(
    broken: bytes | Response, words: str
) -> None:
    """The other sitemaps are read all the same, and the problem is named with its place."""
    files = {
        "/sitemap.xml": index("SITE/1.xml", "SITE/2.xml"),
        "/1.xml": broken,
        "/2.xml": urlset("SITE/a"),
    }
    found = await listing(files)
    assert (found.urls, found.is_complete) == (("/a",), False)
    assert words in found.problem
    assert "/1.xml" in found.problem


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (SitemapLimits(urls_in_one=2), "only the first 2 are read"),
        (SitemapLimits(urls=4), "more than 4 pages"),
        (SitemapLimits(sitemaps=2), "more than 2 sitemaps"),
        (SitemapLimits(size_bytes=300), "0.0003 MB"),
    ],
)
async def test_list_pages_is_not_complete_beyond_a_limit(limits: SitemapLimits, words: str) -> None:
    """No site fills the memory, and what was cut off is not taken for removed."""
    files = {
        "/sitemap.xml": index("SITE/1.xml", "SITE/2.xml"),
        "/1.xml": urlset("SITE/a", "SITE/b", "SITE/c"),
        "/2.xml": urlset("SITE/d", "SITE/e", "SITE/f"),
    }
    found = await listing(files, limits=limits)
    assert not found.is_complete
    assert words in found.problem


CASES = Path(__file__).parents[2] / "cases" / "readers"
RSS = """<rss version="2.0"><channel><link>SITE/</link><item><link>SITE/a</link></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="SITE/"/><entry>
<link rel="edit" href="SITE/edit"/><link href="SITE/a"/></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/"><item><link>SITE/a</link></item></rdf:RDF>"""


@pytest.mark.parametrize(
    "content",
    [
        (CASES / "sitemap_ampersand.xml").read_bytes().replace(b"https://site.example", b"SITE"),
        urlset("SITE/list?page=1&sort=up", "<![CDATA[SITE/about]]>"),
        urlset("SITE/list?page=1&amp;sort=up", "SITE/ab\x08out"),
        urlset("SITE/list?page=1&amp;sort=up", "SITE/about").replace(
            b"<urlset", b'<!DOCTYPE urlset SYSTEM "SITE/sitemap.dtd"><urlset'
        ),
    ],
    ids=["case", "ampersand-beside-cdata", "control-character", "document-type"],
)
async def test_list_pages_reads_past_stray_bytes(content: bytes) -> None:
    """Nothing is missing, although strict XML forbids these bytes."""
    found = await listing({"/sitemap.xml": content})
    assert found == Listing(("/list?page=1&sort=up", "/about"), is_complete=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            (CASES / "sitemap_cut.xml").read_bytes().replace(b"https://site.example", b"SITE"),
            "its XML is broken",
        ),
        (urlset("SITE/one", "SITE/two", "SITE/three")[:-52], "its XML is broken"),
        (urlset("SITE/one", "SITE/two").replace(b"</url>", b"", 1), "its XML is broken"),
        (urlset("SITE/one", "SITE/two", "SITE/&lost;"), ""),
    ],
    ids=["case", "cut", "open-element", "unknown-entity"],
)
async def test_list_pages_reads_what_is_intact(content: bytes, words: str) -> None:
    """The addresses before and after the break; half an address is none."""
    found = await listing({"/sitemap.xml": content})
    assert found.urls[:2] == ("/one", "/two")
    assert (len(found.urls), found.is_complete) == ((2, False) if words else (3, True))
    assert words in found.problem


async def test_list_pages_reads_the_start_of_a_packed_text() -> None:
    """The last line may be half an address, so it is left out."""
    with site() as (server, address):
        lines = "\n".join(f"{address}/{number}" for number in range(3))
        server.pages["/sitemap.xml"] = Response(gzip.compress(lines.encode())[:-8])
        source = make_source(f"{address}/sitemap.xml", kind="sitemap")
        async with SourceReader(QUICK) as reader:
            found = await reader.list_documents(source)
    assert found.urls == (f"{address}/0", f"{address}/1")
    assert found.problem == "the file broke off before its end"


async def test_list_pages_cuts_a_long_sitemap() -> None:
    """The first addresses are read, and the problem says how many there were."""
    content = urlset("SITE/a", "SITE/b", "SITE/c")
    found = await listing({"/sitemap.xml": content}, limits=SitemapLimits(urls_in_one=2))
    assert found.urls == ("/a", "/b")
    assert found.problem == "it holds 3 addresses, and only the first 2 are read"


@pytest.mark.parametrize("feed", [RSS, ATOM, RDF], ids=["rss", "atom", "rdf"])
async def test_list_pages_reads_a_feed(feed: str) -> None:
    """Its entries are pages; it is no problem, and never complete, since it names the newest."""
    found = await listing({"/sitemap.xml": feed.encode()})
    assert found == Listing(("/a",), is_complete=False)


def test_parse_sitemap_takes_stray_bytes_in_linear_time() -> None:
    """A megabyte of ampersands and open sections takes no longer for each byte."""
    with pytest.raises(SitemapError):
        parse_sitemap(b"<urlset>" + b"&<![CDATA[&" * 100_000, most=10)


@pytest.mark.costs("it packs a bomb")
async def test_list_pages_refuses_a_packed_bomb() -> None:
    """300 MB in 300 kB are not unpacked."""
    found = await listing({"/sitemap.xml": gzip.compress(b"<urlset>" + bytes(300_000_000))})
    assert not found.is_complete
    assert "unpacks to more than 50 MB" in found.problem


async def test_list_pages_is_not_complete_without_a_page() -> None:
    """An emptied sitemap is more often a mistake than the end of a site."""
    found = await listing({"/sitemap.xml": urlset("https://example.com/a")})
    assert (found.is_complete, found.skipped.total) == (False, 1)
    assert "no page of this host" in found.problem


def test_parse_sitemap_holds_little_of_a_large_one() -> None:
    """A deep nest and a long text are refused by the parser's own limits."""
    deep = b"<urlset>" + b"<url>" * 100_000
    with pytest.raises(SitemapError, match="XML is broken"):
        parse_sitemap(deep, most=10)
