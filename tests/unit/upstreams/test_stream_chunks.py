"""Chunks of a model's stream are read together where they came together."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Self, cast

import openai
import pytest
from typing_extensions import override

from rich_agent.upstreams.servers.stream_chunks import join_chunks, join_texts


def chunk(content: str = "", **told: Any) -> dict[str, Any]:
    """A chunk with a text, and whatever else its choice tells."""
    return {"model": "m", "choices": [{"index": 0, "delta": {"content": content}, **told}]}


class _Stream:
    """As the client's: a context, and its chunks."""

    def __init__(self, *came: object) -> None:
        self._came = came
        self.is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        self.is_closed = True

    async def __aiter__(self) -> AsyncIterator[object]:
        for one in self._came:
            if isinstance(one, Exception):
                raise one
            yield one


def test_join_texts_makes_one_of_neighbours() -> None:
    """Texts of one kind; what else a chunk tells stays in a chunk of its own."""
    thought = {"model": "m", "choices": [{"index": 0, "delta": {"reasoning": "Hm"}}]}
    end, usage = chunk(finish_reason="stop"), {"choices": [], "usage": {"prompt_tokens": 3}}
    read = join_texts([thought, thought, chunk("Sal"), chunk("ve, "), chunk("Ada"), end, usage])
    assert list(read) == [
        {"model": "m", "choices": [{"index": 0, "delta": {"reasoning": "HmHm"}}]},
        chunk("Salve, Ada"),
        end,
        usage,
    ]


def test_join_texts_leaves_calls_and_logprobs_alone() -> None:
    """Their parts cannot be put together by their text."""
    call = {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}}]}
    sure = chunk("yes", logprobs={"content": []})
    assert list(join_texts([call, call, sure, sure])) == [call, call, sure, sure]


async def read(stream: _Stream) -> AsyncIterator[dict[str, Any]]:
    """The joined chunks of a stream."""
    async with join_chunks(cast("openai.AsyncStream[object]", stream)) as chunks:
        async for one in chunks:
            yield one


async def test_joined_raises_an_error_behind_what_came_before() -> None:
    """The text before a break is read, then the break is told, and the stream is closed."""
    broken = _Stream(chunk("Half "), chunk("an answer"), openai.OpenAIError("cut"))
    reading = read(broken)
    assert await anext(reading) == chunk("Half an answer")
    with pytest.raises(openai.OpenAIError, match="cut"):
        await anext(reading)
    assert broken.is_closed


async def test_joined_refuses_what_is_no_chunk() -> None:
    """JSON that is no object is an error, as from a server that is none of models."""
    with pytest.raises(TypeError):
        await anext(read(_Stream("hello")))


class _PacedStream(_Stream):
    """Sends a text every five milliseconds, and keeps what is not read, as a socket does."""

    @override
    async def __aiter__(self) -> AsyncIterator[object]:
        loop = asyncio.get_running_loop()
        start_s = loop.time()
        for number, text_chunk in enumerate(self._came):
            await asyncio.sleep(max(0.0, start_s + number * 0.005 - loop.time()))
            yield text_chunk


async def test_joined_hands_over_one_piece_for_each_pause() -> None:
    """The first text comes at once; after it, a tenth of a second makes one piece."""
    loop, words = asyncio.get_running_loop(), [f"word{number} " for number in range(100)]
    start_s, pieces = loop.time(), list[tuple[float, str]]()
    async for piece in read(_PacedStream(*map(chunk, words))):
        pieces.append((loop.time() - start_s, piece["choices"][0]["delta"]["content"]))
    assert "".join(text for _, text in pieces) == "".join(words)
    assert pieces[0][1] == words[0]
    assert len(pieces) <= 2 + pieces[-1][0] / 0.1
