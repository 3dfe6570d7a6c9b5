import asyncio
import json
from typing import Any

import httpx
import openai
import pytest
from openai import AsyncOpenAI, AsyncStream
from openai.types.chat import ChatCompletionChunk

from rich_agent_sandbox.ledger import Fault, Ledger
from tests.integration.sandbox_openai.conftest import Upstreams
from tests.integration.sandbox_openai.test_chat import PLAN_TOOL, PROMPT, streamed, text_of

DEADLINE_S = 5.0


async def ask(client: AsyncOpenAI, **options: Any) -> Any:
    """One answer that is not streamed."""
    request = {"model": "sandbox-chat", "messages": PROMPT} | options
    return await client.chat.completions.create(**request)


async def collect(
    stream: AsyncStream[ChatCompletionChunk], received: list[ChatCompletionChunk]
) -> None:
    """Append all chunks of `stream` to `received`."""
    async for chunk in stream:
        received += [chunk]


async def recorded(ledger: Ledger, count: int) -> list[int]:
    """The statuses of the first `count` calls, once they ended."""
    async with asyncio.timeout(DEADLINE_S):
        while len(ledger.calls("openai")) < count:  # noqa: ASYNC110 -- the ledger is filled in another thread
            await asyncio.sleep(0.005)
    return [call.status for call in ledger.calls("openai")]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("401", openai.AuthenticationError),
        ("429", openai.RateLimitError),
        ("500", openai.InternalServerError),
        ("503", openai.InternalServerError),
    ],
)
async def test_fault_is_refused_once(
    client: AsyncOpenAI, upstreams: Upstreams, kind: str, error: type[openai.APIStatusError]
) -> None:
    """The next call fails with the kind's status, the one after it is answered."""
    upstreams.ledger.plan_fault(Fault("openai", kind, "chat.completions", retry_after=7))
    with pytest.raises(error) as caught:
        await ask(client)
    assert caught.value.response.headers.get("retry-after") == ("7" if kind == "429" else None)
    assert (await ask(client)).choices
    assert await recorded(upstreams.ledger, 2) == [int(kind), 200]


async def test_fault_is_met_only_by_requests_that_hold_its_text(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Others are answered and leave it; dropped, nothing meets it any more."""
    for _ in range(2):
        upstreams.ledger.plan_fault(Fault("openai", "500", containing="sundial"))
    assert (await ask(client)).choices
    asked = [{"role": "user", "content": "What is a sundial?"}]
    with pytest.raises(openai.InternalServerError):
        await ask(client, messages=asked)
    upstreams.ledger.drop_faults()
    assert (await ask(client, messages=asked)).choices


async def test_fault_of_another_method_waits_for_it(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A fault of the embeddings leaves the chat alone."""
    upstreams.ledger.plan_fault(Fault("openai", "500", "embeddings"))
    assert (await ask(client)).choices
    with pytest.raises(openai.InternalServerError):
        await client.embeddings.create(model="sandbox-embedding", input="x")


async def test_missing_key_is_refused(upstreams: Upstreams) -> None:
    """No bearer key gives OpenAI's error and takes no fault away."""
    upstreams.ledger.plan_fault(Fault("openai", "500"))
    async with httpx.AsyncClient(base_url=upstreams.openai_url) as http:
        refused = await http.get("/models")
        assert refused.status_code == 401
        assert set(refused.json()["error"]) == {"message", "type", "param", "code"}
        shown = await http.get("/models", headers={"authorization": "Bearer x"})
    assert shown.status_code == 500


async def test_body_that_is_no_json_is_refused(upstreams: Upstreams) -> None:
    """Broken JSON is a 400, and kept as it came."""
    async with httpx.AsyncClient(base_url=upstreams.openai_url) as http:
        headers = {"authorization": "Bearer x"}
        refused = await http.post("/chat/completions", content=b'{"model"', headers=headers)
    assert refused.status_code == 400
    assert upstreams.ledger.calls()[0].body == {"malformed": '{"model"'}


async def test_timeout_outlasts_the_callers_patience(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """The caller gives up, and the call is recorded as left."""
    upstreams.ledger.plan_fault(Fault("openai", "timeout", delay_s=30))
    with pytest.raises(openai.APITimeoutError):
        await ask(client, timeout=0.1)
    assert await recorded(upstreams.ledger, 1) == [499]


async def test_timeout_that_is_waited_for_is_answered(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A short delay ends in the normal answer."""
    upstreams.ledger.plan_fault(Fault("openai", "timeout", delay_s=0.05))
    assert (await ask(client)).choices
    (call,) = upstreams.ledger.calls()
    assert call.ended_at - call.started_at >= 0.05


async def test_truncated_stream_drops_the_connection(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Part of the text arrives, then the connection is gone; the call is recorded."""
    upstreams.ledger.plan_fault(Fault("openai", "truncated"))
    received: list[ChatCompletionChunk] = []
    stream = await ask(client, stream=True)
    with pytest.raises(openai.APIConnectionError):
        await collect(stream, received)
    assert text_of(received)
    assert all(chunk.choices[0].finish_reason is None for chunk in received)
    assert text_of(await streamed(client)).startswith(text_of(received))
    assert await recorded(upstreams.ledger, 2) == [200, 200]


async def test_truncated_answer_drops_the_connection(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A body shorter than its length is a connection error too."""
    upstreams.ledger.plan_fault(Fault("openai", "truncated"))
    with pytest.raises(openai.APIConnectionError):
        await ask(client)
    assert await recorded(upstreams.ledger, 1) == [200]


async def test_stream_that_the_caller_leaves_is_recorded(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Closing a stream early ends the call in the ledger."""
    upstreams.ledger.plan_fault(Fault("openai", "slow", delay_s=60))
    stream = await ask(client, stream=True)
    await anext(aiter(stream))
    assert upstreams.ledger.calls() == []
    await stream.close()
    assert await recorded(upstreams.ledger, 1) == [499]


async def test_malformed_output_is_half_an_object(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Content, tool arguments and streams end in the middle of JSON."""
    upstreams.ledger.plan_fault(Fault("openai", "malformed", times=3))
    plain = (await ask(client)).choices[0].message.content
    forced = await ask(client, tools=[PLAN_TOOL], tool_choice="required")
    called = forced.choices[0].message.tool_calls
    told = text_of(await streamed(client))
    for text in (plain, called[0].function.arguments, told):
        assert text.startswith("{")
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)


async def test_empty_output_has_no_text(client: AsyncOpenAI, upstreams: Upstreams) -> None:
    """An empty completion is a valid answer without content or calls."""
    upstreams.ledger.plan_fault(Fault("openai", "empty", times=2))
    message = (await ask(client, tools=[PLAN_TOOL])).choices[0].message
    assert (message.content, message.tool_calls) == ("", None)
    assert text_of(await streamed(client)) == ""


async def test_invented_marker_stands_beside_the_real_one(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """The answer cites what was given, and a passage that was not."""
    upstreams.ledger.plan_fault(Fault("openai", "invented"))
    text = (await ask(client)).choices[0].message.content
    assert "[1]" in text
    assert "[99]" in text
