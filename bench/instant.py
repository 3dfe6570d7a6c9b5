"""Upstreams that answer at once, so that the time of a turn is the bot's own time."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

ANSWER = "Proof of history shows that time has passed [1]. That is all of it."
DIMENSIONS = 1536


@dataclass(slots=True)
class Instant:
    """The upstreams; `shown` holds (chat_id, time, text) of every text that the bot sent.

    `file` is what Telegram gives for every file id. `is_near`: texts are near those before.
    """

    plan: str = "rag"
    query: str = "proof of history"
    shown: list[tuple[int, float, str]] = field(default_factory=list)
    message_id: int = 0
    file: bytes = b""
    is_near: bool = True

    def app(self) -> Starlette:
        """All routes."""
        return Starlette(
            routes=[
                Route("/bot{token}/{method}", self.telegram, methods=["POST"]),
                Route("/file/bot{token}/{path:path}", self.download),
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/embeddings", self.embeddings, methods=["POST"]),
                Route("/v1/models", self.models),
            ]
        )

    async def telegram(self, request: Request) -> Response:
        """Every method succeeds."""
        form = dict(await request.form())
        method = request.path_params["method"]
        if method == "getMe":
            me = {"id": 1, "is_bot": True, "first_name": "Bench", "username": "bench_bot"}
            return JSONResponse({"ok": True, "result": me})
        if method == "getFile":
            size = len(self.file)
            path = {"file_id": "f", "file_unique_id": "u", "file_size": size, "file_path": "a.pdf"}
            return JSONResponse({"ok": True, "result": path})
        if method not in {"sendMessage", "editMessageText"}:
            return JSONResponse({"ok": True, "result": True})
        chat_id, text = int(str(form["chat_id"])), str(form["text"])
        self.shown.append((chat_id, time.perf_counter(), text))
        self.message_id += 1
        message = {
            "message_id": int(str(form.get("message_id", self.message_id))),
            "date": 0,
            "chat": {"id": chat_id, "type": "private"},
            "text": text,
        }
        return JSONResponse({"ok": True, "result": message})

    async def download(self, _: Request) -> Response:
        """The file."""
        return Response(self.file)

    async def chat(self, request: Request) -> Response:
        """A plan, or the answer as a stream of one piece."""
        body = await request.json()
        if not body.get("stream"):
            return JSONResponse(replied(planned(self.plan, self.query)))
        return StreamingResponse(_stream(), media_type="text/event-stream")

    async def embeddings(self, request: Request) -> Response:
        """The same vector for every text."""
        texts = (await request.json())["input"]
        vector = [float(self.is_near), float(not self.is_near)] + [0.0] * (DIMENSIONS - 2)
        data = [{"object": "embedding", "index": n, "embedding": vector} for n in range(len(texts))]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse({"object": "list", "data": data, "model": "instant", "usage": usage})

    async def models(self, _: Request) -> Response:
        """Models are not listed."""
        return JSONResponse({"object": "list", "data": []})

    def text_of(self, chat_id: int, holds: str) -> float | None:
        """When the chat's text that holds `holds` arrived."""
        return next(
            (at for chat, at, text in self.shown if chat == chat_id and holds in text), None
        )


def planned(plan: str, query: str, language: str = "en") -> dict[str, Any]:
    """A plan as the bot asks for it."""
    return {
        "intent": "general_question",
        "plan": plan,
        "query": query,
        "language": language,
        "reason": "bench",
    }


def wants_check(body: Mapping[str, Any]) -> bool:
    """Whether a request asks which passages say the sentences of an answer."""
    return '"unsupported"' in json.dumps(body.get("response_format"))


def replied(content: Mapping[str, Any] | str) -> dict[str, Any]:
    """A completion that is this object, or these words."""
    text = content if isinstance(content, str) else json.dumps(content)
    message = {"role": "assistant", "content": text}
    return _completion({"message": message, "finish_reason": "stop"}, "chat.completion")


def _completion(choice: dict[str, Any], kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": kind,
        "created": 0,
        "model": "instant",
        "choices": [{"index": 0, **choice}],
    }


async def _stream() -> Any:  # noqa: ANN401 - an async iterator of bytes
    yield completion(ANSWER)
    yield completion("", "stop")
    yield b"data: [DONE]\n\n"


def completion(piece: str, finish_reason: str | None = None) -> bytes:
    """An event of a streamed answer."""
    choice = {"delta": {"role": "assistant", "content": piece}, "finish_reason": finish_reason}
    return f"data: {json.dumps(_completion(choice, 'chat.completion.chunk'))}\n\n".encode()


class Upstreams(Protocol):
    """A program that the bot calls over HTTP."""

    def app(self) -> Starlette:
        """All routes."""
        ...


@contextmanager
def served(upstreams: Upstreams) -> Iterator[str]:
    """Serve the upstreams in a thread; their address."""
    config = uvicorn.Config(upstreams.app(), port=0, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(5)
