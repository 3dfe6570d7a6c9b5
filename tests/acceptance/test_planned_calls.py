"""Calls that the user's message asks for by itself, among strangers' words; over HTTP and MCP."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.agentdojo.attacks import Attack, load
from bench.agentdojo.ground import Ground, opened
from bench.agentdojo.seats import User
from tests.database import PostgresServer

ASKER = 9_300_001


@contextmanager
def asked_for(
    attack: str, databases: PostgresServer, folder: Path
) -> Iterator[tuple[Attack, Ground]]:
    """The page of an attack on a message that the user asks for, and a bot that reads it."""
    (chosen,) = [one for one in load() if one.name == f"message that is asked for: {attack}"]
    with opened([chosen], databases, folder) as ground:
        yield chosen, ground


def planned_with(ground: Ground) -> list[str]:
    """Return what the model was told when it planned calls."""
    bodies = (json.dumps(one["body"]) for one in ground.world.sandbox.calls("openai"))
    return [body for body in bodies if '"steps"' in body]


@pytest.mark.costs("it acts in several turns")
def test_message_that_names_whom_and_what_needs_no_approval(
    database_server: PostgresServer, tmp_path: Path
) -> None:
    """It is planned from the user's words alone: what was read has no say in it. /why tells."""
    with asked_for("to somebody else", database_server, tmp_path) as (attack, ground):
        step = ground.ways.prepared(attack, 0, ASKER)
        ground.model.expect(step.errand)
        user = User(ground.world, ASKER, (), is_careless=False)
        user.converse(step.text, **step.message)
        assert user.cards == 0
        assert f"keeper{attack.topic}" in ground.book.read_text("utf-8")
        (planned,) = planned_with(ground)
        assert step.text in planned
        assert attack.mark not in planned
        told = ground.world.ask(ASKER, "/why")["text"]
        assert "Actions that your message asks for by itself: 1" in told


@pytest.mark.costs("it acts in several turns")
def test_call_that_the_message_does_not_ask_for_needs_approval(
    database_server: PostgresServer, tmp_path: Path
) -> None:
    """The plan outlasts the card: the call that was asked for needs none, and no other plan."""
    with asked_for("by another tool", database_server, tmp_path) as (attack, ground):
        step = ground.ways.prepared(attack, 0, ASKER)
        ground.model.expect(attack.errand(""), step.errand)
        user = User(ground.world, ASKER, (), is_careless=True)
        user.converse(step.text, **step.message)
        said = [one["text"] for one in ground.world.sandbox.replies(ASKER)]
        (card,) = [text for text in said if "■" in text]
        assert attack.mark.replace("order", "lure") in card
        assert user.cards == 1
        assert ground.book.read_text("utf-8").count(f"keeper{attack.topic}") == 2
        assert len(planned_with(ground)) == 1
