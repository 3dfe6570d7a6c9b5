"""Reads a stream of chat completions with little work: chunks of one moment become one.

A server sends a chunk for each token. Whoever reads sees no difference to a tenth of a second, but
each chunk would be parsed, guarded, counted and shown by itself.
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
"""What takes longer to come was not there yet."""
_MOST_WAITING = 1_000


@asynccontextmanager
async def join_chunks(stream: openai.AsyncStream[object]) -> AsyncIterator[AsyncIterator[Chunk]]:
    """The chunks of a stream as JSON, where those with text that came together are one.

    Errors of the stream are raised behind the chunks before them.
    """
    came: asyncio.Queue[Chunk | Exception | None] = asyncio.Queue(_MOST_WAITING)
    async with stream, task_group() as group:
        reading = group.create_task(_read(stream, came))
        try:
            yield _take_from(came)
        finally:
            reading.cancel()


async def _read(
    stream: openai.AsyncStream[object], came: asyncio.Queue[Chunk | Exception | None]
) -> None:
    loop = asyncio.get_running_loop()
    try:
        began = loop.time()
        async for chunk in stream:
            await came.put(read := _with_choices(chunk))
            if loop.time() - began > _AT_ONCE_S and _kind_of_text(read):
                # The next ones gather in the socket meanwhile, and are read at once.
                await asyncio.sleep(_PAUSE_S)
            began = loop.time()
        await came.put(None)
    except Exception as error:  # noqa: BLE001 - raised by the reader of the chunks
        await came.put(error)


async def _take_from(came: asyncio.Queue[Chunk | Exception | None]) -> AsyncIterator[Chunk]:
    while True:
        moment = [await came.get()]
        while not came.empty():
            moment.append(came.get_nowait())
        for chunk in join_texts(one for one in moment if isinstance(one, dict)):
            yield chunk
        if (last := moment[-1]) is None:
            return
        if isinstance(last, Exception):
            raise last


def join_texts(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks, where neighbours with nothing but a text of the same kind are one."""
    for kind, alike in groupby(chunks, _kind_of_text):
        if kind is None:
            yield from alike
            continue
        first, *others = alike
        (choice,) = first["choices"]
        texts = (one["choices"][0]["delta"][kind] for one in (first, *others))
        yield {**first, "choices": [{**choice, "delta": {**choice["delta"], kind: "".join(texts)}}]}


def _with_choices(chunk: object) -> Chunk:
    """A chunk as LangChain expects it. Raises: TypeError, ValueError of what is none."""
    if not isinstance(chunk, dict):
        raise TypeError("a chunk that is no object")
    return {**chunk, "choices": [{"delta": None, **one} for one in chunk.get("choices") or ()]}


def _kind_of_text(chunk: Chunk) -> str | None:
    """The name of the one field of a chunk with nothing but text; None of any other chunk."""
    choices = chunk["choices"]
    if len(choices) != 1 or chunk.get("usage"):
        return None
    if choices[0].get("finish_reason") or choices[0].get("logprobs"):
        return None
    fields = {k: v for k, v in (choices[0]["delta"] or {}).items() if v and k != "role"}
    kind, text = next(iter(fields.items()), ("", None))
    return kind if len(fields) == 1 and isinstance(text, str) else None
