"""The checkpointer on PostgreSQL, by itself and under real turns."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ormsgpack
import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, empty_checkpoint
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import sql
from typing_extensions import override

from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.domain.routing.plan import Routing
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.graph.build import build_graph
from rich_agent.graph.services import Limits
from rich_agent.ports.knowledge import WebFindings
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.checkpoints import PostgresCheckpointer, make_checkpointer
from rich_agent.runtime.fencing import work_under
from rich_agent.turns.runner import GraphTurns
from tests import make
from tests.integration.turns_on_postgres import (
    DEADLINE_S,
    TABLES,
    THREAD,
    answer_of,
    cast_for,
    opened,
    rows_of,
    run,
    take_lane,
)
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner, ScriptedWeb
from tests.twins.memories import InMemoryMemories


def end_connections(url: str) -> int:
    """Kill every other connection to the database; how many."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        ).rowcount


@pytest.mark.req("TG-1")
async def test_turn_leaves_checkpoints_of_its_thread_only(database_url: str) -> None:
    """User 42's turn is kept under `tg:42`, and nowhere else."""
    async with opened(database_url, cast_for("rag+web")) as turns:
        await run(turns)
    with psycopg.connect(database_url) as connection:
        query = " UNION ".join(f"SELECT thread_id FROM {table}" for table in TABLES)
        assert connection.execute(sql.SQL(query)).fetchall() == [("tg:42",)]


@pytest.mark.req("MEM-1")
async def test_turn_restores_the_conversation_in_a_new_process(database_url: str) -> None:
    """The second process's prompt holds what was said to the first one, for this user only."""
    async with opened(database_url, cast_for()) as turns:
        await run(turns, "My cat is called Mia, isn't that nice?")
    cast = cast_for()
    async with opened(database_url, cast) as turns:
        await run(turns, "What is my cat called?", request_id="r2")
        await run(turns, "What is my cat called?", user_id=420)
    assert cast.chat.prompts[0].history == (
        ("user", "My cat is called Mia, isn't that nice?"),
        ("assistant", "It is so."),
    )
    assert cast.chat.prompts[1].history == ()


async def test_turns_of_many_threads_run_at_once(database_url: str) -> None:
    """More turns than connections: each keeps its own conversation."""
    cast = cast_for("rag")
    async with opened(database_url, cast) as turns, asyncio.TaskGroup() as group:
        for user_id in range(1, 13):
            group.create_task(run(turns, f"I am user {user_id}, who?", user_id=user_id))
    async with open_pool(database_url, max_size=2) as pool:
        graph = build_graph(make_checkpointer(pool))
        for user_id in range(1, 13):
            state = await graph.aget_state({"configurable": {"thread_id": f"tg:{user_id}"}})
            assert state.values["messages"][0].text == f"I am user {user_id}, who?"
            assert len(state.values["messages"]) == 2


async def test_checkpointer_lets_one_read_while_another_writes(database_url: str) -> None:
    """No lock of the process stands between two threads of conversation."""
    async with open_pool(database_url, max_size=2) as pool:
        saver = make_checkpointer(pool)
        async with asyncio.timeout(DEADLINE_S), saver._cursor():
            assert await saver.aget_tuple(THREAD) is None


@pytest.mark.req("REL-1")
async def test_turn_survives_connections_that_were_killed(database_url: str) -> None:
    """Connections that die between two turns fail neither of them."""
    async with opened(database_url, cast_for("rag")) as turns:
        await run(turns)
        assert end_connections(database_url) > 0
        assert answer_of(await run(turns, request_id="r2"))


@dataclass(slots=True)
class KillingWeb(ScriptedWeb):
    """Ends all connections to the database at `url` while it searches."""

    url: str = ""
    ended: list[int] = field(default_factory=list)

    @override
    async def search(self, query: str, limit: int) -> WebFindings:
        """See `WebSearch`."""
        self.ended.append(end_connections(self.url))
        return await ScriptedWeb.search(self, query, limit)


@pytest.mark.req("REL-1")
async def test_turn_survives_connections_that_are_killed_while_it_runs(database_url: str) -> None:
    """Connections that die while a node works cost at most one more try, as the inbox makes it.

    LangGraph keeps the writes of a step while the next one runs; killed just then, the turn fails
    as an unavailable database and goes on from its checkpoint.
    """
    cast = cast_for("web")
    web = KillingWeb([make.passage(2, id="web:1", kind="web")], url=database_url)
    cast.web = web
    async with opened(database_url, cast) as turns:
        try:
            events = await run(turns)
        except DatabaseUnavailableError:
            cast.web = ScriptedWeb(web.results)
            async with opened(database_url, cast) as again:
                events = await run(again)
        assert answer_of(events) == "It is so [1]."
    assert web.ended[0] > 0
    assert len(cast.planner.prompts) == 1


async def test_turn_says_that_the_database_is_away(database_url: str) -> None:
    """Errors that the checkpointer meets come out as the product's own error."""
    async with opened(database_url, cast_for()) as turns:
        pass
    with pytest.raises(DatabaseUnavailableError):
        await run(turns)
    with pytest.raises(DatabaseUnavailableError):
        await run(turns)


async def test_turn_takes_text_that_postgres_refuses(database_url: str) -> None:
    """NUL and lone surrogates, whoever wrote them, break no checkpoint."""
    dirty = "a\x00b\ud800c"
    cast = cast_for("rag+web")
    cast.chat = ScriptedChat((dirty, "\udc00 [1]"))
    async with opened(database_url, cast) as turns:
        assert "abc" in answer_of(await run(turns, f"{dirty}, is it so?"))
    async with opened(database_url, cast) as turns:
        await run(turns, "And now, is it so?", request_id="r2")
    assert cast.chat.prompts[-1].history[0] == ("user", "abc, is it so?")


@pytest.mark.parametrize("whose", ["planner", "passages", "web"])
async def test_turn_takes_upstream_text_that_postgres_refuses(
    database_url: str, whose: str
) -> None:
    """The same from a model or a page."""
    dirty = "a\x00b\ud800c"
    cast = cast_for("rag+web")
    match whose:
        case "planner":
            cast.planner = ScriptedPlanner(Routing("general_question", "rag+web", dirty, dirty))
        case "passages":
            cast.passages = ScriptedPassages([make.passage(content=dirty, title=dirty)])
        case _:
            page = make.passage(2, id="web:1", kind="web", content=dirty, title=dirty)
            cast.web = ScriptedWeb([page])
    async with opened(database_url, cast) as turns:
        assert answer_of(await run(turns)) == "It is so [1]."


@pytest.mark.req("MEM-6")
async def test_turns_leave_a_bounded_number_of_rows(database_url: str) -> None:
    """A long conversation has as many rows as a short one, and one checkpoint."""
    cast = cast_for("rag+web")
    cast.limits = Limits(recent_turns=3)
    async with opened(database_url, cast) as turns:
        for number in range(6):
            await run(turns, request_id=f"r{number}")
        early = rows_of(database_url)
        for number in range(6, 12):
            await run(turns, request_id=f"r{number}")
    assert rows_of(database_url) == early
    assert early["checkpoints"] == 1
    assert early["checkpoint_blobs"] <= 25


async def _watched_run(turns: GraphTurns, text: str, request_id: str) -> tuple[int, int]:
    """Run a turn; the number of connections it borrowed, and of checkpoints it stored."""
    sizes: list[int] = []
    saver = turns.graph.checkpointer
    assert isinstance(saver, PostgresCheckpointer)
    saver.on_stored = sizes.append
    before = saver._pool.get_stats().get("requests_num", 0)
    await run(turns, text, request_id=request_id)
    return saver._pool.get_stats().get("requests_num", 0) - before, len(sizes)


@pytest.mark.req("DUR-1")
async def test_turn_of_text_reads_its_thread_once_and_stores_what_was_paid(
    database_url: str,
) -> None:
    """Input, N1 and N2 are stored with the plan: three steps of a direct turn, and one reading."""
    cast = cast_for()
    async with opened(database_url, cast) as turns:
        work_under(take_lane(database_url))
        assert await _watched_run(turns, "My cat is called Mia, isn't that nice?", "r1") == (4, 3)
        # What this process stored in the lane is not read again.
        assert await _watched_run(turns, "What is my cat called?", "r2") == (3, 3)
    cast.chat.prompts.clear()
    async with opened(database_url, cast) as turns:
        work_under(take_lane(database_url))
        await run(turns, "And how old is she?", request_id="r3")
    assert [text for _, text in cast.chat.prompts[0].history][::2] == [
        "My cat is called Mia, isn't that nice?",
        "What is my cat called?",
    ]


@pytest.mark.req("DUR-1")
async def test_turn_that_fails_before_its_first_step_is_stored_leaves_its_message(
    database_url: str,
) -> None:
    """/again finds the message of a turn whose planner and answer failed."""
    cast = cast_for()
    cast.memories = BrokenMemories()
    async with opened(database_url, cast) as turns:
        work_under(take_lane(database_url))
        with pytest.raises(ZeroDivisionError):
            await run(turns, "What is my cat called?")
    async with opened(database_url, cast) as turns:
        question = await turns.last_question("tg:42")
    assert question
    assert question.message.text == "What is my cat called?"


async def test_thread_that_was_deleted_in_its_lane_is_gone(database_url: str) -> None:
    """A thread that was deleted is not in memory either."""
    async with opened(database_url, cast_for()) as turns:
        work_under(take_lane(database_url))
        await run(turns, "What is my cat called?")
        await turns.checkpointer.adelete_thread("tg:42")
        assert await turns.last_question("tg:42") is None


async def test_checkpointer_gives_back_every_value_as_it_was(database_url: str) -> None:
    """Empty ones take no row of their own."""
    values: dict[str, Any] = {
        "a": [],
        "b": {},
        "c": None,
        "d": [1],
        "e": {"x": []},
        "f": "",
        "g": 0,
    }
    versions: ChannelVersions = dict.fromkeys(values, "1")
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"], checkpoint["channel_versions"] = values, versions
    place: RunnableConfig = {"configurable": {**THREAD["configurable"], "checkpoint_ns": ""}}
    async with open_pool(database_url, max_size=1) as pool:
        saver = make_checkpointer(pool)
        found = await saver.aget_tuple(await saver.aput(place, checkpoint, {}, versions))
    assert found
    assert found.checkpoint["channel_values"] == values
    with psycopg.connect(database_url) as connection:
        rows = connection.execute("SELECT channel FROM checkpoint_blobs ORDER BY channel")
        assert rows.fetchall() == [("d",), ("e",)]


class BrokenMemories(InMemoryMemories):
    """Fails as a bug would."""

    @override
    async def load(self, user_id: int) -> LongTermMemory:
        """See `Memories`."""
        raise ZeroDivisionError


def _naming_a_program(kind: str, marker: Path) -> tuple[str, bytes]:
    command = f"touch {marker}"
    if kind == "msgpack":
        inner = ormsgpack.packb(("os", "system", command))
        return kind, ormsgpack.packb(ormsgpack.Ext(0, inner))
    if kind == "json":
        named = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [command]}
        return kind, json.dumps(named).encode()
    return kind, f"cos\nsystem\n(S'{command}'\ntR.".encode()


def _store_row(url: str, row: tuple[str, bytes]) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            "UPDATE checkpoint_blobs SET type = %s, blob = %s WHERE channel = 'rag'", row
        )


@pytest.mark.parametrize("environment_is_strict", [False, True])
async def test_checkpointer_runs_nothing_that_a_row_names(
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environment_is_strict: bool,  # noqa: FBT001 - a table
) -> None:
    """A crafted row is refused, whatever LANGGRAPH_STRICT_MSGPACK says."""
    monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", environment_is_strict)
    marker = tmp_path / "ran"
    async with opened(database_url, cast_for("rag")) as turns:
        await run(turns)
    async with open_pool(database_url, max_size=1) as pool:
        saver = make_checkpointer(pool)
        _store_row(database_url, _naming_a_program("msgpack", marker))
        found = await saver.aget_tuple(THREAD)
        assert found is not None
        assert found.checkpoint["channel_values"]["rag"] == f"touch {marker}"
        _store_row(database_url, _naming_a_program("json", marker))
        found = await saver.aget_tuple(THREAD)
        assert found is not None
        assert found.checkpoint["channel_values"]["rag"]["id"] == ["os", "system"]
        _store_row(database_url, _naming_a_program("pickle", marker))
        with pytest.raises(NotImplementedError, match="pickle"):
            await saver.aget_tuple(THREAD)
    assert not marker.exists()


async def test_permissive_serializer_would_run_what_a_row_names(
    database_url: str, tmp_path: Path
) -> None:
    """The crafted row is dangerous indeed: the library's default runs it."""
    marker = tmp_path / "ran"
    async with opened(database_url, cast_for("rag")) as turns:
        await run(turns)
    _store_row(database_url, _naming_a_program("msgpack", marker))
    async with open_pool(database_url, max_size=1) as pool:
        serializer = JsonPlusSerializer(allowed_msgpack_modules=True)
        await AsyncPostgresSaver(pool, serde=serializer).aget_tuple(THREAD)
    assert marker.exists()
