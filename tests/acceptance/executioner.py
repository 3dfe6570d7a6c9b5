"""A way to every upstream on which the bot is killed when it sends certain words.

Work that says them ends its process each time it is begun, as far as the bot can tell.
"""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import uvicorn
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tests.acceptance.world import TLS, free_port, wait_until
from tests.forking import ForkedProcess

_LONG_POLL_S = 120.0
_KEPT_TO_ITSELF = {"host", "content-length", "transfer-encoding", "connection"}


@dataclass(slots=True)
class Executioner:
    """Passes requests on to `target`; one that holds all of `words` kills the bot instead.

    If the bot has a lone process, it is that which has sent the words, and which is killed.
    """

    target: str
    port: int = field(default_factory=free_port)
    words: tuple[str, ...] = ()
    kills: int = 0
    pid: int | None = None

    @property
    def url(self) -> str:
        """The address that the bot takes for the upstream."""
        return f"http://127.0.0.1:{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        body = await request.body()
        if self.words and all(word.encode() in body for word in self.words):
            await asyncio.to_thread(self._kill)
            await Response(status_code=503)(scope, receive, send)
            return
        async with httpx.AsyncClient(timeout=_LONG_POLL_S, trust_env=False, verify=TLS) as client:
            await (await self._passed_on(client, request, body))(scope, receive, send)

    async def _passed_on(
        self, client: httpx.AsyncClient, request: Request, body: bytes
    ) -> StreamingResponse:
        headers = [(k, v) for k, v in request.headers.items() if k not in _KEPT_TO_ITSELF]
        url = f"{self.target}{request.url.path}"
        asked = client.build_request(
            request.method, url, params=request.query_params, headers=headers, content=body
        )
        answer = await client.send(asked, stream=True)
        given = {k: v for k, v in answer.headers.items() if k not in _KEPT_TO_ITSELF}

        async def passed() -> AsyncIterator[bytes]:
            async for piece in answer.aiter_raw():
                yield piece

        return StreamingResponse(passed(), answer.status_code, given)

    def _kill(self) -> None:
        wait_until(lambda: self.pid, "the bot is known")
        if self.pid is None:
            return
        lone = _lone_process_of(self.pid)
        os.kill(lone or self.pid, signal.SIGKILL)
        self.kills += 1
        self.pid = self.pid if lone else None

    def awaits(self, bot: ForkedProcess) -> None:
        """The process to kill from now on."""
        self.pid = bot.pid


def _lone_process_of(pid: int) -> int | None:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            if b"lone_worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return None


@contextmanager
def running_executioner(target: str) -> Iterator[Executioner]:
    """One that listens while the block runs."""
    executioner = Executioner(target)
    listener = socket.create_server(("127.0.0.1", executioner.port))
    server = uvicorn.Server(uvicorn.Config(executioner, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started, "the executioner listens")
        yield executioner
    finally:
        server.should_exit = server.force_exit = True
        thread.join(20)
