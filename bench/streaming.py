"""From the model's first words to the user's eyes: `python -m bench.streaming [ANSWERS] [USERS]`.

The bot runs as `rich-agent run` and polls the sandbox, which enforces Telegram's flood limits. The
model is a server of this process that writes its answers at a steady pace after a pause of random
length. Measured are the time from its 30th character to the end of the first call that shows it,
from its last character to the end of the call with the whole answer, and the edits in between.
"""

import asyncio
import itertools
import json
import os
import random
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import override

from bench.database import running_database
from bench.instant import Instant, served
from bench.programs import running_program
from bench.turn import percentiles, running_bot, settings_for

FIRST_TEXT = 30
ANSWER_CHARACTERS = 1_200
PIECE_CHARACTERS = 4
PIECE_S = 0.02
LONGEST_PAUSE_S = 1.5
DEADLINE_S = 60.0
_NAME = re.compile(r"#(\d+x\d+)")
SENTENCE = "Every validator checks the clock for itself, one hash after another. "


@dataclass(slots=True)
class PacedModel(Instant):
    """Plans at once and writes steadily; `moments` holds, by question, the 30th and last time."""

    plan: str = "direct"
    moments: dict[str, tuple[float, float]] = field(default_factory=dict)

    @override
    async def chat(self, request: Request) -> Response:
        """A plan, or the answer in small pieces."""
        body = await request.json()
        if not body.get("stream"):
            return await Instant.chat(self, request)
        (*_, name) = _NAME.findall(str(body["messages"][-1]["content"]))
        return StreamingResponse(self._write(name), media_type="text/event-stream")

    async def _write(self, name: str) -> AsyncIterator[str]:
        await asyncio.sleep(random.uniform(0.0, LONGEST_PAUSE_S))  # noqa: S311 - no secret
        text = answer_to(name)
        first_at = 0.0
        for start in range(0, len(text), PIECE_CHARACTERS):
            piece = text[start : start + PIECE_CHARACTERS]
            if not first_at and start + len(piece) >= FIRST_TEXT:
                first_at = time.time()
            yield _event({"content": piece})
            await asyncio.sleep(PIECE_S)
        self.moments[name] = (first_at, time.time())
        yield _event({}, "stop")
        yield "data: [DONE]\n\n"


def answer_to(name: str) -> str:
    """The whole answer to question `name`."""
    text = f"Answer {name}: "
    while len(text) < ANSWER_CHARACTERS:
        text += SENTENCE
    return text.rstrip()


def _event(delta: dict[str, str], finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "paced"}
    return f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n"


@contextmanager
def sandbox(token: str) -> Iterator[str]:
    """The sandbox as a process, with flood control; its address."""
    arguments = ["--port", "0", "--bot-token", token, "--flood"]
    command = ["-m", "rich_agent_sandbox.cli", *arguments]
    with running_program(command, ready="sandbox at") as program:
        yield program.ready_line.split()[-1]


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one answer: seconds to the first text and to the whole, and calls that changed it."""

    first_s: float
    whole_s: float
    edits: int


async def ask(http: httpx.AsyncClient, model: PacedModel, user: int, name: str) -> Measured:
    """One question and what became of it."""
    body = {"text": f"Please explain it to me at length #{name}"}
    (await http.post(f"/sim/chats/{user}/messages", json=body)).raise_for_status()
    whole = answer_to(name)
    async with asyncio.timeout(DEADLINE_S):
        while True:
            await asyncio.sleep(0.2)
            calls = await _calls_about(http, user, name)
            if calls and calls[-1]["body"]["text"] == whole and name in model.moments:
                break
    first_at, last_at = model.moments[name]
    return Measured(calls[0]["ended_at"] - first_at, calls[-1]["ended_at"] - last_at, len(calls))


async def _calls_about(http: httpx.AsyncClient, user: int, name: str) -> list[dict[str, Any]]:
    found = (await http.get("/sim/calls", params={"upstream": "telegram"})).json()["calls"]
    return [
        call
        for call in found
        if call["status"] == 200
        and call["body"].get("chat_id") == user
        and str(call["body"].get("text", "")).startswith(f"Answer {name}:")
    ]


async def measure(url: str, model: PacedModel, answers: int, users: int) -> list[Measured]:
    """So many answers, by users at the same time, each asking again after their answer."""
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http:

        async def converse(user: int) -> list[Measured]:
            names = (f"{user}x{number}" for number in itertools.count())
            return [
                await ask(http, model, user, name)
                for name in itertools.islice(names, max(1, answers // users))
            ]

        async with asyncio.TaskGroup() as group:
            talks = [group.create_task(converse(1_000 + number)) for number in range(users)]
        return [measured for talk in talks for measured in talk.result()]


def main() -> None:
    """Print the percentiles."""
    answers = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    users = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    model = PacedModel()
    with (
        running_database() as database,
        served(model) as upstream,
    ):
        settings = settings_for(upstream, database.url, port=18_097)
        with sandbox(settings["TELEGRAM_BOT_TOKEN"]) as telegram:
            del settings["WEBHOOK_URL"]
            environment = settings | {"TELEGRAM_API_BASE_URL": telegram}
            environment["STREAMING"] = os.environ.get("STREAMING", "edit")
            with running_bot(environment):
                found = asyncio.run(measure(telegram, model, answers, users))
                refused = httpx.get(f"{telegram}/sim/calls", trust_env=False).json()["calls"]
    edits = sorted(measured.edits for measured in found)
    print(f"{len(found)} answers of {ANSWER_CHARACTERS:,} characters, {users} users at once")
    for name, seconds in (
        ("30th character → visible text", [m.first_s for m in found]),
        ("last character → whole answer", [m.whole_s for m in found]),
    ):
        p50, p95 = percentiles(seconds)
        print(f"{name:32}p50 {p50:6.0f} ms   p95 {p95:6.0f} ms")
    print(f"{'texts shown per answer':32}p50 {edits[len(edits) // 2]:6}      most {edits[-1]:6}")
    print(f"{'calls refused with 429':32}{sum(call['status'] == 429 for call in refused):10}")


if __name__ == "__main__":
    main()
