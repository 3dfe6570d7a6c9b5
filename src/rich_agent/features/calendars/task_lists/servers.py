"""Requests to CalDAV servers (RFC 4791), each write under the ETag that was read.

The library `caldav` brings a second HTTP stack, whose connections cannot be guarded; what is needed
of the protocol are five requests.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from io import BytesIO
from typing import Any, Final, ParamSpec, TypeVar

import httpx
from lxml.builder import ElementMaker

from rich_agent.feature.webdav import (
    DAV,
    XML,
    Intranet,
    WebdavClient,
    WebdavError,
    WebdavRequest,
    element_bytes,
    href_of,
    plain_path,
    properties,
    propfind,
    require_safe,
    require_success,
    responses,
    strong,
    webdav_session,
)
from rich_agent.features.calendars.task_lists.ports import (
    EntryChangedError,
    EntryText,
    ListedEntries,
    Problem,
    TaskList,
    TaskListError,
    TaskListLogin,
)

_CALDAV: Final = "urn:ietf:params:xml:ns:caldav"
_CALENDARSERVER: Final = "http://calendarserver.org/ns/"
_NAMES: Final = {"d": DAV, "c": _CALDAV, "cs": _CALENDARSERVER}
_D = ElementMaker(namespace=DAV, nsmap=_NAMES)
_C = ElementMaker(namespace=_CALDAV, nsmap=_NAMES)
_MOST_CHARS = 1_000
_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Described:
    """The properties of one path on a server; one that it does not have is empty."""

    href: str
    name: str = ""
    etag: str = ""
    tag: str = ""
    principal: str = ""
    home: str = ""
    is_calendar: bool = False
    takes_tasks: bool = False
    text: str | None = None


def about_collection() -> bytes:
    """Asks for everything that leads to task lists, and for what changes with their content."""
    return propfind(
        f"{{{DAV}}}resourcetype",
        f"{{{DAV}}}displayname",
        f"{{{DAV}}}current-user-principal",
        f"{{{DAV}}}sync-token",
        f"{{{_CALDAV}}}calendar-home-set",
        f"{{{_CALDAV}}}supported-calendar-component-set",
        f"{{{_CALENDARSERVER}}}getctag",
    )


def tasks_of_collection() -> bytes:
    """Asks for the ETag of each entry with a task."""
    tasks = _C("comp-filter", _C("comp-filter", name="VTODO"), name="VCALENDAR")
    return element_bytes(_C("calendar-query", _D.prop(_D.getetag()), _C.filter(tasks)))


def these_entries(hrefs: Sequence[str]) -> bytes:
    """Asks for entries by their paths."""
    properties_to_read = _D.prop(_D.getetag(), _C("calendar-data"))
    return element_bytes(
        _C("calendar-multiget", properties_to_read, *(_D.href(one) for one in hrefs))
    )


def read_multistatus(body: bytes) -> Sequence[Described]:
    """Read the server's properties of each path; missing paths and properties are left out.

    Raises: WebdavError if it is no such answer.
    """
    return [_description_of(one) for one in responses(BytesIO(body))]


def _description_of(response: Any) -> Described:  # noqa: ANN401 - lxml has no types
    props = properties(response)

    def text(*path: str) -> str:
        texts = (prop.findtext("/".join(path), "", _NAMES) for prop in props)
        return next((one.strip() for one in texts if one and one.strip()), "")[:_MOST_CHARS]

    data = [one for prop in props if (one := prop.findtext("c:calendar-data", None, _NAMES))]
    kinds = [one for prop in props for one in prop.findall("d:resourcetype/c:calendar", _NAMES)]
    components = "c:supported-calendar-component-set"
    parts = [
        one.get("name") for prop in props for one in prop.findall(f"{components}/c:comp", _NAMES)
    ]
    return Described(
        href=href_of(response)[:_MOST_CHARS],
        name=text("d:displayname"),
        etag=text("d:getetag"),
        tag=text("cs:getctag") or text("d:sync-token"),
        principal=text("d:current-user-principal", "d:href"),
        home=text("c:calendar-home-set", "d:href"),
        is_calendar=bool(kinds),
        takes_tasks=bool(kinds) and (not parts or "VTODO" in parts),
        text=data[0] if data else None,
    )


def _with_our_errors(
    method: Callable[_Params, Awaitable[_Result]],
) -> Callable[_Params, Coroutine[Any, Any, _Result]]:
    """Raises TaskListError for a WebdavError."""

    @wraps(method)
    async def call(*args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        try:
            return await method(*args, **kwargs)
        except WebdavError as error:
            raise _error(error) from error

    return call


def _error(error: WebdavError) -> TaskListError:
    problem: Problem = "refused" if error.problem == "too_large" else error.problem
    return TaskListError(problem, str(error))


PRIVATE_HOSTS = "CALDAV_PRIVATE_HOSTS"
MOST_ENTRIES = 5_000
_MOST_BYTES = 20_000_000
_AT_ONCE = 50
_WELL_KNOWN = "/.well-known/caldav"
_ICALENDAR = {"Content-Type": "text/calendar; charset=utf-8"}
_CHANGED = frozenset({404, 409, 410, 412})


@dataclass(frozen=True, slots=True)
class HttpTaskListServers:
    """Implements `TaskListServers`; `private` are the hosts outside the public internet to be used.

    Of these, http:// is permitted too.
    """

    private: Intranet

    @asynccontextmanager
    async def open(self, login: TaskListLogin) -> AsyncIterator["HttpTaskListClient"]:
        """A session. Raises: TaskListError."""
        try:
            require_safe(login.url, self.private)
        except WebdavError as error:
            raise _error(error) from error
        account = (login.username, login.password)
        async with webdav_session(account, self.private, setting=PRIVATE_HOSTS) as session:
            yield HttpTaskListClient(WebdavClient(session, login.url))


@dataclass(frozen=True, slots=True)
class HttpTaskListClient:
    """Implements `TaskListClient`. Only the host of the address is asked, wherever it leads to."""

    server: WebdavClient

    @_with_our_errors
    async def lists(self) -> Sequence[TaskList]:
        """See `TaskListClient.lists`: the address itself, or what its user has."""
        descriptions = await self._describe(self.server.url, "0") or await self._describe(
            _WELL_KNOWN, "0"
        )
        if not descriptions:
            raise TaskListError("address", "there is no CalDAV server")
        here = descriptions[0]
        is_list = here.is_calendar
        collections = descriptions if is_list else await self._describe(await self._home(here), "1")
        lists = [
            TaskList(self.server.address(one.href), one.name)
            for one in collections
            if one.takes_tasks
        ]
        if not lists:
            raise TaskListError("no_list", "no collection for tasks")
        return lists

    @_with_our_errors
    async def listing(self, tag: str) -> ListedEntries | None:
        """See `TaskListClient.listing`."""
        about = await self._describe(self.server.url, "0")
        if not about or not about[0].is_calendar:
            raise TaskListError("address", "the task list is gone")
        if tag and about[0].tag == tag:
            return None
        body = tasks_of_collection()
        entries = read_multistatus(await self._ask("REPORT", self.server.url, "1", body))
        if len(entries) > MOST_ENTRIES:
            raise TaskListError("refused", f"more than {MOST_ENTRIES} tasks")
        etag_by_path = {plain_path(one.href): strong(one.etag) for one in entries if one.etag}
        return ListedEntries(etag_by_path, about[0].tag)

    @_with_our_errors
    async def read(self, hrefs: Sequence[str]) -> Sequence[EntryText]:
        """See `TaskListClient.read`."""
        entry_texts: list[EntryText] = []
        for start in range(0, len(hrefs), _AT_ONCE):
            body = these_entries(hrefs[start : start + _AT_ONCE])
            entries = read_multistatus(await self._ask("REPORT", self.server.url, "1", body))
            entry_texts += [
                EntryText(plain_path(entry.href), strong(entry.etag), entry.text.encode())
                for entry in entries
                if entry.text and entry.etag
            ]
        return entry_texts

    @_with_our_errors
    async def write(self, href: str, text: bytes, etag: str) -> str:
        """See `TaskListClient.write`."""
        condition = {"If-Match": etag} if etag else {"If-None-Match": "*"}
        response = await self._request("PUT", href, text, {**_ICALENDAR, **condition})
        if response.status_code in _CHANGED:
            raise EntryChangedError
        require_success(response)
        return strong(response.headers.get("ETag", ""))

    @_with_our_errors
    async def remove(self, href: str, etag: str) -> None:
        """See `TaskListClient.remove`."""
        response = await self._request("DELETE", href, b"", {"If-Match": etag})
        if response.status_code == httpx.codes.PRECONDITION_FAILED:
            raise EntryChangedError
        if response.status_code not in {404, 410}:
            require_success(response)

    async def _home(self, here: Described) -> str:
        """The address of the user's lists."""
        if here.home or not here.principal:
            return here.home or here.href
        principal = await self._describe(here.principal, "0")
        return principal[0].home if principal and principal[0].home else here.href

    async def _describe(self, address: str, depth: str) -> Sequence[Described]:
        """Describe a path and, with a depth of 1, the paths in it; () for an empty answer."""
        body = about_collection()
        headers = {**XML, "Depth": depth}
        response = await self._request("PROPFIND", address, body, headers)
        if response.status_code in {301, 400, 404, 405, 410, 501}:
            return ()
        require_success(response)
        if response.status_code != httpx.codes.MULTI_STATUS:
            return ()
        return read_multistatus(response.content)

    async def _ask(self, method: str, address: str, depth: str, body: bytes) -> bytes:
        response = await self._request(method, address, body, {**XML, "Depth": depth})
        require_success(response)
        return response.content

    async def _request(
        self, method: str, address: str, body: bytes, headers: dict[str, str]
    ) -> httpx.Response:
        return await self.server.ask(address, WebdavRequest(method, body, headers, _MOST_BYTES))
