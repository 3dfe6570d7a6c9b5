"""Writes a run as server-sent events, and keeps the number of open streams within bounds.

A reader who is slow gets the next events when the last ones are gone; one who stands still is left.
Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from typing_extensions import override

from rich_agent.ports.runs import Runs
from rich_agent.web.agui.events import EventWriter
from rich_agent.web.agui.interrupts import Wire
from rich_agent.web.refusals import RequestRefusedError, retry_after

KEEP_ALIVE_S = 15.0
_STANDSTILL_S = 60.0
_SSE, _NDJSON = "text/event-stream", "application/x-ndjson"
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(frozen=True, slots=True)
class StreamPlaces:
    """How many streams may be open: of one caller, and of this process."""

    most_of_one: int = 20
    most: int = 1_000
    _taken: Counter[Hashable] = field(default_factory=Counter)

    @contextmanager
    def place(self, caller: Hashable) -> Iterator[None]:
        """A place while the block runs. Raises: RequestRefusedError if none is free."""
        if self._taken[caller] >= self.most_of_one or self._taken.total() >= self.most:
            raise RequestRefusedError(
                429,
                "too_many_streams",
                "Too many streams are open.",
                mend="Close others first.",
                headers=retry_after(5.0),
            )
        self._taken[caller] += 1
        try:
            yield
        finally:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]


@dataclass(frozen=True, slots=True)
class RunStream:
    """The events of a run behind the first `skipped` ones."""

    runs: Runs
    writer: EventWriter
    skipped: int = 0
    beat_s: float = KEEP_ALIVE_S
    media_type: str = _SSE

    async def lines(self) -> AsyncIterator[str]:
        """The stream, piece by piece, to the end of the run.

        Raises: DatabaseUnavailableError.
        """
        number, run = 0, self.writer.run
        for event in self.writer.opening():
            number += 1
            if number > self.skipped:
                yield self._framed(number, event)
        async with self.runs.following(run, beat_s=self.beat_s) as batches:
            async for batch in batches:
                if not batch:
                    yield ":\n\n" if self.media_type == _SSE else "\n"
                for event in (made for one in batch for made in self.writer.take(one)):
                    number += 1
                    if number > self.skipped:
                        yield self._framed(number, event)

    def _framed(self, number: int, event: Wire) -> str:
        # U+2028 and the like are no ends of lines in either format; JSON escapes CR and LF.
        event_id = f"{self.writer.run.run_id}:{number}"
        if self.media_type == _NDJSON:
            return _json({"id": event_id, "event": event}) + "\n"
        return f"id: {event_id}\ndata: {_json(event)}\n\n"


def framing_of(accepted: str) -> str:
    """The media type of a stream: server-sent events, unless only lines of JSON are accepted."""
    return _NDJSON if _NDJSON in accepted and _SSE not in accepted else _SSE


class EventStreamResponse(StreamingResponse):
    """A stream that holds a place among the open ones; refused if there is none."""

    def __init__(self, stream: RunStream, places: StreamPlaces, caller: Hashable) -> None:
        super().__init__(stream.lines(), media_type=stream.media_type, headers=_HEADERS)
        self._places, self._caller = places, caller

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_soon(message: Message) -> None:
            try:
                async with asyncio.timeout(_STANDSTILL_S):
                    await send(message)
            except TimeoutError:
                raise ClientDisconnect from None

        with self._places.place(self._caller):
            await super().__call__(scope, receive, send_soon)


def _json(value: Wire) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
