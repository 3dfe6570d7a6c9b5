"""The rules of each host's robots.txt (RFC 9309), fetched once per run."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import httpx
from protego import Protego

from rich_agent.documents.fetch.errors import FetchError, RefusedAddressError

_ALL_ALLOWED = ""
# RFC 9309, section 2.3.1.3; a host that reports too many requests gets no more.
_SAYS_THERE_IS_NONE = frozenset(range(400, 500)) - {HTTPStatus.TOO_MANY_REQUESTS}
_MOST_DELAY_S = 10.0


class Robots:
    """The rules of hosts for one user agent; `get` fetches the text of a robots.txt by its address.

    A host without robots.txt (4xx) allows everything. If a robots.txt cannot be fetched, no page of
    its host is read.
    """

    def __init__(self, agent: str, get: Callable[[str], Awaitable[str]]) -> None:
        self._agent = agent
        self._get = get
        self._known: dict[str, Protego | FetchError] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def require(self, url: str) -> None:
        """Check a page.

        Raises: FetchError if reading it is forbidden, or if the rules are unavailable.
        """
        rules = await self._rules(url)
        if not rules.can_fetch(url, self._agent):
            raise FetchError(
                f"robots.txt of {httpx.URL(url).host} forbids reading it; "
                "set RESPECT_ROBOTS=false to read it anyway",
                problem="robots",
            )

    async def delay_s(self, url: str) -> float:
        """The host's Crawl-delay in seconds, at most 10; 0.0 if there is none."""
        crawl_delay_s = (await self._rules(url)).crawl_delay(self._agent) or 0.0
        return min(crawl_delay_s, _MOST_DELAY_S) if crawl_delay_s > 0 else 0.0  # NaN counts as none

    async def sitemaps(self, url: str) -> list[str]:
        """The addresses of the sitemaps that the host names. Raises: FetchError."""
        return list((await self._rules(url)).sitemaps)

    async def _rules(self, url: str) -> Protego:
        robots_url = str(httpx.URL(url).copy_with(raw_path=b"/robots.txt"))
        async with self._asking[robots_url]:
            if robots_url not in self._known:
                self._known[robots_url] = await self._ask(robots_url)
        rules = self._known[robots_url]
        if isinstance(rules, FetchError):
            raise rules
        return rules

    async def _ask(self, robots_url: str) -> Protego | FetchError:
        """The rules, or the error if they are unavailable."""
        try:
            return Protego.parse(await self._get(robots_url))
        except RefusedAddressError as error:
            return error
        except FetchError as error:
            if error.status in _SAYS_THERE_IS_NONE:
                return Protego.parse(_ALL_ALLOWED)
            reason = f"not read, because the host's robots.txt could not be fetched: {error}"
            return FetchError(reason, problem=error.problem)
