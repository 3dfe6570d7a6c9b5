"""Writes a run as events of AG-UI: server-sent events, or lines of JSON."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from rich_agent.domain.json_values import on_one_line
from rich_agent.domain.runs import RunEvent
from rich_agent.ports.runs import Runs
from rich_agent.web.agui.events import EventWriter
from rich_agent.web.agui.interrupts import Wire
from rich_agent.web.streams import taken

KEEP_ALIVE_S = 15.0
_SSE, _NDJSON = "text/event-stream", "application/x-ndjson"


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
        number, run, skipped = 0, self.writer.run, self.skipped
        for event in self.writer.opening():
            number += 1
            if number > skipped:
                yield self._framed(number, event)
        async with self.runs.following(run, beat_s=self.beat_s) as batches:
            async for batch in batches:
                if not batch:
                    yield ":\n\n" if self.media_type == _SSE else "\n"
                if any(event.data.get("verbatim") for event in batch):
                    skipped = 0  # these are not the events that the client counted
                for one in batch:
                    for event in await taken(one, self._made_of):
                        number += 1
                        if number > skipped:
                            yield self._framed(number, event)

    def _made_of(self, event: RunEvent) -> list[Wire]:
        return list(self.writer.take(event))

    def _framed(self, number: int, event: Wire) -> str:
        # U+2028 and the like are no ends of lines in either format; JSON escapes CR and LF.
        event_id = f"{self.writer.run.run_id}:{number}"
        if self.media_type == _NDJSON:
            return on_one_line({"id": event_id, "event": event}) + "\n"
        return f"id: {event_id}\ndata: {on_one_line(event)}\n\n"


def framing_of(accepted: str) -> str:
    """The media type of a stream: server-sent events, unless only lines of JSON are accepted."""
    return _NDJSON if _NDJSON in accepted and _SSE not in accepted else _SSE
