"""Requests to WebDAV servers (RFC 4918), for task lists and for files.

Requests are sent only to the host of the server's address; links and redirects to other hosts are
refused.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from ipaddress import ip_address
from typing import Any, BinaryIO, Final, Literal
from urllib.parse import quote_from_bytes, unquote_to_bytes, urljoin, urlsplit

import httpx
from lxml import etree
from lxml.builder import ElementMaker

from rich_agent.domain.intranet import Intranet, stays_at
from rich_agent.errors import RichAgentError
from rich_agent.upstreams.guarded_network import (
    GuardedBackend,
    GuardedTransport,
    HostRefusedError,
    HostUnknownError,
)
from rich_agent.upstreams.servers.retry_after import wait_from

DAV: Final = "DAV:"
XML: Final = {"Content-Type": "application/xml; charset=utf-8"}
_NAMES: Final = {"d": DAV}
_MULTISTATUS: Final = f"{{{DAV}}}multistatus"
_RESPONSE: Final = f"{{{DAV}}}response"
_MOST_REDIRECTS = 5
_CONNECTIONS = 2
_PASSING = frozenset({408, 423, 425, 429, 507})
_KEPT = ("ETag", "Location", "Retry-After", "Content-Type")

WebdavProblem = Literal["address", "insecure", "private", "away", "login", "refused", "too_large"]


class WebdavError(RichAgentError):
    """A server is unreachable, or refuses a request.

    `wait_s`: the seconds for which the server wants no requests.
    `size_bytes`: the announced size of an answer that is too large.
    """

    def __init__(
        self,
        problem: WebdavProblem,
        message: str,
        *,
        status: int | None = None,
        wait_s: float | None = None,
        size_bytes: int | None = None,
    ) -> None:
        super().__init__(message)
        self.problem: WebdavProblem = problem
        self.status = status
        self.wait_s = wait_s
        self.size_bytes = size_bytes


@dataclass(frozen=True, slots=True)
class WebdavRequest:
    """A request, and the limits of its answer; with `into`, the content is written to that file."""

    method: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    most_bytes: int = 1_000_000
    deadline_s: float = 30.0
    into: BinaryIO | None = None


def webdav_session(
    login: tuple[str, str], private: Intranet, *, setting: str, timeout_s: float = 10.0
) -> httpx.AsyncClient:
    """Open connections to public hosts, and to the `private` hosts that `setting` lists."""
    return httpx.AsyncClient(
        transport=GuardedTransport(GuardedBackend(private, setting=setting), _CONNECTIONS),
        timeout=timeout_s,
        trust_env=False,
        auth=httpx.BasicAuth(*login),
        headers={"User-Agent": "rich-agent"},
    )


def require_safe(url: str, private: Intranet) -> None:
    """Check a server's address. Raises: WebdavError if a password may not be sent to it."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise WebdavError("address", "not an address of the web") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise WebdavError("address", "not an address of the web")
    if parts.scheme == "http" and not is_private(parts.hostname, private):
        raise WebdavError("insecure", "the password would be sent in the clear")


def is_private(host: str, private: Intranet) -> bool:
    """Whether the operator lists the host, by name or by address."""
    with suppress(ValueError):
        return private.has_address(ip_address(host))
    return private.has_name(host)


@dataclass(frozen=True, slots=True)
class WebdavClient:
    """A server at `url`; requests are sent only to its host."""

    session: httpx.AsyncClient
    url: str

    async def ask(self, address: str, request: WebdavRequest) -> httpx.Response:
        """Return the answer, after redirects on the same host. Raises: WebdavError."""
        url = self.address(address)
        host = urlsplit(self.url).hostname
        try:
            async with asyncio.timeout(request.deadline_s):
                for _ in range(_MOST_REDIRECTS):
                    response = await self._send(url, request)
                    if not response.has_redirect_location:
                        return response
                    url = self.address(response.headers["Location"], url)
        except (HostRefusedError, HostUnknownError) as error:
            is_refused = isinstance(error, HostRefusedError)
            raise WebdavError("private" if is_refused else "away", str(error)) from error
        except (httpx.HTTPError, TimeoutError) as error:
            reason = str(error) or type(error).__name__
            raise WebdavError("away", f"{host}: {reason}") from error
        except httpx.InvalidURL as error:
            raise WebdavError("address", f"{host}: a malformed address") from error
        except UnicodeError as error:
            raise WebdavError("refused", f"{host}: no header can hold its ETag") from error
        raise WebdavError("address", f"{host} redirects too often")

    async def _send(self, url: str, exchange: WebdavRequest) -> httpx.Response:
        """Return the answer with its whole content; an answer beyond its limit is refused."""
        request = self.session.build_request(
            exchange.method, url, content=exchange.body, headers=dict(exchange.headers)
        )
        response = await self.session.send(request, stream=True)
        content = BytesIO() if exchange.into is None or not response.is_success else exchange.into
        try:
            announced_bytes = int(response.headers.get("Content-Length") or 0)
            if announced_bytes > exchange.most_bytes:
                raise _too_large(announced_bytes)
            received_bytes = 0
            async for part in response.aiter_bytes():
                received_bytes += len(part)
                if received_bytes > exchange.most_bytes:
                    raise _too_large(None)
                content.write(part)
        except ValueError as error:
            raise WebdavError("refused", "the answer has no proper length") from error
        finally:
            await response.aclose()
        headers = {name: response.headers[name] for name in _KEPT if name in response.headers}
        body = content.getvalue() if isinstance(content, BytesIO) else b""
        return httpx.Response(response.status_code, headers=headers, content=body, request=request)

    def address(self, href: str, base: str = "") -> str:
        """The absolute address of `href`, relative to `base` or to the server's address.

        Raises: WebdavError if `href` is malformed or leads to another host.
        """
        host = urlsplit(self.url).hostname
        try:
            url = urljoin(base or self.url, href)
            is_here = stays_at(self.url, url)
        except ValueError as error:
            raise WebdavError("address", f"{host}: a malformed address") from error
        if not is_here:
            raise WebdavError("address", f"{host} leads to another host")
        return url


def require_success(response: httpx.Response) -> None:
    """Check the status of an answer. Raises: WebdavError."""
    status = response.status_code
    if response.is_success:
        return
    if status == httpx.codes.UNAUTHORIZED:
        raise WebdavError("login", "user name or password is wrong (401)", status=status)
    wait_s = wait_from(response.headers.get("Retry-After"), time.time())
    problem: WebdavProblem = "away" if status >= 500 or status in _PASSING else "refused"
    raise WebdavError(problem, f"HTTP {status}", status=status, wait_s=wait_s)


def responses(body: BinaryIO) -> Iterator[Any]:
    """The element of each existing path, one at a time, so that memory does not grow.

    Raises: WebdavError if the body is not a WebDAV answer.
    """
    root: Any = None
    try:
        for event, element in etree.iterparse(
            body,
            events=("start", "end"),
            tag=(_MULTISTATUS, _RESPONSE),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
        ):
            if root is None:
                root = _multistatus(element)
            elif event == "end" and element.getparent() is root:
                if _exists(element):
                    yield element
                element.clear()
                del root[: root.index(element)]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise WebdavError("address", "the answer is not XML") from error
    if root is None:
        raise WebdavError("address", "the answer is not one of WebDAV")


def properties(response: Any) -> list[Any]:  # noqa: ANN401 - lxml has no types
    """The `prop` elements that a path has, without those that are missing."""
    return [
        prop
        for status_part in response.findall("d:propstat", _NAMES)
        if " 200" in status_part.findtext("d:status", " 200", _NAMES)
        for prop in status_part.findall("d:prop", _NAMES)
    ]


def href_of(response: Any) -> str:  # noqa: ANN401 - lxml has no types
    """The path of a response, as the server writes it."""
    return str(response.findtext("d:href", "", _NAMES)).strip()


def propfind(*names: str) -> bytes:
    """The body of a request for properties, by names with the namespace in braces."""
    maker = ElementMaker(namespace=DAV, nsmap=_NAMES)
    return element_bytes(maker.propfind(maker.prop(*(etree.Element(name) for name in names))))


def element_bytes(root: Any) -> bytes:  # noqa: ANN401 - lxml has no types
    """The encoded element, as the body of a request."""
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def plain_path(href: str) -> str:
    """A path with uniform escaping, so that paths can be compared. Raises: WebdavError."""
    try:
        path = urlsplit(href).path
    except ValueError as error:
        raise WebdavError("address", "a malformed path") from error
    # By bytes, because some names are not UTF-8.
    return quote_from_bytes(unquote_to_bytes(path), safe="/~!$&'()*+,;=:@")


def strong(etag: str) -> str:
    """An ETag without the weak mark that compressing proxies add; a weak ETag never matches."""
    return etag.removeprefix("W/")


def _multistatus(element: Any) -> Any:  # noqa: ANN401 - lxml has no types
    # A document type can declare entities that expand without bounds; WebDAV needs none.
    if element.getroottree().docinfo.doctype or element.tag != _MULTISTATUS:
        raise WebdavError("address", "the answer is not one of WebDAV")
    return element


def _exists(response: Any) -> bool:  # noqa: ANN401 - lxml has no types
    status = response.findtext("d:status", "", _NAMES)
    return " 404" not in status and response.find("d:href", _NAMES) is not None


def _too_large(size_bytes: int | None) -> WebdavError:
    return WebdavError("too_large", "the answer is too large", size_bytes=size_bytes)
