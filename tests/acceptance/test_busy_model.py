"""A model server that takes no more requests: what its users, and its operator, read meanwhile."""

from typing import Any

import httpx
import psycopg
import pytest

from tests.acceptance.world import ADMIN, World, command, wait_until

QUESTION = "How is funding paid on perpetual futures?"
FAR_S = 1_200


def let_time_pass(world: World, user: int) -> None:
    """The time that a user's turn was told to wait is over."""
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE telegram_lanes SET ready_at = clock_timestamp() WHERE user_id = %s", (user,)
        )
        connection.execute("NOTIFY telegram_inbox")


def held(world: World, user: int) -> dict[str, Any]:
    """The message that the user reads once a turn of theirs waits in the inbox."""

    def promise() -> dict[str, Any] | None:
        rows = world.rows(
            "SELECT 1 FROM telegram_inbox WHERE user_id = %s AND held_until IS NOT NULL "
            "AND done_at IS NULL AND NOT EXISTS (SELECT FROM telegram_lanes AS lane "
            "WHERE lane.user_id = telegram_inbox.user_id AND holder IS NOT NULL)",
            user,
        )
        return world.sandbox.replies(user)[-1] if rows else None

    return wait_until(promise, "the turn waits")


@pytest.mark.req("REL-1")
def test_turn_waits_for_a_busy_model_and_its_message_becomes_the_answer(
    world: World, user: int
) -> None:
    """Twice; the user reads when, others are served, later words come after, no node runs again."""
    sandbox, other = world.sandbox, user + 500_000
    # The planner's call is served, the answer's is not.
    refused = {"method": "chat.completions", "retry_after": FAR_S, "containing": '"stream":true'}
    sandbox.fail("openai", "429", **refused)
    asked = sandbox.say(user, QUESTION)
    promise = held(world, user)
    assert "UTC (in 20 minutes)" in promise["text"]
    before = sandbox.mark()
    later = sandbox.say(user, "hi")
    assert world.ask(other, "hi")["text"].startswith("Hi")
    assert not world.is_done(later)
    sandbox.fail("openai", "429", **refused)
    let_time_pass(world, user)

    def is_held_again() -> bool:
        (row,) = world.rows(
            "SELECT holds FROM telegram_inbox WHERE update_id = %s", asked.update_id
        )
        return bool(row["holds"] == 2)

    wait_until(is_held_again, "the turn waits again")
    port = world.environment["PORT"]
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
    assert "telegram_inbox_held 1.0" in figures
    let_time_pass(world, user)
    world.answer(user, later)
    first, second = sandbox.replies(user, asked.message_id)
    assert first["message_id"] == promise["message_id"]
    assert "funding" in first["text"].lower()
    assert second["text"].startswith("Hi")
    calls = sandbox.calls("openai", before)
    assert [call["status"] for call in calls if call["body"].get("stream")] == [429, 200]
    assert not [call for call in calls if "PlannedTurn" in str(call["body"].get("tools"))]
    assert world.rows("SELECT 1 FROM messages WHERE user_id = %s", user)


def test_terminal_says_when_a_busy_model_may_be_asked(world: World) -> None:
    """It does not wait for long, and nobody else answers for it later."""
    refused = {"method": "chat.completions", "retry_after": FAR_S, "containing": '"stream":true'}
    world.sandbox.fail("openai", "429", **refused)
    done = command(["rich_agent.cli", "ask", QUESTION], world.environment, expect=1)
    assert "retry after 1200 s" in done.stderr
    assert "takes requests again at 20" in done.stderr


def test_waiting_turn_can_be_stopped(world: World, user: int) -> None:
    """Its user need not wait for the time to come."""
    refused = {"method": "chat.completions", "retry_after": FAR_S, "containing": '"stream":true'}
    world.sandbox.fail("openai", "429", **refused)
    asked = world.sandbox.say(user, QUESTION)
    held(world, user)
    world.sandbox.say(user, "/stop")
    wait_until(lambda: world.is_done(asked), "the turn is over")
    assert "Stopped" in world.sandbox.replies(user, asked.message_id)[0]["text"]


def test_model_that_names_a_near_time_is_waited_for_in_place(world: World, user: int) -> None:
    """The planner too, more often than a failure is tried again."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "429", method="chat.completions", times=3, containing=QUESTION)
    answer = world.ask(user, QUESTION)
    assert "funding" in answer["text"].lower()
    assert [c["status"] for c in world.sandbox.calls("openai", before)].count(429) == 3
    assert world.decisions(user)[-1]["plan"] == "rag"


@pytest.mark.parametrize(
    ("kind", "to_user", "to_admin"),
    [
        ("insufficient_quota", "no credit left", "OPENAI_API_KEY"),
        ("402", "no credit left", "OPENAI_API_KEY"),
        ("401", "does not accept my operator's key", "OPENAI_API_KEY"),
    ],
)
def test_account_that_fails_is_told_as_what_it_is(
    world: World, user: int, kind: str, to_user: str, to_admin: str
) -> None:
    """Asked once, not blamed on the user; the admin hears of each cause once in an hour."""
    sandbox = world.sandbox
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        connection.execute("DELETE FROM admin_alerts")
    told = world.ask(ADMIN, "hi")["message_id"]
    for _ in range(2):
        before = sandbox.mark()
        sandbox.fail("openai", kind, method="chat.completions", containing=QUESTION)
        assert to_user in world.ask(user, QUESTION)["text"]
        calls = [c for c in sandbox.calls("openai", before) if c["method"] == "chat.completions"]
        assert len(calls) == 1
    alerts = wait_until(lambda: sandbox.replies(ADMIN, told) or None, "the admin is told")
    assert [to_admin in alert["text"] for alert in alerts] == [True]
