"""The page Knowledge over HTTP: what is added there is read by the bot's own worker."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import lxml.html
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.acceptance.operators import give_role
from tests.acceptance.visitors import Visitor, visiting, words
from tests.acceptance.world import (
    ADMIN,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.git_server import serve_git
from tests.integration.sandbox_openai.serving import served

BASE = "/operator/knowledge"
HOSTILE = "<script>alert(1)</script> & \u202e'\"evil"
COUNT = "SELECT count(*) AS number FROM {0}"
PAGES = 4


@dataclass(slots=True)
class SlowSite:
    """A site with a sitemap; its pages are served once the gate is open."""

    url: str = ""
    gate: threading.Event = field(default_factory=threading.Event)

    async def answer(self, request: Request) -> Response:
        """A page, the sitemap, or the first page."""
        path = request.url.path
        if path == "/sitemap.xml":
            urls = "".join(f"<url><loc>{self.url}/page/{n}</loc></url>" for n in range(PAGES))
            space = "http://www.sitemaps.org/schemas/sitemap/0.9"
            return Response(f'<urlset xmlns="{space}">{urls}</urlset>', media_type="text/xml")
        if path == "/":
            return Response("# Home\n\nWelcome to the mill.", media_type="text/markdown")
        if not path.startswith("/page/"):
            return Response("not here", 404)
        await asyncio.to_thread(self.gate.wait, 60)
        if path == "/page/3":
            return Response("away", 403)
        text = f"# Mill {path[-1]} {HOSTILE}\n\nWheel number {path[-1]} grinds {HOSTILE} barley."
        return Response(text, media_type="text/markdown")


@contextmanager
def serve_slow_site() -> Iterator[SlowSite]:
    """The site on a free port."""
    site = SlowSite()
    with served(Starlette(routes=[Route("/{path:path}", site.answer)])) as url:
        site.url = url
        try:
            yield site
        finally:
            site.gate.set()


@pytest.fixture(scope="module")
def prepared(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A database without documents, and a sandbox: two bots of one would share its updates."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        more = {"DATA_DIR": str(tmp_path_factory.mktemp("data")), "MAX_FILE_MB": "1"}
        yield World(sandbox, environment(sandbox.url, url, **more), url)


@pytest.fixture(scope="module")
def served_bot(prepared: World) -> Iterator[World]:
    """The bot, which serves the pages and reads the sources."""
    with running_bot(prepared.environment):
        yield prepared


@pytest.fixture
def owner(served_bot: World) -> Iterator[Visitor]:
    """The owner at their pages."""
    with visiting(served_bot, ADMIN) as visitor:
        yield visitor


def said(visitor: Visitor, path: str, part: str) -> str:
    """The words of a page, once they contain a part."""

    def found() -> str | None:
        answer = visitor.get(path)
        time.sleep(0.3)  # a page that is open is not fetched more often, either
        assert answer.status_code == 200, answer.text
        text = words(lxml.html.fromstring(answer.text))
        return text if part in text else None

    return wait_until(found, f"{path} says {part}", deadline_s=60)


def path_after(answer: httpx.Response) -> str:
    """The path to which a form led."""
    assert answer.status_code == 200, answer.text
    return answer.url.path


def links(visitor: Visitor, path: str, kind: str) -> list[str]:
    """The paths of the links of a page to sources or documents."""
    page = visitor.page(path)
    return [str(link) for link in page.xpath("//main//a/@href") if f"{BASE}/{kind}/" in link]


@pytest.mark.costs("it starts a bot that reads a site")
def test_site_is_added_read_seen_and_removed(served_bot: World, owner: Visitor, user: int) -> None:
    """Looked at, added once by two clicks, followed while it is read, found, and gone again."""
    with serve_slow_site() as site:
        look = owner.post(f"{BASE}/look", target=site.url)
        assert look.status_code == 200
        assert "Preview the whole site" in look.text
        look = owner.post(f"{BASE}/look", target=f"{site.url}/sitemap.xml")
        assert f"Documents: {PAGES}" in look.text
        fields = {"target": f"{site.url}/sitemap.xml", "kind": "sitemap", "name": HOSTILE}
        first, second = (owner.post(f"{BASE}/add", **fields) for _ in range(2))
        source = path_after(first)
        assert source == path_after(second)
        assert "as soon as one is free" in first.text
        progress = said(owner, BASE, f"0 of {PAGES} documents")
        assert "Being read" in progress
        assert HOSTILE.split("&", maxsplit=1)[0] in progress
        site.gate.set()
        assert "403" in said(owner, source, "What is missing")
    assert len(links(owner, source, "documents")) == PAGES - 1
    hostile = owner.page(source)
    assert not hostile.xpath("//script[not(@src)]")
    document = links(owner, source, "documents")[0]
    text = words(owner.page(document))
    assert "Wheel number" in text
    assert "Everybody who may use the bot." in text
    assert not owner.page(document).xpath("//script[not(@src)]")
    search_as_a_user(served_bot, owner, user, source, document)
    gone = owner.post(f"{source}/remove")
    assert path_after(gone) == BASE
    assert owner.post(f"{source}/remove").status_code == 404
    assert owner.get(source).status_code == 404
    assert served_bot.rows("SELECT 1 FROM rag_documents WHERE url LIKE '%%/page/%%'") == []


def search_as_a_user(world: World, owner: Visitor, user: int, source: str, document: str) -> None:
    """The source in a space is found by its readers alone, and the audit tells who looked."""
    owner.post(f"{BASE}/spaces/grant", space="Millers")
    assert owner.post(f"{source}/space", space="Millers").status_code == 200
    assert "“Millers” is open to" in words(owner.page(document))
    question = {"user": str(user), "q": "Which wheel grinds barley?"}
    nothing = lxml.html.fromstring(owner.post(f"{BASE}/search", **question).text)
    assert "Seen as" in words(nothing)
    assert "grinds" not in " ".join(nothing.xpath("//blockquote//text()"))
    wrong = owner.post(f"{BASE}/spaces/grant", space="Millers", reader="somebody")
    assert wrong.status_code == 400
    assert "list:NAME" in wrong.text
    owner.post(f"{BASE}/spaces/grant", space="Millers", reader=f"user:{user}")
    found = lxml.html.fromstring(owner.post(f"{BASE}/search", **question).text)
    assert "grinds" in " ".join(found.xpath("//blockquote//text()"))
    assert f"May read it as: user:{user}" in words(found)
    audit = words(owner.page("/operator/audit", q="knowledge.search_as"))
    assert f"as_user{user}" in audit
    by = "SELECT details FROM audit_records WHERE action = 'knowledge.search_as'"
    assert len(world.rows(by)) == 2


@pytest.mark.costs("the bot reads what was uploaded")
def test_files_are_uploaded_read_and_removed(served_bot: World, owner: Visitor) -> None:
    """Several at once, under hostile names; one that cannot be read stops the rest."""
    files = [
        ("files", ("a <b>&\u202e.md", b"# Sluice\n\nThe sluice opens at dawn.")),
        ("files", ("b.txt", b"The miller sleeps at noon.")),
    ]
    refused = owner.post(f"{BASE}/upload", [*files, ("files", ("c.exe", b"x"))], name="Sheets")
    assert refused.status_code == 400
    assert ".docx" in refused.text
    too_large = owner.post(f"{BASE}/upload", [("files", ("d.md", b"x" * 1_500_000))], name="Sheets")
    assert too_large.status_code == 400
    assert "1 MB" in too_large.text
    assert served_bot.rows("SELECT 1 FROM rag_uploads") == []
    source = path_after(owner.post(f"{BASE}/upload", files, name="Sheets"))
    assert "The sluice opens" in words(owner.page(document_called(owner, source, "Sluice")))
    assert len(links(owner, source, "documents")) == 2
    page = owner.page(source)
    names = page.xpath("//main//form//input[@type='hidden'][@name='name']/@value")
    assert "a <b>&\u202e.md" in names
    owner.post(f"{source}/file", name="a <b>&\u202e.md")
    assert len(links(owner, source, "documents")) == 1
    owner.post(f"{source}/schedule", every="6h")
    assert "every 6h" in words(owner.page(source))
    wrong = owner.post(f"{source}/schedule", every="soon")
    assert wrong.status_code == 400
    assert "15m, 6h or 1d" in wrong.text
    assert "Read now" in words(owner.page(source))
    owner.post(f"{source}/status", status="inactive")
    assert "left out" in words(owner.page(BASE))
    assert "Read now" not in words(owner.page(source))
    assert "Use it again first." in owner.post(f"{source}/read").text
    again = owner.post(f"{BASE}/upload", files[1:], name="Sheets").text
    assert "Saved." in again
    assert "as soon as one is free" not in again
    owner.post(f"{source}/remove")
    assert served_bot.rows("SELECT 1 FROM rag_uploads") == []


def document_called(visitor: Visitor, source: str, title: str) -> str:
    """The path of a document of a source, once it is stored."""
    said(visitor, source, title)
    page = visitor.page(source)
    (link,) = page.xpath(f"//main//a[contains(., '{title}')]/@href")
    return str(link)


def test_role_decides_what_may_be_changed(served_bot: World, user: int) -> None:
    """A viewer changes nothing; an author adds, but neither looks as others nor moves sources."""
    give_role(served_bot, user, "viewer")
    forms = ("look", "add", "upload", "spaces/grant", "search", "connect/git")
    acts = ("remove", "read", "schedule", "status", "space", "file")
    with visiting(served_bot, user) as viewer:
        page = viewer.page(BASE)
        assert not page.xpath("//main//form[@method='post']")
        for path in (*forms, *(f"sources/src_1/{act}" for act in acts)):
            refused = viewer.post(f"{BASE}/{path}", target="https://a.example")
            assert refused.status_code == 403, path
    served_bot.rows("UPDATE operator_roles SET role = 'author' RETURNING user_id")
    with visiting(served_bot, user) as author:
        assert author.page(BASE).xpath("//main//form[@method='post']")
        for path in ("spaces/grant", "search", "connect/git", "sources/src_1/space"):
            assert author.post(f"{BASE}/{path}").status_code == 403, path
        for target in ("/etc/passwd", "file:///etc/passwd", "ftp://a.example"):
            refused = author.post(f"{BASE}/add", target=target)
            assert refused.status_code == 400
            assert "https://" in refused.text
    assert served_bot.rows("SELECT 1 FROM rag_sources") == []


@pytest.mark.costs("the bot reads a repository")
@pytest.mark.feature("connectors")
def test_service_is_connected_with_a_sealed_secret(
    served_bot: World, owner: Visitor, tmp_path: Path
) -> None:
    """By a form of its options; what it refuses stands at the form, its secret nowhere."""
    with serve_git(tmp_path) as server:
        server.token = "glpat-secret"
        work = server.make("handbook")
        work.write("leave.md", "# Leave\n\nLeave is requested by the green form.")
        work.push()
        assert "Address to clone from" in words(owner.page(f"{BASE}/connect/git"))
        fields = {"option-address": work.address, "option-include": "*.md\n", "every": "1h"}
        refused = owner.post(f"{BASE}/connect/git", **fields, secret="wrong-secret")
        assert refused.status_code == 400
        fields["secret"] = server.token
        trial = owner.post(f"{BASE}/connect/git", **fields, **{"try": "yes"})
        assert "Documents: 1" in trial.text
        assert served_bot.rows("SELECT 1 FROM rag_connections") == []
        source = path_after(owner.post(f"{BASE}/connect/git", **fields))
        said(owner, source, "Leave")
    answer = owner.get(f"{BASE}/connect/git", source=source.rpartition("/")[2])
    assert work.address in answer.text
    audit = owner.get("/operator/audit").text + str(served_bot.rows("SELECT * FROM audit_records"))
    for secret in ("glpat-secret", "wrong-secret"):
        assert secret not in answer.text + audit
        assert secret not in str(served_bot.rows("SELECT config, secret FROM rag_connections"))
    owner.post(f"{source}/remove")
