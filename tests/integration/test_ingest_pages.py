"""Web pages that are not content, or not to be stored, over real HTTP and PostgreSQL."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ingest.display import show_report
from rich_agent.repositories.database.pools import Databases
from tests.integration.ingest_support import Library, open_library, paragraph
from tests.integration.sandbox_openai.serving import served
from tests.sandbox_server import RunningSandbox
from tests.unit.documents.documents import Pdf


@dataclass(slots=True)
class WebSite:
    """Pages by path; any other path is a 404, or a page with `missing` as its body."""

    url: str = ""
    pages: dict[str, Response] = field(default_factory=dict)
    missing: str = ""
    paths: list[str] = field(default_factory=list)

    def publish(self, path: str, body: str, head: str = "", **headers: str) -> str:
        """Serve this page from now on; the address."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = HTMLResponse(web_page(body, head), headers=names)
        return f"{self.url}{path}"

    def list_pages(self, *paths: str) -> str:
        """Serve a sitemap of these pages; its address."""
        entries = "".join(f"<url><loc>{self.url}{path}</loc></url>" for path in paths)
        self.pages["/sitemap.xml"] = Response(f"<urlset>{entries}</urlset>")
        return f"{self.url}/sitemap.xml"

    async def answer(self, request: Request) -> Response:
        """The page asked for."""
        self.paths.append(request.url.path)
        path = request.url.path
        if path in self.pages:
            return self.pages[path]
        if not self.missing or path == "/robots.txt":
            return Response("gone", 404)
        return HTMLResponse(web_page(self.missing.format(path=path)))


def web_page(body: str, head: str = "") -> str:
    """A page with this body."""
    return f"<!doctype html><html><head><title>Pool</title>{head}</head><body>{body}</body></html>"


def article(topic: str) -> str:
    """The body of a page with content."""
    return f"<main><h1>About {topic}</h1><p>{paragraph(topic)}</p></main>"


@contextmanager
def serve_pages() -> Iterator[WebSite]:
    """A site without pages on a free port."""
    site = WebSite()
    with served(Starlette(routes=[Route("/{path:path}", site.answer)])) as url:
        site.url = url
        yield site


@pytest.fixture
def site() -> Iterator[WebSite]:
    """A site without pages."""
    with serve_pages() as made:
        yield made


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources."""
    async with open_library(databases.rag, sandbox.url) as made:
        yield made


async def stored(library: Library, site: WebSite) -> list[str]:
    """The paths of the stored documents."""
    rows = await library.rows("SELECT url FROM rag_documents ORDER BY url")
    return [row["url"].removeprefix(site.url) for row in rows]


@pytest.mark.costs("it starts a process that reads pages")
async def test_sync_lists_pages_that_are_not_content_by_kind(
    library: Library, site: WebSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are not stored, and the report says what to do."""
    site.publish("/pool", article("pools"))
    site.publish("/in", "<h1>Anmelden</h1><form><input type=password><button>Los</button></form>")
    site.publish("/app", "<div id=root></div><script src=app.js></script>")
    site.publish("/app2", "<div id=root>Loading…</div><script src=app.js></script>")
    await library.add(site.list_pages("/pool", "/in", "/app", "/app2"), kind="sitemap")
    report = await library.sync()
    assert await stored(library, site) == ["/pool"]
    assert sorted(len(urls) for urls in report.causes().values()) == [1, 2]
    show_report(report, dry_run=False)
    told = capsys.readouterr().err
    assert "failed: 2 documents: the page has no text until a browser runs its scripts" in told
    assert f"failed: {site.url}/in: the page asks to sign in" in told


@pytest.mark.costs("it syncs twice")
async def test_page_that_was_stored_by_mistake_is_removed(library: Library, site: WebSite) -> None:
    """A page that is not content goes; one that was content, and asks to sign in now, stays."""
    wall = "<h1>Anmelden</h1><form><input type=password><button>Los</button></form>"
    site.publish("/a", article("pools"))
    site.publish("/b", article("lakes"))
    await library.add(site.list_pages("/a", "/b"), kind="sitemap")
    await library.sync()
    site.publish("/a", wall)
    site.publish("/b", wall)
    raw_hash = sha256(b"text/html utf-8\n" + web_page(wall).encode()).hexdigest()
    query = (
        "UPDATE rag_documents SET raw_hash = %s, pipeline_version = 7 WHERE url = %s RETURNING 1"
    )
    await library.rows(query, raw_hash, f"{site.url}/a")
    report = await library.sync()
    assert [failure.url for failure in report.failures] == [f"{site.url}/b"]
    assert list(report.left_out.values()) == [[f"{site.url}/a"]]
    assert await stored(library, site) == ["/b"]


@pytest.mark.costs("it syncs four times")
async def test_page_that_must_not_be_indexed_is_stored_only_if_it_was_named(
    library: Library, site: WebSite, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sitemap's page is left out by element and by header, and removed if it was stored."""
    site.publish("/open", article("pools"))
    site.publish("/draft", article("drafts"), head="<meta name=robots content=noindex>")
    site.publish("/price", article("prices"), x_robots_tag="noindex")
    site.publish("/later", article("lakes"))
    await library.add(site.list_pages("/open", "/draft", "/price", "/later"), kind="sitemap")
    report = await library.sync()
    assert await stored(library, site) == ["/later", "/open"]
    assert [len(urls) for urls in report.left_out.values()] == [2]
    assert (report.documents.new, report.documents.failed) == (2, 0)
    show_report(report, dry_run=False)
    assert "not stored: 2 pages: the page asks programs not to index it" in capsys.readouterr().err
    site.publish("/later", article("lakes"), x_robots_tag="none")
    planned = await library.sync(dry_run=True)
    assert planned.planned is not None
    assert planned.planned.removed == [f"{site.url}/later"]
    report = await library.sync()
    assert report.documents.removed == 1
    assert await stored(library, site) == ["/open"]
    await library.add(f"{site.url}/draft", kind="page")
    await library.sync()
    assert await stored(library, site) == ["/draft", "/open"]


async def test_page_that_leads_on_is_read_where_it_leads(library: Library, site: WebSite) -> None:
    """It is stored under its own address, like one that the server redirects."""
    site.publish("/old", "<p>Moved</p>", head='<meta http-equiv=refresh content="0;url=/new">')
    site.publish("/new", article("pools"))
    await library.add(f"{site.url}/old", kind="page")
    report = await library.sync()
    assert report.failures == []
    rows = await library.rows("SELECT url, title FROM rag_documents")
    assert rows == [{"url": f"{site.url}/old", "title": "About pools"}]


@pytest.mark.costs("it syncs four times")
async def test_page_that_the_site_shows_for_any_address_is_not_stored(
    library: Library, site: WebSite
) -> None:
    """One made-up address is read in a sync with new pages; the root exists in any case."""
    nothing = "<main><h1>Hm</h1><p>Nothing is here under {path}. Use the search instead.</p></main>"
    site.missing = nothing
    site.publish("/", nothing.format(path="/"))
    site.publish("/pool", article("pools"))
    await library.add(site.list_pages("/", "/pool", "/old", "/older"), kind="sitemap")
    report = await library.sync()
    assert await stored(library, site) == ["/", "/pool"]
    assert [sorted(urls) for urls in report.left_out.values()] == [
        [f"{site.url}/old", f"{site.url}/older"]
    ]
    listed = {"/robots.txt", "/sitemap.xml", "/", "/pool", "/old", "/older"}
    assert len(set(site.paths) - listed) == 1
    del site.pages["/pool"]
    report = await library.sync()
    assert [failure.url for failure in report.failures] == [f"{site.url}/pool"]
    assert await stored(library, site) == ["/", "/pool"]


@pytest.mark.costs("it syncs twice")
async def test_page_at_many_addresses_is_stored_once(library: Library, site: WebSite) -> None:
    """The first address is stored, the others are listed; one that says something else is kept."""
    for path in ("/pool", "/pool/", "/index/pool"):
        site.publish(path, article("pools"))
    site.publish("/lake", article("lakes"))
    await library.add(site.list_pages("/pool", "/pool/", "/lake", "/index/pool"), kind="sitemap")
    report = await library.sync()
    assert await stored(library, site) == ["/lake", "/pool"]
    assert list(report.left_out.values()) == [[f"{site.url}/pool/", f"{site.url}/index/pool"]]
    site.publish("/index/pool", article("indoor pools"))
    again = await library.sync()
    assert (again.documents.new, again.documents.unchanged, again.documents.removed) == (1, 2, 0)
    assert list(again.left_out.values()) == [[f"{site.url}/pool/"]]


async def test_scans_that_nobody_has_read_are_no_repeats(library: Library, site: WebSite) -> None:
    """Two have the same text, which is none; both are kept for a sync that reads them."""
    for number in (1, 2):
        drawing = "".join(f"{n * 10} {number}00 m {n * 10} 300 l S " for n in range(9))
        scan = Response(Pdf([drawing]).data(), media_type="application/pdf")
        site.pages[f"/{number}/scan.pdf"] = scan
    await library.add(site.list_pages("/1/scan.pdf", "/2/scan.pdf"), kind="sitemap")
    report = await library.sync()
    assert await stored(library, site) == ["/1/scan.pdf", "/2/scan.pdf"]
    assert report.left_out == {}
