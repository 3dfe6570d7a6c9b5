"""Fetches web pages: politely, within limits, with retries after temporary failures.

HTTP/2 is not used: a host gets few requests at once over kept connections, so HTTP/2 would make no
measurable difference.
"""

import asyncio
import time
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Self

import httpx
import stamina
from typing_extensions import override

from rich_agent.documents.fetch.bodies import read_body
from rich_agent.documents.fetch.directions import AGENT, forbids_indexing, next_address
from rich_agent.documents.fetch.errors import FetchError, PassingFetchError, RefusedAddressError
from rich_agent.documents.fetch.host_limits import HostLimits
from rich_agent.documents.fetch.robots import Robots
from rich_agent.documents.media import media_type_of
from rich_agent.documents.source import SourceError, web_address
from rich_agent.domain.intranet import Intranet
from rich_agent.settings.storage import DocumentSettings
from rich_agent.upstreams.guarded_network import (
    GuardedBackend,
    GuardedTransport,
    HostRefusedError,
    HostUnknownError,
)
from rich_agent.upstreams.servers.retry_after import wait_from

_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_GONE = frozenset({404, 410})
_CLOSED = frozenset({401, 402, 403, 407, 451})
_LARGEST_ROBOTS_BYTES = 1_000_000
_LONGEST_HEADER = 1_000


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Limits for requests to other servers, and for this machine."""

    concurrency: int = 8
    per_host: int = 4
    timeout_s: float = 20.0  # without receiving a byte
    deadline_s: float = 60.0  # for a complete page
    max_bytes: int = 20_000_000  # of a page, decompressed
    max_file_bytes: int = 100_000_000  # of a local file
    max_redirects: int = 5
    attempts: int = 3
    first_wait_s: float = 0.5
    max_wait_s: float = 30.0  # also the longest Retry-After that is respected
    gone_wait_s: float = 1.0  # before a missing page is requested once more
    respect_robots: bool = True
    intranet: Intranet = field(default_factory=Intranet)

    @classmethod
    def of(cls, documents: DocumentSettings) -> Self:
        """The limits that the settings name."""
        return cls(
            max_file_bytes=documents.max_file_mb * 1_000_000,
            respect_robots=documents.respect_robots,
            intranet=documents.intranet,
        )


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The decompressed body of a response with status 200, and some headers of the response.

    A header that was not sent is "" or None. `is_noindex` tells that a header forbids indexing.
    """

    data: bytes
    content_type: str
    etag: str | None
    last_modified: str | None
    is_noindex: bool = False


@dataclass(frozen=True, slots=True)
class _Request:
    url: str
    max_bytes: int
    conditions: Mapping[str, str] = field(default_factory=dict)
    respects_robots: bool = True


class _SendableCookies(DefaultCookiePolicy):
    """Accepts only cookies that can be sent back unchanged."""

    @override
    def set_ok(self, cookie: Cookie, request: urllib.request.Request) -> bool:
        return _is_sendable(f"{cookie.name}={cookie.value}") and super().set_ok(cookie, request)


class Fetcher:
    """An HTTP client for pages."""

    def __init__(
        self, options: FetchOptions, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._options = options
        self._client = httpx.AsyncClient(
            transport=transport
            or GuardedTransport(GuardedBackend(options.intranet), 2 * options.concurrency),
            timeout=options.timeout_s,
            trust_env=False,
            cookies=CookieJar(_SendableCookies()),
            headers={
                "User-Agent": f"{AGENT}/{version('rich-agent')}",
                "Accept-Encoding": "gzip, deflate",
            },
        )
        self._turns = HostLimits(per_host=options.per_host, in_all=options.concurrency)
        self.robots = Robots(AGENT, self._robots_text)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def fetch(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        max_bytes: int | None = None,
    ) -> FetchedPage | None:
        """The page, or None if it has not changed since `etag` and `last_modified` were received.

        `max_bytes` replaces the limit of the options.

        Raises: FetchError.
        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        request = _Request(
            admit(url),
            max_bytes or self._options.max_bytes,
            {name: value for name, value in conditions.items() if value},
            self._options.respect_robots,
        )
        delay_s = 0.0
        if request.respects_robots:
            await self.robots.require(request.url)
            delay_s = await self.robots.delay_s(request.url)
        return await self._with_retries(lambda: self._in_turn(request, delay_s))

    async def _robots_text(self, robots_url: str) -> str:
        request = _Request(admit(robots_url), _LARGEST_ROBOTS_BYTES, respects_robots=False)
        # Without waiting for a turn: a redirect needs robots.txt while it has a turn itself.
        page = await self._with_retries(lambda: self._attempt(request))
        return page.data.decode("utf-8-sig", errors="replace") if page else ""

    async def _with_retries(
        self, attempt: Callable[[], Awaitable[FetchedPage | None]]
    ) -> FetchedPage | None:
        async for retry in stamina.retry_context(
            on=self._backoff,
            attempts=self._options.attempts,
            timeout=None,
            wait_initial=self._options.first_wait_s,
            wait_max=self._options.max_wait_s,
            wait_jitter=self._options.first_wait_s,
        ):
            with retry:
                return await attempt()
        raise AssertionError("the last attempt returns or raises")

    def _backoff(self, error: Exception) -> bool | float:
        if not isinstance(error, PassingFetchError):
            return False
        if error.wait_s is None:
            return True
        return error.wait_s if error.wait_s <= self._options.max_wait_s else False

    async def _in_turn(self, request: _Request, delay_s: float) -> FetchedPage | None:
        async with self._turns.turn(httpx.URL(request.url).host, delay_s):
            return await self._attempt(request)

    async def _attempt(self, request: _Request) -> FetchedPage | None:
        options = self._options
        try:
            async with asyncio.timeout(options.deadline_s):
                return await self._follow(request)
        except TimeoutError as error:
            raise PassingFetchError(
                f"not complete within {options.deadline_s:g} s", problem="slow"
            ) from error
        except HostRefusedError as error:
            raise RefusedAddressError(str(error)) from error
        except HostUnknownError as error:
            error_type = PassingFetchError if error.is_passing else FetchError
            raise error_type(str(error)) from error
        except httpx.TimeoutException as error:
            raise PassingFetchError(
                f"no answer within {options.timeout_s:g} s", problem="slow"
            ) from error
        except httpx.ConnectError as error:
            host = httpx.URL(request.url).host
            raise PassingFetchError(f"no connection to {host}: {error}") from error
        except httpx.TransportError as error:
            raise PassingFetchError(f"the connection broke: {error}") from error
        except httpx.InvalidURL as error:
            raise FetchError(f"redirected to a malformed address: {error}") from error

    async def _follow(self, request: _Request) -> FetchedPage | None:
        url = request.url
        for _ in range(self._options.max_redirects + 1):
            if request.respects_robots and url != request.url:
                await self.robots.require(url)
            async with self._client.stream("GET", url, headers=request.conditions) as response:
                if response.has_redirect_location:
                    target = admit(str(response.url.join(response.headers["Location"])))
                else:
                    page = await _page(response, request.max_bytes)
                    target = _refresh_target(response.url, page)
                    if not target or target == url:
                        return page
                if url.startswith("https:") and not target.startswith("https:"):
                    raise FetchError("redirected from https to http, which is not safe")
                url = target
        raise FetchError(f"redirected more than {self._options.max_redirects} times")


def admit(url: str) -> str:
    """The address in its normal form, if a page can have it. Raises: FetchError."""
    try:
        return web_address(url)
    except SourceError as error:
        raise FetchError(str(error)) from error


def _refresh_target(url: httpx.URL, page: FetchedPage | None) -> str:
    """The address to which a page leads on by itself, "" if it stays."""
    if page is None or media_type_of(page.content_type, str(url), page.data) != "text/html":
        return ""
    address = next_address(page.data)
    try:
        return web_address(str(url.join(address))) if address else ""
    except (SourceError, httpx.InvalidURL, ValueError):
        return ""


async def _page(response: httpx.Response, max_bytes: int) -> FetchedPage | None:
    if response.status_code == HTTPStatus.NOT_MODIFIED:
        return None
    if response.status_code != HTTPStatus.OK:
        raise _refusal(response)
    return FetchedPage(
        await read_body(response, max_bytes),
        response.headers.get("Content-Type", "")[:_LONGEST_HEADER],
        _validator(response.headers.get("ETag", "")),
        _validator(response.headers.get("Last-Modified", "")),
        forbids_indexing(response.headers.get_list("X-Robots-Tag")),
    )


def _validator(value: str) -> str | None:
    """The value if it can be sent back unchanged and is not very long, else None."""
    return value if value and _is_sendable(value) else None


def _is_sendable(value: str) -> bool:
    return value.isascii() and value.isprintable() and len(value) <= _LONGEST_HEADER


def _refusal(response: httpx.Response) -> FetchError:
    """The error for a status other than 200 and 304."""
    status = response.status_code
    if status in _RETRIED:
        reason = "too many requests" if status == HTTPStatus.TOO_MANY_REQUESTS else "server trouble"
        wait_s = wait_from(response.headers.get("Retry-After"), time.time())
        delay = f", to be tried again after {wait_s:.0f} s" if wait_s is not None else ""
        return PassingFetchError(f"{reason} (HTTP {status}{delay})", status=status, wait_s=wait_s)
    reason = "the server refused"
    if status in _GONE:
        reason = "there is no such page"
    elif status in _CLOSED:
        reason = "the page is not open to everyone"
    return FetchError(f"{reason} (HTTP {status})", status=status)
