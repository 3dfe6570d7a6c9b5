"""The endpoint under which a calendar program fetches a user's calendar, written as iCalendar.

The address is the secret. Whoever does not know it learns nothing, and costs one short query.
"""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from urllib.parse import urlsplit

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rich_agent.feature import DatedEntries
from rich_agent.feature.errors import DatabaseUnavailableError
from rich_agent.feature.web import OpenRoute
from rich_agent.features.calendars.calendar import Calendar, window_around
from rich_agent.features.calendars.repository import CalendarFeeds, FeedOwner

FEED_PATH = "/calendar/{token}.ics"
_AT_ONCE = 2
_DEADLINE_S = 10.0
_HEADERS = {
    "Cache-Control": "private, max-age=300",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
_log = structlog.get_logger()

WriteCalendar = Callable[[Calendar, str], bytes]
"""Takes a calendar and the host of its address; may take long, so it is called in a thread."""


def feed_address(public_url: str, token: str) -> str:
    """The address of a feed."""
    return public_url + FEED_PATH.format(token=token)


@dataclass(frozen=True, slots=True)
class CalendarEndpoint:
    """Answers with calendars of all `plans`; `permits` tells whether a user may use the bot.

    However many requests come, together they use two database connections and two threads.
    """

    feeds: CalendarFeeds
    plans: Sequence[DatedEntries]
    permits: Callable[[int, bool | None], bool]
    write: WriteCalendar
    public_url: str
    deadline_s: float = _DEADLINE_S
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    def route(self) -> OpenRoute:
        """The route of the feeds."""
        return OpenRoute(FEED_PATH, self.serve)

    async def serve(self, request: Request) -> Response:
        """The calendar that the address opens, 304 if the program has it already."""
        try:
            async with asyncio.timeout(self.deadline_s), self._slots:
                return await self._answer(request)
        except (DatabaseUnavailableError, TimeoutError) as error:
            reason = str(error) or f"not within {self.deadline_s:g} s"
            _log.warning("calendar.unavailable", error=reason)
            return PlainTextResponse("try again", 503, {"Retry-After": "60"})

    async def _answer(self, request: Request) -> Response:
        owner = await self.feeds.owner(request.path_params["token"])
        if owner is None or not self.permits(owner.user_id, owner.is_allowed):
            return PlainTextResponse("not found", 404, {"Cache-Control": "no-store"})
        return await self._calendar(request, owner)

    async def _calendar(self, request: Request, owner: FeedOwner) -> Response:
        since, until = window_around(self.now().date())
        entries = [await give(owner.user_id, since, until) for give in self.plans]
        calendar = Calendar(since, owner.time_zone, [*chain.from_iterable(entries)])
        host = urlsplit(self.public_url).hostname or ""
        text = await asyncio.to_thread(self.write, calendar, host)
        tag = f'"{hashlib.sha256(text).hexdigest()[:32]}"'
        headers = {**_HEADERS, "ETag": tag}
        if _names(request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
        return Response(text, media_type="text/calendar; charset=utf-8", headers=headers)


def _names(header: str, tag: str) -> bool:
    """Whether If-None-Match names a tag. Source: RFC 9110, 13.1.2."""
    tags = {one.strip().removeprefix("W/") for one in header.split(",")}
    return bool(tags & {tag, "*"})
