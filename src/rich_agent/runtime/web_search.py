"""The web search by search engines, with the parts that all engines share.

Each search is charged and has a deadline, its results become passages within bounds, and any error
of an engine becomes an UpstreamError. If an engine fails, the next one is asked.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Final
from urllib.parse import urlsplit

from rich_agent.domain.retrieval.passage import Passage, number_web_results
from rich_agent.domain.text import clean_text, shorten
from rich_agent.domain.usage_limits import Call
from rich_agent.errors import (
    Target,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.knowledge import WebFindings, WebSearch
from rich_agent.ports.search_engines import EngineBusyError, SearchEngine, WebResult
from rich_agent.runtime.metering import charge
from rich_agent.runtime.reach import in_reach, log_failure, out_of_reach

_SEARCH_S: Final = 15.0
_SHARE_S: Final = 8.0
"""Seconds for an engine that another one follows."""
_REST_S: Final = 60.0
_REFUSED_REST_S: Final = 600.0
"""Seconds after a refusal, which somebody has to mend."""
_LONGEST_REST_S: Final = 3600.0
_MOST_RESULTS: Final = 20
_CONTENT_CHARS: Final = 4_000
_TITLE_CHARS: Final = 300
_URL_CHARS: Final = 2_000
_HINT: Final = (
    "Check the network of this machine, and the address and the key of the search engine."
)


@dataclass(frozen=True, slots=True)
class ResultHosts:
    """The hosts whose pages may be results. A host stands for the hosts below it too.

    Without `allowed` hosts, all are allowed but the `blocked` ones.
    """

    allowed: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, allowed: Iterable[str], blocked: Iterable[str]) -> "ResultHosts":
        """The hosts of two lists, whose entries may begin with `*.`."""
        allowed_hosts, blocked_hosts = (
            frozenset(host.lower().removeprefix("*.").rstrip(".") for host in hosts)
            for hosts in (allowed, blocked)
        )
        return cls(allowed_hosts, blocked_hosts)

    def permit(self, url: str) -> bool:
        """Whether a citation can open the address, and its host is allowed."""
        try:
            parts = urlsplit(url)
            # Names in other scripts are compared in the form in which lists can hold them.
            host = (parts.hostname or "").encode("idna").decode().lower().rstrip(".")
        except (UnicodeError, ValueError):
            return False
        if parts.scheme not in {"http", "https"} or not host:
            return False
        if len(url) > _URL_CHARS or not url.isprintable() or " " in url:
            return False
        own_names = set(_with_parents(host))
        is_allowed = not self.allowed or not own_names.isdisjoint(self.allowed)
        return is_allowed and own_names.isdisjoint(self.blocked)

    @property
    def is_open(self) -> bool:
        """Whether every host is allowed."""
        return not (self.allowed or self.blocked)


def _note_failure(engine: str, error: UpstreamError) -> None:
    """Log that an engine failed; one that did not answer is out of reach."""
    if isinstance(error, UpstreamTimeoutError | UpstreamUnavailableError):
        error.hint = error.hint or _HINT
        out_of_reach(Target("web search", engine), error)
    log_failure("web_search.engine_failed", error, engine=engine)


class EngineSearch:
    """Implements `WebSearch` by search engines, which are asked in order until one answers.

    An engine that failed rests: while it does, it is asked after the others. One that is busy with
    other searches has not failed.
    """

    def __init__(
        self,
        engines: Sequence[SearchEngine],
        hosts: ResultHosts | None = None,
        timeout_s: float = _SEARCH_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engines = engines
        self._hosts = hosts or ResultHosts()
        self._timeout_s = timeout_s
        self._clock = clock
        self._rests: dict[str, float] = {}
        self._places = {
            engine.name: asyncio.Semaphore(engine.at_once) for engine in engines if engine.at_once
        }

    async def search(self, query: str, limit: int) -> WebFindings:
        """See `WebSearch`."""
        failures: list[UpstreamError] = []
        now = self._clock()
        engines = sorted(self._engines, key=lambda engine: self._rests.get(engine.name, 0.0) > now)
        for engine in engines:
            share_s = self._timeout_s if engine is engines[-1] else min(_SHARE_S, self._timeout_s)
            try:
                async with self._place(engine, share_s):
                    passages = await self._charged_search(engine, query, limit, share_s)
            except EngineBusyError as error:
                failures.append(error)
                log_failure("web_search.engine_busy", error, engine=engine.name)
                continue
            except UpstreamError as error:
                failures.append(error)
                self._rests[engine.name] = self._clock() + _rest_s(error)
                _note_failure(engine.name, error)
                continue
            in_reach(Target("web search", engine.name))
            self._rests.pop(engine.name, None)
            return WebFindings(passages, failures)
        if len(failures) == 1:
            raise failures[0]
        reasons = "; ".join(map(str, failures))
        raise UpstreamUnavailableError("web search", reasons) from failures[-1]

    @asynccontextmanager
    async def _place(self, engine: SearchEngine, wait_s: float) -> AsyncIterator[None]:
        """Hold one of the engine's places, if they are counted. Raises: EngineBusyError."""
        places = self._places.get(engine.name)
        if places is None:
            yield
            return
        try:
            async with asyncio.timeout(wait_s):
                await places.acquire()
        except TimeoutError as error:
            raise EngineBusyError(engine.name, wait_s) from error
        try:
            yield
        finally:
            places.release()

    async def _charged_search(
        self, engine: SearchEngine, query: str, limit: int, timeout_s: float
    ) -> list[Passage]:
        """The results of one engine as passages. Raises: UpstreamError, DailyLimitError."""
        async with charge(Call("search", engine.name, searches=1)) as receipt:
            try:
                return await self._search(engine, query, limit, timeout_s)
            except UpstreamError:
                receipt.refuse()  # engines charge only for answers
                raise

    async def _search(
        self, engine: SearchEngine, query: str, limit: int, timeout_s: float
    ) -> list[Passage]:
        """The results of one engine as passages. Raises: UpstreamError."""
        # Where hosts are left out, more is asked for than is wanted.
        most = limit if self._hosts.is_open else max(limit, _MOST_RESULTS)
        try:
            async with asyncio.timeout(timeout_s):
                results = await engine.search(query[: engine.query_chars], most)
            permitted = (one for one in results if self._hosts.permit(one.url))
            return number_web_results([_passage(one) for one in islice(permitted, limit)])
        except UpstreamError:
            raise
        except TimeoutError as error:
            raise UpstreamTimeoutError(engine.name, timeout_s) from error
        except Exception as error:  # a feature's engine may raise anything
            raise UpstreamUnavailableError(engine.name, "the search failed") from error


def choose_engines(engines: Sequence[SearchEngine], names: Sequence[str]) -> list[SearchEngine]:
    """The engines to ask, in order: the named ones, or all without terms if none is named.

    `names` are the value of WEB_SEARCH; names without an engine are left out.
    """
    if not names:
        return [engine for engine in engines if not engine.terms]
    engine_by_name = {engine.name: engine for engine in engines}
    return [engine_by_name[name] for name in dict.fromkeys(names) if name in engine_by_name]


def open_web_search(
    engines: Sequence[SearchEngine], names: Sequence[str], hosts: ResultHosts
) -> WebSearch | None:
    """The web search on the chosen engines; None without any."""
    chosen_engines = choose_engines(engines, names)
    return EngineSearch(chosen_engines, hosts) if chosen_engines else None


def _rest_s(error: UpstreamError) -> float:
    """The seconds in which other engines are asked first."""
    asked_s = error.retry_after_s if isinstance(error, UpstreamRateLimitedError) else None
    if isinstance(error, UpstreamRefusedError):
        return _REFUSED_REST_S
    return _REST_S if asked_s is None else min(max(asked_s, 1.0), _LONGEST_REST_S)


def _with_parents(host: str) -> Iterator[str]:
    """Yield a host and the domains above it."""
    while host:
        yield host
        _, _, host = host.partition(".")


def _passage(result: WebResult) -> Passage:
    """A result as a passage, whose texts are cut to what an answer can use."""
    title = shorten(clean_text(result.title[:_CONTENT_CHARS]), _TITLE_CHARS)
    return Passage(
        id="web:0",
        kind="web",
        content=clean_text(result.content[:_CONTENT_CHARS]),
        source_url=result.url,
        title=title or result.url,
        link=result.url,
        score=min(max(result.score, 0.0), 1.0) if isfinite(result.score) else 0.0,
    )
