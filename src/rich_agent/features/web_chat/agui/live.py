"""`/agui/live`: the changes of a conversation, made by any surface, for a page that shows it.

An open stream causes no work until something of its user changes. Its events are made from stored
data, so a reader may come back at any time, to any process.
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
"""Seconds after which a stream ends. Its reader then comes back, and is checked again."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LiveEndpoint:
    """Streams that follow conversations. Conversations of other users are not found."""

    news: News
    history: ThreadHistory
    places: StreamPlaces = field(default_factory=StreamPlaces)
    lasts_s: float = LASTS_S

    def routes(self) -> Sequence[GuardedRoute]:
        """The one route."""
        return (GuardedRoute(LIVE_PATH, "chat", handled_by(self.follow)),)

    async def follow(self, request: Request, caller: Caller) -> Response:
        """The changes since the `version` that the reader has, as they happen."""
        params = request.query_params
        thread_id = params.get("threadId", "")
        if not is_name(thread_id):
            raise refused_input("This is no id of a thread.")
        reader_version = request.headers.get("last-event-id") or params.get("version", "")
        stream = _Following(self, caller.user_id, thread_id)
        reader_id = caller.token_id or -caller.user_id
        # Counted separately from runs, so that open pages do not prevent questions.
        return PlacedStreamResponse(stream.lines(reader_version), self.places, ("live", reader_id))


@dataclass(slots=True)
class _Following:
    """One stream.

    `versions` are the turns that its reader has, None before the first comparison.
    """

    endpoint: LiveEndpoint
    user_id: int
    thread: str
    versions: Mapping[str, str] | None = None

    async def lines(self, reader_version: str) -> AsyncIterator[str]:
        """The events. The stream ends after `lasts_s` seconds."""
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
            # The stream ends, and its reader comes back.
            _log.warning("web.live_ended", error=str(error))

    async def _look(self, reader_version: str) -> str:
        """The event with the changes, "" for a new reader who has the present version."""
        turns = await self.endpoint.news.turns(self.user_id, self.thread, MOST_TURNS)
        versions, previous_versions = {turn.turn: turn.version for turn in turns}, self.versions
        version, self.versions = version_of(turns), versions
        if previous_versions is None and version == reader_version:
            return ""
        event: Wire = {"type": "CONVERSATIONS"}
        if previous_versions is None or list(previous_versions.items()) != list(versions.items()):
            event = await self._change_event(turns, previous_versions or {})
        return f"id: {version}\ndata: {on_one_line(event)}\n\n"

    async def _change_event(
        self, turns: Sequence[ListedTurn], previous_versions: Mapping[str, str]
    ) -> Wire:
        history = self.endpoint.history
        turn_ids = {turn.turn for turn in turns if previous_versions.get(turn.turn) != turn.version}
        open_turns = await history.open_turns([turn for turn in turns if turn.turn in turn_ids])
        stored_count = sum(not turn.runs for turn in turns)
        return {
            "type": "CONVERSATION",
            "threadId": self.thread,
            "turns": [{"turn": turn.turn, "version": turn.version} for turn in turns],
            "isWhole": stored_count < MOST_TURNS,
            "messages": await history.changes(self.user_id, self.thread, turns, turn_ids),
            "open": [history.open_turn(*turn) for turn in open_turns],
        }
