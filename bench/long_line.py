"""One endless line on every surface: `python -m bench.long_line [CHARACTERS]`.

The bot runs as `rich-agent run`. The model writes one line of 100,000 characters, 10 at a time, as
fast as it is read. Measured is how long /healthz takes at worst, asked every 20 ms: of an idle bot,
while each surface follows such an answer alone, while all follow one at once, and while they are
replayed.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import override

from bench.faults.postgres import running_postgres
from bench.http import opened
from bench.instant import Instant, completion, served
from bench.program_tokens import make_token
from bench.turn import SECRET, running_bot, settings_for
from rich_agent.repositories.database.migration import migrate
from tests.acceptance.world import free_port

CHARACTERS = 100_000
PIECE = 10
MOST_S = 0.3
_EVERY_S = 0.02
_IDLE_S = 5.0
_PATIENCE_S = 180.0


@dataclass(slots=True)
class EndlessLine(Instant):
    """Plans at once, and writes one line."""

    plan: str = "direct"
    characters: int = CHARACTERS

    @override
    async def chat(self, request: Request) -> Response:
        """A plan, or the line."""
        body = await request.json()
        if not body.get("stream"):
            return await Instant.chat(self, request)
        return StreamingResponse(self._write(), media_type="text/event-stream")

    @property
    def line(self) -> str:
        """Words, no two of them the same."""
        return " ".join(f"word{number}" for number in range(self.characters))[: self.characters]

    async def _write(self) -> AsyncIterator[bytes]:
        line = self.line
        for start in range(0, len(line), PIECE):
            yield completion(line[start : start + PIECE])
        yield completion("", "stop")
        yield b"data: [DONE]\n\n"


@dataclass(slots=True)
class Surfaces:
    """A program for each surface, each with a user of its own."""

    http: httpx.AsyncClient
    upstream: EndlessLine
    tokens: dict[int, str]
    asked: int = 0

    def _of(self, user: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[user]}"}

    async def openai(self, user: int = 1) -> None:
        """A completion, streamed."""
        said = [{"role": "user", "content": "Write."}]
        body = {"model": "rich-agent", "messages": said, "stream": True}
        await self._read("POST", "/v1/chat/completions", user, json=body)

    async def agui(self, user: int = 2) -> str:
        """A run of AG-UI; its id."""
        self.asked += 1
        run_id = f"r{self.asked}"
        said = [{"id": "m1", "role": "user", "content": "Write."}]
        await self._read(
            "POST", "/agui", user, json={"threadId": "t", "runId": run_id, "messages": said}
        )
        return run_id

    async def replay(self, run_id: str, user: int = 2) -> None:
        """The same run from its beginning."""
        await self._read("GET", "/agui", user, params={"runId": run_id, "offset": "-1"})

    async def telegram(self, user: int = 3) -> None:
        """A message; over when the end of the line was sent."""
        self.asked += 1
        message = {
            "message_id": self.asked,
            "date": 0,
            "chat": {"id": user, "type": "private"},
            "from": {"id": user, "is_bot": False, "first_name": "U", "language_code": "en"},
            "text": "Write.",
        }
        secret = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        update = {"update_id": self.asked, "message": message}
        before = len(self.upstream.shown)
        await self.http.post("/telegram/webhook", json=update, headers=secret)
        last = self.upstream.line.rstrip()[-12:]
        async with asyncio.timeout(_PATIENCE_S):
            while not any(last in text for _, _, text in self.upstream.shown[before:]):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def _read(self, method: str, path: str, user: int, **more: object) -> None:
        asked = self.http.stream(method, path, headers=self._of(user), **more)  # type: ignore[arg-type]
        async with asked as answer:
            answer.raise_for_status()
            async for _ in answer.aiter_bytes():
                pass


@asynccontextmanager
async def probing(address: str, found: list[float]) -> AsyncIterator[None]:
    """Ask for the bot's health while the block runs."""

    async def probe() -> None:
        async with httpx.AsyncClient(timeout=_PATIENCE_S, trust_env=False) as http:
            while True:
                began = time.perf_counter()
                await http.get(f"{address}/healthz")
                found.append(time.perf_counter() - began)
                await asyncio.sleep(_EVERY_S)

    task = asyncio.create_task(probe())
    try:
        yield
    finally:
        task.cancel()


async def report(name: str, address: str, work: Awaitable[object]) -> object:
    """Do the work and print the worst answer meanwhile."""
    found: list[float] = []
    began = time.perf_counter()
    async with probing(address, found):
        given = await work
    took_s = time.perf_counter() - began
    worst = max(found, default=took_s)
    verdict = "" if worst <= MOST_S else f"  more than {MOST_S} s"
    print(f"{name:30}{worst * 1000:8.0f} ms at worst of {len(found):6}{took_s:8.1f} s{verdict}")
    return given


async def measure(address: str, url: str, upstream: EndlessLine) -> None:
    """Print a row for each surface, for all at once, and for a replay."""
    async with opened(url) as (pool, _):
        tokens = {user: await make_token(pool, user) for user in (1, 2)}
    async with httpx.AsyncClient(base_url=address, timeout=_PATIENCE_S, trust_env=False) as http:
        surfaces = Surfaces(http, upstream, tokens)
        await report("idle", address, asyncio.sleep(_IDLE_S))
        await report("/v1", address, surfaces.openai())
        run_id = await report("AG-UI", address, surfaces.agui())
        await report("AG-UI, replayed", address, surfaces.replay(str(run_id)))
        await report("Telegram", address, surfaces.telegram())
        every = asyncio.gather(
            surfaces.openai(), surfaces.agui(), surfaces.telegram(), surfaces.replay(str(run_id))
        )
        await report("all at once", address, every)
    print("load of the machine {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))


def main() -> None:
    """Print the worst answers of each."""
    upstream = EndlessLine(characters=int(sys.argv[1]) if len(sys.argv) > 1 else CHARACTERS)
    with running_postgres(None) as postgres, served(upstream) as address:
        migrate(postgres.url, postgres.url)
        settings = settings_for(address, postgres.url, free_port())
        with running_bot(settings) as bot:
            asyncio.run(measure(bot, postgres.url, upstream))


if __name__ == "__main__":
    main()
