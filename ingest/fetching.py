"""Fetches web pages: politely, within limits, and again when a failure may pass.

`admit` is the one place where an address is let through, for the first request and each redirect.
"""

import asyncio
import zlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version

import httpx
import stamina

from ingest.sources import SourceError, web_address
from rich_agent.errors import RichAgentError

_USER_AGENT = f"rich-agent/{version('rich-agent')} (+self-hosted assistant, reads registered pages)"
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_GONE = frozenset({404, 410})
_CLOSED = frozenset({401, 402, 403, 407, 451})
_UNPACKED_BY_ZLIB = frozenset({"gzip", "x-gzip", "deflate"})
_ZLIB_OR_GZIP = zlib.MAX_WBITS | 32  # the header says which


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How much is asked of other people's servers, and of this machine."""

    concurrency: int = 8
    per_host: int = 4
    timeout_s: float = 20.0  # without a byte
    deadline_s: float = 60.0  # for a whole page
    max_bytes: int = 20_000_000  # unpacked
    max_redirects: int = 5
    attempts: int = 3
    first_wait_s: float = 0.5
    max_wait_s: float = 30.0  # also the longest Retry-After that is obeyed


@dataclass(frozen=True, slots=True)
class Page:
    """The body of a 200, unpacked, with the headers that matter ("" or None if not sent)."""

    data: bytes
    content_type: str
    etag: str | None
    last_modified: str | None


class FetchError(RichAgentError):
    """A page that cannot be had, in words a person understands; `is_gone` after a 404 or 410."""

    def __init__(self, reason: str, *, is_gone: bool = False) -> None:
        super().__init__(reason)
        self.is_gone = is_gone


class PassingFetchError(FetchError):
    """A failure that may pass; `wait_s` is what the server asked for, or None."""

    def __init__(self, reason: str, *, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


class Fetcher:
    """An HTTP client for pages."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._client = httpx.AsyncClient(
            timeout=options.timeout_s,
            headers={"User-Agent": _USER_AGENT, "Accept-Encoding": "gzip, deflate"},
        )
        self._all = asyncio.Semaphore(options.concurrency)
        self._hosts: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(options.per_host)
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Page | None:
        """The page, or None if it is the one that these validators came with.

        Raises: FetchError.
        """
        conditions = {}
        if etag:
            conditions["If-None-Match"] = etag
        if last_modified:
            conditions["If-Modified-Since"] = last_modified
        async for attempt in stamina.retry_context(
            on=self._backoff,
            attempts=self._options.attempts,
            timeout=None,
            wait_initial=self._options.first_wait_s,
            wait_max=self._options.max_wait_s,
            wait_jitter=self._options.first_wait_s,
        ):
            with attempt:
                return await self._attempt(url, conditions)
        raise AssertionError("the last attempt returns or raises")

    def _backoff(self, error: Exception) -> bool | float:
        if not isinstance(error, PassingFetchError):
            return False
        if error.wait_s is None:
            return True
        return error.wait_s if error.wait_s <= self._options.max_wait_s else False

    async def _attempt(self, url: str, conditions: dict[str, str]) -> Page | None:
        options = self._options
        try:
            async with self._hosts[httpx.URL(url).host], self._all:
                async with asyncio.timeout(options.deadline_s):
                    return await self._follow(url, conditions)
        except TimeoutError as error:
            raise PassingFetchError(f"not there within {options.deadline_s:g} s") from error
        except httpx.TimeoutException as error:
            raise PassingFetchError(f"no answer within {options.timeout_s:g} s") from error
        except httpx.ConnectError as error:
            raise PassingFetchError(f"no connection to {httpx.URL(url).host}: {error}") from error
        except httpx.TransportError as error:
            raise PassingFetchError(f"the connection broke: {error}") from error

    async def _follow(self, url: str, conditions: dict[str, str]) -> Page | None:
        for _ in range(self._options.max_redirects + 1):
            async with self._client.stream("GET", admit(url), headers=conditions) as response:
                if not response.has_redirect_location:
                    return await self._page(response)
                url = _redirect_target(response)
        raise FetchError(f"redirected more than {self._options.max_redirects} times")

    async def _page(self, response: httpx.Response) -> Page | None:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return None
        if response.status_code != HTTPStatus.OK:
            raise _refusal(response)
        return Page(
            await _unpacked_body(response, self._options.max_bytes),
            response.headers.get("Content-Type", ""),
            response.headers.get("ETag"),
            response.headers.get("Last-Modified"),
        )


def admit(url: str) -> str:
    """The address in its normal form, if it may be fetched.

    Raises: FetchError.
    """
    try:
        return web_address(url)
    except SourceError as error:
        raise FetchError(str(error)) from error


def _redirect_target(response: httpx.Response) -> str:
    try:
        return str(response.url.join(response.headers["Location"]))
    except httpx.InvalidURL as error:
        raise FetchError(f"redirected to an address that is none: {error}") from error


def _refusal(response: httpx.Response) -> FetchError:
    """What a status other than 200 and 304 means."""
    status = response.status_code
    if status in _GONE:
        return FetchError(f"there is no such page (HTTP {status})", is_gone=True)
    if status in _RETRIED:
        words = "too many requests" if status == HTTPStatus.TOO_MANY_REQUESTS else "server trouble"
        wait_s = _retry_after_s(response.headers.get("Retry-After", ""))
        asked = f", to be tried again after {wait_s:.0f} s" if wait_s is not None else ""
        return PassingFetchError(f"{words} (HTTP {status}{asked})", wait_s=wait_s)
    if status in _CLOSED:
        return FetchError(f"the page is not open to everyone (HTTP {status})")
    return FetchError(f"the server refused (HTTP {status})")


def _retry_after_s(value: str) -> float | None:
    """Seconds of a Retry-After header, which holds seconds or a date; None without a usable one."""
    if value.strip().isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


async def _unpacked_body(response: httpx.Response, limit: int) -> bytes:
    """The body, unpacked as it comes, so that a small one cannot fill the memory.

    Raises: FetchError beyond `limit` bytes, or for a body that was packed in an unasked way.
    """
    body = _Body(response.headers.get("Content-Encoding", ""))
    async for packed in response.aiter_raw():
        body.add(packed, limit + 1)
        if len(body.data) > limit:
            raise FetchError(f"the page is larger than {limit / 1_000_000:g} MB")
    body.finish()
    return bytes(body.data)


class _Body:
    def __init__(self, encoding: str) -> None:
        self.data = bytearray()
        self._zlib = None
        if encoding.strip().lower() in _UNPACKED_BY_ZLIB:
            self._zlib = zlib.decompressobj(_ZLIB_OR_GZIP)
        elif encoding.strip().lower() not in {"", "identity"}:
            raise FetchError(f"the page came packed as {encoding}, which was not asked for")

    def add(self, packed: bytes, most: int) -> None:
        """Take a piece of the body; no more than `most` bytes are kept in all."""
        room = most - len(self.data)
        if self._zlib is None:
            self.data += packed[:room]
            return
        try:
            self.data += self._zlib.decompress(packed, room)
        except zlib.error as error:
            raise FetchError("the page cannot be unpacked") from error

    def finish(self) -> None:
        """Raises: PassingFetchError if the end of a packed body is missing."""
        if self._zlib is not None and not self._zlib.eof:
            raise PassingFetchError("the page broke off before its end")
