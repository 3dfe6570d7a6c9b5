"""Work that ends its process is set aside after four times, and everybody else is answered.

Each bot is killed by SIGKILL in the middle of the work, whenever it takes it up, five times over;
from the third time on it is a process of its own that takes it up, and is killed.
"""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from rich_agent.phrases import say
from rich_agent.ports.memories import Lesson
from tests.acceptance.executioner import Executioner, running_executioner
from tests.acceptance.reminding import plan
from tests.acceptance.test_agui import events_of, program, text_in, wanted
from tests.acceptance.world import (
    Sandbox,
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.forking import ForkedProcess

pytestmark = pytest.mark.soak

STARTS = 5
SHARED_TIMES, MOST_TIMES = 2, 4
POISON = "Frobnicate"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """Updates that no other bot takes."""
    with running_sandbox() as running:
        yield running


@pytest.fixture
def executioner(sandbox: Sandbox) -> Iterator[Executioner]:
    """Between the bot and every upstream."""
    with running_executioner(sandbox.url) as running:
        yield running


@pytest.fixture
def world(
    executioner: Executioner,
    sandbox: Sandbox,
    database_server: PostgresServer,
    database_template: str,
) -> Iterator[World]:
    """A database of its own; no bot runs yet."""
    with database_server.database(database_template) as url:
        upstreams = {"TAVILY_API_KEY": "", "EMBEDDING_MODEL": "none"}
        yield World(sandbox, environment(executioner.url, url, **upstreams), url)


def letters(world: World) -> list[Json]:
    """`rich-agent inbox list`."""
    arguments = ["rich_agent.cli", "inbox", "list", "--json"]
    return list(json.loads(command(arguments, world.environment).stdout))


def replay(world: World, letter: Json) -> None:
    """`rich-agent inbox replay`."""
    arguments = ["rich_agent.cli", "inbox", "replay", "--", str(letter["update_id"])]
    command(arguments, world.environment)


def is_set_aside(world: World) -> bool:
    """Whether there is a dead letter."""
    return bool(world.rows("SELECT 1 FROM telegram_inbox WHERE dead_at IS NOT NULL"))


def nothing() -> None:
    """The bot takes the work up by itself."""


@contextmanager
def started_again_and_again(
    world: World, executioner: Executioner, take_up: Callable[[], None] = nothing
) -> Iterator[ForkedProcess]:
    """The sixth bot, after five that were killed; it finds the work set aside."""
    for _ in range(STARTS):
        with running_bot(world.environment) as bot:
            executioner.awaits(bot)
            take_up()
            wait_until(lambda: bot.poll() is not None or is_set_aside(world), "killed, or aside")
            if bot.poll() is None:
                bot.send_signal(signal.SIGKILL)
            bot.wait(20)
    assert executioner.kills == MOST_TIMES
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        yield bot
        assert bot.poll() is None


def is_told(world: World, user: int, phrase: str) -> None:
    """Return once the user reads a sentence of the bot, which comes once."""

    def told() -> int:
        return sum(say("en", phrase) in one["text"] for one in world.sandbox.replies(user))

    wait_until(told, f"{user} reads {phrase}")
    assert told() == 1


def others_are_answered(world: World, user: int) -> None:
    """Somebody else gets an answer."""
    assert "Sorry" not in world.ask(user + 500, "hi")["text"]


@pytest.mark.req("REL-1")
def test_answer_of_marks_leaves_a_bot_that_answers_everybody(world: World, user: int) -> None:
    """60,000 of them from a model that repeats itself; in Telegram, and streamed to a program."""
    question = f"What is the latest news of the day about {POISON}?"
    world.sandbox.script(question, "Yes" + "!" * 60_000, "Yes" + "!" * 60_000)
    with running_bot(world.environment) as bot:
        sent = world.sandbox.say(user, question)
        others_are_answered(world, user)
        assert world.answer(user, sent)
        with program(world, user) as client:
            body = {"model": "rich-agent", "messages": [{"role": "user", "content": question}]}
            answer = client.post("/v1/chat/completions", json={**body, "stream": True})
        assert "[DONE]" in answer.text
        others_are_answered(world, user + 1)
        assert bot.poll() is None
    assert not letters(world)


@pytest.mark.req("REL-1")
def test_message_that_ends_its_process_is_set_aside(
    world: World, executioner: Executioner, user: int
) -> None:
    """Its user reads a sentence; an operator finds it, and can have it answered."""
    executioner.words = (POISON, "messages")
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        world.ask(user, "hi")
    world.sandbox.say(user, f"{POISON}, please.")
    with started_again_and_again(world, executioner):
        others_are_answered(world, user)
        is_told(world, user, "apology-spent")
        (letter,) = letters(world)
        assert (letter["kind"], letter["last_error"]) == (
            "message",
            "AttemptsSpentError: given up: no attempt finished",
        )
        executioner.words = ()
        replay(world, letter)
        wait_until(lambda: len(world.decisions(user)) == 2, "it is answered after all")
        assert not letters(world)


@pytest.mark.req("REL-1")
def test_run_that_ends_its_process_is_set_aside(
    world: World, executioner: Executioner, user: int
) -> None:
    """Whoever follows it reads a sentence, and the user's next run is answered."""
    executioner.words = (POISON, "messages")
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        world.ask(user, "hi")
        with program(world, user) as client, pytest.raises(httpx.HTTPError):
            client.post("/agui", json=wanted(f"{POISON}, please."))
    with started_again_and_again(world, executioner), program(world, user) as client:
        (failed,) = [e for e in events_of(client.get("/agui?runId=r1&offset=-1")) if "code" in e]
        assert (failed["code"], failed["message"]) == ("spent", say("en", "apology-spent"))
        assert text_in(events_of(client.post("/agui", json=wanted("hi", "r2"))))
        others_are_answered(world, user)
        assert [letter["kind"] for letter in letters(world)] == ["run"]


@pytest.mark.req("REL-1")
@pytest.mark.feature("reminder")
@pytest.mark.parametrize("kind", ["reminder", "prompt"])
def test_reminder_that_ends_its_process_is_set_aside(
    world: World, executioner: Executioner, user: int, kind: str
) -> None:
    """A plain one, and one that is answered like a question."""
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        world.ask(user, "/start")
    executioner.words = (POISON,)
    plan(world, user, POISON, kind=kind)
    with started_again_and_again(world, executioner):
        is_told(world, user, "reminder-set-aside")
        others_are_answered(world, user)
        (letter,) = letters(world)
        assert letter["kind"] == "reminder"
        executioner.words = ()
        replay(world, letter)
        wait_until(lambda: not letters(world), "it comes after all")


@pytest.mark.req("REL-1")
def test_lesson_that_ends_its_process_is_set_aside(
    world: World, executioner: Executioner, user: int
) -> None:
    """The later lessons of the user are learned; replayed, it is learned too."""
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        world.ask(user, "/start")
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        for number, text in enumerate((f"{POISON}: my cat is called Tibbles.", "I live in Rome.")):
            lesson = Lesson(user, f"tg:{number}", text, datetime.now(UTC))
            connection.execute(
                "INSERT INTO due_work (kind, key, user_id, payload) VALUES ('lesson', %s, %s, %s)",
                (lesson.key, user, Jsonb(lesson.to_payload())),
            )
    executioner.words = (POISON, "LearnedAboutUser")
    with started_again_and_again(world, executioner):
        is_told(world, user, "aside-lesson")
        others_are_answered(world, user)
        (letter,) = letters(world)
        assert letter["kind"] == "lesson"
        waiting = "SELECT payload ->> 'text' AS text FROM due_work WHERE kind = 'lesson'"
        wait_until(lambda: len(world.rows(waiting)) == 1, "the other lesson is learned")
        assert POISON in world.rows(waiting)[0]["text"]
        executioner.words = ()
        replay(world, letter)
        wait_until(lambda: not world.rows(waiting), "it is learned after all")


@pytest.mark.req("REL-1")
def test_stream_that_ends_its_process_is_shown_as_it_is_stored(
    world: World, executioner: Executioner, user: int
) -> None:
    """Each time that it is replayed, its process ends; then it is read as it is, for a while."""
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        world.ask(user, "hi")
        with program(world, user) as client:
            run = events_of(client.post("/agui", json=wanted("Thank you", "r1")))
            answered = text_in(run)
    # So much that a reader who stands still keeps the stream in the middle of its replay.
    world.rows(
        """
        WITH ended AS (DELETE FROM run_events WHERE event ->> 'kind' = 'ended' RETURNING *),
        padding AS (
            INSERT INTO run_events (update_id, seq, event)
            SELECT update_id, seq + n, jsonb_build_object('kind', 'returned', 'id', 'c' || n,
                'status', 'success', 'message', 0, 'content', repeat('x', 20000))
            FROM ended, generate_series(0, 999) AS n
        )
        INSERT INTO run_events (update_id, seq, event)
        SELECT update_id, seq + 1000, event FROM ended RETURNING 1
        """
    )
    with program(world, user) as client:
        for _ in range(STARTS):
            with running_bot(world.environment) as bot:
                executioner.awaits(bot)
                with _standing_still(client):
                    bot.send_signal(signal.SIGKILL)
                    bot.wait(20)
        with running_bot(world.environment) as bot:
            executioner.awaits(bot)
            events = events_of(client.get("/agui?runId=r1&offset=-1"))
            (snapshot,) = [e["messages"] for e in events if e["type"] == "MESSAGES_SNAPSHOT"]
            shown = snapshot[-1]["content"]
            assert shown == f"{say('en', 'aside-stream')}\n\n```\n{answered}\n```"
            assert events[-1]["type"] == "RUN_FINISHED"
            others_are_answered(world, user)
            assert not letters(world)
            _let_time_pass(world)
            events = events_of(client.get("/agui?runId=r1&offset=-1"))
            assert text_in(events) == answered


@pytest.mark.req("REL-1")
def test_conversation_that_ends_its_process_is_shown_as_it_is_stored(
    world: World, executioner: Executioner, user: int
) -> None:
    """Whoever opens the page again and again reads it, and can go on in it."""
    with running_bot(world.environment) as bot:
        executioner.awaits(bot)
        with program(world, user) as client:
            answered = text_in(events_of(client.post("/agui", json=wanted("Thank you", "r1"))))
    with program(world, user) as client, ThreadPoolExecutor(1) as thread:
        for times in range(STARTS):
            with running_bot(world.environment) as bot, _locked(world, "messages"):
                executioner.awaits(bot)
                asked = thread.submit(client.get, "/agui/threads/t1")
                _await_attempts(world, min(times + 1, SHARED_TIMES))
                bot.send_signal(signal.SIGKILL)
                bot.wait(20)
                assert isinstance(asked.exception(20), httpx.HTTPError)
        with running_bot(world.environment) as bot:
            executioner.awaits(bot)
            shown = client.get("/agui/threads/t1").json()["messages"][-1]["content"]
            assert shown == f"{say('en', 'aside-stream')}\n\n```\n{answered}\n```"
            assert text_in(events_of(client.post("/agui", json=wanted("hi", "r2"))))
            others_are_answered(world, user)
            assert not letters(world)
            _let_time_pass(world)
            shown = client.get("/agui/threads/t1").json()["messages"][1]["content"]
            assert shown == answered


def _let_time_pass(world: World) -> None:
    world.rows("UPDATE attempts SET begun_at = begun_at - interval '11 minutes' RETURNING 1")


def _await_attempts(world: World, count: int) -> None:
    query = "SELECT 1 FROM attempts WHERE kind = 'history'"
    wait_until(lambda: len(world.rows(query)) == count, "somebody reads it")


@contextmanager
def _locked(world: World, table: str) -> Iterator[None]:
    """Nobody can read a table; whoever tries waits."""
    with psycopg.connect(world.database_url) as connection:
        connection.execute(sql.SQL("LOCK TABLE {}").format(sql.Identifier(table)))
        yield
        connection.rollback()


@contextmanager
def _standing_still(client: httpx.Client) -> Iterator[None]:
    """Somebody who follows the run and reads only the beginning."""
    url = client.base_url
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.settimeout(60)
        reader.connect((url.host, url.port))
        head = f"GET /agui?runId=r1&offset=-1 HTTP/1.1\r\nHost: {url.host}\r\n"
        token = client.headers["Authorization"]
        reader.sendall(f"{head}Authorization: {token}\r\n\r\n".encode())
        read = b""
        while not any(mark in read for mark in (b"xxxx", b"RUN_FINISHED")):
            read += reader.recv(4096)
        yield
