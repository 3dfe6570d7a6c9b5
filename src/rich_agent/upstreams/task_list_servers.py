"""Requests to CalDAV servers (RFC 4791), each write under the ETag that was read.

The library `caldav` brings a second HTTP stack, whose connections cannot be guarded; what is needed
of the protocol are five requests.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpx
from lxml import etree
from lxml.builder import ElementMaker

from rich_agent.domain.intranet import Intranet
from rich_agent.ports.task_lists import (
    EntryChangedError,
    EntryText,
    ListedEntries,
    TaskList,
    TaskListError,
    TaskListLogin,
)
from rich_agent.upstreams.guarded_network import (
    GuardedBackend,
    GuardedTransport,
    HostRefusedError,
    HostUnknownError,
)

_DAV: Final = "DAV:"
_CALDAV: Final = "urn:ietf:params:xml:ns:caldav"
_CALENDARSERVER: Final = "http://calendarserver.org/ns/"
_NAMES: Final = {"d": _DAV, "c": _CALDAV, "cs": _CALENDARSERVER}
_D = ElementMaker(namespace=_DAV, nsmap=_NAMES)
_C = ElementMaker(namespace=_CALDAV, nsmap=_NAMES)
_MOST_CHARS = 1_000


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
    wanted = [
        _D.resourcetype(),
        _D.displayname(),
        etree.Element(f"{{{_DAV}}}current-user-principal"),
        etree.Element(f"{{{_DAV}}}sync-token"),
        etree.Element(f"{{{_CALDAV}}}calendar-home-set"),
        etree.Element(f"{{{_CALDAV}}}supported-calendar-component-set"),
        etree.Element(f"{{{_CALENDARSERVER}}}getctag"),
    ]
    return _written(_D.propfind(_D.prop(*wanted)))


def tasks_of_collection() -> bytes:
    """Asks for the ETag of each entry with a task."""
    tasks = _C("comp-filter", _C("comp-filter", name="VTODO"), name="VCALENDAR")
    return _written(_C("calendar-query", _D.prop(_D.getetag()), _C.filter(tasks)))


def these_entries(hrefs: Sequence[str]) -> bytes:
    """Asks for entries by their paths."""
    wanted = _D.prop(_D.getetag(), _C("calendar-data"))
    return _written(_C("calendar-multiget", wanted, *(_D.href(one) for one in hrefs)))


def read_multistatus(body: bytes) -> Sequence[Described]:
    """Read what the server says of each path, without paths and properties that it does not have.

    Raises: TaskListError if it is no such answer.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise TaskListError("address", "the answer is not XML") from error
    if root is None or root.tag != f"{{{_DAV}}}multistatus":
        raise TaskListError("address", "the answer is not one of WebDAV")
    return [_described(one) for one in root.findall("d:response", _NAMES) if _exists(one)]


def _exists(response: Any) -> bool:  # noqa: ANN401 - lxml has no types
    status = response.findtext("d:status", "", _NAMES)
    return " 404" not in status and response.find("d:href", _NAMES) is not None


def _described(response: Any) -> Described:  # noqa: ANN401 - lxml has no types
    found = list(_properties(response))

    def text(*path: str) -> str:
        texts = (prop.findtext("/".join(path), "", _NAMES) for prop in found)
        return next((one.strip() for one in texts if one and one.strip()), "")[:_MOST_CHARS]

    data = [one for prop in found if (one := prop.findtext("c:calendar-data", None, _NAMES))]
    kinds = [one for prop in found for one in prop.findall("d:resourcetype/c:calendar", _NAMES)]
    supported = "c:supported-calendar-component-set"
    parts = [
        one.get("name") for prop in found for one in prop.findall(f"{supported}/c:comp", _NAMES)
    ]
    return Described(
        href=response.findtext("d:href", "", _NAMES).strip()[:_MOST_CHARS],
        name=text("d:displayname"),
        etag=text("d:getetag"),
        tag=text("cs:getctag") or text("d:sync-token"),
        principal=text("d:current-user-principal", "d:href"),
        home=text("c:calendar-home-set", "d:href"),
        is_calendar=bool(kinds),
        takes_tasks=bool(kinds) and (not parts or "VTODO" in parts),
        text=data[0] if data else None,
    )


def _properties(response: Any) -> Iterator[Any]:  # noqa: ANN401 - lxml has no types
    for found in response.findall("d:propstat", _NAMES):
        if " 200" in found.findtext("d:status", " 200", _NAMES):
            yield from found.findall("d:prop", _NAMES)


def _written(root: Any) -> bytes:  # noqa: ANN401 - lxml has no types
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


PRIVATE_HOSTS = "CALDAV_PRIVATE_HOSTS"
MOST_ENTRIES = 5_000
_MOST_BYTES = 20_000_000
_MOST_REDIRECTS = 5
_AT_ONCE = 50
_TIMEOUT_S = 10.0
_DEADLINE_S = 30.0
_WELL_KNOWN = "/.well-known/caldav"
_XML = {"Content-Type": "application/xml; charset=utf-8"}
_ICALENDAR = {"Content-Type": "text/calendar; charset=utf-8"}
_CHANGED = frozenset({404, 409, 410, 412})
_PASSING = frozenset({408, 423, 425, 429, 507})


@dataclass(frozen=True, slots=True)
class HttpTaskListServers:
    """Implements `TaskListServers`; `private` are the hosts outside the public internet to be used.

    Of these, http:// is permitted too.
    """

    private: Intranet

    @asynccontextmanager
    async def open(self, login: TaskListLogin) -> AsyncIterator["HttpTaskListClient"]:
        """A session. Raises: TaskListError."""
        self._check(login.url)
        guard = GuardedBackend(self.private, setting=PRIVATE_HOSTS)
        async with httpx.AsyncClient(
            transport=GuardedTransport(guard, max_connections=2),
            timeout=_TIMEOUT_S,
            trust_env=False,
            auth=httpx.BasicAuth(login.username, login.password),
            headers={"User-Agent": "rich-agent"},
        ) as client:
            yield HttpTaskListClient(client, login.url)

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise TaskListError("address", "not an address of the web")
        if parts.scheme == "http" and not self._is_private(parts.hostname):
            raise TaskListError("insecure", "the password would be sent in the clear")

    def _is_private(self, host: str) -> bool:
        try:
            return self.private.has_address(ip_address(host))
        except ValueError:
            return self.private.has_name(host)


@dataclass(frozen=True, slots=True)
class HttpTaskListClient:
    """Implements `TaskListClient`. Only the host of the address is asked, wherever it leads to."""

    client: httpx.AsyncClient
    url: str

    async def lists(self) -> Sequence[TaskList]:
        """See `TaskListClient.lists`: the address itself, or what its user has."""
        found = await self._described(self.url, "0") or await self._described(_WELL_KNOWN, "0")
        if not found:
            raise TaskListError("address", "there is no CalDAV server")
        here = found[0]
        is_list = here.is_calendar
        named = found if is_list else await self._described(await self._home(here), "1")
        lists = [TaskList(self._address(one.href), one.name) for one in named if one.takes_tasks]
        if not lists:
            raise TaskListError("no_list", "no collection for tasks")
        return lists

    async def listing(self, tag: str) -> ListedEntries | None:
        """See `TaskListClient.listing`."""
        about = await self._described(self.url, "0")
        if not about or not about[0].is_calendar:
            raise TaskListError("address", "the task list is gone")
        if tag and about[0].tag == tag:
            return None
        body = tasks_of_collection()
        found = read_multistatus(await self._ask("REPORT", self.url, "1", body))
        if len(found) > MOST_ENTRIES:
            raise TaskListError("refused", f"more than {MOST_ENTRIES} tasks")
        etags = {_plain_path(one.href): _strong(one.etag) for one in found if one.etag}
        return ListedEntries(etags, about[0].tag)

    async def read(self, hrefs: Sequence[str]) -> Sequence[EntryText]:
        """See `TaskListClient.read`."""
        read: list[EntryText] = []
        for first in range(0, len(hrefs), _AT_ONCE):
            body = these_entries(hrefs[first : first + _AT_ONCE])
            found = read_multistatus(await self._ask("REPORT", self.url, "1", body))
            read += [
                EntryText(_plain_path(one.href), _strong(one.etag), one.text.encode())
                for one in found
                if one.text and one.etag
            ]
        return read

    async def write(self, href: str, text: bytes, etag: str) -> str:
        """See `TaskListClient.write`."""
        condition = {"If-Match": etag} if etag else {"If-None-Match": "*"}
        response = await self._request("PUT", href, text, {**_ICALENDAR, **condition})
        if response.status_code in _CHANGED:
            raise EntryChangedError
        _require_success(response)
        return _strong(response.headers.get("ETag", ""))

    async def remove(self, href: str, etag: str) -> None:
        """See `TaskListClient.remove`."""
        response = await self._request("DELETE", href, b"", {"If-Match": etag})
        if response.status_code == httpx.codes.PRECONDITION_FAILED:
            raise EntryChangedError
        if response.status_code not in {404, 410}:
            _require_success(response)

    async def _home(self, here: Described) -> str:
        """The address of the user's lists."""
        if here.home or not here.principal:
            return here.home or here.href
        principal = await self._described(here.principal, "0")
        return principal[0].home if principal and principal[0].home else here.href

    async def _described(self, address: str, depth: str) -> Sequence[Described]:
        """Describe a path and, with a depth of 1, those in it; () if the server says nothing."""
        body = about_collection()
        headers = {**_XML, "Depth": depth}
        response = await self._request("PROPFIND", address, body, headers)
        if response.status_code in {301, 400, 404, 405, 410, 501}:
            return ()
        _require_success(response)
        if response.status_code != httpx.codes.MULTI_STATUS:
            return ()
        return read_multistatus(response.content)

    async def _ask(self, method: str, address: str, depth: str, body: bytes) -> bytes:
        response = await self._request(method, address, body, {**_XML, "Depth": depth})
        _require_success(response)
        return response.content

    async def _request(
        self, method: str, address: str, body: bytes, headers: dict[str, str]
    ) -> httpx.Response:
        """The answer, also to redirects on the same host. Raises: TaskListError."""
        url = self._address(address)
        host = urlsplit(self.url).hostname
        try:
            async with asyncio.timeout(_DEADLINE_S):
                for _ in range(_MOST_REDIRECTS):
                    response = await self._send(method, url, body, headers)
                    if not response.has_redirect_location:
                        return response
                    url = self._address(response.headers["Location"], url)
        except (HostRefusedError, HostUnknownError) as error:
            is_refused = isinstance(error, HostRefusedError)
            raise TaskListError("private" if is_refused else "away", str(error)) from error
        except (httpx.HTTPError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
            raise TaskListError("away", f"{host}: {reason}") from error
        except httpx.InvalidURL as error:
            raise TaskListError("address", f"{host}: a malformed address") from error
        except UnicodeError as error:
            raise TaskListError("refused", f"{host}: no header can hold its ETag") from error
        raise TaskListError("address", f"{host} redirects too often")

    async def _send(
        self, method: str, url: str, body: bytes, headers: dict[str, str]
    ) -> httpx.Response:
        """The answer with its whole content, as far as that is bounded."""
        request = self.client.build_request(method, url, content=body, headers=headers)
        response = await self.client.send(request, stream=True)
        try:
            content = bytearray()
            async for part in response.aiter_bytes():
                content += part
                if len(content) > _MOST_BYTES:
                    raise TaskListError("refused", "the answer is too large")
        finally:
            await response.aclose()
        kept = {
            name: response.headers[name]
            for name in ("ETag", "Location")
            if name in response.headers
        }
        return httpx.Response(
            response.status_code, headers=kept, content=bytes(content), request=request
        )

    def _address(self, href: str, base: str = "") -> str:
        """The whole address of a path at `base`, or at the address of the session.

        Raises: TaskListError if it is none, or leads to another host.
        """
        here = _origin(self.url)
        try:
            url = urljoin(base or self.url, href)
            there = _origin(url)
        except ValueError as error:
            raise TaskListError("address", f"{here[1]}: a malformed address") from error
        if there not in {here, ("https", here[1], 443)}:
            raise TaskListError("address", f"{here[1]} leads to another host")
        return url


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, parts.hostname or "", port


def _require_success(response: httpx.Response) -> None:
    """Raises: TaskListError."""
    status = response.status_code
    if response.is_success:
        return
    if status == httpx.codes.UNAUTHORIZED:
        raise TaskListError("login", "user name or password is wrong (401)")
    if status >= 500 or status in _PASSING:
        raise TaskListError("away", f"HTTP {status}")
    raise TaskListError("refused", f"HTTP {status}")


def _plain_path(href: str) -> str:
    """A path in one way of escaping, so that it can be compared. Raises: TaskListError."""
    try:
        path = urlsplit(href).path
    except ValueError as error:
        raise TaskListError("address", "a malformed path") from error
    return quote(unquote(path), safe="/~!$&'()*+,;=:@")


def _strong(etag: str) -> str:
    """Proxies that compress mark an ETag as weak, and a weak one matches nothing."""
    return etag.removeprefix("W/")
