"""Streams of JSON events as they come in lines."""

from collections.abc import AsyncIterator

import pytest

from rich_agent.terminal.remote_bot import Framed, of_ndjson, of_sse


async def lines_of(*lines: str) -> AsyncIterator[str]:
    """The lines of an answer."""
    for line in lines:
        yield line


async def test_sse_joins_lines_of_data_and_keeps_the_last_id() -> None:
    """Comments and unknown fields say nothing; an event without its end did not come."""
    stream = lines_of(":", "id: r:1", 'data: {"a":', "data: 1}", "", "event: x", "", "data:{}", "")
    assert [one async for one in of_sse(stream)] == [Framed({"a": 1}, "r:1"), Framed({}, "r:1")]
    assert [one async for one in of_sse(lines_of("data: {}"))] == []


async def test_ndjson_has_an_event_on_each_line() -> None:
    """Empty lines keep the connection."""
    stream = lines_of("", '{"id": "r:1", "event": {"a": 1}}', "")
    assert [one async for one in of_ndjson(stream)] == [Framed({"a": 1}, "r:1")]


async def test_broken_json_is_an_error() -> None:
    """A stream that is none of ours is told, not skipped."""
    with pytest.raises(ValueError, match="Expecting"):
        [one async for one in of_ndjson(lines_of("no"))]
