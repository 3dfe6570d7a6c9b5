"""A model server that refuses what a test says, and answers the rest in a test's words."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.domain.model_role import ModelRole
from rich_agent.ports.models import CapabilityStore
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess

Json = dict[str, Any]
Refuse = Callable[[Json], tuple[int, Any] | None]


@dataclass
class ModelServer:
    """`refuse` gives status and body of a refusal, or None; `says` are the answers in turn.

    An answer to a request with tools is a call of the first one if `calls_tools`, else text.
    """

    refuse: Refuse = lambda _: None
    says: Sequence[str] = ("{}",)
    calls_tools: bool = True
    ending: str = "stop"
    asked: list[Json] = field(default_factory=list)
    answered: int = 0

    async def chat(self, request: Request) -> Response:
        """`POST /chat/completions`, streamed in one piece if wanted."""
        body = await request.json()
        self.asked.append(body)
        if refusal := self.refuse(body):
            return JSONResponse(refusal[1], refusal[0])
        text = self.says[min(self.answered, len(self.says) - 1)]
        self.answered += 1
        if body.get("stream"):
            return self._stream(text)
        message: Json = {"role": "assistant", "content": text}
        if body.get("tools") and self.calls_tools:
            called = {"name": body["tools"][0]["function"]["name"], "arguments": text}
            call = {"id": "1", "type": "function", "function": called}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": self.ending}
        return JSONResponse(_envelope("chat.completion", choice))

    def _stream(self, text: str) -> Response:
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
        chunk = json.dumps(_envelope("chat.completion.chunk", choice))
        return Response(f"data: {chunk}\n\ndata: [DONE]\n\n", media_type="text/event-stream")

    @asynccontextmanager
    async def access(
        self, parameters: Mapping[str, Any] | None = None, store: CapabilityStore | None = None
    ) -> AsyncIterator[ModelAccess]:
        """Open access to it, as for a process that knows nothing of it."""
        app = Starlette(routes=[Route("/v1/chat/completions", self.chat, methods=["POST"])])
        role = ModelRole("m", "http://models:8000/v1", "any", parameters=parameters or {})
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app)) as http:
            learned = LearnedCapabilities(role.server, role.model, store)
            yield ModelAccess(role, http, learned)

    def steps(self) -> list[str]:
        """The step with which each request asked for structured output."""
        return [
            body["response_format"]["type"]
            if "response_format" in body
            else "tools"
            if "tools" in body
            else "words"
            for body in self.asked
        ]


def _envelope(kind: str, choice: Json) -> Json:
    return {"id": "1", "object": kind, "created": 1, "model": "m", "choices": [choice]}


def openai_refusal(param: str, code: str = "unsupported_parameter") -> tuple[int, Json]:
    """As OpenAI refuses a parameter."""
    error = {"message": "no", "type": "invalid_request_error", "param": param, "code": code}
    return 400, {"error": error}


def mistral_refusal(name: str) -> tuple[int, Json]:
    """As Mistral refuses a field."""
    wrong = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra", "input": {"a": 1}}
    return 422, {"object": "error", "message": {"detail": [wrong]}, "type": "invalid_request_error"}
