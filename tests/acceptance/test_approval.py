"""Answers that a person approves, as users and admins see them; over HTTP and PostgreSQL."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.acceptance.session import data_of
from tests.acceptance.test_interrupts import press
from tests.acceptance.world import (
    ROOT,
    Sent,
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

ADA, BOB = 9_100_001, 9_100_002
QUESTION = "How is funding paid on Drift perpetual futures?"
Message = dict[str, Any]


@pytest.fixture(scope="module")
def office(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """Documents are ingested and two admins have to approve what is said of the domain."""
    with (
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
        database_server.database(with_samples) as url,
    ):
        settings = environment(
            sandbox.url,
            url,
            ADMIN_USERS=f"{ADA},{BOB}",
            APPROVAL_INTENTS="domain_solana_defi_trade",
        )
        yield World(sandbox, settings, url)


@pytest.fixture
def world(office: World) -> Iterator[World]:
    """A running bot that both admins have written to."""
    with running_bot(office.environment):
        for admin in (ADA, BOB):
            office.ask(admin, "hi")
        yield office


def asked(world: World, user: int) -> tuple[Sent, int]:
    """The user asks, and is told at once that a person reads the answer first."""
    sent = world.sandbox.say(user, QUESTION)
    assert "being reviewed" in world.answer(user, sent)["text"]
    (row,) = world.rows("SELECT id FROM approvals WHERE user_id = %s", user)
    return sent, int(row["id"])


def review_of(world: World, admin: int, number: int) -> list[Message]:
    """The messages by which an admin is asked, once they are there."""

    def found() -> list[Message] | None:
        replies = world.sandbox.replies(admin)
        last = [n for n, reply in enumerate(replies) if f"approve1:{number}" in data_of(reply)]
        first = [
            n for n, reply in enumerate(replies) if f"Answer {number} is waiting" in reply["text"]
        ]
        return replies[first[0] : last[0] + 1] if first and last else None

    return wait_until(found, f"admin {admin} is asked about {number}")


def delivered(world: World, user: int, sent: Sent) -> Message:
    """The message that comes below the notice."""

    def found() -> Message | None:
        replies = world.sandbox.replies(user, sent.message_id)
        told = [r for r in replies[1:] if "reviewed" in r["text"] or "sorry" in r["text"]]
        return told[-1] if told else None

    return wait_until(found, f"user {user} hears the verdict")


def button(message: Message, verb: str) -> str:
    """The data of one of the buttons."""
    return next(data for data in data_of(message) if data.startswith(verb))


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("INT-1", "REL-2")
def test_approval_is_given_by_button_and_only_the_first_press_counts(
    world: World, user: int
) -> None:
    """Nothing of the draft before, the sourced answer after; the others are told who it was."""
    before = world.sandbox.mark()
    sent, number = asked(world, user)
    ours, theirs = review_of(world, ADA, number), review_of(world, BOB, number)
    assert QUESTION in ours[0]["text"]
    assert "Sources" in ours[-1]["text"]
    bodies = [call["body"] for call in world.sandbox.calls("telegram", before)]
    shown = json.dumps([body for body in bodies if body.get("chat_id") == user])
    assert ours[-1]["text"].splitlines()[0][:40] not in shown
    assert "greeting" not in world.ask(user, "hi")["text"]
    listed = world.ask(ADA, "/approvals")["text"]
    assert f"• {number}" in listed
    assert "Waiting for approval: 1 (/approvals)" in world.ask(ADA, "/stats")["text"]
    approve = button(ours[-1], "approve1")
    assert "admins only" in press(world, user, sent.message_id + 1, approve)
    assert "Approved by you" in press(world, ADA, ours[-1]["message_id"], approve)
    answer = delivered(world, user, sent)
    assert "approved" in answer["text"]
    assert "Sources" in answer["text"]
    assert f"Approved by {ADA}" in press(world, BOB, theirs[-1]["message_id"], approve)
    reject = button(theirs[-1], "reject1")
    assert f"Approved by {ADA}" in press(world, BOB, theirs[-1]["message_id"], reject)
    wait_until(
        lambda: (
            not any("approve1" in d for r in world.sandbox.replies(BOB) for d in data_of(r)) or None
        ),
        "the other admin has no buttons any more",
    )
    told = [r for r in world.sandbox.replies(user) if "Sources" in r["text"]]
    assert len(told) == 1
    kept = world.rows(
        "SELECT content FROM messages WHERE user_id = %s AND role = 'assistant' ORDER BY id", user
    )
    assert "being reviewed" not in kept[0]["content"]


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("INT-1")
def test_admin_corrects_or_rejects_by_a_reply(world: World, user: int) -> None:
    """A reply to the draft is the new text; one to the question for a reason is that."""
    sent, number = asked(world, user)
    review = review_of(world, ADA, number)
    reply = world.ask(ADA, "It is paid hourly [1].", reply_to_message_id=review[-1]["message_id"])
    assert "your text" in reply["text"]
    corrected = delivered(world, user, sent)
    assert "It is paid hourly" in corrected["text"]
    assert "Sources" in corrected["text"]

    other = user + 50_000
    sent, number = asked(world, other)
    review = review_of(world, BOB, number)
    assert "reason" in press(world, BOB, review[-1]["message_id"], button(review[-1], "reject1"))
    prompt = wait_until(
        lambda: next(
            (r for r in world.sandbox.replies(BOB) if f"Answer {number}: reply" in r["text"]), None
        ),
        "the reason is asked for",
    )
    world.ask(BOB, "We give no advice on this.", reply_to_message_id=prompt["message_id"])
    assert "We give no advice on this." in delivered(world, other, sent)["text"]


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("INT-1")
def test_approval_that_nobody_gives_expires_and_forget_removes_one(world: World, user: int) -> None:
    """The user is told; what waits for somebody who is forgotten is gone everywhere."""
    sent, number = asked(world, user)
    review_of(world, ADA, number)
    with psycopg.connect(world.database_url) as connection:
        connection.execute(
            "UPDATE approvals SET requested_at = requested_at - interval '25 hours' WHERE id = %s",
            (number,),
        )
        connection.execute("UPDATE due_work SET due_at = now() WHERE kind = 'approval'")
        connection.execute("NOTIFY due_work")
    assert "ask again later" in delivered(world, user, sent)["text"]

    other = user + 50_000
    _, number = asked(world, other)
    review = review_of(world, ADA, number)
    reply = world.ask(other, "/forget")
    body = {
        "message_id": reply["message_id"],
        "callback_data": button(reply, "forget1"),
    }
    world.sandbox.http.post(f"{world.sandbox.url}/sim/chats/{other}/press", json=body)
    wait_until(
        lambda: "deleted" in world.sandbox.replies(other)[-1]["text"] or None, "all is forgotten"
    )
    assert world.rows("SELECT 1 FROM approvals WHERE user_id = %s", other) == []
    assert world.rows("SELECT 1 FROM approval_notices WHERE approval_id = %s", number) == []
    texts = world.rows("SELECT text FROM telegram_outbox WHERE text LIKE %s", f"%From: {other}%")
    assert texts == []
    approve = button(review[-1], "approve1")
    assert "no longer works" in press(world, ADA, review[-1]["message_id"], approve)


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("INT-1", "REL-2", "DUR-1")
def test_approval_outlives_its_process(office: World, user: int) -> None:
    """Kill -9 with an approval open, and again with its verdict given: it is told once."""
    sandbox = office.sandbox
    with running_bot(office.environment) as bot:
        # No bot begins a conversation: the admin has written before.
        office.ask(ADA, "hi")
        sent, number = asked(office, user)
        review = review_of(office, ADA, number)
        bot.send_signal(signal.SIGKILL)
        bot.wait(5)
    approve = button(review[-1], "approve1")
    body = {"message_id": review[-1]["message_id"], "callback_data": approve}
    sandbox.http.post(f"{sandbox.url}/sim/chats/{ADA}/press", json=body)
    with (
        running_bot(office.environment) as bot,
        running_bot({**office.environment, "WEBHOOK_URL": ""}, "worker"),
    ):
        query = "SELECT 1 FROM approvals WHERE id = %s AND state = 'approved'"
        wait_until(lambda: office.rows(query, number) or None, "the verdict is stored")
        bot.send_signal(signal.SIGKILL)
        bot.wait(5)
        assert "Sources" in delivered(office, user, sent)["text"]
    assert len([r for r in sandbox.replies(user) if "Sources" in r["text"]]) == 1


def test_approval_without_anybody_to_give_it_is_refused_at_start(office: World) -> None:
    """And so is an intent that no answer has; both say what to write."""
    settings = {**office.environment, "ADMIN_USERS": ""}
    refused = command(["rich_agent.cli", "run"], settings, expect=1)
    assert "APPROVAL_INTENTS" in refused.stderr
    assert "ADMIN_USERS" in refused.stderr
    settings = {**office.environment, "APPROVAL_INTENTS": "domain_weather"}
    refused = command(["rich_agent.cli", "run"], settings, expect=1)
    assert "domain_weather" in refused.stderr
    assert "general_question" in refused.stderr
