"""Runs: turns that are asked for over HTTP, done by a worker of the bot, and followed."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import psycopg
import pytest

from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.ports.runs import MOST_OPEN_RUNS, ThreadBusyError, TooManyRunsError
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.runs import PostgresTurnRuns
from rich_agent.repositories.stops import PostgresStops
from rich_agent.repositories.uploads import PostgresUploads
from rich_agent.runs.service import RunService
from tests.acceptance.pictures import picture
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import command
from tests.acceptance.test_forgetting import exported
from tests.acceptance.world import (
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

T = TypeVar("T")
QUESTION = "What is proof of history?"


def at_service(world: World, use: Callable[[RunService], Awaitable[T]]) -> T:
    """The result of using the run service of another process than the bot's."""

    async def open_service() -> T:
        async with (
            open_pool(world.database_url, max_size=4) as pool,
            PostgresInbox(pool) as inbox,
            asyncio.timeout(120),
        ):
            stops = PostgresStops(pool, inbox.hearing)
            return await use(RunService(PostgresTurnRuns(pool, inbox), stops))

    return asyncio.run(open_service())


async def to_the_end(service: RunService, run: Run, after: int = 0) -> list[RunEvent]:
    """All events of a run behind number `after`."""
    async with service.runs.following(run, after) as batches:
        return [event async for batch in batches for event in batch]


def run_of(world: World, user: int, text: str, run_id: str = "r1", **asked: Any) -> list[RunEvent]:
    """The events of a run from its beginning to its end."""

    async def use(service: RunService) -> list[RunEvent]:
        run = await service.begin(user, run_id, "thread", RunAsked(text, **asked))
        return await to_the_end(service, run)

    return at_service(world, use)


def the(events: list[RunEvent], kind: str) -> dict[str, Any]:
    """The data of the only event of a kind."""
    (found,) = [event.data for event in events if event.kind == kind]
    return dict(found)


def text_in(events: list[RunEvent]) -> str:
    """The text that somebody reads who appends."""
    return "".join(event.data["delta"] for event in events if event.kind == "text")


def test_run_is_answered_by_the_worker(world: World, user: int) -> None:
    """Events without gaps; what grows is the answer, with its sources; history and memory keep it.

    The same run again is only followed again.
    """
    events = run_of(world, user, QUESTION)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    kinds = [event.kind for event in events]
    assert (kinds[0], kinds[-1]) == ("started", "ended")
    answer = the(events, "answer")
    assert "hash" in answer["text"].lower()
    assert text_in(events) == answer["text"] or "rewritten" in kinds
    assert answer["citations"][0]["source_url"].endswith("proof-of-history")
    assert the(events, "planned")["plan"] == "rag"
    assert the(events, "ended")["outcome"] == "success"
    before = world.sandbox.mark()
    assert run_of(world, user, "Something else") == events
    assert not world.sandbox.calls("openai", before)
    said = world.rows("SELECT role FROM messages WHERE user_id = %s ORDER BY id", user)
    assert [row["role"] for row in said] == ["user", "assistant"]


def test_run_and_telegram_are_one_conversation(world: World, user: int) -> None:
    """A fact said in one is known in the other."""
    world.ask(user, "My favourite colour is ultramarine. Tell me about zebrafish, please.")
    before = world.sandbox.mark()
    run_of(world, user, "Which colour did I name?")
    assert "zebrafish" in str(world.sandbox.calls("openai", before))


@pytest.mark.feature("agenda")
def test_run_tells_of_tools_and_waits_for_approval(world: World, user: int) -> None:
    """The call, the card, the user's own arguments, the result: each once."""
    name = f"Zither{user}"
    world.sandbox.script(name, calling("create_task", title=name), "Added.")
    events = run_of(world, user, f"Add a task: {name}")
    called, returned = the(events, "called"), the(events, "returned")
    assert (called["name"], called["arguments"]) == ("create_task", {"title": name})
    assert (returned["id"], returned["status"]) == (called["id"], "success")
    assert text_in(events).startswith("Added.")

    (task,) = world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
    wish = f"Delete the task {name}"
    world.sandbox.script(wish, calling("delete_task", task_id=task["id"]))
    events = run_of(world, user, wish, "r2")
    asked = the(events, "question")
    assert the(events, "ended")["outcome"] == "question"
    (waiting,) = asked["calls"]
    assert waiting["id"] == the(events, "called")["id"]
    world.sandbox.script(wish, "It is gone.")
    approved = run_of(
        world,
        user,
        "",
        "r3",
        answers=asked["request_id"],
        decision="approved",
        approves=asked["approves"],
        edits={waiting["id"]: {"task_id": task["id"], "reason": "edited by hand"}},
    )
    assert "called" not in [event.kind for event in approved]
    assert (the(approved, "returned")["id"], text_in(approved)[:11]) == (
        waiting["id"],
        "It is gone.",
    )
    executed = world.rows(
        "SELECT input FROM tool_executions WHERE user_id = %s AND tool = 'delete_task'", user
    )
    assert [row["input"]["reason"] for row in executed] == ["edited by hand"]
    again = run_of(world, user, "", "r4", answers=asked["request_id"], decision="approved")
    assert the(again, "ended")["code"] == "question_closed"


def test_run_can_be_stopped_while_it_waits_and_while_it_runs(world: World, user: int) -> None:
    """The one that waits says nothing; the other one ends with what was said."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)

    async def use(service: RunService) -> tuple[list[RunEvent], list[RunEvent]]:
        first = await service.begin(user, "a", "t", RunAsked(QUESTION))
        async with service.runs.following(first) as batches:
            async for batch in batches:
                if any(event.kind == "text" for event in batch):
                    break
        with pytest.raises(ThreadBusyError):
            await service.begin(user, "c", "t", RunAsked("hi"), busy="refuse")
        second = await service.begin(user, "b", "t", RunAsked(QUESTION))
        assert await service.stop(second)
        assert await service.stop(first)
        return await to_the_end(service, first), await to_the_end(service, second)

    first, second = at_service(world, use)
    assert the(first, "ended")["outcome"] == the(second, "ended")["outcome"] == "cancelled"
    assert the(first, "answer")["text"] == text_in(first)


def test_run_that_interrupts_ends_the_other(world: World, user: int) -> None:
    """It need not wait for the other's answer."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=60.0)

    async def use(service: RunService) -> tuple[list[RunEvent], list[RunEvent]]:
        first = await service.begin(user, "a", "t", RunAsked(QUESTION))
        async with service.runs.following(first) as batches:
            async for batch in batches:
                if any(event.kind == "text" for event in batch):
                    break
        second = await service.begin(user, "b", "t", RunAsked("hi"), busy="interrupt")
        return await to_the_end(service, first), await to_the_end(service, second)

    first, second = at_service(world, use)
    assert the(first, "ended")["outcome"] == "cancelled"
    assert the(second, "answer")["text"].startswith("Hi")


def test_run_that_fails_ends_with_words_for_its_user(world: World, user: int) -> None:
    """Not with the text of the error; a planner that fails would be waited for."""
    world.sandbox.fail("openai", "500", containing='"stream":true', times=20)
    ended = the(run_of(world, user, QUESTION), "ended")
    assert ended["outcome"] == "error"
    assert ended["code"]
    assert ended["message"]


def test_run_is_known_to_its_user_only(world: World, user: int) -> None:
    """The same id of another user is another run; too many are not taken."""

    async def use(service: RunService) -> None:
        await service.runs.begin(user, "mine", "t", RunAsked("hi"))
        assert await service.runs.find(user + 1, "mine") is None
        with psycopg.connect(world.database_url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO runs (user_id, run_id, thread, asked) "
                "SELECT %s, 'many' || n, 't', '{\"text\": \"\"}' FROM generate_series(1, %s) AS n",
                (user + 1, MOST_OPEN_RUNS),
            )
        with pytest.raises(TooManyRunsError):
            await service.begin(user + 1, "more", "t", RunAsked("hi"))

    at_service(world, use)
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        connection.execute("DELETE FROM runs WHERE user_id = %s", (user + 1,))


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("DUR-1")
def test_run_goes_on_after_its_worker_was_killed(
    with_samples: str, database_server: PostgresServer, user: int
) -> None:
    """A client that follows it reads each character once."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        events = _killed_and_followed(World(sandbox, environment(sandbox.url, url), url), user)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    answer = the(events, "answer")
    assert text_in(events) == answer["text"]
    assert "hash" in answer["text"].lower()


@pytest.mark.costs("it starts a bot of its own")
def test_run_that_edits_a_question_goes_on_after_its_worker_was_killed(
    with_samples: str, database_server: PostgresServer, user: int
) -> None:
    """It is answered once, in place of the question as it was."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        prepared = World(sandbox, environment(sandbox.url, url), url)
        events = _killed_and_followed(prepared, user, edits="hi there")

        async def use(service: RunService) -> list[str]:
            return [one.content for one in await service.runs.messages(user, "t", 9, None)]

        said = at_service(prepared, use)
    assert said == [QUESTION, the(events, "answer")["text"]]


def _killed_and_followed(prepared: World, user: int, edits: str = "") -> list[RunEvent]:
    """The events of a run whose worker is killed while the answer grows, and started again.

    It `edits` a greeting that was answered before, if there is one.
    """
    prepared.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=8.0)

    async def use(service: RunService) -> list[RunEvent]:
        with running_bot(prepared.environment) as bot:
            asked = RunAsked(QUESTION)
            if edits:
                first = await service.begin(user, "r0", "t", RunAsked(edits))
                await to_the_end(service, first)
                asked = RunAsked(QUESTION, replaces=first.request_id, is_edited=True)
            run = await service.begin(user, "r1", "t", asked)
            async with service.runs.following(run) as batches:
                async for batch in batches:
                    if any(event.kind == "text" for event in batch):
                        break
            bot.send_signal(signal.SIGKILL)
            bot.wait(20)
        prepared.sandbox.recover()
        with running_bot(prepared.environment):
            events = await to_the_end(service, run)
            await asyncio.to_thread(wait_until, lambda: is_done(run) or None, "it is done")
        return events

    def is_done(run: Run) -> bool:
        query = "SELECT 1 FROM telegram_inbox WHERE update_id = %s AND done_at IS NOT NULL"
        return bool(prepared.rows(query, run.update_id))

    return at_service(prepared, use)


def test_run_looks_at_uploads_of_its_user(world: World, user: int) -> None:
    """An upload is described, and looked at again later; somebody else's is not found."""

    async def use(service: RunService) -> tuple[list[RunEvent], list[RunEvent]]:
        async with open_pool(world.database_url, max_size=1) as pool:
            uploads = PostgresUploads(pool)
            mine = await uploads.keep(user, "image/png", picture("red", "blue", seed=user))
            theirs = await uploads.keep(user + 1, "image/png", picture("red", "blue", seed=user))
        ends = []
        for run_id, upload in (("a", mine), ("b", theirs)):
            asked = RunAsked("Which colours does this picture have?", (upload,))
            ends.append(await to_the_end(service, await service.begin(user, run_id, "t", asked)))
        return ends[0], ends[1]

    seen, refused = at_service(world, use)
    assert "red" in the(seen, "answer")["text"].lower()
    assert the(refused, "ended")["code"] == "image_unreadable"
    command(world, user, "/export")
    assert '"image/png"' in exported(world, user)
