"""Work of PostgreSQL and of the bot for one turn: `python -m bench.turn_cost [--quick] [--list]`.

The bot runs as `rich-agent run` with a webhook, and users ask one after another. The model writes
300 events, 50 a second (`--quick`: fewer turns). Statements and transactions are counted in the
server's log, without those of an idle bot; `--list` prints the statements of each plan, most
frequent first. Of the last turn of each plan the calls of chat models are shown, those in a row
before the first word, and the tokens that they read. Then a bare graph does the same; see
`bare_graph`.
"""

import asyncio
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import psutil
import psycopg
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import override

from bench.database import running_database
from bench.instant import Instant, completion, served
from bench.load.metering import processor_s
from bench.turn import (
    SECRET,
    USERS,
    add_sample,
    running_bot_process,
    settings_for,
    telegram_update,
)
from rich_agent.domain.answer.trace import NodeReport, TurnCalls, turn_calls
from tests.acceptance.world import free_port

EVENTS = 300
EVENT_S = 0.02
BARE_NAME, STREAMED_NAME = "bare graph", "plan direct"
PLANS = (
    ("greeting", "direct", "hi", "Ask me anything"),
    (STREAMED_NAME, "direct", "Write a haiku now", "That is all"),
    ("plan rag", "rag", "What is proof of history?", "Sources"),
)
BARE = ((BARE_NAME, "direct", "Write a haiku now", "That is all"),)
_OF_PEER = "bare"
_QUICK = (3, 6)
"""Turns of each plan, and seconds of the idle bot."""
_REST_S = 5.0
"""The seconds after a turn in which the bot does what is left of it."""
_NEWEST = "SELECT nodes FROM retrieval_decisions ORDER BY id DESC LIMIT 1"
_LOGGED = re.compile(r"^(\d+/\d+) LOG:  (?:statement|execute [^:]*): (.*)", re.MULTILINE)
"""The transaction of a statement, and its text."""
# Without pages written whole and vacuums, the WAL is that of the turns alone.
_SETTINGS = {
    "log_statement": "all",
    "log_line_prefix": "%v ",
    "full_page_writes": "off",
    "autovacuum": "off",
}


class SteadyModel(Instant):
    """Plans at once, and writes its answers as `EVENTS` events, `EVENT_S` apart."""

    @override
    async def chat(self, request: Request) -> Response:
        body = await request.json()
        if not body.get("stream"):
            return await Instant.chat(self, request)
        return StreamingResponse(self._write(), media_type="text/event-stream")

    async def _write(self) -> AsyncIterator[bytes]:
        for number in range(EVENTS):
            yield completion(f"word{number} ")
            await asyncio.sleep(EVENT_S)
        yield completion("That is all [1].")
        yield completion("", "stop")
        yield b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters of the server and the bot; the difference of two is what happened in between."""

    at: float
    wal_bytes: int
    bot_s: float
    database_s: float
    log_bytes: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The work of one turn, or of one second of an idle bot; times are of the processor."""

    statements: float
    commits: float
    wal_kb: float
    bot_ms: float
    database_ms: float
    listed: Counter[str]
    calls: TurnCalls | None = None
    """Calls of chat models in the last turn, as the program counted them."""

    @property
    def processor_ms(self) -> float:
        """The time of bot and PostgreSQL."""
        return self.bot_ms + self.database_ms

    @override
    def __str__(self) -> str:
        work = (
            f"{self.statements:12.0f}{self.commits:10.0f}{self.wal_kb:10.1f}{self.bot_ms:10.0f}"
            f"{self.database_ms:15.0f}"
        )
        if self.calls is None:
            return work
        counts = f"{self.calls.calls:7}{self.calls.before_answer:10}"
        return f"{work}{counts}{self.calls.input_tokens:8,}"


@dataclass(frozen=True, slots=True)
class Meter:
    """Reads the counters of a database server in `data`, and of the process that uses it."""

    url: str
    data: Path
    bot: psutil.Process

    @property
    def log(self) -> Path:
        """The log of the server."""
        return self.data / "postgres.log"

    def read(self) -> Counters:
        """The counters now, after the last turn has stored itself."""
        time.sleep(1.5)
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute(
                "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
            ).fetchone()
        assert found
        pid = int((self.data / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])
        database_s = processor_s([psutil.Process(pid)])
        now, size = time.monotonic(), self.log.stat().st_size
        return Counters(now, int(found[0]), processor_s([self.bot]), database_s, size)

    def calls(self) -> TurnCalls:
        """The calls of chat models in the newest turn of the bot."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(_NEWEST).fetchone()
        assert row
        return turn_calls(map(NodeReport.from_json, row[0].values()))

    def cost(self, began: Counters, turns: int = 0, idle: Cost | None = None) -> Cost:
        """The work of each of `turns` since `began`, without the `idle` one; else of a second."""
        ended = self.read()
        with self.log.open("rb") as log:
            log.seek(began.log_bytes)
            lines = log.read(ended.log_bytes - began.log_bytes).decode(errors="replace")
        whole = lines.replace("\n\t", " ")  # the server begins further lines with a tab
        logged = _LOGGED.findall(whole)
        listed = Counter(" ".join(statement.split())[:100] for _, statement in logged)
        commits = len({transaction for transaction, _ in logged})
        seconds = ended.at - began.at

        def each(total: float, idle_each_s: float) -> float:
            return (total - idle_each_s * seconds) / (turns or seconds)

        return Cost(
            each(listed.total(), idle.statements if idle else 0),
            each(commits, idle.commits if idle else 0),
            each((ended.wal_bytes - began.wal_bytes) / 1024, idle.wal_kb if idle else 0),
            each((ended.bot_s - began.bot_s) * 1000, idle.bot_ms if idle else 0),
            each((ended.database_s - began.database_s) * 1000, idle.database_ms if idle else 0),
            listed,
        )


class _Users:
    """Asks by webhook, each time as another person, and waits for the answers."""

    def __init__(self, model: SteadyModel, address: str) -> None:
        self.model = model
        self._address = address

    def ask(self, text: str, done: str) -> None:
        """One question and its answer, which holds `done`."""
        user = next(USERS)
        secret = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        body = telegram_update(user, text, b"")
        httpx.post(f"{self._address}/telegram/webhook", json=body, headers=secret)
        deadline = time.monotonic() + 60
        while self.model.text_of(user, done) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(self.model.shown[-3:])
            time.sleep(0.02)


def log_statements(url: str) -> None:
    """Have the server log each statement."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name, value in _SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        connection.execute("SELECT pg_reload_conf()")


def main() -> None:
    """Print the cost of a turn of each plan."""
    turns, idle_s = _QUICK if "--quick" in sys.argv else (12, 30)
    heads = (
        "statements",
        "commits",
        "WAL KB",
        "bot ms",
        "PostgreSQL ms",
        "calls",
        "in a row",
        "read",
    )
    print("{:18}{:>12}{:>10}{:>10}{:>10}{:>15}{:>7}{:>10}{:>8}".format("", *heads))
    for name, cost in turn_costs(turns, idle_s):
        print(f"{name:18}{cost}", flush=True)
        if "--list" in sys.argv:
            for statement, count in cost.listed.most_common():
                print(f"{count / turns:8.1f}  {statement}")


def turn_costs(turns: int, idle_s: float) -> Iterator[tuple[str, Cost]]:
    """The cost of each plan, and last that of the bare graph, by name."""
    model = SteadyModel()
    with running_database() as database, served(model) as upstream:
        settings = settings_for(upstream, database.url, port=free_port())
        add_sample(settings)
        log_statements(database.url)
        database.server.ensure_database(_OF_PEER)
        peer = {
            "DATABASE_URL": database.server.url(_OF_PEER),
            "PLANNER_MODEL": settings["CHAT_MODEL"],
        }
        contenders = (
            ("rich_agent.cli", settings, PLANS, idle_s),
            ("bench.bare_graph", settings | peer, BARE, 0),
        )
        for module, set_to, plans, watched_s in contenders:
            with running_bot_process(set_to, module) as (address, process):
                meter = Meter(set_to["DATABASE_URL"], database.folder, psutil.Process(process.pid))
                yield from measure(_Users(model, address), meter, plans, turns, watched_s)


def measure(
    users: _Users,
    meter: Meter,
    plans: Sequence[tuple[str, str, str, str]],
    turns: int,
    idle_s: float,
) -> Iterator[tuple[str, Cost]]:
    """Measure an idle bot, then each plan after two turns to warm up.

    With `idle_s` 0, it is the peer, which is known to do nothing of its own and counts no calls.
    """
    idle = None
    if idle_s:
        _, _, text, done = plans[0]
        users.ask(text, done)
        time.sleep(min(idle_s / 2, _REST_S))
        began = meter.read()
        time.sleep(idle_s)
        idle = meter.cost(began)
    for name, plan, text, done in plans:
        users.model.plan = plan
        users.ask(text, done)
        users.ask(text, done)
        began = meter.read()
        for _ in range(turns):
            users.ask(text, done)
        cost = meter.cost(began, turns, idle)
        yield name, replace(cost, calls=meter.calls()) if idle else cost


if __name__ == "__main__":
    main()
