"""Arguments of calls are streamed at a cost that depends on what came, whatever came."""

import asyncio
import gc
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import httpx2
import pytest
from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk

from rich_agent.domain.tools import ToolCall, ToolSpec
from rich_agent.ports.models import GrowingCall
from rich_agent.upstreams.models.chat import OpenAIChatModel
from rich_agent.upstreams.servers.replies import ReplyPiece
from rich_agent.upstreams.servers.tool_calls import ToolCallReader
from tests.unit.upstreams.test_chat_client import (
    PROMPT,
    Json,
    Server,
    delta,
    events,
    responded,
)

LENGTH = 10_000
LIMIT = 50_000
BROKEN = ["x", '{"a": tru ', '{"a":"b"}{', '"', "[1, "]
TOOL = ToolSpec("remind", "Reminds.", {"type": "object", "properties": {}})


def completion(*pieces: str) -> httpx2.Response:
    """A call as chat completions stream it."""
    first = {"index": 0, "id": "c1", "function": {"name": "remind", "arguments": pieces[0]}}
    others = [{"index": 0, "function": {"arguments": piece}} for piece in pieces[1:]]
    deltas = [delta(tool_calls=[one]) for one in (first, *others)]
    return events(delta(role="assistant"), *deltas, delta("tool_calls"))


def response(*pieces: str) -> httpx2.Response:
    """The same call as the Responses API streams it."""
    item: Json = {"type": "function_call", "id": "f1", "call_id": "c1", "name": "remind"}
    grown: Json = {
        "type": "response.function_call_arguments.delta",
        "item_id": "f1",
        "output_index": 0,
    }
    begun: Json = {"type": "response.output_item.added", "output_index": 0}
    done = item | {"arguments": "".join(pieces), "status": "completed"}
    told = [
        {"type": "response.created", "response": responded(status="in_progress")},
        begun | {"item": item | {"arguments": pieces[0], "status": "in_progress"}},
        *(grown | {"delta": piece} for piece in pieces[1:]),
        {"type": "response.completed", "response": responded(done)},
    ]
    return events(*({**one, "sequence_number": n} for n, one in enumerate(told)))


async def called(answer: httpx2.Response) -> list[Any]:
    """The output of a chat model for an answer."""
    access = Server(answer).access()
    access.capabilities.uses_responses = b"response.created" in answer.content
    return [one async for one in OpenAIChatModel(access).stream(replace(PROMPT, tools=(TOOL,)))]


def work_of(doing: Callable[[], object]) -> int:
    """The number of functions of Python and of C that are called."""
    number = count()

    def called_one(_frame: object, event: str, _argument: object) -> None:
        if event in {"call", "c_call"}:
            next(number)

    gc.disable()  # what a collection finalizes is called too
    sys.setprofile(called_one)
    try:
        doing()
    finally:
        sys.setprofile(None)
        gc.enable()
    return next(number)


@pytest.mark.parametrize("api", [completion, response])
@pytest.mark.parametrize("size", [4, 777, LENGTH])
async def test_call_is_whole_however_it_is_cut(
    api: Callable[..., httpx2.Response], size: int
) -> None:
    """In every piece, and with what shows while it grows."""
    words = "Büro 🌱 " * 500
    text = f'{{"text": "{words}"}}'
    *grown, last = await called(api(*(text[at : at + size] for at in range(0, len(text), size))))
    assert last == ToolCall("call0", "remind", {"text": words})
    shown = [one.arguments for one in grown if isinstance(one, GrowingCall)]
    assert shown[-1] == text
    assert all(text.startswith(one) for one in shown)


@pytest.mark.parametrize("api", [completion, response])
@pytest.mark.parametrize("pump", BROKEN)
def test_broken_arguments_cost_what_came(api: Callable[..., httpx2.Response], pump: str) -> None:
    """Ten times as much in one piece, and in many, is at most about ten times the work."""

    def work(length: int, size: int) -> int:
        text = (pump * length)[:length]
        answer = api("", *(text[at : at + size] for at in range(0, length, size)))
        return work_of(lambda: asyncio.run(called(answer)))

    for size in (100, LENGTH):
        work(LENGTH, size)  # what is imported and remembered the first time
        assert work(LENGTH, size) <= 15 * work(LENGTH // 10, size)


def joined(text: str) -> AIMessageChunk:
    """A call of two pieces, as one message."""
    half = len(text) // 2
    begun = tool_call_chunk(name="remind", args=text[:half], id="c1", index=0)
    ended = tool_call_chunk(args=text[half:], index=0)
    first = ReplyPiece(content="", tool_call_chunks=[begun])
    return first + ReplyPiece(content="", tool_call_chunks=[ended])


def test_joined_pieces_hold_what_was_called() -> None:
    """Arguments of a form are read; what is no JSON object is kept as it was written."""
    (call,) = joined('{"text": "a\nb"}').tool_calls
    assert (call["name"], call["args"], call["id"]) == ("remind", {"text": "a\nb"}, "c1")
    for text in BROKEN:
        (kept,) = joined(text).invalid_tool_calls
        assert kept["args"] == text


@pytest.mark.parametrize("pump", BROKEN)
def test_joined_pieces_are_read_once(pump: str) -> None:
    """It takes as many steps to join ten times as much."""

    def work(length: int) -> int:
        text = (pump * length)[:length]
        return work_of(lambda: joined(text))

    work(LENGTH)
    assert work(LENGTH) <= 1.5 * work(LENGTH // 10)


def test_calls_are_kept_within_their_limit() -> None:
    """The piece that exceeds it is cut, later ones are left out and show nothing new."""
    reader = ToolCallReader()
    piece = tool_call_chunk(name="remind", args="x" * 30_000, id="c1", index=0)
    chunk = ReplyPiece.of(AIMessageChunk(content="")).model_copy(
        update={"tool_call_chunks": [piece]}
    )
    shown = [len(call.arguments) for _ in range(4) for call in reader.feed(chunk)]
    assert shown == [30_000, LIMIT]
