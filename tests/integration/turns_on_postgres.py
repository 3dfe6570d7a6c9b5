"""Turns of the real graph on PostgreSQL, with scripted upstreams."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import psycopg
from langchain_core.runnables import RunnableConfig
from psycopg import sql

from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.graph.build import build_graph
from rich_agent.graph.free_steps import may_run_again
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.turns.runner import Finished, GraphTurns, TurnEvent
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner, ScriptedWeb

DEADLINE_S = 90.0
THREAD: RunnableConfig = {"configurable": {"thread_id": "tg:42", "checkpoint_ns": ""}}
TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


def cast_for(plan: Plan = "direct") -> make.Fakes:
    """A cast that plans `plan`."""
    return make.Fakes(
        chat=ScriptedChat(("It is so [1].",)),
        planner=ScriptedPlanner(Routing("general_question", plan, "r", "staking", teaches=False)),
        passages=ScriptedPassages([make.passage()]),
        web=ScriptedWeb([make.passage(2, id="web:1", kind="web")]),
    )


@asynccontextmanager
async def opened(url: str, cast: make.Fakes) -> AsyncIterator[GraphTurns]:
    """Turns as a new process has them: a pool, a checkpointer and a graph of their own."""
    async with open_pool(url, max_size=5) as pool:
        checkpointer = make_checkpointer(pool, may_run_again)
        yield GraphTurns(build_graph(checkpointer), cast.services(), checkpointer)


async def run(turns: GraphTurns, *args: object, **kwargs: object) -> list[TurnEvent]:
    """All events of a turn."""
    request = make.request(*args, **kwargs)  # type: ignore[arg-type]  # see make.request
    async with asyncio.timeout(DEADLINE_S):
        return [event async for event in turns.run(request)]


def take_lane(url: str, user_id: int = 42) -> int:
    """Take the lane of a user for good; its fence."""
    query = """
    INSERT INTO telegram_lanes (user_id, urgent, ready_at) VALUES (%s, false, 'infinity')
    ON CONFLICT (user_id, urgent) DO UPDATE SET fence = nextval('telegram_lane_fence')
    RETURNING fence
    """
    with psycopg.connect(url) as connection:
        row = connection.execute(query, (user_id,)).fetchone()
        return int(row[0]) if row else 0


def answer_of(events: Sequence[TurnEvent]) -> str:
    """The text of a finished turn."""
    last = events[-1]
    assert isinstance(last, Finished)
    return last.outcome.answer.text


def rows_of(url: str, thread_id: str = "tg:42") -> dict[str, int]:
    """The number of rows that a thread has in each table."""
    with psycopg.connect(url) as connection:
        counted = {}
        for table in TABLES:
            query = sql.SQL("SELECT count(*) FROM {} WHERE thread_id = %s")
            row = connection.execute(query.format(sql.Identifier(table)), (thread_id,)).fetchone()
            counted[table] = row[0] if row else 0
        return counted
