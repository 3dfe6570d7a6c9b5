"""Processes that end in order, sleep past their lease, or hear the same thing many times."""

import json
import re
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.faults import freeze
from tests.acceptance.world import (
    ROOT,
    SECRET,
    Sent,
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

SENDS = {"sendMessage", "editMessageText", "sendMessageDraft"}
UNKNOWN_UPDATE = 900_000_000
"""Far above the ids that the sandbox gives out."""
NEIGHBOUR = 50_000
"""Added to a user, it gives one of whom no other test knows."""


@pytest.fixture(scope="module")
def prepared(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of these tests' own, with no documents and no bot."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


@pytest.fixture
def webhook(prepared: World) -> dict[str, str]:
    """The environment of a bot that is told of updates, at an address of its own."""
    port = free_port()
    return {
        **prepared.environment,
        "PORT": str(port),
        "WEBHOOK_URL": f"http://127.0.0.1:{port}",
        "WEBHOOK_SECRET": SECRET,
    }


def says(world: World, user: int, sent: Sent, length: int) -> bool | None:
    """Whether the answer has grown to that length."""
    replies = world.sandbox.replies(user, sent.message_id)
    return (bool(replies) and len(replies[0]["text"]) > length) or None


def measured(environment: dict[str, str], name: str) -> float:
    """A metric of the process that listens there."""
    answer = httpx.get(f"http://127.0.0.1:{environment['PORT']}/metrics", trust_env=False)
    return next(
        float(line.split()[1]) for line in answer.text.splitlines() if line.startswith(f"{name} ")
    )


@pytest.mark.costs("it starts a bot of its own")
def test_bot_answers_while_it_publishes_its_menus(prepared: World, user: int) -> None:
    """They are one call for each language and each admin; a slow Telegram lets nobody wait."""
    prepared.sandbox.fail("telegram", "timeout", method="setMyCommands", delay_s=60, times=99)
    sent = prepared.sandbox.say(user, "hi")
    with running_bot(prepared.environment):
        wait_until(lambda: prepared.is_done(sent) or None, "it is answered", deadline_s=30)
    prepared.sandbox.recover()


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("DUR-1", "REL-1")
def test_bot_that_is_stopped_hands_its_turn_over_at_the_next_checkpoint(
    prepared: World, user: int
) -> None:
    """SIGTERM while the model writes: what it writes is delivered, the next process only keeps it.

    The lane is free at once, and the hand-over is no attempt.
    """
    sandbox = prepared.sandbox
    with running_bot(prepared.environment) as bot:
        prepared.ask(user, "hi")
        before = sandbox.mark()
        sandbox.fail("openai", "slow", method="chat.completions", delay_s=2.0, times=2)
        sent = sandbox.say(user, "Write a haiku about the sea, please")
        wait_until(lambda: says(prepared, user, sent, 5), "the answer grows")
        bot.send_signal(signal.SIGTERM)
        assert bot.wait(60) == 0
    left = prepared.rows(
        "SELECT attempts, done_at, ready_at <= clock_timestamp() AS is_free FROM telegram_inbox "
        "LEFT JOIN telegram_lanes USING (user_id, urgent) WHERE update_id = %s",
        sent.update_id,
    )
    assert [(row["attempts"], row["done_at"], row["is_free"]) for row in left] == [(0, None, True)]
    assert len(prepared.rows("SELECT FROM messages WHERE user_id = %s", user)) == 2, "not kept yet"
    shown = sandbox.replies(user, sent.message_id)
    calls = models_called(prepared, before)
    with running_bot(prepared.environment):
        prepared.answer(user, sent)
    assert sandbox.replies(user, sent.message_id) == shown
    assert len(shown) == 1
    assert len(prepared.rows("SELECT FROM messages WHERE user_id = %s", user)) == 4
    assert calls - 1 <= models_called(prepared, before) <= calls + 1, "only the memory is asked for"


def models_called(world: World, since: int) -> int:
    """The number of model calls that the bot made for a message."""
    calls = world.sandbox.calls("openai", since)
    return sum("haiku" in json.dumps(call["body"]) for call in calls)


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("REL-1", "IDEMP-1")
def test_bot_that_slept_past_its_lease_changes_nothing(
    prepared: World, webhook: dict[str, str], user: int
) -> None:
    """Stopped while the model writes; another answers; after SIGCONT nothing is sent or stored."""
    sandbox = prepared.sandbox
    with running_bot(webhook) as late:
        prepared.ask(user, "hi")
        sandbox.fail("openai", "slow", method="chat.completions", delay_s=4.0, times=2)
        sent = sandbox.say(user, "Write a haiku about the sea, please")
        wait_until(lambda: says(prepared, user, sent, 5), "the answer grows")
        freeze(prepared, late)
        try:
            with running_bot(prepared.environment, "worker"):
                prepared.answer(user, sent)
            shown, kept, before = sandbox.chat(user), stored(prepared), sandbox.mark()
        finally:
            late.send_signal(signal.SIGCONT)
        wait_until(lambda: measured(webhook, "telegram_lanes_lost_total") == 1, "it has noticed")
        prepared.ask(user + NEIGHBOUR, "hi")
    assert [call["method"] for call in sends_to(prepared, user, before)] == []
    assert sandbox.chat(user)["messages"] == shown["messages"]
    assert stored(prepared, but_of=user + NEIGHBOUR) == kept


def sends_to(world: World, user: int, since: int) -> list[dict[str, Any]]:
    """The calls by which the bot sent messages to a user, or changed them."""
    return [
        call
        for call in world.sandbox.calls("telegram", since)
        if call["method"] in SENDS and call["body"]["chat_id"] == user
    ]


def stored(world: World, but_of: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Every row that a turn leaves, but those of one user."""
    return {
        "checkpoints": world.rows(
            "SELECT * FROM checkpoints WHERE thread_id <> %s ORDER BY 1, 3", f"tg:{but_of}"
        ),
        "messages": world.rows("SELECT * FROM messages WHERE user_id <> %s ORDER BY id", but_of),
        "store": world.rows(
            "SELECT * FROM store WHERE prefix <> %s ORDER BY 1, 2", f"users.{but_of}"
        ),
        "outbox": world.rows(
            "SELECT * FROM telegram_outbox WHERE chat_id <> %s ORDER BY 1, 2", but_of
        ),
        "decisions": world.rows(
            "SELECT * FROM retrieval_decisions WHERE thread_id <> %s ORDER BY id", f"tg:{but_of}"
        ),
    }


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("REL-1")
def test_bot_answers_while_strangers_hold_silent_connections(
    prepared: World, webhook: dict[str, str], user: int, tmp_path: Path
) -> None:
    """250 connections that say nothing, nearly as many as the process may have descriptors."""
    log = tmp_path / "log"
    address = ("127.0.0.1", int(webhook["PORT"]))
    with running_bot(webhook, descriptors=256, log=log), ExitStack() as strangers:
        prepared.ask(user, "hi")
        for number in range(250):
            stranger = strangers.enter_context(socket.create_connection(address))
            stranger.sendall(b"GET /readyz HTTP/1.1\r\nX: " if number % 2 else b"")
        prepared.ask(user, "hi")
        prepared.ask(user, "Write a haiku about the sea, please")
    said = log.read_text("utf-8")
    assert said.count("http.connections_dropped") == 1
    assert "Too many open files" not in said


def post(environment: dict[str, str], update: dict[str, Any]) -> int:
    """Deliver an update as Telegram does; the status."""
    answer = httpx.post(
        f"{environment['WEBHOOK_URL']}/telegram/webhook",
        json=update,
        headers={"X-Telegram-Bot-Api-Secret-Token": SECRET},
        timeout=30,
        trust_env=False,
    )
    return answer.status_code


def sender(user: int) -> dict[str, Any]:
    """The user, as updates name them."""
    return {"id": user, "is_bot": False, "first_name": "Ada", "language_code": "en"}


def message(user: int, message_id: int, text: str) -> dict[str, Any]:
    """A message of the user, as updates hold it."""
    return {
        "message_id": message_id,
        "date": 1_790_000_000,
        "chat": {"id": user, "type": "private", "first_name": "Ada"},
        "from": sender(user),
        "text": text,
    }


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("IDEMP-1", "DUR-2")
def test_update_that_is_delivered_three_times_at_once_runs_once(
    prepared: World, webhook: dict[str, str], user: int
) -> None:
    """All three are acknowledged, one is answered, also when a fourth comes late."""
    with running_bot(webhook):
        sent = prepared.sandbox.say(user, "hi")
        prepared.answer(user, sent)
        update_id = UNKNOWN_UPDATE + user
        update = {
            "update_id": update_id,
            "message": message(user, sent.message_id + 50, "Write a haiku about the sea, please"),
        }
        with ThreadPoolExecutor(3) as threads:
            assert list(threads.map(lambda _: post(webhook, update), range(3))) == [200] * 3
        wait_until(lambda: prepared.is_done(Sent(0, update_id)), "the update is done")
        assert post(webhook, update) == 200
        prepared.ask(user + NEIGHBOUR, "hi")
    tried = prepared.rows("SELECT attempts FROM telegram_inbox WHERE update_id = %s", update_id)
    assert tried == [{"attempts": 1}]
    assert len(prepared.sandbox.replies(user)) == 2
    assert len(prepared.decisions(user)) == 2
    assert len(prepared.rows("SELECT FROM messages WHERE user_id = %s", user)) == 4


@pytest.mark.req("IDEMP-1")
def test_press_that_comes_before_its_message_harms_nothing(
    prepared: World, webhook: dict[str, str], user: int
) -> None:
    """Presses take a lane of their own; the message behind it is answered once all the same."""
    with running_bot(webhook):
        first = prepared.sandbox.say(user, "hi")
        prepared.answer(user, first)
        message_id, press_id = UNKNOWN_UPDATE + 1_000_000 + user, UNKNOWN_UPDATE + 2_000_000 + user
        press = {
            "update_id": press_id,
            "callback_query": {
                "id": "42",
                "from": sender(user),
                "chat_instance": "1",
                "data": "stop:1",
                "message": message(user, first.message_id + 51, "an answer to come"),
            },
        }
        late = {
            "update_id": message_id,
            "message": message(user, first.message_id + 50, "Write a haiku about the sea, please"),
        }
        assert post(webhook, press) == 200
        wait_until(lambda: prepared.is_done(Sent(0, press_id)), "the press is done")
        assert post(webhook, late) == 200
        wait_until(lambda: prepared.is_done(Sent(0, message_id)), "the message is done")
    assert len(prepared.sandbox.replies(user)) == 2


def test_systemd_is_told_that_a_bot_is_ready_and_that_it_ends(
    prepared: World, tmp_path: Path
) -> None:
    """`Type=notify`: what is started after it can use it. Without systemd nothing is told."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(30)
        with running_bot({**prepared.environment, "NOTIFY_SOCKET": str(tmp_path / "notify")}):
            assert manager.recv(100) == b"READY=1"
        assert manager.recv(100) == b"STOPPING=1"


def test_log_is_one_json_object_a_line(prepared: World, tmp_path: Path, user: int) -> None:
    """With the fields that the guide names; what was said is in none of them."""
    log = tmp_path / "log"
    settings = {**prepared.environment, "LOG_FORMAT": "json", "LOG_LEVEL": "debug"}
    with running_bot(settings, log=log):
        prepared.ask(user, "Greetings, my name is Zuzanna")
        wait_until(
            lambda: '"telegram.turn"' in log.read_text("utf-8") or None, "the turn is logged"
        )
    told = [one for one in log.read_text("utf-8").splitlines() if "rich-agent is ready" not in one]
    lines = [json.loads(line) for line in told]
    assert all({"timestamp", "level", "event"} <= line.keys() for line in lines)
    (turn,) = [line for line in lines if line["event"] == "telegram.turn"]
    nodes = [line for line in lines if line["event"] == "turn.node"]
    assert {node["update_id"] for node in nodes} == {turn["update_id"]}
    guide = (ROOT / "docs/how-to/operate.md").read_text("utf-8").split("### The log")[1]
    assert set().union(*nodes, turn) <= set(re.findall(r"`(\w+)`", guide))
    assert "Zuzanna" not in "".join(told)
