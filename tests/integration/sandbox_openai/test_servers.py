"""Each personality shows on the wire what its documentation says."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import openai
import pytest
from openai import AsyncOpenAI
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent_sandbox.ledger import Fault, Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.openai.servers.styles import THOUGHT
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import server_routes
from tests.stand_ins.model_servers.roster import OTHERS, SERVERS

SCHEMA = {
    "type": "object",
    "properties": {
        "intent": {"type": "string"},
        "plan": {"enum": ["direct", "rag"]},
        "query": {"type": "string"},
    },
    "required": ["intent", "plan", "query"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "planned", "parameters": SCHEMA}}
NAMED = {"type": "function", "function": {"name": "planned"}}
STRICT = {
    "type": "json_schema",
    "json_schema": {"name": "planned", "strict": True, "schema": SCHEMA},
}
WITH_USAGE = {"stream_options": {"include_usage": True}}
LEDGER = Ledger()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of `/servers`."""
    config = SandboxModelConfig(stream_delay_s=0.0, time_scale=0.001)
    with served(Starlette(routes=[Mount("/servers", routes=server_routes(LEDGER, config))])) as at:
        yield f"{at}/servers"


@pytest.fixture
async def ask(url: str) -> AsyncIterator[Any]:
    """Asks a server by name; gives the answer."""
    LEDGER.forget()
    async with httpx.AsyncClient(headers={"authorization": "Bearer key"}) as http:

        async def post(
            name: str, question: str = "Hello!", path: str = "chat/completions", **more: Any
        ) -> httpx.Response:
            asked: dict[str, Any] = {"messages": [{"role": "user", "content": question}]}
            asked = {"input": question} if path != "chat/completions" else asked
            model = "sandbox-embedding" if path == "embeddings" else "sandbox-chat"
            return await http.post(
                f"{url}/{name}/v1/{path}", json={"model": model, **asked, **more}
            )

        yield post


def _chunks(text: str) -> list[dict[str, Any]]:
    lines = [
        line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")
    ]
    return [json.loads(line) for line in lines]


def _said(chunks: list[dict[str, Any]], field: str = "content") -> str:
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    return "".join(delta.get(field) or "" for delta in deltas)


STREAMING = [
    one.name for one in (*SERVERS, *OTHERS) if one.api == "chat" and not one.streams.ignored
]


@pytest.mark.parametrize("name", STREAMING)
async def test_every_server_streams_an_answer_to_openais_client(url: str, name: str) -> None:
    """A greeting is answered by each."""
    async with AsyncOpenAI(api_key="key", base_url=f"{url}/{name}/v1", max_retries=0) as client:
        stream = await client.chat.completions.create(
            model="sandbox-chat", messages=[{"role": "user", "content": "Hello!"}], stream=True
        )
        pieces = [c.choices[0].delta.content async for c in stream if c.choices]
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    assert "Hello! What would you like to know?" in text


@pytest.mark.parametrize(
    ("name", "more", "status", "told"),
    [
        ("openai", {"top_k": 5}, 400, "Unrecognized request argument: top_k"),
        ("openai-o", {"temperature": 0.2}, 400, "unsupported_value"),
        ("openai-o", {"max_tokens": 9}, 400, "unsupported_parameter"),
        ("openai-reasoning", {}, 404, "only supported in v1/responses"),
        ("lmstudio", {"tools": [TOOL], "tool_choice": NAMED}, 400, "Invalid tool_choice type"),
        ("lmstudio", {"response_format": {"type": "json_object"}}, 400, "'json_schema' or 'text'"),
        ("vllm", {"tools": [TOOL], "tool_choice": NAMED}, 400, "--tool-call-parser"),
        ("llamacpp", {"tools": [TOOL]}, 500, "--jinja"),
        ("llamacpp", {"response_format": STRICT}, 400, "grammar"),
        ("groq", {"response_format": STRICT}, 400, "does not support response format"),
        ("mistral", {"stream": True, "stream_options": {}}, 422, "extra_forbidden"),
        ("mistral", {"tools": [TOOL], "tool_choice": NAMED}, 422, "tool_choice"),
        ("openrouter", {"tools": [TOOL]}, 404, "No endpoints found that support tool use"),
        ("deepseek", {"response_format": STRICT}, 400, "unavailable now"),
        ("gemini", {"store": True}, 400, 'Unknown name \\"store\\"'),
        ("gemini", {"tools": [TOOL]}, 400, "additionalProperties"),
        ("anthropic", {"n": 2}, 400, "must be exactly 1"),
    ],
)
async def test_server_refuses_what_it_does_not_take(
    ask: Any, name: str, more: dict[str, Any], status: int, told: str
) -> None:
    """In its own words and with its own status."""
    answer = await ask(name, **more)
    assert answer.status_code == status
    assert told in answer.text


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("openai", dict),
        ("lmstudio", str),
        ("gemini", list),
    ],
)
async def test_error_has_the_servers_own_shape(ask: Any, name: str, shape: type) -> None:
    """An object with a message, a bare text, a list of errors."""
    answer = (await ask(name, model="no-such-model")).json()
    assert isinstance(answer if shape is list else answer["error"], shape)


@pytest.mark.parametrize("name", ["ollama", "vllm", "openrouter", "anthropic"])
async def test_server_ignores_a_schema_or_a_tool_choice(ask: Any, name: str) -> None:
    """A request whose schema or choice is ignored is answered in prose, with status 200."""
    more = {"tools": [TOOL], "tool_choice": NAMED} if name == "ollama" else {}
    answer = await ask(name, **(more or {"response_format": STRICT}))
    message = answer.json()["choices"][0]["message"]
    assert not message.get("tool_calls")
    assert "Hello! What would you like to know?" in message["content"]


async def test_schema_written_out_is_answered_by_sloppy_json(ask: Any) -> None:
    """A small model writes fences, prose, single quotes, last commas, nulls, capitals."""
    kinds = set()
    for number in range(40):
        asked = f"What is topic {number}? Answer with JSON of this schema: {json.dumps(SCHEMA)}"
        said = (await ask("vllm", asked)).json()["choices"][0]["message"]["content"]
        kinds.add(
            "fence" if said.startswith("```")
            else "prose" if said.startswith("Sure")
            else "comma" if said.endswith(",}")
            else "quotes" if said.startswith("{'")
            else "more" if "confidence" in said
            else "capitals" if "GENERAL_QUESTION" in said
            else said
        )  # fmt: skip
    assert kinds == {"fence", "prose", "comma", "quotes", "more", "capitals"}


async def test_thoughts_stand_in_tags_cut_across_chunks(ask: Any) -> None:
    """No chunk of Ollama holds a whole tag."""
    answer = await ask("ollama", stream=True)
    chunks = _chunks(answer.text)
    assert _said(chunks).startswith(f"<think>\n{THOUGHT}")
    assert not any("<think>" in json.dumps(chunk) for chunk in chunks)


@pytest.mark.parametrize(
    ("name", "field"), [("openrouter", "reasoning"), ("deepseek", "reasoning_content")]
)
async def test_thoughts_stand_in_a_field_of_their_own(ask: Any, name: str, field: str) -> None:
    """With comments that keep the stream alive, and no thought in the content."""
    answer = await ask(name, stream=True)
    chunks = _chunks(answer.text)
    assert answer.text.startswith(": ")
    assert THOUGHT in _said(chunks, field)
    assert THOUGHT not in _said(chunks)


async def test_arguments_come_as_an_object_without_id(ask: Any) -> None:
    """An older Ollama."""
    answer = await ask("ollama-old", tools=[TOOL], tool_choice=NAMED)
    (call,) = answer.json()["choices"][0]["message"]["tool_calls"]
    assert "id" not in call
    assert call["function"]["arguments"]["plan"] == "direct"


async def test_long_prompt_is_cut_without_a_word(ask: Any) -> None:
    """Ollama reads 4,096 tokens and tells that number; the end of the prompt is kept."""
    answer = await ask("ollama", "word " * 6_000 + "Hello!")
    assert answer.json()["usage"]["prompt_tokens"] == 4_096


async def test_long_prompt_is_refused_where_a_server_says_so(ask: Any) -> None:
    """llama.cpp names both sizes."""
    answer = await ask("llamacpp", "word " * 16_000)
    assert answer.status_code == 400
    assert "maximum context length is 16384 tokens" in answer.text


@pytest.mark.parametrize(
    ("name", "more", "events"),
    [("mistral", {}, 1), ("openai", {}, 0), ("openai", WITH_USAGE, 1), ("groq", {}, 0)],
)
async def test_usage_of_a_stream_is_told_as_by_the_server(
    ask: Any, name: str, more: dict[str, Any], events: int
) -> None:
    """Always, or when it is asked for; by Groq in a field of its own too."""
    chunks = _chunks((await ask(name, stream=True, **more)).text)
    assert len([chunk for chunk in chunks if chunk.get("usage")]) == events
    assert any("x_groq" in chunk for chunk in chunks) == (name == "groq")


@pytest.mark.parametrize(
    ("name", "more", "status"),
    [
        ("mistral", {"dimensions": 64}, 422),
        ("vllm", {"dimensions": 64}, 400),
        ("groq", {}, 404),
        ("deepseek", {}, 404),
        ("anthropic", {}, 404),
        ("llamacpp", {}, 501),
    ],
)
async def test_embeddings_are_refused(
    ask: Any, name: str, more: dict[str, Any], status: int
) -> None:
    """Shorter vectors, or vectors at all."""
    assert (await ask(name, path="embeddings", **more)).status_code == status


async def test_embeddings_come_as_floats_whatever_is_asked(ask: Any) -> None:
    """LM Studio knows no base64."""
    answer = await ask("lmstudio", path="embeddings", encoding_format="base64")
    assert isinstance(answer.json()["data"][0]["embedding"], list)


@pytest.mark.parametrize(
    ("name", "method", "path", "window"),
    [
        ("ollama", "POST", "api/show", 40_960),
        ("ollama", "GET", "api/ps", 4_096),
        ("lmstudio", "GET", "api/v0/models", 16_384),
        ("llamacpp", "GET", "props", 16_384),
        ("vllm", "GET", "v1/models", 16_384),
        ("openrouter", "GET", "v1/models", 163_840),
    ],
)
async def test_window_is_told_where_the_server_tells_it(
    url: str, name: str, method: str, path: str, window: int
) -> None:
    """Beside `/v1`, or in the list of models."""
    async with httpx.AsyncClient(headers={"authorization": "Bearer key"}) as http:
        answer = await http.request(method, f"{url}/{name}/{path}", json={"model": "qwen3:8b"})
    assert str(window) in answer.text


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("openai", "retry-after: 90"),
        ("groq", "x-ratelimit-reset-tokens: 1m30s"),
        ("gemini", '"retryDelay":"90s"'),
    ],
)
async def test_server_says_when_to_come_back(ask: Any, name: str, where: str) -> None:
    """In a header of its own kind, or in the body."""
    LEDGER.plan_fault(Fault("openai", "429", server=name, retry_after=90))
    answer = await ask(name)
    headers = "\n".join(f"{header}: {value}" for header, value in answer.headers.items())
    assert answer.status_code == 429
    assert where in headers + answer.text


async def test_fault_of_one_server_leaves_the_others_alone(ask: Any) -> None:
    """Several are used at once."""
    LEDGER.plan_fault(Fault("openai", "insufficient_quota", server="openai"))
    assert (await ask("mistral")).status_code == 200
    refused = await ask("openai")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "insufficient_quota")
    assert [call.server for call in LEDGER.calls()] == ["mistral", "openai"]


@pytest.mark.parametrize("kind", ["length", "content_filter"])
async def test_answer_ends_early_with_its_reason(ask: Any, kind: str) -> None:
    """The finish reason says why."""
    LEDGER.plan_fault(Fault("openai", kind, server="azure"))
    (choice,) = (await ask("azure")).json()["choices"]
    assert choice["finish_reason"] == kind


async def test_stream_breaks_with_an_error_inside(url: str) -> None:
    """The status is 200; OpenAI's client raises what the chunk says."""
    LEDGER.plan_fault(Fault("openai", "error_chunk", server="openrouter"))
    async with AsyncOpenAI(api_key="k", base_url=f"{url}/openrouter/v1", max_retries=0) as client:
        stream = await client.chat.completions.create(
            model="sandbox-chat", messages=[{"role": "user", "content": "Hello!"}], stream=True
        )
        with pytest.raises(openai.APIError, match="Provider disconnected"):
            [chunk async for chunk in stream]


async def test_broken_off_answer_is_gone_on_with(ask: Any) -> None:
    """A model that is shown the beginning of its answer writes the rest."""
    whole = (await ask("openai")).json()["choices"][0]["message"]["content"]
    messages = [
        {"role": "user", "content": "<question>Hello!</question>"},
        {"role": "assistant", "content": whole[:10]},
        {"role": "user", "content": "Go on."},
    ]
    rest = (await ask("openai", messages=messages)).json()["choices"][0]["message"]["content"]
    assert whole[:10] + rest == whole


async def test_server_that_ignores_streams_sends_one_object(ask: Any) -> None:
    """And closes a stream without a mark where that is its way, without [DONE]."""
    told = (await ask("whole", stream=True)).json()
    assert told["object"] == "chat.completion"
    text = (await ask("unmarked", stream=True)).text
    assert "[DONE]" not in text
    chunks = _chunks(text)
    assert "choices" not in chunks[0]
    assert all(c["finish_reason"] is None for one in chunks[1:] for c in one["choices"])


async def test_dashscope_refuses_to_think_where_it_does_not_stream(ask: Any) -> None:
    """It thinks in a stream, and not at all when that is switched off."""
    refused = await ask("dashscope")
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "invalid_parameter_error"
    message = (await ask("dashscope", enable_thinking=False)).json()["choices"][0]["message"]
    assert "reasoning_content" not in message
    assert "reasoning_content" in (await ask("dashscope", stream=True)).text


async def test_llama_cpp_python_answers_what_does_not_validate_with_500(ask: Any) -> None:
    """As any other error of its own."""
    refused = await ask("llama-cpp-python", response_format=STRICT)
    assert refused.status_code == 500
    assert "response_format" in refused.json()["error"]["message"]
