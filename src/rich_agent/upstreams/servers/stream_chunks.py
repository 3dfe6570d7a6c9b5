"""Reads a stream of chat completions, and joins chunks that arrive together.

A server sends a chunk for each token, and each chunk has to be parsed, guarded, counted and shown.
Joining them delays text by a tenth of a second, which readers do not notice.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import groupby
from typing import Any

import openai

from rich_agent.runtime.concurrency import task_group

Chunk = dict[str, Any]
_PAUSE_S = 0.1
_AT_ONCE_S = 0.002
"""A chunk that takes longer was not yet in the socket."""
_READING_S = 0.01
"""Time to read the chunks that are in the socket."""
_MOST_WAITING = 1_000


@asynccontextmanager
async def join_chunks(stream: openai.AsyncStream[object]) -> AsyncIterator[AsyncIterator[Chunk]]:
    """The chunks of a stream as JSON; text chunks that arrived together are joined into one.

    An error of the stream is raised after the chunks that arrived before it.
    """
    arrivals: asyncio.Queue[Chunk | Exception | None] = asyncio.Queue(_MOST_WAITING)
    async with stream, task_group() as group:
        reader_task = group.create_task(_read(stream, arrivals))
        try:
            yield _take_from(arrivals)
        finally:
            reader_task.cancel()


async def _read(
    stream: openai.AsyncStream[object], arrivals: asyncio.Queue[Chunk | Exception | None]
) -> None:
    loop = asyncio.get_running_loop()
    has_text = False
    try:
        wait_start_s = loop.time()
        async for chunk in stream:
            chunk_fields = _with_choices(chunk)
            if not has_text:
                has_text = _is_text(chunk_fields)
            elif loop.time() - wait_start_s > _AT_ONCE_S and _is_text(chunk_fields):
                # Meanwhile the next chunks arrive in the socket, and are then read with this one.
                await asyncio.sleep(_PAUSE_S)
            await arrivals.put(chunk_fields)
            wait_start_s = loop.time()
        await arrivals.put(None)
    except Exception as error:  # noqa: BLE001 - raised by the reader of the chunks
        await arrivals.put(error)


async def _take_from(arrivals: asyncio.Queue[Chunk | Exception | None]) -> AsyncIterator[Chunk]:
    has_text = False
    while True:
        batch = [await arrivals.get()]
        if _is_text(batch[0]) and has_text:
            await asyncio.sleep(_READING_S)
        has_text = has_text or _is_text(batch[0])
        while not arrivals.empty():
            batch.append(arrivals.get_nowait())
        for chunk in join_texts(arrival for arrival in batch if isinstance(arrival, dict)):
            yield chunk
        if (last_arrival := batch[-1]) is None:
            return
        if isinstance(last_arrival, Exception):
            raise last_arrival


def join_texts(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks; neighbours that hold only text of the same kind are joined into one."""
    for kind, neighbours in groupby(chunks, _kind_of_text):
        if kind is None:
            yield from neighbours
            continue
        first_chunk, *following_chunks = neighbours
        (choice,) = first_chunk["choices"]
        texts = (chunk["choices"][0]["delta"][kind] for chunk in (first_chunk, *following_chunks))
        yield {
            **first_chunk,
            "choices": [{**choice, "delta": {**choice["delta"], kind: "".join(texts)}}],
        }


def _with_choices(chunk: object) -> Chunk:
    """A chunk as LangChain expects it. Raises: TypeError, ValueError for anything else."""
    if not isinstance(chunk, dict):
        raise TypeError("a chunk that is no object")
    return {
        **chunk,
        "choices": [{"delta": None, **choice} for choice in chunk.get("choices") or ()],
    }


def _is_text(arrival: Chunk | Exception | None) -> bool:
    return isinstance(arrival, dict) and _kind_of_text(arrival) is not None


def _kind_of_text(chunk: Chunk) -> str | None:
    """The name of the chunk's text field if the chunk holds nothing else; None for other chunks."""
    choices = chunk["choices"]
    if len(choices) != 1 or chunk.get("usage"):
        return None
    if choices[0].get("finish_reason") or choices[0].get("logprobs"):
        return None
    fields = {
        name: value
        for name, value in (choices[0]["delta"] or {}).items()
        if value and name != "role"
    }
    kind, text = next(iter(fields.items()), ("", None))
    return kind if len(fields) == 1 and isinstance(text, str) else None
