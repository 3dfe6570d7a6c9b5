"""A second OpenAI-compatible server, as unlike the sandbox's as the protocol allows.

It streams single characters between keep-alive chunks, sends structured output through tool calls
alone, and knows nothing beyond quoting the first passage.
"""

import html
import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

MOST_INPUTS = 64
DIMENSIONS = 8
LONG = 400
"""An answer of so many characters is streamed in pieces, not in single characters."""
_PASSAGE = re.compile(r"<passage\b[^>]*\bn=\"(\d+)\"[^>]*>(.*?)</passage>", re.DOTALL)
_QUESTION = re.compile(r"<question>(.*?)</question>", re.DOTALL)

Json = dict[str, Any]


def second_openai_app(
    calls: list[Json], recited: Mapping[str, str] | None = None, plan: str = "rag"
) -> Starlette:
    """The server's routes below `/v1`; each request is appended to `calls` as `{path, body}`.

    Each question is planned as `plan`. One that stands in `recited` is answered by its text.
    """
    server = _Server(calls, recited or {}, plan)
    return Starlette(
        routes=[
            Route("/v1/chat/completions", server.chat, methods=["POST"]),
            Route("/v1/embeddings", server.embed, methods=["POST"]),
            Route("/v1/models", server.models, methods=["GET"]),
        ]
    )


@dataclass(frozen=True, slots=True)
class _Server:
    calls: list[Json]
    recited: Mapping[str, str]
    plan: str

    async def models(self, _: Request) -> Response:
        self.calls.append({"path": "/models", "body": {}})
        return JSONResponse({"object": "list", "data": [{"id": "second-large", "object": "model"}]})

    async def embed(self, request: Request) -> Response:
        body = await request.json()
        self.calls.append({"path": "/embeddings", "body": body})
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if len(texts) > MOST_INPUTS:
            return _refusal(f"at most {MOST_INPUTS} inputs")
        width = body.get("dimensions") or DIMENSIONS
        data = [
            {"index": index, "object": "embedding", "embedding": _vector(text, width)}
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        return JSONResponse(
            {"object": "list", "model": body["model"], "data": data, "usage": usage}
        )

    async def chat(self, request: Request) -> Response:
        body = await request.json()
        self.calls.append({"path": "/chat/completions", "body": body})
        if (body.get("response_format") or {}).get("type", "text") != "text":
            return _refusal("response_format is not supported")
        message = _message(body, self.plan)
        if message["content"] is not None:
            message["content"] = self.recited.get(_asked(body), message["content"])
        if body.get("stream"):
            return StreamingResponse(_stream(body, message), media_type="text/event-stream")
        choice = {"index": 0, "message": message, "finish_reason": _finish(message)}
        head = _head(body, "chat.completion")
        return JSONResponse({**head, "choices": [choice], "usage": _usage(message)})


async def _stream(body: Json, message: Json) -> AsyncIterator[str]:
    if message.get("tool_calls"):
        yield _event(body, {"tool_calls": [{"index": 0, **message["tool_calls"][0]}]})
    content = message["content"] or ""
    size = 1 if len(content) < LONG else len(content) // LONG
    for start in range(0, len(content), size):
        yield _event(body, None)
        piece = content[start : start + size]
        yield _event(body, {"content": piece, "reasoning_content": None})
    yield _event(body, {}, finish_reason=_finish(message))
    yield _event(body, None, usage=_usage(message))
    yield "data: [DONE]\n\n"


def _event(body: Json, delta: Json | None, finish_reason: str | None = None, **extra: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    choices = [] if delta is None else [choice]
    data = {**_head(body, "chat.completion.chunk"), "choices": choices, **extra}
    return f"data: {json.dumps(data)}\n\n"


def _message(body: Json, plan: str) -> Json:
    tool = _tool(body)
    if tool is None:
        return {"role": "assistant", "content": _answer(body), "reasoning_content": None}
    arguments = _fill(tool["parameters"], _asked(body), plan)
    call = {"name": tool["name"], "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "second-call", "type": "function", "function": call}],
    }


def _tool(body: Json) -> Json | None:
    functions: list[Json] = [tool["function"] for tool in body.get("tools") or ()]
    choice = body.get("tool_choice", "auto")
    if not functions or choice in ("none", "auto"):
        return None
    named = choice["function"]["name"] if isinstance(choice, dict) else functions[0]["name"]
    return next(function for function in functions if function["name"] == named)


def _answer(body: Json) -> str:
    text = "\n".join(_text(message) for message in body["messages"])
    passages = dict(_PASSAGE.findall(text))
    if "1" not in passages:
        return f"Second server: nothing was given on “{_asked(body)}”."
    first = re.split(r"(?<=[.!?。])\s*", html.unescape(passages["1"]).strip(), maxsplit=1)[0]
    return f"{first} [1]"


def _fill(schema: Json, asked: str, plan: str) -> Json:
    """An object of the question, the plan, and empty values, whatever the names mean."""
    return {
        name: _value(name, _resolved(part, schema), asked, plan)
        for name, part in schema.get("properties", {}).items()
    }


def _resolved(part: Json, schema: Json) -> Json:
    if "$ref" in part:
        definition: Json = schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]
        return definition
    # What may be left out is left out.
    return {"type": "null"} if {"type": "null"} in part.get("anyOf", ()) else part


def _value(name: str, part: Json, asked: str, plan: str) -> object:
    if "enum" in part:
        liked = [word for word in ("general_question", plan) if word in part["enum"]]
        return (liked or part["enum"])[0]
    if part.get("type") == "null":
        return None
    if part.get("type") == "array":
        return []
    if part.get("type") in ("integer", "number", "boolean"):
        return 0 if part["type"] != "boolean" else False
    return asked if name == "query" else "Second server."


def _asked(body: Json) -> str:
    last: Json = next((m for m in reversed(body["messages"]) if m["role"] == "user"), {})
    tagged = _QUESTION.search(_text(last))
    return html.unescape(tagged[1]) if tagged else _text(last)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _vector(text: str, width: int) -> list[float]:
    vector = [0.01] * width
    for word in re.findall(r"\w+", text.lower()):
        vector[zlib.crc32(word.encode()) % width] += 1.0
    return vector


def _head(body: Json, kind: str) -> Json:
    return {
        "id": "second-1",
        "object": kind,
        "created": 1,
        "model": f"second:{body['model']}",
        "system_fingerprint": "fp_second",
    }


def _finish(message: Json) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _usage(message: Json) -> Json:
    answered = len(message["content"] or "")
    return {"prompt_tokens": 1, "completion_tokens": answered, "total_tokens": answered + 1}


def _refusal(message: str) -> JSONResponse:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, status_code=400)
