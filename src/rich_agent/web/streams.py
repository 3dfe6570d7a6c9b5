"""Streams of server-sent events, and the limit of open streams.

A slow reader gets the next events once the earlier ones are sent. The connection of a reader that
has stopped is cut: see `runtime.connections`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from rich_agent.domain.runs import RunEvent
from rich_agent.runtime.concurrency import closing_after
from rich_agent.runtime.connections import places_within_descriptors
from rich_agent.web.refusals import RequestRefusedError, retry_after

KEEP_ALIVE = ": keep-alive\n\n"
"""A comment, which readers of events skip."""
_MEDIA_TYPE = "text/event-stream"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_LONG_ANSWER = 10_000
Made = TypeVar("Made")


async def take_event(event: RunEvent, take: Callable[[RunEvent], Made]) -> Made:
    """The result of `take` for an event of a run.

    A long answer is processed in a thread, because guarding all its links can take half a second.
    """
    if event.kind == "answer" and len(event.data["text"]) > _LONG_ANSWER:
        return await asyncio.to_thread(take, event)
    return take(event)


@dataclass(frozen=True, slots=True)
class StreamPlaces:
    """The limits of open streams: of one caller, and of this process.

    A third of the process's connections stays free for others, such as Telegram.
    """

    most_of_one: int = 20
    most: int = field(default_factory=lambda: places_within_descriptors() * 2 // 3)
    _counts: Counter[Hashable] = field(default_factory=Counter)

    @contextmanager
    def place(self, caller: Hashable) -> Iterator[None]:
        """Occupy a place while the block runs. Raises: RequestRefusedError if none is free."""
        if self._counts[caller] >= self.most_of_one or self._counts.total() >= self.most:
            raise RequestRefusedError(
                429,
                "too_many_streams",
                "Too many streams are open.",
                hint="Close others first.",
                headers=retry_after(5.0),
            )
        self._counts[caller] += 1
        try:
            yield
        finally:
            self._counts[caller] -= 1
            if not self._counts[caller]:
                del self._counts[caller]


class EventStreamResponse(StreamingResponse):
    """A stream of the given lines."""

    def __init__(self, lines: AsyncIterator[str], media_type: str = _MEDIA_TYPE) -> None:
        super().__init__(lines, media_type=media_type, headers=_HEADERS)
        self._lines = lines

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with closing_after(self._lines):
            await super().__call__(scope, receive, send)


class PlacedStreamResponse(EventStreamResponse):
    """A stream that occupies a place among the open ones; refused if no place is free."""

    def __init__(
        self,
        lines: AsyncIterator[str],
        places: StreamPlaces,
        caller: Hashable,
        media_type: str = _MEDIA_TYPE,
    ) -> None:
        super().__init__(lines, media_type)
        self._places, self._caller = places, caller

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._places.place(self._caller):
            await super().__call__(scope, receive, send)
