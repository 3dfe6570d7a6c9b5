"""Tokens that a server had read before are counted, however it reports them."""

from typing import Any

import httpx2
import pytest
from langchain_core.messages import HumanMessage

from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.usage_reports import usage_in, writing_s
from tests.unit.upstreams.test_chat_client import (
    STOP,
    Json,
    Server,
    delta,
    events,
    one_by_one,
)

COUNTS = {"prompt_tokens": 2_006, "completion_tokens": 300, "total_tokens": 2_306}
TIMINGS = {
    "prompt_ms": 430.0,
    "prompt_per_second": 200.0,
    "predicted_n": 300,
    "predicted_ms": 6_000.0,
    "predicted_per_second": 50.0,
}
REPORTS: dict[str, Json] = {
    "openai": {"usage": {**COUNTS, "prompt_tokens_details": {"cached_tokens": 1_920}}},
    "openai, flex": {
        "usage": {**COUNTS, "prompt_tokens_details": {"cached_tokens": 1_920}},
        "service_tier": "flex",
    },
    "deepseek": {
        "usage": {**COUNTS, "prompt_cache_hit_tokens": 1_920, "prompt_cache_miss_tokens": 86}
    },
    "moonshot": {"usage": {**COUNTS, "cached_tokens": 1_920}},
    "litellm, anthropic": {
        "usage": {
            **COUNTS,
            "prompt_tokens_details": {"cached_tokens": None},
            "cache_creation_input_tokens": 60,
            "cache_read_input_tokens": 1_920,
        }
    },
    "anthropic's own counts": {
        "usage": {
            "prompt_tokens": 26,
            "completion_tokens": 300,
            "total_tokens": 326,
            "cache_creation_input_tokens": 60,
            "cache_read_input_tokens": 1_920,
        }
    },
    "llama.cpp": {"usage": COUNTS, "timings": {**TIMINGS, "cache_n": 1_920, "prompt_n": 86}},
    "llama.cpp without usage": {"timings": {**TIMINGS, "cache_n": 1_920, "prompt_n": 86}},
    "vllm": {
        "usage": {
            **COUNTS,
            "prompt_tokens_details": {"audio_tokens": None, "cached_tokens": 1_920},
        }
    },
}
CALLED = {"kind": "text", "model": "some-model", "calls": 1}


def streamed(report: Json) -> httpx2.Response:
    """An answer in pieces, with the report in its last chunk, which has no choice."""
    return events(
        delta(content="It "), delta(content="is.", **STOP), {**delta(), "choices": [], **report}
    )


def whole(report: Json) -> httpx2.Response:
    """An answer in one object, with the report."""
    message = {"role": "assistant", "content": "It is."}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return httpx2.Response(200, json={**answer, "choices": choices, **report})


async def use(server: Server, *, by_stream: bool) -> list[dict[str, Any]]:
    """The usage that one call of the server is charged with."""
    client, meter = open_chat_client(server.access()), Meter()
    with bill_to(meter, "node"):
        if by_stream:
            _ = [piece async for piece in client.pieces([HumanMessage("Hi")], most_tokens=10)]
        else:
            await client.ainvoke([HumanMessage("Hi")])
    return meter.used_in()


def without_writes(usage: dict[str, Any]) -> dict[str, Any]:
    """The usage without the tokens written to a cache."""
    return {name: tokens for name, tokens in usage.items() if name != "cache_write_tokens"}


@pytest.mark.parametrize("by_stream", [True, False])
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
async def test_cached_tokens_are_part_of_the_tokens_read(report: Json, *, by_stream: bool) -> None:
    """Each server's own form of the report is read, from streams and from whole answers."""
    server = Server((streamed if by_stream else whole)(report))
    used = await use(server, by_stream=by_stream)
    counts = {"input_tokens": 2_006, "cached_tokens": 1_920, "output_tokens": 300}
    assert [without_writes(one) for one in used] == [{**CALLED, **counts}]


WRITES: dict[str, Json] = {
    "openai": {**COUNTS, "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 60}},
    "litellm, anthropic": {**COUNTS, "cache_creation_input_tokens": 60},
}


@pytest.mark.parametrize("usage", WRITES.values(), ids=WRITES)
async def test_tokens_written_to_a_cache_are_counted(usage: Json) -> None:
    """Some servers charge more for them."""
    (used,) = await use(Server(streamed({"usage": usage})), by_stream=True)
    assert used["cache_write_tokens"] == 60
    assert (used["input_tokens"], used.get("cached_tokens", 0)) == (2_006, 0)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        "none",
        {"prompt_tokens_details": None},
        {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": "9"}},
        {"prompt_tokens": 10, "cached_tokens": True, "cache_read_input_tokens": -4},
    ],
)
def test_usage_without_a_count_has_no_cached_tokens(usage: object) -> None:
    """Values that are no number of tokens count as none."""
    reported = usage_in({"usage": usage, "timings": {"cache_n": None}}) or {}
    details = reported.get("prompt_tokens_details") or {}
    assert not isinstance(details.get("cached_tokens"), int)


def test_writing_s_is_what_the_server_measured() -> None:
    """llama.cpp tells how long it wrote; other servers do not."""
    assert writing_s({"timings": TIMINGS}) == 6.0
    assert writing_s({"usage": COUNTS}) is None
    assert writing_s({"timings": {"predicted_ms": "soon"}}) is None


async def test_speed_is_measured_by_the_calls_of_a_turn() -> None:
    """A whole answer by the server's own times, a stream by the clock."""
    timings = {**TIMINGS, "cache_n": 0, "prompt_n": 2_006, "predicted_ms": 1.0}
    server = Server(whole({"usage": COUNTS, "timings": timings}))
    access = server.access()
    client = open_chat_client(access)
    assert access.capabilities.speed.speed() is None
    await client.ainvoke([HumanMessage("Hi")])
    speed = access.capabilities.speed.speed()
    assert speed is not None
    assert speed.written == pytest.approx(300_000)
    server.replies = [one_by_one(delta(content="It "), delta(content="is.", **STOP))]
    _ = [piece async for piece in client.pieces([HumanMessage("word " * 600)], most_tokens=10)]
    slower = access.capabilities.speed.speed()
    assert slower is not None
    assert slower.read < speed.read
