"""Implements `Pages`: fetches a page that a user names, guarded like the pages of sources."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from rich_agent.documents.fetch.errors import FetchError, FetchProblem, RefusedAddressError
from rich_agent.documents.fetch.fetching import Fetcher, FetchOptions
from rich_agent.domain.intranet import Intranet
from rich_agent.domain.outgoing.addresses import has_secret
from rich_agent.domain.user_files import FileRefusal
from rich_agent.ports.user_files import FetchedFile, FileRefusedError

_MOST_BYTES: Final = 10_000_000
_SILENT_S: Final = 8.0
_PAGE_S: Final = 15.0
_LONGEST_S: Final = 25.0
_CLOSED: Final = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.PAYMENT_REQUIRED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
        HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS,
    }
)
_PROBLEMS: Final[Mapping[FetchProblem, FileRefusal]] = {
    "": "away",
    "robots": "robots",
    "too_large": "too_large",
    "slow": "slow",
}


class GuardedPages:
    """Reaches public hosts, and the hosts that the operator lists.

    Each page has its own connections and cookies, so that no user's reading affects another's.
    """

    def __init__(self, private_hosts: Intranet) -> None:
        self._private_hosts = private_hosts
        self._options = FetchOptions(
            concurrency=1,
            per_host=1,
            timeout_s=_SILENT_S,
            deadline_s=_PAGE_S,
            max_bytes=_MOST_BYTES,
            attempts=1,
        )

    async def fetch(self, url: str) -> FetchedFile:
        """See `Pages.fetch`."""
        try:
            return await self._fetch(url, self._options, is_private=has_secret(url))
        except FileRefusedError as error:
            if error.reason != "private" or self._private_hosts == Intranet():
                raise
        options = replace(self._options, intranet=self._private_hosts)
        return await self._fetch(url, options, is_private=True)

    async def _fetch(self, url: str, options: FetchOptions, *, is_private: bool) -> FetchedFile:
        fetcher = Fetcher(options)
        try:
            # The limit includes robots.txt and a wait that the host's rules ask for.
            async with asyncio.timeout(_LONGEST_S):
                page = await fetcher.fetch(url)
        except TimeoutError as error:
            raise FileRefusedError("slow", f"not within {_LONGEST_S:g} s") from error
        except FetchError as error:
            raise FileRefusedError(_refusal(error), str(error)) from error
        finally:
            await fetcher.aclose()
        if page is None:
            raise FileRefusedError("away", "unchanged, although nothing was known of it")
        return FetchedFile(page.data, page.content_type, _name(url), is_private)


def _refusal(error: FetchError) -> FileRefusal:
    if isinstance(error, RefusedAddressError):
        return "private"
    if error.is_gone:
        return "gone"
    return "closed" if error.status in _CLOSED else _PROBLEMS[error.problem]


def _name(url: str) -> str:
    """The file's name in the address, because its suffix may tell the type; else the host."""
    url_parts = urlsplit(url)
    return PurePosixPath(unquote(url_parts.path)).name or url_parts.hostname or url
