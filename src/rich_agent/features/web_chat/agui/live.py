"""`/agui/live`: what changes in a conversation, wherever it is written, for a page that shows it.

An open stream costs nothing until something of its user changes. What it tells is read from what is
stored, so a reader may come back after any time, to any process.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

import structlog
from starlette.requests import Request
from starlette.responses import Response

from rich_agent.feature.concurrency import happens_within
from rich_agent.feature.errors import DatabaseUnavailableError
from rich_agent.feature.runs import on_one_line
from rich_agent.feature.surface import ListedTurn, News
from rich_agent.feature.web import (
    Caller,
    GuardedRoute,
    PlacedStreamResponse,
    StreamPlaces,
    handled_by,
)
from rich_agent.features.web_chat.agui.history import MOST_TURNS, ThreadHistory, version_of
from rich_agent.features.web_chat.agui.interrupts import Wire
from rich_agent.features.web_chat.agui.requests import is_name, refused_input

LIVE_PATH = "/agui/live"
BEAT_S = 25.0
LASTS_S = 1_800.0
"""Then the reader comes again, and is admitted again."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LiveEndpoint:
    """Streams that follow conversations. Those of others are not found."""

    news: News
    history: ThreadHistory
    places: StreamPlaces = field(default_factory=StreamPlaces)
    lasts_s: float = LASTS_S

    def routes(self) -> Sequence[GuardedRoute]:
        """The one route."""
        return (GuardedRoute(LIVE_PATH, "chat", handled_by(self.follow)),)

    async def follow(self, request: Request, caller: Caller) -> Response:
        """The changes behind the `version` that the reader has, as they come."""
        params = request.query_params
        thread = params.get("threadId", "")
        if not is_name(thread):
            raise refused_input("This is no id of a thread.")
        reader_version = request.headers.get("last-event-id") or params.get("version", "")
        following = _Following(self, caller.user_id, thread)
        reader = caller.token_id or -caller.user_id
        # Counted apart from runs, so that open pages keep nobody from asking.
        return PlacedStreamResponse(following.lines(reader_version), self.places, ("live", reader))


@dataclass(slots=True)
class _Following:
    """One stream; `shown` is what its reader knows, None before anything was compared."""

    endpoint: LiveEndpoint
    user_id: int
    thread: str
    versions: Mapping[str, str] | None = None

    async def lines(self, reader_version: str) -> AsyncIterator[str]:
        """The events; it ends after a time by itself."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self.endpoint.lasts_s
        yield ":\n\n"
        try:
            async with self.endpoint.news.hearing(self.user_id) as news:
                while loop.time() < ends_at:
                    news.clear()
                    if line := await self._look(reader_version):
                        yield line
                    while loop.time() < ends_at and not await happens_within(news, BEAT_S):
                        yield ":\n\n"
        except DatabaseUnavailableError as error:
            # The reader comes back.
            _log.warning("web.live_ended", error=str(error))

    async def _look(self, reader_version: str) -> str:
        """The event that tells what is new, "" for a reader who has just come and knows it all."""
        turns = await self.endpoint.news.turns(self.user_id, self.thread, MOST_TURNS)
        versions, before = {one.turn: one.version for one in turns}, self.versions
        version, self.versions = version_of(turns), versions
        if before is None and version == reader_version:
            return ""
        event: Wire = {"type": "CONVERSATIONS"}
        if before is None or list(before.items()) != list(versions.items()):
            event = await self._change_event(turns, before or {})
        return f"id: {version}\ndata: {on_one_line(event)}\n\n"

    async def _change_event(self, turns: Sequence[ListedTurn], before: Mapping[str, str]) -> Wire:
        history = self.endpoint.history
        turn_ids = {one.turn for one in turns if before.get(one.turn) != one.version}
        open_turns = await history.open_turns([one for one in turns if one.turn in turn_ids])
        stored_count = sum(not one.runs for one in turns)
        return {
            "type": "CONVERSATION",
            "threadId": self.thread,
            "turns": [{"turn": one.turn, "version": one.version} for one in turns],
            "isWhole": stored_count < MOST_TURNS,
            "messages": await history.changes(self.user_id, self.thread, turns, turn_ids),
            "open": [history.open_turn(*one) for one in open_turns],
        }
