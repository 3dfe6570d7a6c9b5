"""A very long conversation: `python -m bench.long_thread [TURNS] [--no-peer]`.

One user's turns through the product's own graph on PostgreSQL, with the sandbox as the model over
HTTP. Printed are the time of a turn early and late, the rows and bytes that the user has in each
table on the way, the longest prompts of the last turns, and what is still known at the end.

The peer is the plain way: a LangGraph thread whose messages all stay in the state, with the same
checkpointer on the same PostgreSQL. Its model answers at once.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

import structlog
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg import sql

from rich_agent.composition.app import open_turns
from rich_agent.composition.repositories import make_repositories
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.domain.text import most_tokens
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import Pool, checkout, open_pools
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings, all_settings
from rich_agent.turns.runner import Answered, Finished, GraphTurns
from rich_agent.upstreams.local_files import LocalImageFiles
from tests.acceptance.world import Sandbox, environment, ingest_samples, running_sandbox
from tests.database import temporary_data_dir

USER = 7_000_001
WINDOW = 20  # turns whose times are compared
EARLY_END = 40
FIRST_QUESTION = "How old is the moon?"
EARLY_FACT = "I live in Oslo."
# Each window holds the same kinds of turns: documents, a task of its own, a fact, small talk.
MIX = (
    "What is proof of history? Part {n}.",
    "Write a haiku about the number {n}.",
    "I like tea number {n}.",
    "What happens when a loan is liquidated? Case {n}.",
    "thanks",
)
TABLES: dict[str, LiteralString] = {
    "checkpoints": "thread_id = %(thread)s",
    "checkpoint_blobs": "thread_id = %(thread)s",
    "checkpoint_writes": "thread_id = %(thread)s",
    "store": "prefix = %(prefix)s",
    "store_vectors": "prefix = %(prefix)s",
    "usage_days": "user_id = %(user)s",
    "turn_archive": "user_id = %(user)s",
    "messages": "user_id = %(user)s",
    "retrieval_decisions": "thread_id = %(thread)s",
}
NAMED = {"thread": thread_of(USER), "prefix": f"users.{USER}", "user": USER}


@dataclass(slots=True)
class Times:
    """Seconds of each turn: until the answer, and until everything is kept."""

    answered: list[float] = field(default_factory=list)
    finished: list[float] = field(default_factory=list)

    def told(self) -> str:
        """p50 of the turns to EARLY_END and of the last ones, and the ratios."""
        lines = []
        for name, seconds in (("answer", self.answered), ("whole turn", self.finished)):
            early = statistics.median(seconds[EARLY_END - WINDOW : EARLY_END]) * 1000
            late = statistics.median(seconds[-WINDOW:]) * 1000
            span = f"{len(seconds) - WINDOW + 1}-{len(seconds)}"
            lines.append(
                f"{name:12} p50 of turns {EARLY_END - WINDOW + 1}-{EARLY_END} {early:8.1f} ms, "
                f"of {span} {late:8.1f} ms, ratio {late / early:.2f}"
            )
        return "\n".join(lines)


@dataclass(slots=True)
class Thread:
    """The user's thread, one turn after another."""

    turns: GraphTurns
    times: Times = field(default_factory=Times)

    async def say(self, text: str) -> str:
        """A turn; its answer."""
        number = len(self.times.finished)
        message = IncomingMessage(User(USER, "Ann"), text)
        began = time.perf_counter()
        answer = ""
        async for event in self.turns.run(TurnRequest(thread_of(USER), f"tg:{number}", message)):
            if isinstance(event, Answered):
                self.times.answered.append(time.perf_counter() - began)
            if isinstance(event, Finished):
                answer = event.outcome.answer.text
        self.times.finished.append(time.perf_counter() - began)
        return answer


async def size_of(pool: Pool, table: str) -> tuple[int, int]:
    """The rows and bytes that the user has in a table."""
    query = sql.SQL("SELECT count(*), coalesce(sum(pg_column_size(t.*)), 0) AS size FROM {} t ")
    async with checkout(pool) as connection:
        found = await connection.execute(
            query.format(sql.Identifier(table)) + sql.SQL("WHERE ") + sql.SQL(TABLES[table]), NAMED
        )
        row = await found.fetchone()
    return (row["count"], int(row["size"])) if row else (0, 0)


def longest_prompts(sandbox: Sandbox, since: int) -> dict[str, tuple[int, int]]:
    """By the first words of the instructions: how many calls, and the tokens of the longest."""
    found: dict[str, tuple[int, int]] = {}
    for call in sandbox.calls("openai", since):
        messages = call["body"].get("messages", ())
        if messages:
            kind = " ".join(str(messages[0]["content"]).split()[:6])
            tokens = sum(most_tokens(str(message["content"])) for message in messages)
            calls, most = found.get(kind, (0, 0))
            found[kind] = (calls + 1, max(most, tokens))
    return found


async def converse(settings: Settings, url: str, sandbox: Sandbox, turns: int) -> None:
    """Hold the conversation and print what it costs."""
    sizes: dict[int, dict[str, tuple[int, int]]] = {}
    marks: dict[int, int] = {}
    async with (
        open_pools(url, url, max_size=5) as databases,
        open_turns(
            LiveSettings(settings), make_repositories(settings, databases), LocalImageFiles(1)
        ) as graph,
    ):
        thread = Thread(graph)
        await thread.say(FIRST_QUESTION)
        await thread.say(EARLY_FACT)
        for number in range(3, turns + 1):
            if number in (EARLY_END - WINDOW + 1, turns - WINDOW + 1):
                marks[number] = sandbox.mark()
            await thread.say(MIX[number % len(MIX)].format(n=number))
            if number in (100, turns // 2, turns):
                sizes[number] = {table: await size_of(databases.app, table) for table in TABLES}
        print(thread.times.told())
        print(f"\n{'rows, kB at turn':20}" + "".join(f"{number:>18}" for number in sizes))
        for table in TABLES:
            told = [sizes[number][table] for number in sizes]
            print(f"{table:20}" + "".join(f"{rows:8}{size / 1000:10.1f}" for rows, size in told))
        budget = settings.models.max_context_tokens
        print(f"\nprompts of turns {turns - WINDOW + 1}-{turns}, budget {budget:,} tokens:")
        for kind, (calls, tokens) in longest_prompts(sandbox, max(marks.values())).items():
            print(f"  {calls:3} x {kind:42} longest {tokens:6,}")
        print(f"\n{turns + 1}: Where do I live?  {_line(await thread.say('Where do I live?'))}")
        first = await thread.say("What did I ask you first?")
        print(f"{turns + 2}: What did I ask you first?  {_line(first)}")


async def converse_plainly(url: str, turns: int) -> None:
    """The peer: every message stays in the state."""

    async def answer(_: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("Proof of history shows that time has passed. " * 6)]}

    graph: Any = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    async with open_pools(url, url, max_size=5) as databases:
        compiled = graph.compile(checkpointer=make_checkpointer(databases.app))
        times = Times()
        config: Any = {"configurable": {"thread_id": thread_of(USER)}}
        for number in range(1, turns + 1):
            asked = {"messages": [("user", MIX[number % len(MIX)].format(n=number))]}
            began = time.perf_counter()
            await compiled.ainvoke(asked, config, durability="sync")
            times.finished.append(time.perf_counter() - began)
        times.answered = times.finished
        print("\nthe plain thread\n" + times.told().splitlines()[1])
        for table in list(TABLES)[:3]:
            rows, size = await size_of(databases.app, table)
            print(f"{table:20}{rows:8} rows{size / 1e6:10.1f} MB")
        messages = (await compiled.aget_state(config)).values["messages"]
        tokens = sum(most_tokens(str(message.content)) for message in messages)
        print(f"the prompt of turn {turns}: {tokens:,} tokens")


def _line(text: str) -> str:
    return " ".join(text.split())[:100]


def with_tables(measure: Callable[[str], Awaitable[None]], data: Path) -> None:
    """Measure on a PostgreSQL of its own, with all tables."""
    with EmbeddedPostgres(data) as server:
        migrate(server.url(), server.url())
        asyncio.run(_run(measure, server.url()))


async def _run(measure: Callable[[str], Awaitable[None]], url: str) -> None:
    await measure(url)


def main(arguments: Sequence[str]) -> None:
    """Print both."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    turns = next((int(word) for word in arguments if word.isdecimal()), 1_000)
    with temporary_data_dir() as data, running_sandbox() as sandbox:

        async def measure(url: str) -> None:
            told = environment(sandbox.url, url, TAVILY_API_KEY="")
            await asyncio.to_thread(ingest_samples, sandbox, told)
            known = {name: value for name, value in told.items() if name in all_settings()}
            await converse(Settings.load(**known), url, sandbox, turns)

        with_tables(measure, Path(data) / "ours")
        if "--no-peer" not in arguments:
            with_tables(lambda url: converse_plainly(url, turns), Path(data) / "plain")


if __name__ == "__main__":
    main(sys.argv[1:])
