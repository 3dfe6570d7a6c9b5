"""One suite for the decisions in PostgreSQL and for their twin."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.ports.turns import Decisions
from rich_agent.repositories.database.pools import Databases, checkout, open_pool
from rich_agent.repositories.turns.past_turns import PostgresDecisions
from tests.twins.knowledge import InMemoryDecisions


@pytest.fixture(params=["postgres", "in_memory"])
async def decisions(request: pytest.FixtureRequest) -> AsyncIterator[Decisions]:
    """No decision yet."""
    if request.param == "in_memory":
        yield InMemoryDecisions()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield PostgresDecisions(pool)


def decision(request_id: str = "r1", user_id: int = 42, **changes: object) -> Decision:
    """A decision as N4 makes it."""
    made = Decision(f"tg:{user_id}", request_id, "general_question", "rag", "it may be there", "q")
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]  # fields of Decision


def completed(made: Decision) -> Decision:
    """The same decision as N7 completes it."""
    return dataclasses.replace(
        made,
        plan="rag+web",
        queries=("what is a", "what is b"),
        retrieved_count=6,
        citations_count=2,
        latency_ms={"N4_build_effective_query": 12.5, "N5_retrieve": 3.0},
        nodes={"N5_retrieve": {"rag": {"retrieved_chunks": "6 items"}}},
    )


async def test_decisions_of_a_new_thread_are_none(decisions: Decisions) -> None:
    """Nothing was decided yet."""
    assert await decisions.latest("tg:42") is None


@pytest.mark.req("RAG-6", "TOOL-3", "DUR-2")
async def test_decisions_completes_the_row_of_a_turn(decisions: Decisions) -> None:
    """Begun and completed, each twice: one row, one id, the newest values."""
    begun, whole = decision(), completed(decision())
    ids = [await decisions.record(each) for each in (begun, begun, whole, whole)]
    assert len(set(ids)) == 1
    assert await decisions.latest("tg:42") == whole


@pytest.mark.req("RAG-6", "DUR-2")
async def test_decisions_recorded_at_once_are_one(decisions: Decisions) -> None:
    """Two workers on one turn leave one row."""
    ids = await asyncio.gather(*(decisions.record(decision()) for _ in range(8)))
    assert len(set(ids)) == 1


async def test_decisions_latest_is_that_of_the_last_turn(decisions: Decisions) -> None:
    """Completing an older turn late does not make it the last one."""
    await decisions.record(decision("r1"))
    await decisions.record(decision("r2"))
    await decisions.record(completed(decision("r1")))
    latest = await decisions.latest("tg:42")
    assert latest == decision("r2")


@pytest.mark.req("MEM-3")
async def test_decisions_of_similar_users_stay_apart(decisions: Decisions) -> None:
    """The same request id in three threads is three decisions."""
    made = [decision(user_id=user_id, reason=f"of {user_id}") for user_id in (4, 42, 420)]
    ids = [await decisions.record(each) for each in made]
    assert len(set(ids)) == 3
    assert [await decisions.latest(each.thread_id) for each in made] == made


async def test_decisions_takes_text_that_postgres_refuses(decisions: Decisions) -> None:
    """NUL and lone surrogates of a model's output are dropped."""
    await decisions.record(
        decision(
            reason="a\x00b\ud800", query="日\udc00本", queries=("q\x00",), nodes={"N\x00": "x\x00"}
        )
    )
    assert await decisions.latest("tg:42") == decision(
        reason="ab", query="日本", queries=("q",), nodes={"N": "x"}
    )


@pytest.mark.req("RAG-6", "TOOL-3")
async def test_decisions_are_one_row_for_each_turn(databases: Databases) -> None:
    """The table itself holds one row for each turn, with all that the requirement names."""
    decisions = PostgresDecisions(databases.rag)
    for request_id in ("r1", "r2"):
        await decisions.record(decision(request_id))
        await decisions.record(completed(decision(request_id)))
    async with checkout(databases.rag) as connection:
        found = await connection.execute("SELECT * FROM retrieval_decisions ORDER BY id")
        rows = await found.fetchall()
    assert [row["request_id"] for row in rows] == ["r1", "r2"]
    assert rows[0]["latency_ms"] == {"N4_build_effective_query": 12.5, "N5_retrieve": 3.0}
    assert (rows[0]["retrieved_count"], rows[0]["citations_count"]) == (6, 2)


async def test_decisions_are_found_by_their_turn(decisions: Decisions) -> None:
    """With what was retrieved; a turn of another thread is another one."""
    read = [{"label": "Page › Top", "kind": "document", "score": 0.8, "cited": True}]
    whole = dataclasses.replace(completed(decision("r1")), retrieved=read)
    await decisions.record(whole)
    await decisions.record(decision("r2"))
    assert await decisions.find("tg:42", "r1") == whole
    assert await decisions.find("tg:43", "r1") is None
