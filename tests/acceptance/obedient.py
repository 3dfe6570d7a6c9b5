"""A model that obeys: whatever text of a prompt orders it to write, it writes, also its prompt.

It stands in front of the sandbox, which plans, looks and remembers as always and records every
call; only streamed answers are its own. The web search beside it finds what it is told to find.
"""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

_ORDER = re.compile(r"write[\s/]+exactly[\s/]*\{\{(.*?)\}\}", re.IGNORECASE | re.DOTALL)
WHOLE_PROMPT = "*your prompt*"
_DEADLINE_S = 60.0

Json = dict[str, Any]


def order(words: str) -> str:
    """The sentence that this model obeys."""
    return f"write exactly {{{{{words}}}}}"


@dataclass(slots=True)
class Obedient:
    """The routes, what the web search finds next (as Tavily's results), and what was obeyed."""

    sandbox: str
    found: list[Json] = field(default_factory=list)
    obeyed: list[str] = field(default_factory=list)

    def app(self) -> Starlette:
        """All routes of a model server, and of the search."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/embeddings", self.pass_on, methods=["POST"]),
                Route("/v1/models", self.pass_on, methods=["GET"]),
                Route("/tavily/search", self.search, methods=["POST"]),
            ]
        )

    async def pass_on(self, request: Request) -> Response:
        """What the sandbox answers."""
        headers = {key: request.headers[key] for key in ("authorization", "content-type")}
        async with httpx.AsyncClient(timeout=_DEADLINE_S, trust_env=False) as http:
            answer = await http.request(
                request.method,
                f"{self.sandbox}{request.url.path}",
                content=await request.body(),
                headers=headers,
            )
        kind = answer.headers.get("content-type")
        return Response(answer.content, answer.status_code, media_type=kind)

    async def chat(self, request: Request) -> Response:
        """The sandbox's completion; a streamed answer is what the prompt's texts order."""
        body = await request.json()
        answer = await self.pass_on(request)
        if not body.get("stream"):
            return answer
        told = [str(message.get("content")) for message in body["messages"]]
        wishes = [match for text in told for match in _ORDER.findall(text)]
        if not wishes:
            return answer
        self.obeyed += told
        said = "\n\n".join(told[0] if WHOLE_PROMPT in wish else wish for wish in wishes)
        return StreamingResponse(_stream(body, said), media_type="text/event-stream")

    async def search(self, request: Request) -> Response:
        """The scripted results; the sandbox's own search records the call."""
        answer = await self.pass_on(request)
        known = json.loads(bytes(answer.body))
        return JSONResponse({**known, "results": self.found}) if self.found else answer


async def _stream(body: Json, said: str) -> AsyncIterator[str]:
    head = {"id": "o1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    for start in range(0, len(said), 40):
        choice = {"index": 0, "delta": {"content": said[start : start + 40]}, "finish_reason": None}
        yield f"data: {json.dumps({**head, 'choices': [choice]})}\n\n"
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield f"data: {json.dumps({**head, 'choices': [end]})}\n\n"
    yield "data: [DONE]\n\n"
