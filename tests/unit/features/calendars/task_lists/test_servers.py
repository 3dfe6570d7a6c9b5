"""Servers that are no CalDAV servers, are broken, or lead elsewhere; over HTTP on the loopback."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rich_agent.domain.intranet import Intranet
from rich_agent.features.calendars.task_lists import servers
from rich_agent.features.calendars.task_lists.ports import (
    EntryChangedError,
    TaskListClient,
    TaskListError,
    TaskListLogin,
)
from rich_agent.features.calendars.task_lists.servers import HttpTaskListServers
from tests.integration.sandbox_openai.serving import served

METHODS = ["GET", "PUT", "DELETE", "PROPFIND", "REPORT"]
HERE = HttpTaskListServers(Intranet.parse(["127.0.0.1"]))
LIST = """<d:response><d:href>/list/</d:href><d:propstat><d:prop>
<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>{name}</d:displayname>
<cs:getctag>{tag}</cs:getctag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
</d:response>"""
ENTRY = """<d:response><d:href>/list/a%20b.ics</d:href><d:propstat><d:prop>
<d:getetag>{etag}</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
</d:response>"""


def multistatus(*responses: str, head: str = "") -> Response:
    """An answer of WebDAV."""
    names = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"'
    names += ' xmlns:cs="http://calendarserver.org/ns/"'
    body = f"{head}<d:multistatus {names}>{''.join(responses)}</d:multistatus>"
    return Response(body, 207, media_type="application/xml")


@contextmanager
def server(answer: Callable[[Request], Response]) -> Iterator[tuple[str, list[Request]]]:
    """A running server, and what it was asked."""
    asked: list[Request] = []

    async def serve(request: Request) -> Response:
        asked.append(request)
        return answer(request)

    with served(Starlette(routes=[Route("/{path:path}", serve, methods=METHODS)])) as url:
        yield url, asked


@asynccontextmanager
async def session(url: str) -> AsyncIterator[TaskListClient]:
    """A session at an address."""
    async with HERE.open(TaskListLogin(f"{url}/list/", "anna", "s3cret")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Response("<html>Hello</html>"), "address"),
        (Response(status_code=404), "address"),
        (Response("{}", 207), "address"),
        (Response("<d:x xmlns:d='DAV:'/>", 207), "address"),
        (Response(status_code=401), "login"),
        (Response(status_code=403), "refused"),
        (Response(status_code=429), "away"),
        (Response(status_code=503), "away"),
        (multistatus(), "address"),
        (multistatus(LIST.replace("<c:calendar/>", "")), "no_list"),
        (multistatus(LIST.replace("/list/", "http://[")), "address"),
        (multistatus(LIST.replace("/list/", "http://127.0.0.1:99999/")), "address"),
        (Response(status_code=302, headers={"Location": "http://["}), "address"),
    ],
)
async def test_lists_tells_what_is_wrong_with_a_server(answer: Response, problem: str) -> None:
    """In a word that the user can be told."""
    with server(lambda _: answer) as (url, _), pytest.raises(TaskListError) as failed:
        async with session(url) as opened:
            await opened.lists()
    assert failed.value.problem == problem
    assert "s3cret" not in str(failed.value)


async def test_password_goes_to_no_other_host() -> None:
    """Not even if the server redirects there, on another port of the same machine."""
    with server(lambda _: multistatus(LIST)) as (other, asked_there):

        def redirect(request: Request) -> Response:
            return RedirectResponse(f"{other}{request.url.path}", 302)

        with server(redirect) as (url, _), pytest.raises(TaskListError, match="another host"):
            async with session(url) as opened:
                await opened.lists()
    assert asked_there == []


async def test_lists_follows_a_redirect_on_the_same_host() -> None:
    """With the same method: servers redirect from /.well-known/caldav."""

    def answer(request: Request) -> Response:
        if request.url.path == "/dav/":
            return multistatus(LIST.format(name="Tasks", tag=""))
        is_known = request.url.path == "/.well-known/caldav"
        return RedirectResponse("/dav/", 301) if is_known else Response(status_code=405)

    with server(answer) as (url, asked):
        async with session(url) as opened:
            (found,) = await opened.lists()
    assert (found.name, found.url) == ("Tasks", f"{url}/list/")
    assert [one.method for one in asked] == ["PROPFIND"] * 3


async def test_answer_expands_no_entities() -> None:
    """A small document that unfolds into a large one, or into a file, is refused."""
    head = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    listed = LIST.format(name="&f;&a;", tag="")
    with server(lambda _: multistatus(listed, head=head)) as (url, _):
        async with session(url) as opened:
            with pytest.raises(TaskListError, match="not one of WebDAV"):
                await opened.lists()


async def test_answer_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends without end is not waited for."""
    monkeypatch.setattr(servers, "_MOST_BYTES", 1_000)
    endless = Response(b"x" * 5_000, 207)
    with server(lambda _: endless) as (url, _), pytest.raises(TaskListError, match="too large"):
        async with session(url) as opened:
            await opened.lists()


async def test_listing_is_asked_for_only_if_the_tag_changed() -> None:
    """Paths are compared in one way of escaping, and weak ETags without their mark."""

    def answer(request: Request) -> Response:
        is_report = request.method == "REPORT"
        return multistatus(
            ENTRY.format(etag='W/"1"') if is_report else LIST.format(name="", tag="t1")
        )

    with server(answer) as (url, asked):
        async with session(url) as opened:
            listed = await opened.listing("")
            assert listed is not None
            assert (listed.tag, listed.etags) == ("t1", {"/list/a%20b.ics": '"1"'})
            assert await opened.listing("t1") is None
    assert [one.method for one in asked] == ["PROPFIND", "REPORT", "PROPFIND"]


async def test_every_write_names_the_version_that_it_replaces() -> None:
    """If-Match for what was read, If-None-Match for what is new; 412 is an error of its own."""
    with server(lambda _: Response(status_code=204, headers={"ETag": '"2"'})) as (url, asked):
        async with session(url) as opened:
            assert await opened.write("/list/a.ics", b"text", '"1"') == '"2"'
            await opened.write("/list/b.ics", b"text", "")
            await opened.remove("/list/c.ics", '"1"')
    conditions = [(one.headers.get("If-Match"), one.headers.get("If-None-Match")) for one in asked]
    assert conditions == [('"1"', None), (None, "*"), ('"1"', None)]
    with server(lambda _: Response(status_code=412)) as (url, _):
        async with session(url) as opened:
            with pytest.raises(EntryChangedError):
                await opened.write("/list/a.ics", b"text", '"1"')
            with pytest.raises(EntryChangedError):
                await opened.remove("/list/a.ics", '"1"')


async def test_entry_that_no_request_can_name_is_an_error_of_the_server() -> None:
    """A malformed path, and an ETag that does not fit into a header."""

    def answer(request: Request) -> Response:
        if request.method == "PROPFIND":
            return multistatus(LIST.format(name="", tag=""))
        return multistatus(ENTRY.replace("/list/a%20b.ics", "http://[").format(etag='"1"'))

    with server(answer) as (url, _):
        async with session(url) as opened:
            with pytest.raises(TaskListError) as failed:
                await opened.listing("")
            assert failed.value.problem == "address"
            with pytest.raises(TaskListError) as failed:
                await opened.write("/list/a.ics", b"text", '"é"')
            assert failed.value.problem == "refused"


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://cloud.example/", "insecure"),
        ("ftp://127.0.0.1/", "address"),
        ("https://", "address"),
        ("https://192.168.1.1/", "private"),
        ("https://[::1]/", "private"),
        ("https://169.254.169.254/", "private"),
    ],
)
async def test_address_that_must_not_be_used_is_refused(url: str, problem: str) -> None:
    """Only public hosts, and encrypted, as far as the operator listed no others."""
    with pytest.raises(TaskListError) as refused:
        async with HERE.open(TaskListLogin(url, "anna", "s3cret")) as opened:
            await opened.lists()
    assert refused.value.problem == problem
