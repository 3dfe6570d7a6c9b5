"""Ollama that downloads models, by its documentation: `/api/pull`, `/api/tags`, `/api/version`.

An error comes as a line below status 200, once the manifest was tried. A download belongs to all
who pull the same model, ends when the last of them has gone, and goes on where it ended.
Source: Ollama, "API" and "Errors"; the messages are those of its issues 911, 1770, 8231 and 8533.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from rich_agent_sandbox.ledger import Ledger
from tests.stand_ins.model_servers.api import routes_of
from tests.stand_ins.model_servers.local import OLLAMA

UNKNOWN = "pull model manifest: file does not exist"
NO_NETWORK = (
    'pull model manifest: Get "https://registry.ollama.ai/v2/library/qwen3/manifests/8b": '
    "dial tcp: lookup registry.ollama.ai on 127.0.0.53:53: no such host"
)
FULL = "write /usr/share/ollama/.ollama/models/blobs/sha256-0a-partial: no space left on device"
TOO_OLD = (
    "pull model manifest: 412: \n\nThe model you are attempting to pull requires a newer version "
    "of Ollama.\n\nPlease download the latest version at:\n\n\thttps://ollama.com/download\n\n"
)
_TICK_S = 0.005


@dataclass(eq=False)
class OllamaLibrary:
    """A library of models with the bytes of their files, and the models that are installed.

    `pace` is the bytes of a tick. A download waits at `hold_at` bytes. `dies_at` and `fails_at`
    end it there, once: without a word, or with the message.
    """

    models: Mapping[str, tuple[int, ...]]
    installed: list[str] = field(default_factory=list)
    pace: int = 10_000_000
    hold_at: int | None = None
    dies_at: int | None = None
    fails_at: tuple[int, str] | None = None
    refusal: tuple[int, str] | None = None
    pulls: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    _done: dict[str, int] = field(default_factory=dict)

    def app(self) -> Starlette:
        """The server, with the API of OpenAI for what is installed."""
        own = [
            Route("/api/version", self._version),
            Route("/api/tags", self._tags),
            Route("/api/ps", self._running),
            Route("/api/pull", self._pull, methods=["POST"]),
        ]
        personality = replace(OLLAMA, models=tuple(self.models), native={})
        show = Route("/api/show", self._show, methods=["POST"])
        return Starlette(routes=[*own, show, *routes_of(personality, self.ledger)])

    async def _version(self, _: Request) -> Response:
        return JSONResponse({"version": "0.12.3"})

    async def _running(self, _: Request) -> Response:
        return JSONResponse({"models": []})

    async def _tags(self, _: Request) -> Response:
        models = [
            {
                "name": name,
                "model": name,
                "size": sum(self.models[name]),
                "details": {"family": "qwen3", "parameter_size": "4.0B"},
            }
            for name in self.installed
        ]
        return JSONResponse({"models": models})

    async def _show(self, request: Request) -> Response:
        if (await request.json()).get("model") not in self.installed:
            return JSONResponse({"error": "model not found"}, 404)
        info = {"general.architecture": "qwen3", "qwen3.context_length": 40_960}
        return JSONResponse({"capabilities": ["completion", "tools"], "model_info": info})

    async def _pull(self, request: Request) -> Response:
        name = str((await request.json()).get("model", ""))
        if not name or " " in name:
            return JSONResponse({"error": "invalid model name"}, 400)
        self.pulls.append(name)
        if self.refusal:
            status, message = self.refusal
            return JSONResponse({"error": message}, status)
        return StreamingResponse(self._lines(name), media_type="application/x-ndjson")

    async def _lines(self, name: str) -> AsyncIterator[str]:
        try:
            yield _line(status="pulling manifest")
            if name not in self.models:
                yield _line(error=UNKNOWN)
                return
            before = 0
            for number, size in enumerate(self.models[name]):
                async for line in self._file(f"sha256:{number}{name}", size, before):
                    yield line
                    if "error" in line:
                        return
                before += size
            for status in ("verifying sha256 digest", "writing manifest"):
                yield _line(status=status)
            if name not in self.installed:
                self.installed.append(name)
            yield _line(status="success")
        finally:
            self.ended.append(name)

    async def _file(self, digest: str, size: int, before: int) -> AsyncIterator[str]:
        told = {"status": f"pulling {digest[7:19]}", "digest": digest, "total": size}
        yield _line(**told)
        while (done := self._done.get(digest, 0)) < size:
            if self.hold_at is None or before + done < self.hold_at:
                self._done[digest] = done = min(done + self.pace, size)
            if self.dies_at is not None and before + done >= self.dies_at:
                self.dies_at = None
                raise ConnectionAbortedError
            if self.fails_at and before + done >= self.fails_at[0]:
                message, self.fails_at = self.fails_at[1], None
                yield _line(error=message)
                return
            yield _line(**told, completed=done)
            await asyncio.sleep(_TICK_S)
        yield _line(**told, completed=size)


def _line(**content: Any) -> str:
    return json.dumps(content) + "\n"
