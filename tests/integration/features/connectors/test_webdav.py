"""Files on WebDAV servers: a real WsgiDAV, and servers that are broken or lead elsewhere."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cheroot.wsgi import Server
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from wsgidav.wsgidav_app import WsgiDAVApp

from rich_agent.documents.connectors.port import ConnectorError, Entry
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.webdav import files as webdav
from rich_agent.features.connectors.webdav.files import WebdavConfig, WebdavConnector, open_webdav
from tests.integration.features.connectors.follower import ODD_NAMES, Follower, rights_of
from tests.integration.sandbox_openai.serving import served

EMPTY = '<d:multistatus xmlns:d="DAV:"/>'
RESPONSE = """<d:response><d:href>{href}</d:href><d:propstat><d:prop><d:resourcetype>{kind}
</d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"""


def listed(*paths: str) -> str:
    """A description of folders, whose paths end with a slash, and of files."""
    kinds = ("<d:collection/>" if path.endswith("/") else "" for path in paths)
    found = (RESPONSE.format(href=path, kind=kind) for path, kind in zip(paths, kinds, strict=True))
    return f'<d:multistatus xmlns:d="DAV:">{"".join(found)}</d:multistatus>'


@contextmanager
def dav_server(folder: Path) -> Iterator[str]:
    """The address of a WsgiDAV that serves a folder to anna."""
    config = {
        "provider_mapping": {"/dav": str(folder)},
        "simple_dc": {"user_mapping": {"*": {"anna": {"password": "s3cret"}}}},
        "http_authenticator": {"accept_basic": True, "accept_digest": False},
        "verbose": 0,
        "logging": {"enable": False},
        "fs_dav_provider": {"follow_symlinks": True},
    }
    server = Server(("127.0.0.1", 0), WsgiDAVApp(config))
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.bind_addr[1]}/dav/"
    finally:
        server.stop()
        thread.join(5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the server."""
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.fixture
async def connector(folder: Path) -> AsyncIterator[WebdavConnector]:
    """A connector to it."""
    with dav_server(folder) as url:
        found = opened(url)
        yield found
        await found.aclose()


def opened(url: str, **options: object) -> WebdavConnector:
    """A folder of a server on this machine."""
    config = WebdavConfig.model_validate({"address": url, "user": "anna", **options})
    return open_webdav(config, "s3cret", source="src", intranet=Intranet.parse(["127.0.0.1"]))


def write(folder: Path, *paths: str) -> None:
    """Write files that hold their own names."""
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)


async def test_files_of_all_folders_are_listed_and_read(
    folder: Path, connector: WebdavConnector
) -> None:
    """Files of no readable kind, and hidden ones, are left out; nobody has rights here."""
    write(folder, "a.md", "b/c/d.txt", "b/photo.raw", ".hidden.md", ".git/x.md")
    follower = await Follower().sync(connector)
    assert await follower.texts(connector) == {"a.md": "a.md", "d.txt": "d.txt"}
    assert follower.one("d.txt").url.endswith("/dav/b/c/d.txt")
    assert {one.place for one in follower.entries.values()} == {""}
    assert await rights_of(connector) == {}
    assert sum((one.counts for one in follower.skipped), start=follower.skipped[0].counts)["raw"]
    assert await connector.check() == f"reads {connector.config.address} as anna"


async def test_changed_deleted_and_moved_files_are_noticed(
    folder: Path, connector: WebdavConnector
) -> None:
    """Each walk goes through all folders, because their ETags tell nothing of what is in them."""
    write(folder, "a.md", "b/c.md", "b/d.md")
    follower = await Follower().sync(connector)
    before = dict(follower.entries)
    (folder / "a.md").write_text("longer than before")
    (folder / "b/c.md").unlink()
    (folder / "b/d.md").rename(folder / "e.md")
    await follower.sync(connector)
    assert set(follower.entries) == {"/dav/a.md", "/dav/e.md"}
    assert follower.entries["/dav/a.md"].version != before["/dav/a.md"].version
    again = dict(follower.entries)
    await follower.sync(connector)
    assert follower.entries == again


async def test_odd_names_are_read(folder: Path, connector: WebdavConnector) -> None:
    """In names of files and of folders."""
    write(folder, *ODD_NAMES, *(f"in {name}/x{name}" for name in ODD_NAMES))
    follower = await Follower().sync(connector)
    documents = [await connector.read(one, 1_000) for one in follower.entries.values()]
    assert all(isinstance(one, RawDocument) and one.data.decode() == one.name for one in documents)
    assert len(documents) == 2 * len(ODD_NAMES)


async def test_patterns_choose_files(folder: Path) -> None:
    """Below the folder that is read."""
    write(folder, "docs/a.md", "docs/a.draft.md", "other/b.md")
    with dav_server(folder) as url:
        connector = opened(url, include=["docs/**"], exclude=["*.draft.md"])
        follower = await Follower().sync(connector)
        await connector.aclose()
    assert set(follower.entries) == {"/dav/docs/a.md"}


@pytest.mark.parametrize("dies_after", [2, 4, 5])
async def test_a_walk_that_is_killed_goes_on_where_it_was(
    folder: Path, connector: WebdavConnector, monkeypatch: pytest.MonkeyPatch, dies_after: int
) -> None:
    """Finished folders are not walked again, unfinished ones are."""
    monkeypatch.setattr(webdav, "_PORTION", 3)
    write(folder, *(f"{number % 5}/{number}.md" for number in range(20)))
    follower = await Follower().sync(connector, dies_after=dies_after)
    assert follower.cursor
    await follower.sync(connector)
    assert sum(follower.portions) < 20
    assert len(follower.entries) == 20
    assert follower.cursor == ""


async def test_a_file_of_two_gigabytes_is_refused_unread(
    folder: Path, connector: WebdavConnector
) -> None:
    """By the size that the server announces, before anything is read."""
    with (folder / "huge.txt").open("wb") as file:
        os.truncate(file.fileno(), 2_000_000_000)
    follower = await Follower().sync(connector)
    begun = time.process_time()  # of the server too, and none of the machine's load
    outcome = await connector.read(follower.one("huge.txt"), 100_000_000)
    assert isinstance(outcome, Unreadable)
    assert "has 2000 MB" in outcome.reason
    assert time.process_time() - begun < 1


@contextmanager
def strange_server(answer: Callable[[Request], Response]) -> Iterator[str]:
    """The address of a folder of a server that answers so."""

    async def serve(request: Request) -> Response:
        return answer(request)

    methods = ["GET", "PROPFIND"]
    with served(Starlette(routes=[Route("/{path:path}", serve, methods=methods)])) as url:
        yield f"{url}/dav/"


@pytest.mark.parametrize(
    ("answer", "words", "is_refused"),
    [
        (Response("<html>Hello</html>"), "not one of WebDAV", True),
        (Response("{}", 207), "not XML", True),
        (Response(EMPTY, 207), "not a folder", True),
        (Response(listed("/elsewhere/"), 207), "describes other folders", True),
        (
            Response('<!DOCTYPE d:x [<!ENTITY a "b">]>' + EMPTY, 207),
            "not one of WebDAV",
            True,
        ),
        (Response(status_code=403), "HTTP 403", True),
        (Response(status_code=404), "HTTP 404", True),
        (Response(status_code=423), "HTTP 423", False),
        (RedirectResponse("http://127.0.0.2:1/dav/"), "leads to another host", True),
        (RedirectResponse("http://169.254.169.254/"), "leads to another host", True),
        (RedirectResponse("/dav/"), "redirects too often", True),
    ],
)
async def test_servers_that_are_none_are_named_so(
    monkeypatch: pytest.MonkeyPatch, answer: Response, words: str, *, is_refused: bool
) -> None:
    """The message names the fault, and says whether waiting can help."""
    monkeypatch.setattr(webdav, "_PAUSES_S", ())
    with strange_server(lambda _: answer) as url:
        connector = opened(url)
        with pytest.raises(ConnectorError, match=words) as failed:
            await Follower().sync(connector)
        await connector.aclose()
    assert failed.value.is_refused is is_refused
    assert not is_refused or failed.value.hint


async def test_folders_without_end_are_walked_to_a_depth() -> None:
    """A server in which each folder holds another one."""

    def answer(request: Request) -> Response:
        path = request.url.path
        return Response(listed(path, f"{path}inner/"), 207)

    with strange_server(answer) as url:
        connector = opened(url)
        follower = await Follower().sync(connector)
        await connector.aclose()
    assert follower.skipped[-1].counts == {"with too long a path": 1}


async def test_names_that_are_not_utf_8_are_read() -> None:
    """A name is bytes, and stays what it is."""
    asked: list[bytes] = []

    def answer(request: Request) -> Response:
        asked.append(request.scope["raw_path"])
        if request.method == "GET":
            return Response("text")
        return Response(listed("/dav/", "/dav/%e9t%E9.md"), 207)

    with strange_server(answer) as url:
        connector = opened(url)
        follower = await Follower().sync(connector)
        (entry,) = follower.entries.values()
        outcome = await connector.read(entry, 1_000)
        await connector.aclose()
    assert isinstance(outcome, RawDocument)
    assert entry.key == "/dav/%E9t%E9.md"
    assert asked[-1] == b"/dav/%E9t%E9.md"


async def test_paths_that_lead_out_of_the_folder_are_passed_over() -> None:
    """A server cannot have anything else read by naming it."""
    paths = ("/dav/a.md", "/other/b.md", "/dav/../c.md", "/dav/x/d.md", "/dav/%2e%2e/e.md")
    with strange_server(lambda _: Response(listed("/dav/", *paths), 207)) as url:
        connector = opened(url)
        follower = await Follower().sync(connector)
        await connector.aclose()
    assert set(follower.entries) == {"/dav/a.md"}


async def test_redirects_on_the_same_host_are_followed() -> None:
    """Also for the description of a folder."""
    described = listed("/dav/")

    def answer(request: Request) -> Response:
        is_moved = request.url.path == "/dav/"
        return RedirectResponse("/real/", 308) if is_moved else Response(described, 207)

    with strange_server(answer) as url:
        connector = opened(url)
        assert (await Follower().sync(connector)).entries == {}
        await connector.aclose()


async def test_an_endless_file_is_read_up_to_the_limit() -> None:
    """A server that announces no size and sends without end."""

    def endless() -> Iterator[bytes]:
        while True:
            yield bytes(65_536)

    answer = StreamingResponse(endless())
    with strange_server(lambda _: answer) as url:
        connector = opened(url)
        entry = Entry("k", "u", '"1" /dav/a.txt')
        outcome = await connector.read(entry, 1_000_000)
        await connector.aclose()
    assert isinstance(outcome, Unreadable)
    assert "too large" in outcome.reason


@pytest.mark.parametrize(
    ("address", "words", "hint"),
    [
        ("https://127.0.0.1:1/dav/", "set INTRANET_HOSTS=127.0.0.1", "user may read"),
        ("https://169.254.169.254/dav/", "not a public address", ""),
        ("http://cloud.example.org/dav/", "in the clear", "https://"),
    ],
)
async def test_hosts_are_asked_only_if_they_are_public_or_listed(
    address: str, words: str, hint: str
) -> None:
    """The guard of the fetcher; a password is not sent in the clear."""
    config = WebdavConfig(address=address, user="anna")
    connector = open_webdav(config, "s3cret", source="src")
    with pytest.raises(ConnectorError, match=words) as refused:
        await connector.check()
    assert refused.value.is_refused
    assert not hint or hint in refused.value.hint or hint == "user may read"
    await connector.aclose()


async def test_a_wrong_password_is_named(folder: Path) -> None:
    """And the way out."""
    with dav_server(folder) as url:
        config = WebdavConfig(address=url, user="anna")
        connector = open_webdav(
            config, "wrong", source="src", intranet=Intranet.parse(["127.0.0.1"])
        )
        with pytest.raises(ConnectorError, match="wrong \\(401\\)") as refused:
            await connector.check()
        await connector.aclose()
    assert refused.value.is_refused
    assert "app password" in refused.value.hint


def test_addresses_with_logins_or_of_no_web_server_are_refused() -> None:
    """A password belongs into no configuration."""
    for address in ("https://anna:s3cret@example.org/", "ftp://example.org/", "anna"):
        with pytest.raises(ValidationError):
            WebdavConfig(address=address, user="anna")


async def test_a_server_that_is_away_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come back."""
    monkeypatch.setattr(webdav, "_PAUSES_S", (0.01,))
    connector = opened("http://127.0.0.1:9/dav/")
    with pytest.raises(ConnectorError) as away:
        await asyncio.wait_for(Follower().sync(connector), 20)
    assert not away.value.is_refused
    await connector.aclose()
