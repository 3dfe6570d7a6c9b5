"""From a message to the first visible word: `python -m bench.first_word [TURNS]`.

The bot runs as `rich-agent run` with a webhook. Its upstreams are a server of this process: a plan
takes 0.9 s, an embedding 0.25 s, the first token 0.6 s, after which 80 characters a second come.
Measured is the time from the POST of the webhook to the first call of Telegram that shows a word of
the answer. Next to it stand the same calls made one after another by a bare client, in the same
run: nothing that plans first and answers then can be faster, unless it does two of them at once:
the bot begins the likely answer while it plans (SPECULATION), and is measured with that and
without. Turns with a PDF of ten pages come last; Telegram gives its bytes at once.

The last edit of an answer from documents is measured too, with and without a judgement of its
sentences (CHECK_ANSWERS), which takes as long as a plan.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from typing_extensions import override

from bench.database import running_database
from bench.instant import Instant, completion, replied, served, wants_check
from bench.turn import percentiles, running_bot, settings_for, whole_turns
from rich_agent_sandbox.model.prompt import read_prompt

PLAN_S, EMBED_S, TOKEN_S = 0.9, 0.25, 0.6
PIECE, PIECES_A_SECOND = "hash ", 16
TURNS = 30
PDF = Path(__file__).parents[1] / "tests/documents/report.pdf"
QUESTION = "What is proof of history?"
WISHES = {"rag": QUESTION, "direct": "Write a haiku about the sea."}
ASKED = {"model": "instant", "messages": [{"role": "user", "content": QUESTION}]}


class Slow(Instant):
    """Upstreams that take their time; the answer begins with the word Answer."""

    @override
    async def chat(self, request: Request) -> Response:
        """A plan, or the answer word by word."""
        body = await request.json()
        if not body.get("stream"):
            await asyncio.sleep(PLAN_S)
            if wants_check(body):
                count = len(read_prompt(body["messages"]).entries)
                told = [{"sentence": n, "passages": [1]} for n in range(1, count + 1)]
                return JSONResponse(replied({"supported": told}))
            return await Instant.chat(self, request)
        await asyncio.sleep(TOKEN_S)
        return StreamingResponse(_words(), media_type="text/event-stream")

    @override
    async def embeddings(self, request: Request) -> Response:
        """The vectors, after a while; that of the sea is far from those of history."""
        await asyncio.sleep(EMBED_S)
        texts = (await request.json())["input"]
        self.is_near = not any("sea" in text for text in texts)
        return await Instant.embeddings(self, request)


async def _words() -> AsyncIterator[bytes]:
    for number in range(12):
        yield completion("Answer: " if number == 0 else PIECE)
        await asyncio.sleep(1 / PIECES_A_SECOND)
    yield completion("[1].", "stop")
    yield b"data: [DONE]\n\n"


def bare_calls(upstream: str, plan: str, turns: int) -> list[float]:
    """Seconds of a plan, an embedding (with documents) and a first token, one after another."""
    spent = []
    with httpx.Client(base_url=f"{upstream}/v1", timeout=10) as http:
        for _ in range(turns):
            began = time.perf_counter()
            http.post("/chat/completions", json=ASKED).raise_for_status()
            if plan != "direct":
                http.post("/embeddings", json={"input": [QUESTION]}).raise_for_status()
            with http.stream("POST", "/chat/completions", json={**ASKED, "stream": True}) as answer:
                next(answer.iter_lines())
                spent.append(time.perf_counter() - began)
    return spent


def last_edits(slow: Slow, address: str, turns: int) -> list[float]:
    """Seconds from the webhook's POST to the last change of the answer's message."""
    shown = whole_turns(slow, address, QUESTION, "Sources", turns)
    time.sleep(3 * PLAN_S)  # the last answer is judged
    last = {chat: at for chat, at, _ in slow.shown}
    chats = list(last)[-turns:]
    return [
        seconds + last[chat] - (slow.text_of(chat, "Sources") or 0.0)
        for seconds, chat in zip(shown, chats, strict=True)
    ]


def _ingest(document: Path, settings: dict[str, str]) -> None:
    document.write_text("# Proof of history\n\nProof of history shows that time has passed.\n")
    for arguments in (["add-source", str(document)], ["sync"]):
        command = [sys.executable, "-m", "ingest.cli", *arguments]
        subprocess.run(command, env=os.environ | settings, check=True, stdout=subprocess.DEVNULL)


def _print(name: str, seconds: list[float]) -> None:
    p50, p95 = percentiles(seconds)
    print(f"{name:38}p50 {p50:6.0f} ms   p95 {p95:6.0f} ms")


def main() -> None:
    """Print both for turns with documents and without."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    slow = Slow(query=QUESTION)
    with (
        running_database() as database,
        served(slow) as upstream,
    ):
        settings = settings_for(upstream, database.url, port=18_096)
        _ingest(database.folder / "guide.md", settings)
        for plan in WISHES:
            _print(f"{plan}: the calls one after another", bare_calls(upstream, plan, turns))
        for speculation in ("off", "on"):
            with running_bot(settings | {"SPECULATION": speculation}) as address:
                for plan, wish in WISHES.items():
                    slow.plan = plan
                    shown = whole_turns(slow, address, wish, "Answer", turns)
                    _print(f"{plan}: first word, speculation {speculation}", shown)
        slow.plan = "rag"
        for share in ("0", "1"):
            with running_bot(settings | {"CHECK_ANSWERS": share}) as address:
                edited = last_edits(slow, address, turns)
                _print(f"rag: last edit, CHECK_ANSWERS={share}", edited)
        slow.file = PDF.read_bytes()
        with running_bot(settings) as address:
            _print("10-page PDF: first word", whole_turns(slow, address, QUESTION, "Answer", turns))


if __name__ == "__main__":
    main()
