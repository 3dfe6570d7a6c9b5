"""Answers that are begun while their turn is planned, as the model's server and the user see it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer

QUESTION = "How is funding paid on perpetual futures?"
STREAM = '"stream":true'  # as the body of such a call says it


@pytest.fixture(scope="module")
def hasty(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A bot that begins answers early, with the sample documents."""
    with (
        running_sandbox(ROOT / "sample" / "solana") as sandbox,
        database_server.database(with_samples) as url,
    ):
        settings = environment(sandbox.url, url, SPECULATION="on")
        with running_bot(settings):
            yield World(sandbox, settings, url)


def chats(world: World, since: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The calls for plans and other forms, and those for answers."""
    calls = world.sandbox.calls("openai", since)
    asked = [call for call in calls if call["method"] == "chat.completions"]
    return (
        [call for call in asked if not call["body"].get("stream")],
        [call for call in asked if call["body"].get("stream")],
    )


def test_answer_is_begun_before_the_plan_and_asked_for_once(hasty: World, user: int) -> None:
    """The text written meanwhile is shown when the plan agrees, with its sources."""
    before = hasty.sandbox.mark()
    hasty.sandbox.fail("openai", "timeout", method="chat.completions", delay_s=3.0)
    answer = hasty.ask(user, QUESTION)
    (plan, *_), (stream,) = chats(hasty, before)
    assert stream["started_at"] < plan["ended_at"]
    assert "Sources" in answer["text"]


@pytest.mark.feature("reminder")
def test_answer_of_another_plan_is_never_seen(hasty: World, user: int) -> None:
    """A reminder is no question to documents: what was begun as an answer to it is dropped."""
    hasty.ask(user, "hi")
    before = hasty.sandbox.mark()
    wish = "remind me in one hour to water the plants"
    hasty.sandbox.script(wish, "Begun too early.", "Written when it was planned.")
    hasty.sandbox.fail("openai", "timeout", method="chat.completions", delay_s=3.0)
    answer = hasty.ask(user, wish)
    _, (begun, asked) = chats(hasty, before)
    assert begun["body"]["messages"] != asked["body"]["messages"]
    assert answer["text"].startswith("Written when it was planned.")
    told = [call["body"] for call in hasty.sandbox.calls("telegram", before)]
    assert not any("too early" in str(body) for body in told)


@pytest.mark.feature("reminder")
def test_answer_of_another_plan_is_ended_and_its_tokens_count(hasty: World, user: int) -> None:
    """The server sees its caller leave; what it has read is the user's use."""
    before = hasty.sandbox.mark()
    hasty.sandbox.fail("openai", "timeout", method="chat.completions", delay_s=3.0)
    hasty.sandbox.fail("openai", "slow", containing=STREAM, delay_s=30.0)
    hasty.ask(user, "remind me in two hours to water the plants")
    plans, (begun, *asked) = chats(hasty, before)
    assert begun["status"] == 499
    hasty.await_idle()
    (used,) = hasty.rows(
        "SELECT sum(calls)::int AS calls FROM usage_days WHERE user_id = %s AND kind = 'text'", user
    )
    assert used["calls"] >= len([begun, *asked]) + 1
    assert plans
