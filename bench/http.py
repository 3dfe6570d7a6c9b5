"""Streams that other programs follow: `python -m bench.http [pages] [STREAMS] [RUNNING] [SECONDS]`.

`rich-agent serve` runs as it does beside workers, in one process. By default 500 clients follow a
run each, for 20 s; in 50 of the runs a text grows ten times a second, as a worker stores it. Told
is how long an event takes from the database to its client, and what an open stream takes of memory.
With `pages`, the clients are open pages of the web chat, ten for each user: first nothing happens,
then 10 turns a second are stored, as N7 stores them, each of which ten pages are told of.
"""

import asyncio
import json
import os
import secrets
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace

import httpx
import psutil

from bench.faults.postgres import running_postgres
from bench.instant import Instant, served
from bench.program_tokens import make_token
from bench.programs import running_program
from bench.turn import settings_for
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.ports.turns import TurnRecord
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.runs import PostgresTurnRuns
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from tests.acceptance.world import free_port

EVERY_S = 0.1
MOST_MS = 50.0
MOST_KB = 50.0
_OF_ONE = 10
_WARM_UP = 50
_WORD = "word "
_SETTLES_S = 1.0
_PATIENCE_S = 120.0
_INSERT = """
INSERT INTO runs (user_id, run_id, thread, asked, state) VALUES (%s, %s, 'bench', '{"text": ""}',
    'running')
RETURNING update_id
"""
_STORED = """
SELECT event->>'delta' AS delta, extract(epoch FROM stored_at)::float8 AS at FROM run_events
WHERE event->>'kind' = 'text'
"""
_TURNS_STORED = """
SELECT request_id, extract(epoch FROM created_at)::float8 AS at FROM messages
WHERE role = 'assistant'
"""


@dataclass(slots=True)
class Readers:
    """Clients that follow runs; `came` holds when each text reached its client."""

    address: str
    came: dict[str, float] = field(default_factory=dict)
    streams: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    known: int = 0

    async def opened(self, number: int) -> None:
        """Return once so many streams are open, and the server has settled."""
        while self.known < number:
            await self.streams.acquire()
            self.known += 1
        await asyncio.sleep(_SETTLES_S)

    async def follow(self, http: httpx.AsyncClient, run: Run, token: str) -> None:
        """Follow a run until the connection is closed here."""
        headers = {"Authorization": f"Bearer {token}"}
        query = {"runId": run.run_id, "offset": "-1"}
        async with http.stream("GET", "/agui", params=query, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                raise RuntimeError(f"{answer.status_code}: {(await answer.aread()).decode()}")
            self.streams.release()
            async for line in answer.aiter_lines():
                if line.startswith("data:") and "TEXT_MESSAGE_CONTENT" in line:
                    now = time.time()
                    self.came.setdefault(json.loads(line[5:])["delta"].strip(), now)


@dataclass(frozen=True, slots=True)
class Load:
    """The load: how many streams are open, in how many of them a text grows, and for how long.

    Of pages, `running` turns are stored each second.
    """

    streams: int = 500
    running: int = 50
    seconds: int = 20


def main() -> None:
    """Print the times and the memory beside what they may be."""
    given = sys.argv[1:]
    of_pages = given[:1] == ["pages"]
    load = replace(Load(running=10), **_given(given[1:])) if of_pages else Load(**_given(given))
    with running_postgres(None) as postgres, served(Instant()) as upstream:
        migrate(postgres.url, postgres.url)
        settings = settings_for(upstream, postgres.url, free_port())
        with serving(settings) as process:
            address = f"http://127.0.0.1:{settings['PORT']}"
            measured = measure_pages if of_pages else measure
            asyncio.run(measured(process, address, postgres.url, load))


def _given(arguments: list[str]) -> dict[str, int]:
    return dict(zip(("streams", "running", "seconds"), map(int, arguments), strict=False))


@contextmanager
def serving(settings: dict[str, str]) -> Iterator[psutil.Process]:
    """`rich-agent serve`, once it is ready."""
    with running_program(["-m", "rich_agent.cli", "serve"], settings) as program:
        yield psutil.Process(program.process.pid)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[tuple[Pool, PostgresTurnRuns]]:
    """The runs, as a worker has them."""
    async with open_pool(url, max_size=8) as pool, PostgresInbox(pool) as inbox:
        yield pool, PostgresTurnRuns(pool, inbox)


async def measure(process: psutil.Process, address: str, url: str, load: Load) -> None:
    """Open the streams, let texts grow, and print."""
    limits = httpx.Limits(max_connections=None)
    http = httpx.AsyncClient(base_url=address, timeout=_PATIENCE_S, limits=limits, trust_env=False)
    async with opened(url) as (pool, runs), http, asyncio.TaskGroup() as group:
        made = await make_runs(pool, _WARM_UP + load.streams)
        readers = Readers(address)
        tasks = [group.create_task(readers.follow(http, *one)) for one in made[:_WARM_UP]]
        await readers.opened(_WARM_UP)
        before_kb = process.memory_info().rss / 1000
        tasks += [group.create_task(readers.follow(http, *one)) for one in made[_WARM_UP:]]
        await readers.opened(len(made))
        each_kb = (process.memory_info().rss / 1000 - before_kb) / load.streams
        used = process.cpu_times()
        growing = made[_WARM_UP : _WARM_UP + load.running]
        await asyncio.gather(*(grow(runs, run, load.seconds) for run, _ in growing))
        await asyncio.sleep(_SETTLES_S)
        spent = process.cpu_times()
        for task in tasks:
            task.cancel()
        stored = await stored_at(pool)
    late = [readers.came[text] - at for text, at in stored.items() if text in readers.came]
    report(late, len(stored), each_kb)
    print(f"processor time of the process: {(spent.user - used.user) / load.seconds:.0%} of a core")
    _tell_load()


async def make_runs(pool: Pool, count: int) -> list[tuple[Run, str]]:
    """Runs that no worker knows, ten of each user, with the user's token."""
    made = []
    for number in range(count):
        user = 1 + number // _OF_ONE
        if number % _OF_ONE == 0:
            token = await make_token(pool, user)
        run_id = f"run{number}"
        async with pool.connection() as connection:
            row = await (await connection.execute(_INSERT, (user, run_id))).fetchone()
        assert row is not None
        made.append((Run(row["update_id"], user, run_id, "bench", RunAsked("")), token))
    return made


async def grow(runs: PostgresTurnRuns, run: Run, seconds: float) -> None:
    """Have the text of a run grow, as often as a worker stores it."""
    await asyncio.sleep(secrets.randbelow(1000) / 1000 * EVERY_S)
    end, seq = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        seq += 1
        delta = f"{_WORD}{run.run_id}.{seq} "
        await runs.append(run, [RunEvent(seq, "text", {"message": 0, "delta": delta})])
        await asyncio.sleep(EVERY_S)


@dataclass(slots=True)
class OpenPages:
    """Pages that follow conversations; `came` holds when each turn reached a page."""

    came: list[tuple[str, float]] = field(default_factory=list)
    streams: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def follow(self, http: httpx.AsyncClient, token: str) -> None:
        """Follow a conversation until the connection is closed here."""
        headers = {"Authorization": f"Bearer {token}"}
        async with http.stream("GET", "/agui/live?threadId=chat", headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                raise RuntimeError(f"{answer.status_code}: {(await answer.aread()).decode()}")
            async for line in answer.aiter_lines():
                now = time.time()
                if line == ":":
                    continue
                if line.startswith("data:") and "CONVERSATION" in line:
                    turns = {one["turn"] for one in json.loads(line[5:]).get("messages", ())}
                    self.came += [(turn, now) for turn in turns]
                    self.streams.release()


async def measure_pages(process: psutil.Process, address: str, url: str, load: Load) -> None:
    """Open the pages, let them stand, store turns, and print."""
    limits = httpx.Limits(max_connections=None)
    http = httpx.AsyncClient(base_url=address, timeout=_PATIENCE_S, limits=limits, trust_env=False)
    async with opened(url) as (pool, _), http, asyncio.TaskGroup() as group:
        users = -(-(_WARM_UP + load.streams) // _OF_ONE)
        tokens = [await make_token(pool, 1 + n) for n in range(users)]
        pages, tasks = OpenPages(), list[asyncio.Task[None]]()
        for number in range(_WARM_UP + load.streams):
            if number == _WARM_UP:
                before_kb = process.memory_info().rss / 1000
            following = pages.follow(http, tokens[number // _OF_ONE])
            tasks.append(group.create_task(following))
            if (number + 1) % _WARM_UP == 0:
                await _told(pages, _WARM_UP)
        each_kb = (process.memory_info().rss / 1000 - before_kb) / load.streams
        idle = await _spent(process, asyncio.sleep(load.seconds))
        busy = await _spent(process, _store(PostgresTranscript(pool), users, load))
        await asyncio.sleep(_SETTLES_S)
        for task in tasks:
            task.cancel()
        stored = await _turns_stored(pool)
    late = [at - stored[turn] for turn, at in pages.came if turn in stored]
    report(late, len(stored) * _OF_ONE, each_kb)
    print(f"processor while nothing happens: {idle / load.seconds:.1%} of a core", end=", ")
    print(f"while turns are stored: {busy / load.seconds:.0%}")
    _tell_load()


async def _told(pages: OpenPages, count: int) -> None:
    for _ in range(count):
        await pages.streams.acquire()
    await asyncio.sleep(_SETTLES_S)


async def _spent(process: psutil.Process, meanwhile: Awaitable[None]) -> float:
    """The processor time that a process needs while something else happens, in seconds."""
    before = process.cpu_times()
    await meanwhile
    after = process.cpu_times()
    return after.user + after.system - before.user - before.system


async def _store(transcript: PostgresTranscript, users: int, load: Load) -> None:
    end, number = time.monotonic() + load.seconds, 0
    while time.monotonic() < end:
        user = 1 + number % users
        number += 1
        said = f"Question {number}?", _WORD * 40
        turn = TurnRecord(user, f"tg:{user}", f"tg:{number}", *said, {"sources": []})
        await transcript.record(turn)
        await asyncio.sleep(1 / load.running)


async def _turns_stored(pool: Pool) -> dict[str, float]:
    async with pool.connection() as connection:
        rows = await (await connection.execute(_TURNS_STORED)).fetchall()
    return {row["request_id"]: row["at"] for row in rows}


async def stored_at(pool: Pool) -> dict[str, float]:
    """When each text was stored, in seconds of the machine's clock."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_STORED)).fetchall()
    return {row["delta"].strip(): row["at"] for row in rows}


def _tell_load() -> None:
    print("load of the machine {:.1f}, {:.1f}, {:.1f} on".format(*os.getloadavg()), end=" ")
    print(f"{os.cpu_count()} cores")


def report(late: list[float], stored: int, each_kb: float) -> None:
    """Print what was measured beside what it may be."""
    cuts = statistics.quantiles(late, n=100)
    print(f"events stored {stored}, received {len(late)}")
    print(
        f"from stored to received: p50 {cuts[49] * 1000:.1f} ms, p95 {cuts[94] * 1000:.1f} ms "
        f"(at most {MOST_MS:.0f}), p99 {cuts[98] * 1000:.1f} ms"
    )
    print(f"memory of an open stream: {each_kb:.1f} kB (at most {MOST_KB:.0f})")


if __name__ == "__main__":
    main()
