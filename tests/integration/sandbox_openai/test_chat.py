import base64
import hashlib
import json
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionChunk

from tests.integration.sandbox_openai.conftest import Upstreams
from tests.unit.sandbox.model import pictures

PASSAGES = (
    '<passage n="1" kind="document" title="Tea" section="Brewing" url="https://example.com/tea">'
    "Green tea is steeped at 80 degrees.</passage>"
)
PROMPT: list[Any] = [
    {"role": "system", "content": f"Answer from passages.\n{PASSAGES}"},
    {"role": "user", "content": "<question>How hot is green tea?</question>"},
]
PLAN_TOOL: Any = {
    "type": "function",
    "function": {
        "name": "plan_answer",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"intent": {"type": "string"}, "plan": {"enum": ["direct", "rag"]}},
            "required": ["intent", "plan"],
            "additionalProperties": False,
        },
    },
}


def image_message(data: bytes) -> Any:
    """A user message with one picture."""
    url = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": url}}]
    return {"role": "user", "content": parts}


async def streamed(client: AsyncOpenAI, **options: Any) -> list[ChatCompletionChunk]:
    """All chunks of a streamed answer."""
    request = {"model": "sandbox-chat", "messages": PROMPT} | options
    return [chunk async for chunk in await client.chat.completions.create(stream=True, **request)]


def text_of(chunks: list[ChatCompletionChunk]) -> str:
    """The text that a stream carried."""
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


async def test_chat_answers_with_usage_and_is_recorded(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A whole answer cites, counts its tokens, and the ledger has the prompt in full."""
    answer = await client.chat.completions.create(
        model="sandbox-chat", messages=PROMPT, temperature=0.3, n=2
    )
    assert "80 degrees. [1]" in (answer.choices[0].message.content or "")
    assert answer.choices[1].finish_reason == "stop"
    assert answer.usage
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    (call,) = upstreams.ledger.calls("openai")
    assert (call.method, call.status) == ("chat.completions", 200)
    assert call.body["messages"] == PROMPT


async def test_chat_streams_growing_text_and_usage(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """A stream says the same as a whole answer, piece by piece, and is recorded at its end."""
    whole = await client.chat.completions.create(model="sandbox-chat", messages=PROMPT)
    chunks = await streamed(client, stream_options={"include_usage": True})
    assert text_of(chunks) == whole.choices[0].message.content
    assert len(chunks) > 5
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage == whole.usage
    assert all(chunk.usage is None for chunk in chunks[:-1])
    assert len(upstreams.ledger.calls("openai")) == 2


async def test_chat_streams_tool_calls(client: AsyncOpenAI) -> None:
    """The arguments arrive in pieces under one call, and the reason is tool_calls."""
    chunks = await streamed(
        client,
        messages=[{"role": "user", "content": "hello"}],
        tools=[PLAN_TOOL],
        tool_choice="required",
    )
    calls = [c for chunk in chunks for c in chunk.choices[0].delta.tool_calls or ()]
    arguments = "".join(call.function.arguments or "" for call in calls if call.function)
    assert json.loads(arguments) == {"intent": "smalltalk_or_short", "plan": "direct"}
    assert len({call.id for call in calls if call.id}) == 1
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("choice", "called"),
    [
        ("auto", False),
        ("none", False),
        ("required", True),
        ({"type": "function", "function": {"name": "plan_answer"}}, True),
    ],
)
async def test_chat_obeys_tool_choice(client: AsyncOpenAI, choice: Any, called: bool) -> None:  # noqa: FBT001 -- parametrised
    """A tool that does not fit the message is called when it must be."""
    answer = await client.chat.completions.create(
        model="sandbox-chat", messages=PROMPT, tools=[PLAN_TOOL], tool_choice=choice
    )
    assert bool(answer.choices[0].message.tool_calls) is called


async def test_chat_answers_with_what_a_tool_said(client: AsyncOpenAI) -> None:
    """A tool that answered is not called again."""
    call = {"name": "plan_answer", "arguments": "{}"}
    said: list[Any] = [
        {"role": "user", "content": "hello"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "It is noon."},
    ]
    answer = await client.chat.completions.create(
        model="sandbox-chat", messages=said, tools=[PLAN_TOOL]
    )
    assert "It is noon." in (answer.choices[0].message.content or "")


async def test_chat_obeys_max_tokens(client: AsyncOpenAI) -> None:
    """A limit cuts the answer and is given as the reason."""
    answer = await client.chat.completions.create(
        model="sandbox-chat", messages=PROMPT, max_completion_tokens=3
    )
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage
    assert answer.usage.completion_tokens == 3


async def test_chat_answers_json_objects(client: AsyncOpenAI) -> None:
    """JSON without a schema is an answer; with one in words it fits that."""
    schema = PLAN_TOOL["function"]["parameters"]
    system = f"Answer as JSON of this schema: {json.dumps(schema)}"
    answer = await client.chat.completions.create(
        model="sandbox-chat",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": "hello"}],
        response_format={"type": "json_object"},
    )
    assert json.loads(answer.choices[0].message.content or "")["plan"] == "direct"


async def test_chat_keeps_hash_and_size_of_images_alone(
    client: AsyncOpenAI, upstreams: Upstreams
) -> None:
    """An image is described, and the ledger holds no bytes of it."""
    data = pictures.halves()
    answer = await client.chat.completions.create(
        model="sandbox-vision", messages=[image_message(data)]
    )
    assert "orange on the left half" in (answer.choices[0].message.content or "")
    (call,) = upstreams.ledger.calls("openai")
    assert call.body["messages"][0]["content"][1]["image_url"] == {
        "image_bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages.0.role"),
        ({"temperature": 9}, "temperature"),
        ({"tool_choice": "required"}, "only allowed when 'tools'"),
        ({"response_format": {"type": "json_object"}}, "must contain the word 'json'"),
        ({"messages": [image_message(b"no image")]}, "Invalid image"),
        ({"stream_options": {"include_usage": True}}, "only allowed when 'stream'"),
    ],
)
async def test_chat_refuses_malformed_requests(
    client: AsyncOpenAI, upstreams: Upstreams, options: dict[str, Any], words: str
) -> None:
    """A request that OpenAI refuses is a 400 that names the cause, and recorded."""
    request: Any = {"model": "sandbox-chat", "messages": PROMPT} | options
    with pytest.raises(openai.BadRequestError) as caught:
        await client.chat.completions.create(**request)
    assert words in str(caught.value)
    assert caught.value.type == "invalid_request_error"
    assert [call.status for call in upstreams.ledger.calls()] == [400]


async def test_chat_refuses_loose_schemas_under_strict(client: AsyncOpenAI) -> None:
    """A strict schema must close its objects, as with OpenAI."""
    schema: Any = {"name": "loose", "strict": True, "schema": {"type": "object", "properties": {}}}
    with pytest.raises(openai.BadRequestError, match="additionalProperties"):
        await client.chat.completions.create(
            model="sandbox-chat",
            messages=PROMPT,
            response_format={"type": "json_schema", "json_schema": schema},
        )


async def test_chat_knows_its_models_alone(client: AsyncOpenAI) -> None:
    """Another model is a 404 with OpenAI's code."""
    with pytest.raises(openai.NotFoundError) as caught:
        await client.chat.completions.create(model="gpt-4", messages=PROMPT)
    assert caught.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError):
        await client.models.retrieve("gpt-4")


async def test_models_are_listed(client: AsyncOpenAI) -> None:
    """The list and each model can be read."""
    names = {model.id async for model in client.models.list()}
    assert names == {"sandbox-chat", "sandbox-vision", "sandbox-embedding"}
    assert (await client.models.retrieve("sandbox-chat")).id == "sandbox-chat"
