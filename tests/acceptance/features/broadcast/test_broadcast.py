"""/broadcast of the running bot; nobody else's bot is disturbed by it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.test_commands import command, labels, press, shown
from tests.acceptance.world import (
    ADMIN,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

ADA, BOB, EVE = 101, 102, 103


@pytest.fixture
def small(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of the test's own: a broadcast reaches everybody."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def texts(world: World, user: int) -> list[str]:
    """The texts that the bot sent to a user."""
    return [message["text"] for message in world.sandbox.replies(user)]


def told_of(world: World, asked: dict[str, Any], word: str) -> dict[str, Any]:
    """The message that asked, once it tells the result."""

    def told() -> dict[str, Any] | None:
        message = shown(world.sandbox.chat(ADMIN), asked["message_id"])
        return message if word in message["text"] else None

    return wait_until(told, "the result is told")


@pytest.mark.costs("it starts bots of its own")
def test_broadcast_reaches_everybody_once_and_tells_how_it_went(small: World) -> None:
    """Also across a restart in the middle; who blocked the bot is counted and noted."""
    with running_bot(small.environment):
        for user in (ADA, BOB, EVE, ADMIN):
            small.ask(user, "hi")
        assert "text after the command" in command(small, ADMIN, "/broadcast")["text"]
        asked = command(small, ADMIN, "/broadcast We pause at noon.")
        # Copies go out by id: Ada's comes first.
        small.sandbox.fail("telegram", "403_blocked", method="sendMessage", times=1)
        assert "4 users" in asked["text"]
        assert all("noon" not in text for text in texts(small, ADA))
        press(small, ADMIN, asked, "Send")
        wait_until(lambda: "We pause at noon." in texts(small, BOB) or None, "Bob got it")
    with running_bot(small.environment):
        told = wait_until(
            lambda: (
                message
                if "done"
                in (message := shown(small.sandbox.chat(ADMIN), asked["message_id"]))["text"]
                else None
            ),
            "the result is told",
        )
    assert "blocked: 1" in told["text"]
    assert "Sent: 3" in told["text"]
    for user in (BOB, EVE, ADMIN):
        assert texts(small, user).count("We pause at noon.") == 1
    (blocked,) = small.rows("SELECT telegram_user_id FROM users WHERE blocked_at IS NOT NULL")
    assert blocked["telegram_user_id"] == ADA


def test_broadcast_is_dropped_and_cancelled_by_button(small: World) -> None:
    """Nothing is sent after a no, and no further copy after the end."""
    with running_bot(small.environment):
        for user in (ADA, ADMIN):
            small.ask(user, "hi")
        dropped = command(small, ADMIN, "/broadcast Never mind.")
        press(small, ADMIN, dropped, "Do not send")
        asked = command(small, ADMIN, "/broadcast Wait.")
        small.sandbox.fail("telegram", "500", method="sendMessage", times=10_000)
        press(small, ADMIN, asked, "Send")
        sending = shown(small.sandbox.chat(ADMIN), asked["message_id"])
        assert labels(sending) == ["Cancel"]
        press(small, ADMIN, sending, "Cancel")
        told = wait_until(
            lambda: (
                message
                if "cancelled"
                in (message := shown(small.sandbox.chat(ADMIN), asked["message_id"]))["text"]
                else None
            ),
            "the result is told",
        )
    assert "Sent: 0" in told["text"]
    assert "not sent: 2" in told["text"]
    assert "Never mind." not in texts(small, ADA)
