"""A test has the model say what it wants: to every kind of request, in every wrong way."""

import json
from typing import Any

import httpx
import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionChunk

from rich_agent_sandbox.ledger import Fault
from tests.integration.sandbox_openai.conftest import Upstreams

ASKED: list[Any] = [{"role": "user", "content": "Water the ferns, please"}]
CALL = {"name": "water", "arguments": {"plants": ["fern", "moss"], "litres": 2}}


def script(upstreams: Upstreams, text: str = "", *calls: dict[str, Any], to: str = "ferns") -> None:
    """The next request that holds `to` is answered so."""
    upstreams.ledger.plan_fault(
        Fault("openai", "scripted", "chat.completions", containing=[to], text=text, calls=calls)
    )


async def whole(client: AsyncOpenAI) -> Any:
    """The one choice of an answer that is not streamed; no tool is offered."""
    answer = await client.chat.completions.create(model="sandbox-chat", messages=ASKED)
    return answer.choices[0]


async def chunks(client: AsyncOpenAI) -> list[ChatCompletionChunk]:
    """A streamed answer."""
    stream = await client.chat.completions.create(model="sandbox-chat", messages=ASKED, stream=True)
    return [chunk async for chunk in stream]


async def test_script_is_said_in_order_to_the_requests_it_is_aimed_at(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Another request meets none of it; after the script the model speaks for itself."""
    script(upstreams, "", CALL)
    script(upstreams, "Watered.")
    script(upstreams, "Never said.", to="cacti")
    first = await whole(client)
    assert first.finish_reason == "tool_calls"
    assert first.message.content is None
    (call,) = first.message.tool_calls
    assert call.function.name == "water"
    assert json.loads(call.function.arguments) == CALL["arguments"]
    assert call.id.startswith("call_")
    second = await whole(client)
    assert (second.message.content, second.finish_reason) == ("Watered.", "stop")
    assert "ever said" not in (await whole(client)).message.content


async def test_script_streams_several_calls_in_pieces_behind_words(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Each call begins with id and name; its arguments grow under its index."""
    script(upstreams, "I will water both now.", CALL, {"name": "rest", "arguments": {}})
    streamed = await chunks(client)
    deltas = [chunk.choices[0].delta for chunk in streamed]
    assert "".join(delta.content or "" for delta in deltas) == "I will water both now."
    parts = [part for delta in deltas for part in delta.tool_calls or ()]
    heads = [part for part in parts if part.id]
    assert [(part.index, part.function and part.function.name) for part in heads] == [
        (0, "water"),
        (1, "rest"),
    ]
    assert len({part.id for part in heads}) == 2
    grown = ["", ""]
    for part in parts:
        assert part.function is not None
        grown[part.index] += part.function.arguments or ""
    assert [json.loads(text) for text in grown] == [CALL["arguments"], {}]
    assert len(parts) > 4
    assert streamed[-1].choices[0].finish_reason == "tool_calls"


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_script_spoils_calls(upstreams: Upstreams, *, is_streamed: bool) -> None:
    """Broken JSON, no id, the same id twice, an object instead of its JSON."""
    broken: dict[str, Any] = {**CALL, "arguments": '{"plants": ["fe'}
    same: dict[str, Any] = {**CALL, "id": "same"}
    script(upstreams, "", broken, {**CALL, "id": None}, same, {**same, "as_object": True})
    asked = {"model": "sandbox-chat", "messages": ASKED, "stream": is_streamed}
    async with httpx.AsyncClient(headers={"authorization": "Bearer key"}) as http:
        answer = await http.post(f"{upstreams.openai_url}/chat/completions", json=asked)
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines()]
    told = [json.loads(line)["choices"][0] for line in lines if line.startswith("{")]
    key = "delta" if is_streamed else "message"
    parts = [part for choice in told for part in choice[key].get("tool_calls") or ()]
    heads = [part for part in parts if "name" in part["function"]]
    ids = [head.get("id", "none").partition("_")[0] for head in heads]
    assert ids == ["call", "none", "same", "same"]
    texts = ["", "", ""]
    for place, part in enumerate(parts):
        if (number := part.get("index", place)) < 3:
            texts[number] += part["function"]["arguments"]
    assert texts[0] == '{"plants": ["fe'
    assert [json.loads(text) for text in texts[1:]] == [CALL["arguments"]] * 2
    assert heads[3]["function"]["arguments"] == CALL["arguments"]


async def test_script_is_said_by_the_responses_api(
    responses: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """Words and calls are items of their own; in a stream the arguments grow."""
    for _ in range(2):
        fault = Fault("openai", "scripted", "responses", text="I will.", calls=[CALL, CALL])
        upstreams.ledger.plan_fault(fault)
    told = await responses.responses.create(model="sandbox-chat", input=ASKED)
    async with responses.responses.stream(model="sandbox-chat", input=ASKED) as stream:
        grown = [
            e.delta async for e in stream if e.type == "response.function_call_arguments.delta"
        ]
        streamed = await stream.get_final_response()
    for response in (told, streamed):
        assert response.output_text == "I will."
        calls = [item for item in response.output if item.type == "function_call"]
        assert [call.name for call in calls] == ["water", "water"]
        assert len({call.call_id for call in calls} | {call.id for call in calls}) == 4
        assert json.loads(calls[0].arguments) == CALL["arguments"]
    assert len(grown) > 2
    assert "".join(grown) == json.dumps(CALL["arguments"]) * 2


@pytest.mark.parametrize("status", [400, 404, 422, 501])
async def test_server_refuses_tools_with_any_status(
    client: AsyncOpenAI, upstreams: Upstreams, status: int
) -> None:
    """A request without them is answered."""
    upstreams.ledger.plan_fault(Fault("openai", "refuses", text="tools", status=status, times=2))
    assert (await whole(client)).message.content
    tool: Any = {"type": "function", "function": {"name": "water"}}
    with pytest.raises(openai.APIStatusError) as caught:
        await client.chat.completions.create(model="sandbox-chat", messages=ASKED, tools=[tool])
    assert caught.value.status_code == status
    assert caught.value.param == "tools"
