"""Programs of users over HTTP: of `/v1` with OpenAI's client, of the small API, and of MCP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx
import httpx2
import openai
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from openai.types.chat import ChatCompletionChunk

from rich_agent.domain.tokens import Scope
from tests.acceptance.program_tokens import store_token
from tests.acceptance.world import World

MODEL = "rich-agent"
Named = tuple[str, str, dict[str, Any]]
Mode = Literal["auto", "legacy"]


def client_of(world: World, user: int, *scopes: Scope) -> openai.OpenAI:
    """OpenAI's client with a new token of a user."""
    token = store_token(world, user, *scopes)
    base_url = f"{world.environment['PUBLIC_URL']}/v1"
    return openai.OpenAI(api_key=token, base_url=base_url, timeout=120, max_retries=0)


def said(text: Any) -> list[Any]:
    """One message of the user."""
    return [{"role": "user", "content": text}]


def whole(client: openai.OpenAI, text: Any, **more: Any) -> str:
    """The answer at once."""
    answer = client.chat.completions.create(model=MODEL, messages=said(text), **more)
    return str(answer.choices[0].message.content)


def streamed(client: openai.OpenAI, text: Any, **more: Any) -> list[ChatCompletionChunk]:
    """The answer in pieces."""
    return list(
        client.chat.completions.create(model=MODEL, messages=said(text), stream=True, **more)
    )


def text_in(chunks: list[ChatCompletionChunk]) -> str:
    """The text that somebody reads who appends."""
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def named_events(program: httpx.Client, run_id: str, after: str = "") -> list[Named]:
    """The events of a stream: number, name, data."""
    headers = {"Last-Event-ID": after} if after else {}
    answer = program.get(f"/api/stream/{run_id}", headers=headers)
    assert answer.status_code == 200, answer.text
    found = []
    for block in answer.text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def begun(answer: httpx.Response) -> str:
    """The run that a request began."""
    assert answer.status_code == 202, answer.text
    told = answer.json()
    assert told["stream"] == f"/api/stream/{told['id']}"
    return str(told["id"])


@asynccontextmanager
async def connected(world: World, token: str, mode: Mode = "auto") -> AsyncIterator[Client]:
    """The SDK's client."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http:
        transport = streamable_http_client(
            f"{world.environment['PUBLIC_URL']}/mcp", http_client=http
        )
        async with Client(transport, mode=mode) as client:
            yield client


async def called(world: World, token: str, tool: str, **arguments: Any) -> CallToolResult:
    """The result of a call."""
    async with connected(world, token) as client:
        result = await client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result


def content_of(result: CallToolResult) -> dict[str, Any]:
    """The structured content, which the one text repeats as JSON."""
    (item,) = result.content
    assert not result.is_error, item
    assert item.type == "text"
    assert json.loads(item.text) == result.structured_content
    return dict(result.structured_content)
