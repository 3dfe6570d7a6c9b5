"""Texts made to be hard pass the whole way, and the bot goes on answering everybody else."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import httpx
import psutil
import pytest

from rich_agent.domain.text import LONGEST_ANSWER
from rich_agent.phrases import say
from tests.acceptance.programs import client_of, streamed, text_in
from tests.acceptance.test_agui import events_of, program, wanted
from tests.acceptance.test_agui import text_in as agui_text
from tests.acceptance.world import (
    SECRET,
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.second_openai import second_openai_app

ASKED = "Write the numbers from 1 to 5000 as a list."
ASKED_CODE = "Write the numbers from 1 to 5000 in a block of code."
ASKED_OPEN = "Begin a list of numbers and do not end it."
PUMPS = ("~a", "z．", "and ", "ぇ", "\\n", "[1, ", "$$", "1.", " |  ", "“", "a@a.", "\\(")
PIECES = 5
LARGE, STRANGER = 49, 7_000_099
FIRST_USER = 7_000_000
HELD_UP_S = 2.0
"""Of the bot's processor time: far above what it needs, far below what a freezing pattern does."""
ASKED_LINE = "Write very many words, all of them in one line."
LINE = " ".join(f"word{number}" for number in range(20_000))[:99_990].rstrip().ljust(100_000, "x")
ASKED_ENDLESS = "Count, and never stop."
ENDLESS = "\n\n".join(map(str, range(150_000)))[:1_000_000]
_NUMBERS = ", ".join(map(str, range(1, 5001)))


@pytest.fixture(scope="module")
def frozen_once(
    database_server: PostgresServer, database_template: str
) -> Iterator[tuple[World, psutil.Process]]:
    """A bot behind a webhook, closed to strangers, whose model recites lists of numbers."""
    recited = {
        ASKED: f"Here: [{_NUMBERS}]",
        ASKED_CODE: f"Here:\n```\n[{_NUMBERS}]\n```",
        ASKED_OPEN: f"Here: [{_NUMBERS}",
        ASKED_LINE: LINE,
        ASKED_ENDLESS: ENDLESS,
    }
    port = free_port()
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        served(second_openai_app([], recited, "direct")) as model,
    ):
        settings = environment(
            sandbox.url,
            url,
            OPENAI_BASE_URL=f"{model}/v1",
            EMBEDDING_MODEL="none",
            PORT=str(port),
            PUBLIC_URL=f"http://127.0.0.1:{port}",
            WEBHOOK_URL=f"http://127.0.0.1:{port}",
            WEBHOOK_SECRET=SECRET,
            ALLOWED_USERS=",".join(str(FIRST_USER + number) for number in range(20)),
        )
        with running_bot(settings) as bot:
            yield World(sandbox, settings, url), psutil.Process(bot.pid)


@contextmanager
def answering_throughout(world: World, bot: psutil.Process) -> Iterator[None]:
    """Ask for the bot's health all the time: never does it compute much before it answers.

    What it computes depends on the code; how long that takes depends on what else runs.
    """
    computed: list[float] = []
    done = threading.Event()

    def used_s() -> float:
        times = bot.cpu_times()
        return float(times.user + times.system)

    def look() -> None:
        with httpx.Client(trust_env=False, timeout=30) as http:
            while not done.wait(0.05):
                before = used_s()
                http.get(f"http://127.0.0.1:{world.environment['PORT']}/healthz").raise_for_status()
                computed.append(used_s() - before)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        done.set()
        looking.join()
    assert max(computed) < HELD_UP_S, sorted(computed)[-10:]


@pytest.mark.costs("it goes on about a very long text")
def test_answer_of_numbers_reaches_the_user_and_holds_nobody_up(
    frozen_once: tuple[World, psutil.Process],
) -> None:
    """5,000 numbers in brackets: closed, in a block of code, and never closed."""
    world, bot = frozen_once
    with answering_throughout(world, bot):
        questions = tuple(enumerate((ASKED, ASKED_CODE, ASKED_OPEN), start=FIRST_USER))
        sent = {user: world.sandbox.say(user, asked) for user, asked in questions}
        for user, asked in questions:
            world.answer(user, sent[user])
            replies = world.sandbox.replies(user, sent[user].message_id)
            shown = " ".join(reply["text"] for reply in replies)
            assert "2500" in shown, asked
            assert asked == ASKED_OPEN or "5000" in shown


@pytest.mark.costs("it goes on about a very long text")
def test_line_of_100000_characters_is_followed_everywhere_and_holds_nobody_up(
    frozen_once: tuple[World, psutil.Process],
) -> None:
    """Streamed on /v1, AG-UI and Telegram at once, whole each time; and replayed to its end."""
    world, bot = frozen_once
    reader, follower, writer = FIRST_USER + 3, FIRST_USER + 4, FIRST_USER + 18
    with (
        client_of(world, reader) as openai,
        program(world, follower) as agui,
        ThreadPoolExecutor() as others,
        answering_throughout(world, bot),
    ):
        sent = world.sandbox.say(writer, ASKED_LINE)
        read = others.submit(streamed, openai, ASKED_LINE, timeout=300)
        followed = events_of(agui.post("/agui", json=wanted(ASKED_LINE), timeout=300))
        assert agui_text(followed) == LINE
        assert text_in(read.result()) == LINE
        again = agui.get("/agui", params={"runId": "r1", "offset": "-1"}, timeout=300)
        assert events_of(again) == followed
        wait_until(partial(world.is_done, sent), "Telegram has the line", 300)
    shown = "".join(reply["text"] for reply in world.sandbox.replies(writer, sent.message_id))
    assert "word100 " in shown


@pytest.mark.costs("it goes on about a very long text")
def test_answer_of_a_million_characters_is_cut_everywhere(
    frozen_once: tuple[World, psutil.Process],
) -> None:
    """Two programs and the database have its beginning; Telegram a page of it, and a file."""
    world, bot = frozen_once
    reader, follower, writer = FIRST_USER + 15, FIRST_USER + 16, FIRST_USER + 17
    with (
        client_of(world, reader) as openai,
        program(world, follower) as agui,
        ThreadPoolExecutor() as others,
        answering_throughout(world, bot),
    ):
        sent = world.sandbox.say(writer, ASKED_ENDLESS)
        read = others.submit(streamed, openai, ASKED_ENDLESS, timeout=300)
        followed = agui_text(events_of(agui.post("/agui", json=wanted(ASKED_ENDLESS), timeout=300)))
        wait_until(partial(world.is_done, sent), "Telegram has the answer", 300)
        chunks = read.result()
    assert chunks[-1].choices[0].finish_reason == "length"
    for text in (text_in(chunks), followed):
        assert text[:LONGEST_ANSWER] == ENDLESS[:LONGEST_ANSWER]
        assert say("en", "early-end-length") in text[LONGEST_ANSWER:]
    (stored,) = world.rows(
        "SELECT length(content) AS length FROM messages WHERE user_id = %s AND role = 'assistant'",
        writer,
    )
    assert LONGEST_ANSWER < stored["length"] < LONGEST_ANSWER + 200
    beginning, note, file = world.sandbox.replies(writer, sent.message_id)
    assert beginning["text"].startswith("0\n\n1\n\n2")
    assert note["text"] == say("en", "answer-in-file")
    assert file["document"]["file_name"] == "answer.txt"


@pytest.mark.soak
def test_messages_of_every_pump_are_answered_and_hold_nobody_up(
    frozen_once: tuple[World, psutil.Process],
) -> None:
    """Joined from pieces, one of them of 200,000 characters; a stranger's are refused."""
    world, bot = frozen_once
    with answering_throughout(world, bot):
        last = {}
        for user, pump in enumerate((*PUMPS, PUMPS[0]), start=FIRST_USER + 5):
            is_stranger = user == FIRST_USER + 5 + len(PUMPS)
            sender = STRANGER if is_stranger else user
            pieces = LARGE if user == FIRST_USER + 5 else PIECES
            text = ("x" + pump * 4096)[:4095] + "x"
            for _ in range(pieces):
                last[sender] = world.sandbox.say(sender, text)
        for sent in last.values():
            wait_until(partial(world.is_done, sent), f"{sent} is done", 300)
    large = "".join(reply["text"] for reply in world.sandbox.replies(FIRST_USER + 5))
    assert "your text after its first 16,000 characters" in large
    refused = world.sandbox.replies(STRANGER)
    assert all("This bot is private" in reply["text"] for reply in refused)
    assert refused
    assert world.rows("SELECT count(*) AS dead FROM telegram_inbox WHERE dead_at IS NOT NULL") == [
        {"dead": 0}
    ]
