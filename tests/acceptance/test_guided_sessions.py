"""Guided sessions as the stand-in leads them: by the tools on offer and the conversation alone."""

import re
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.test_acting import decide, settled
from tests.acceptance.test_commands import labels, press
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer
from tests.shown_cards import shown_in

Json = dict[str, Any]
_BLOCK = re.compile(r"(\d\d:\d\d)–\d\d:\d\d (.+)")
_APPROVAL = ["Approve", "Adjust", "Cancel"]


@pytest.fixture(scope="module")
def ward(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database without documents; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def add_tasks(world: World, user: int, *titles: str) -> None:
    """Tasks that are due, without an estimate."""
    for title in titles:
        world.rows(
            "INSERT INTO tasks (user_id, title, task_type) VALUES (%s, %s, 'Today') RETURNING id",
            user,
            title,
        )


def proposed(message: Json) -> dict[str, str]:
    """The start of each block of a proposal, by its title."""
    return {title: start for start, title in _BLOCK.findall(message["text"])}


def estimates(world: World, user: int) -> dict[str, int | None]:
    """The minutes of each task."""
    rows = world.rows("SELECT title, estimated_minutes FROM tasks WHERE user_id = %s", user)
    return {row["title"]: row["estimated_minutes"] for row in rows}


def scheduled(world: World, user: int) -> dict[str, str]:
    """The start of each block that is written, by its title or that of its task."""
    rows = world.rows(
        "SELECT coalesce(tasks.title, block.title) AS title, "
        "to_char(starts_at, 'HH24:MI') AS at FROM schedule_blocks AS block "
        "LEFT JOIN tasks ON tasks.id = task_id WHERE block.user_id = %s",
        user,
    )
    return {row["title"]: row["at"] for row in rows}


def in_session(world: World, user: int) -> Json:
    """The user's newest session."""
    return world.rows(
        "SELECT status, cardinality(requests) AS messages, outputs FROM guided_sessions "
        "WHERE user_id = %s ORDER BY id DESC LIMIT 1",
        user,
    )[0]


@pytest.mark.req("HTTP-2")
def test_message_too_many_for_a_session_costs_no_call(world: World, user: int) -> None:
    """It is answered with a sentence; nothing is learned of it, and nothing summarised."""
    world.ask(user, "/plan")
    fifty = "array(SELECT 'x:' || n FROM generate_series(1, 50) n)"
    full = f"UPDATE guided_sessions SET requests = {fifty} WHERE user_id = %s RETURNING id"
    world.rows(full, user)
    before = world.sandbox.mark()
    for number in range(3):
        told = world.ask(user, f"My cat is called Miso{number}, and I have one more idea")
        assert "50" in told["text"]
    assert not world.sandbox.calls("openai", before)


@pytest.mark.req("DUR-1", "INT-1", "REL-1", "REL-2")
def test_day_is_planned_across_a_kill(ward: World, user: int) -> None:
    """Thirteen messages, a process killed within an answer, nothing written before approval."""
    add_tasks(ward, user, "Write the report", "Answer letters", "Call the bank")
    with running_bot(ward.environment) as bot:
        agree_on_a_proposal(ward, user)
        ward.sandbox.fail("openai", "slow", method="chat.completions", delay_s=30.0)
        moved = ward.sandbox.say(user, "The letters at 16:00, please")
        wait_until(
            lambda: any(
                "plan" in one["text"] for one in ward.sandbox.replies(user, moved.message_id)
            ),
            "the answer grows",
        )
        bot.send_signal(signal.SIGKILL)
    ward.sandbox.recover()
    with running_bot(ward.environment):
        answer = ward.answer(user, moved)
        assert proposed(answer)["Answer letters"] == "16:00"
        assert len(ward.sandbox.replies(user, moved.message_id)) == 1
        finish(ward, user)


def agree_on_a_proposal(world: World, user: int) -> None:
    """Seven messages: estimates are asked for and kept, and the proposal follows each wish."""
    question = world.ask(user, "/plan Plan tomorrow with me")
    assert all(title in question["text"] for title in estimates(world, user))
    card = world.ask(user, "report 2 hours, letters 45 minutes, bank 20 min")
    assert labels(card) == _APPROVAL
    assert set(estimates(world, user).values()) == {None}
    first = decide(world, user, card, "Approve")
    assert set(estimates(world, user).values()) == {120, 45, 20}
    assert len(proposed(first)) == 4
    meeting = proposed(world.ask(user, "I have a meeting at 11"))
    assert meeting["Meeting"] == "11:00"
    swapped = proposed(world.ask(user, "Swap the letters and the bank"))
    assert swapped["Call the bank"] == meeting["Answer letters"]
    assert world.ask(user, "What is a validator?")["text"]
    assert world.ask(user, "/retry")["text"]
    assert in_session(world, user)["messages"] == 5


def finish(world: World, user: int) -> None:
    """The rest: one card is adjusted, the next approved, and the session is over."""
    assert "Call the bank" not in proposed(world.ask(user, "Drop the bank"))
    assert proposed(world.ask(user, "Tea with Ana at 15:00 for 15 minutes"))["Tea with Ana"]
    card = world.ask(user, "Yes, that works")
    assert labels(card) == _APPROVAL
    press(world, user, card, "Adjust")
    adjusted = proposed(world.ask(user, "Gym at 18:30 for 45 minutes"))
    assert adjusted["Gym"] == "18:30"
    assert adjusted.keys() >= {"Meeting", "Tea with Ana", "Answer letters"}
    assert world.ask(user, "How long is a day?")["text"]
    card = world.ask(user, "Looks good")
    begin = [given["Begins at"] for _, given in shown_in(card["text"])]
    assert sorted(begin) == sorted(adjusted.values())
    assert scheduled(world, user) == {}
    decide(world, user, card, "Approve")
    # The schedule may also be shown as a picture, below the answer.
    told = [one["text"] for one in world.sandbox.replies(user)]
    assert any("Daily planning completed" in text for text in told)
    written = scheduled(world, user)
    assert (written["Gym"], written["Answer letters"]) == ("18:30", "16:00")
    kept = in_session(world, user)
    assert (kept["status"], kept["messages"]) == ("completed", 11)
    assert "Gym" in str(kept["outputs"])
    world.ask(user, "hello")
    assert in_session(world, user)["messages"] == kept["messages"]
    assert world.ask(user, "/cancel")["text"] == "No session is open."
    settled(world, user)


def test_week_is_looked_back_at(world: World, user: int) -> None:
    """Tasks done and left are shown, those left change after approval, and a summary stays."""
    add_tasks(world, user, "Write the report", "Answer letters")
    world.rows(
        "UPDATE tasks SET status = 'done' WHERE user_id = %s AND title LIKE 'Write%%' RETURNING id",
        user,
    )
    found = world.ask(user, "/review")["text"]
    assert "Done: Write the report" in found
    card = world.ask(user, "Delete the task answer letters")
    assert labels(card) == _APPROVAL
    assert "went well" in decide(world, user, card, "Approve")["text"]
    assert "next week" in world.ask(user, "The report went well, sleep was difficult")["text"]
    ended = world.ask(user, "Run twice, read one book")
    assert "Weekly review completed" in ended["text"]
    assert "Run twice" in str(in_session(world, user)["outputs"])


def test_ideas_are_collected_in_german(world: World, user: int) -> None:
    """Without judging any; what the user names becomes a task after approval."""
    asked = world.ask(user, "/brainstorm Lass uns bitte Ideen sammeln", language_code="de")
    assert "Wofür" in asked["text"]
    world.ask(user, "Ein Fest im Garten", language_code="de")
    more = world.ask(user, "Lampions aufhängen, Kuchen backen", language_code="de")
    assert "• Kuchen backen" in more["text"]
    assert "Aufgaben" in world.ask(user, "Das ist genug", language_code="de")["text"]
    card = world.ask(user, "Kuchen backen und Lampions aufhängen", language_code="de")
    decide(world, user, card, "Ja, mach das")
    assert set(estimates(world, user)) == {"Kuchen backen", "Lampions aufhängen"}
    assert in_session(world, user)["status"] == "completed"
