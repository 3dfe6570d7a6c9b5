"""Framing of a stream of JSON events on the wire: server-sent events, or a line for each."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Lines = AsyncIterator[str]


@dataclass(frozen=True, slots=True)
class Framed:
    """An event, and the id behind which a stream can be resumed."""

    event: Mapping[str, Any]
    id: str = ""


async def of_sse(lines: Lines) -> AsyncIterator[Framed]:
    """Server-sent events whose data is JSON; comments keep the connection alive.

    Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
    """
    data: list[str] = []
    last_id = ""
    async for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield Framed(json.loads("\n".join(data)), last_id)
            data = []
        elif field == "data":
            data.append(value)
        elif field == "id":
            last_id = value


async def of_ndjson(lines: Lines) -> AsyncIterator[Framed]:
    """A JSON object on each line, as `{"id": …, "event": …}`; empty lines keep the connection."""
    async for line in lines:
        if line.strip():
            framed = json.loads(line)
            yield Framed(framed["event"], framed["id"])


FRAMINGS: Mapping[str, Callable[[Lines], AsyncIterator[Framed]]] = MappingProxyType(
    {"text/event-stream": of_sse, "application/x-ndjson": of_ndjson}
)
"""How to read a stream, by its media type."""
