"""A whole turn of the bot compared with a bare graph: `python -m bench.turn [TURNS]`.

The bot runs as `rich-agent run` with a webhook, its upstreams answer at once. Measured is the time
from the webhook's POST to the last sendMessage or editMessageText. The peer is a LangGraph graph of
eight empty nodes with the same checkpointer on the same PostgreSQL, durability "sync".
"""

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

import httpx
from langgraph.graph import END, START, StateGraph

from bench.database import running_database
from bench.instant import DIMENSIONS, Instant, served
from bench.programs import running_program
from rich_agent.commands.demo import sample_domain
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.checkpoints import make_checkpointer

SECRET = "only-of-this-bench"  # noqa: S105 - of this bench alone
WARM_UP = 5
DOCUMENT = {"file_id": "f", "file_name": "a.pdf", "mime_type": "application/pdf"}
USERS = itertools.count(1_000_000)
ROOT = Path(__file__).parents[1]


class _Small(TypedDict):
    text: str


class _Large(TypedDict):
    """As much as a turn of the bot keeps: a message pair, six passages, and the rest."""

    text: str
    messages: list[dict[str, str]]
    passages: list[dict[str, str]]
    rest: dict[str, str]


PASSAGE = {"id": "chk_0", "content": "word " * 200, "source_url": "https://x", "title": "T"}
LARGE: dict[str, Any] = {
    "text": "x",
    "messages": [{"role": "user", "content": "word " * 20}] * 2,
    "passages": [PASSAGE] * 6,
    "rest": {f"key{number}": "word " * 10 for number in range(10)},
}


def percentiles(seconds: list[float]) -> tuple[float, float]:
    """p50 and p95 in milliseconds."""
    cuts = statistics.quantiles(seconds, n=20)
    return cuts[9] * 1000, cuts[18] * 1000


async def bare_graph(url: str, turns: int, schema: type, update: dict[str, Any]) -> list[float]:
    """Seconds of each turn of eight nodes that do nothing but return `update`."""

    async def nothing(_: Any) -> dict[str, Any]:  # noqa: ANN401 - either schema
        return update

    graph: Any = StateGraph(schema)
    names = [f"n{number}" for number in range(8)]
    for name in names:
        graph.add_node(name, nothing)
    for before, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(before, after)
    async with open_pool(url, 4) as pool:
        compiled = graph.compile(checkpointer=make_checkpointer(pool))
        spent = []
        for number in range(turns + WARM_UP):
            config = {"configurable": {"thread_id": f"{schema.__name__}:{number}"}}
            began = time.perf_counter()
            await compiled.ainvoke({"text": "hi"}, config, durability="sync")
            spent.append(time.perf_counter() - began)
    return spent[WARM_UP:]


def whole_turns(instant: Instant, address: str, text: str, done: str, turns: int) -> list[float]:
    """Seconds from the webhook's POST to the text that holds `done`, one user after another.

    Where the upstreams have a file, each message is a document with the text as its caption.
    """
    spent = []
    with httpx.Client(headers={"X-Telegram-Bot-Api-Secret-Token": SECRET}) as http:
        for _ in range(turns + WARM_UP):
            user = next(USERS)
            began = time.perf_counter()
            http.post(
                f"{address}/telegram/webhook", json=telegram_update(user, text, instant.file)
            ).raise_for_status()
            while (shown := instant.text_of(user, done)) is None:
                time.sleep(0.001)
                if time.perf_counter() - began > 20:
                    raise TimeoutError(f"no answer: {instant.shown[-3:]}")
            spent.append(shown - began)
            time.sleep(0.1)  # the turn stores itself after its answer
    return spent[WARM_UP:]


def telegram_update(user: int, text: str, file: bytes) -> dict[str, Any]:
    """A message of a user; with a file, a document with the text as its caption."""
    person = {"id": user, "is_bot": False, "first_name": "Bench", "language_code": "en"}
    message = {
        "message_id": 1,
        "date": 0,
        "chat": {"id": user, "type": "private", "first_name": "Bench"},
        "from": person,
        **({"caption": text, "document": DOCUMENT} if file else {"text": text}),
    }
    return {"update_id": user, "message": message}


@contextmanager
def running_bot(settings: dict[str, str]) -> Iterator[str]:
    """`rich-agent run`, ready; its address."""
    with running_bot_process(settings) as (address, _):
        yield address


@contextmanager
def running_bot_process(
    settings: dict[str, str], module: str = "rich_agent.cli"
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`rich-agent run`, or another module, ready; its address and its process."""
    with running_program(["-m", module, "run"], settings) as program:
        yield f"http://127.0.0.1:{settings['PORT']}", program.process


def settings_for(upstream: str, database_url: str, port: int) -> dict[str, str]:
    """The bot's settings with every upstream at `upstream`."""
    return {
        "TELEGRAM_BOT_TOKEN": "123456789:AAbench-token-of-nobody-at-all-0000",
        "ALLOWED_USERS": "*",
        "TELEGRAM_API_BASE_URL": upstream,
        "WEBHOOK_URL": f"http://127.0.0.1:{port}",
        "WEBHOOK_SECRET": SECRET,
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "OPENAI_API_KEY": "bench",
        "OPENAI_BASE_URL": f"{upstream}/v1",
        "CHAT_MODEL": "instant",
        "EMBEDDING_MODEL": "instant",
        "EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "DATABASE_URL": database_url,
        "LOG_LEVEL": "error",
        **sample_domain(),
    }


def add_sample(settings: dict[str, str]) -> None:
    """Index the sample documents."""
    for arguments in (["add-source", str(ROOT / "sample" / "solana")], ["sync", "--json"]):
        subprocess.run(
            [sys.executable, "-m", "ingest.cli", *arguments],
            env=os.environ | settings,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def main() -> None:
    """Print both and their ratio."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    instant = Instant()
    with (
        running_database() as database,
        served(instant) as upstream,
    ):
        url = database.url
        settings = settings_for(upstream, url, port=18_099)
        add_sample(settings)
        small = percentiles(asyncio.run(bare_graph(url, turns, _Small, {"text": "x"})))
        large = percentiles(asyncio.run(bare_graph(url, turns, _Large, LARGE)))
        print(
            f"{f'{turns} turns each':42}{'p50 ms':>9}{'p95 ms':>9}  p50 / bare graph, small, large"
        )
        print(f"{'bare graph, 8 empty nodes, small state':42}{small[0]:9.1f}{small[1]:9.1f}")
        print(f"{'bare graph, 8 empty nodes, large state':42}{large[0]:9.1f}{large[1]:9.1f}")
        with running_bot(settings) as address:
            question = "What is proof of history?"
            for name, plan, text, done in (
                ("greeting", "direct", "hi", "Ask me anything"),
                ("question, plan direct", "direct", "Write a haiku now", "That is all"),
                ("question, plan rag", "rag", question, "Sources"),
            ):
                instant.plan = plan
                p50, p95 = percentiles(whole_turns(instant, address, text, done, turns))
                ratios = f"{p50 / small[0]:9.2f}{p50 / large[0]:9.2f}"
                print(f"{name:42}{p50:9.1f}{p95:9.1f}{'':15}{ratios}")


if __name__ == "__main__":
    main()
