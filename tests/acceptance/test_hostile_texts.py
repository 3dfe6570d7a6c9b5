"""Texts made to be hard pass the whole way, and the bot goes on answering everybody else."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import httpx
import pytest

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
"""Far above what a busy machine takes, far below what a pattern that freezes the loop does."""
_NUMBERS = ", ".join(map(str, range(1, 5001)))


@pytest.fixture(scope="module")
def frozen_once(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A bot behind a webhook, closed to strangers, whose model recites lists of numbers."""
    recited = {
        ASKED: f"Here: [{_NUMBERS}]",
        ASKED_CODE: f"Here:\n```\n[{_NUMBERS}]\n```",
        ASKED_OPEN: f"Here: [{_NUMBERS}",
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
            WEBHOOK_URL=f"http://127.0.0.1:{port}",
            WEBHOOK_SECRET=SECRET,
            ALLOWED_USERS=",".join(str(FIRST_USER + number) for number in range(20)),
        )
        with running_bot(settings):
            yield World(sandbox, settings, url)


@contextmanager
def answering_throughout(world: World) -> Iterator[None]:
    """Look at the bot's health all the time: never is it late three times in a row."""
    took: list[float] = []
    done = threading.Event()

    def look() -> None:
        with httpx.Client(trust_env=False, timeout=30) as http:
            while not done.wait(0.05):
                started = time.monotonic()
                http.get(f"http://127.0.0.1:{world.environment['PORT']}/healthz").raise_for_status()
                took.append(time.monotonic() - started)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        done.set()
        looking.join()
    calm = [min(took[at : at + 3]) for at in range(len(took) - 2)]
    assert max(calm) < HELD_UP_S, sorted(took)[-10:]


def test_answer_of_numbers_reaches_the_user_and_holds_nobody_up(frozen_once: World) -> None:
    """5,000 numbers in brackets: closed, in a block of code, and never closed."""
    with answering_throughout(frozen_once):
        questions = tuple(enumerate((ASKED, ASKED_CODE, ASKED_OPEN), start=FIRST_USER))
        sent = {user: frozen_once.sandbox.say(user, asked) for user, asked in questions}
        for user, asked in questions:
            frozen_once.answer(user, sent[user])
            replies = frozen_once.sandbox.replies(user, sent[user].message_id)
            shown = " ".join(reply["text"] for reply in replies)
            assert "2500" in shown, asked
            assert asked == ASKED_OPEN or "5000" in shown


def test_messages_of_every_pump_are_answered_and_hold_nobody_up(frozen_once: World) -> None:
    """Joined from pieces, one of them of 200,000 characters; a stranger's are refused."""
    world = frozen_once
    with answering_throughout(world):
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
