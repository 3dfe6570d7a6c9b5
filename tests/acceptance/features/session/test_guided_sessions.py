"""Guided sessions in a chat: questions, proposals, approval, and results that are kept."""

import re
import signal
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest

from tests.acceptance.scripting import calling, planning
from tests.acceptance.test_acting import decide, settled, states
from tests.acceptance.test_commands import labels, press
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer
from tests.shown_cards import shown_in

Json = dict[str, Any]
_BLOCK = re.compile(r"(\d\d:\d\d)–\d\d:\d\d (.+)")
_LEAVE = "End the session"
_APPROVAL = ["Approve", "Adjust", "Cancel", _LEAVE]
_DAY = "2099-01-05"
_FIRST = {
    "Write the report (1/2)": "09:00–10:00",
    "Write the report (2/2)": "10:15–11:15",
    "Answer letters": "11:30–12:15",
    "Call the bank": "12:30–12:50",
}
_MEETING = {
    "Write the report (1/2)": "09:00–10:00",
    "Meeting": "11:00–12:00",
    "Write the report (2/2)": "12:15–13:15",
    "Answer letters": "13:30–14:15",
    "Call the bank": "14:30–14:50",
}
_SWAPPED = {**_MEETING, "Call the bank": "13:30–13:50", "Answer letters": "14:15–15:00"}
_MOVED = {**_SWAPPED, "Answer letters": "16:00–16:45"}
_DROPPED = {title: span for title, span in _MOVED.items() if title != "Call the bank"}
_WITH_TEA = {**_DROPPED, "Tea with Ana": "15:00–15:15"}
_WITH_GYM = {**_WITH_TEA, "Gym": "18:30–19:15"}


def plan(blocks: Mapping[str, str]) -> str:
    """A proposal as a model writes it."""
    lines = "\n".join(f"- {span} {title}" for title, span in blocks.items())
    return f"A plan for {_DAY}:\n\n{lines}\n\nShall I put it into your schedule?"


def writing(blocks: Mapping[str, str]) -> Json:
    """Calls that write the blocks."""
    calls = []
    for title, span in blocks.items():
        start, end = (datetime.strptime(at, "%H:%M") for at in span.split("–"))  # noqa: DTZ007
        minutes = (end - start).seconds // 60
        given = {"date": _DAY, "start_time": span[:5], "duration_minutes": minutes}
        calls.append(calling("create_schedule_block", title=title, **given))
    return {"calls": calls}


def kept_and_ended(kind: str, data: Any) -> tuple[Json, Json]:
    """Calls that keep the result of a session and end it."""
    save = calling("save_ceremony_output", output_type=kind, data=data)
    return save, calling("complete_ceremony")


def told(world: World, user: int, text: str, *said: str | Json, **message: Any) -> Json:
    """The bot's message to a text, for which the model says this; a command is not its part."""
    world.sandbox.script(re.sub(r"^/\w+ ", "", text), *said)
    return world.ask(user, text, **message)


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
        refused = world.ask(user, f"My cat is called Miso{number}, and I have one more idea")
        assert "50" in refused["text"]
    assert not world.sandbox.calls("openai", before)


@pytest.mark.feature("agenda")
@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("DUR-1", "INT-1", "REL-1", "REL-2")
def test_day_is_planned_across_a_kill(ward: World, user: int) -> None:
    """Thirteen messages, a process killed within an answer, nothing written before approval."""
    add_tasks(ward, user, "Write the report", "Answer letters", "Call the bank")
    with running_bot(ward.environment) as bot:
        agree_on_a_proposal(ward, user)
        wish = "The letters at 16:00, please"
        aim = [wish, '"stream":true']
        slow = {"text": plan(_MOVED), "containing": aim, "delay_s": 30.0}
        ward.sandbox.fail("openai", "scripted", method="chat.completions", **slow)
        moved = ward.sandbox.say(user, wish)
        wait_until(
            lambda: any(
                "plan" in one["text"] for one in ward.sandbox.replies(user, moved.message_id)
            ),
            "the answer grows",
        )
        bot.send_signal(signal.SIGKILL)
    ward.sandbox.recover()
    ward.sandbox.script(wish, plan(_MOVED))
    with running_bot(ward.environment):
        answer = ward.answer(user, moved)
        assert proposed(answer)["Answer letters"] == "16:00"
        assert len(ward.sandbox.replies(user, moved.message_id)) == 1
        finish(ward, user)


def agree_on_a_proposal(world: World, user: int) -> None:
    """Seven messages: estimates are asked for and kept, and the proposal follows each wish."""
    asking = calling("request_more_information", question="How long will these take?")
    listing = calling("get_tasks")
    question = told(world, user, "/plan Plan tomorrow with me", listing, asking)
    assert "How long will these take?" in question["text"]
    (*_, prompt) = world.sandbox.calls("openai")
    assert all(title in str(prompt["body"]) for title in estimates(world, user))
    rows = world.rows("SELECT id FROM tasks WHERE user_id = %s ORDER BY id", user)
    answers = {row["id"]: minutes for row, minutes in zip(rows, (120, 45, 20), strict=True)}
    keep = [
        calling("update_task", task_id=task, estimated_minutes=n) for task, n in answers.items()
    ]
    lengths = "report 2 hours, letters 45 minutes, bank 20 min"
    card = told(world, user, lengths, {"calls": keep}, plan(_FIRST))
    assert labels(card) == _APPROVAL
    assert set(estimates(world, user).values()) == {None}
    first = decide(world, user, card, "Approve")
    assert set(estimates(world, user).values()) == {120, 45, 20}
    assert len(proposed(first)) == 4
    meeting = proposed(told(world, user, "I have a meeting at 11", plan(_MEETING)))
    assert meeting["Meeting"] == "11:00"
    swapped = proposed(told(world, user, "Swap the letters and the bank", plan(_SWAPPED)))
    assert swapped["Call the bank"] == meeting["Answer letters"]
    assert world.ask(user, "What is a validator?")["text"]
    assert world.ask(user, "/retry")["text"]
    assert in_session(world, user)["messages"] == 5


def finish(world: World, user: int) -> None:
    """The rest: one card is adjusted, the next approved, and the session is over."""
    assert "Call the bank" not in proposed(told(world, user, "Drop the bank", plan(_DROPPED)))
    tea = told(world, user, "Tea with Ana at 15:00 for 15 minutes", plan(_WITH_TEA))
    assert proposed(tea)["Tea with Ana"]
    card = told(world, user, "Yes, that works", writing(_WITH_TEA))
    assert labels(card) == _APPROVAL
    press(world, user, card, "Adjust")
    adjusted = proposed(told(world, user, "Gym at 18:30 for 45 minutes", plan(_WITH_GYM)))
    assert adjusted["Gym"] == "18:30"
    assert adjusted.keys() >= {"Meeting", "Tea with Ana", "Answer letters"}
    assert world.ask(user, "How long is a day?")["text"]
    kept = kept_and_ended("schedule", plan(_WITH_GYM))
    card = told(world, user, "Looks good", writing(_WITH_GYM), *kept, "Have a good day.")
    begin = [f"{given['Begins at']:0>5}" for _, given in shown_in(card["text"])]
    assert sorted(begin) == sorted(adjusted.values())
    assert scheduled(world, user) == {}
    decide(world, user, card, "Approve")
    # The schedule may also be shown as a picture, below the answer.
    texts = [one["text"] for one in world.sandbox.replies(user)]
    assert any("Daily planning completed" in text for text in texts)
    written = scheduled(world, user)
    assert (written["Gym"], written["Answer letters"]) == ("18:30", "16:00")
    ended = in_session(world, user)
    assert (ended["status"], ended["messages"]) == ("completed", 11)
    assert "Gym" in str(ended["outputs"])
    world.ask(user, "hello")
    assert in_session(world, user)["messages"] == ended["messages"]
    assert world.ask(user, "/cancel")["text"] == "No session is open."
    settled(world, user)


@pytest.mark.feature("agenda")
def test_week_is_looked_back_at(world: World, user: int) -> None:
    """Tasks done and left are shown, those left change after approval, and a summary stays."""
    add_tasks(world, user, "Write the report", "Answer letters")
    world.rows(
        "UPDATE tasks SET status = 'done' WHERE user_id = %s AND title LIKE 'Write%%' RETURNING id",
        user,
    )
    found = told(
        world, user, "/review Look back with me", calling("get_tasks", include_completed=True)
    )
    assert all(title in found["text"] for title in ("Write the report", "Answer letters"))
    (row,) = world.rows("SELECT id FROM tasks WHERE user_id = %s AND title LIKE 'A%%'", user)
    deleting = calling("delete_task", task_id=row["id"]), "What went well?"
    card = told(world, user, "Delete the task answer letters", *deleting)
    assert labels(card) == _APPROVAL
    assert "went well" in decide(world, user, card, "Approve")["text"]
    assert states(world, user)["Answer letters"][2]
    asked = told(world, user, "The report went well, sleep was difficult", "And next week?")
    assert "next week" in asked["text"]
    kept = kept_and_ended("summary", ["Run twice", "Read one book"])
    ended = told(world, user, "Run twice, read one book", *kept, "Enjoy it.")
    assert "Weekly review completed" in ended["text"]
    assert "Run twice" in str(in_session(world, user)["outputs"])


@pytest.mark.feature("agenda")
def test_ideas_are_collected_in_german(world: World, user: int) -> None:
    """Without judging any; what the user names becomes a task after approval."""
    opening = "/brainstorm Lass uns bitte Ideen sammeln"
    asked = told(world, user, opening, "Wofür sollen es Ideen sein?", language_code="de")
    assert "Wofür" in asked["text"]
    told(world, user, "Ein Fest im Garten", "Was fällt dir ein?", language_code="de")
    ideas = ["Lampions aufhängen", "Kuchen backen"]
    listed = "\n".join(f"- {idea}" for idea in ideas)
    more = told(world, user, ", ".join(ideas), f"{listed}\n\nUnd noch?", language_code="de")
    assert "• Kuchen backen" in more["text"]
    enough = told(world, user, "Das ist genug", "Was davon soll zu Aufgaben werden?")
    assert "Aufgaben" in enough["text"]
    making = {"calls": [calling("create_task", title=idea) for idea in ideas]}
    kept = kept_and_ended("summary", ideas)
    both = "Kuchen backen und Lampions aufhängen"
    card = told(world, user, both, making, *kept, "Viel Spaß!", language_code="de")
    decide(world, user, card, "Ja, mach das")
    assert set(estimates(world, user)) == set(ideas)
    assert in_session(world, user)["status"] == "completed"


@pytest.mark.parametrize(
    ("text", "language", "over"),
    [("もうやめたい", "ja", "を終了しました"), ("ich mag nicht mehr", "de", "ist abgebrochen")],
)
def test_user_leaves_a_session_in_words(
    ward: World, user: int, text: str, language: str, over: str
) -> None:
    """The planner knows that one is open; the next message is no part of it."""
    with running_bot(ward.environment):
        ward.ask(user, "/plan", language_code=language)
        leaves = planning(text, leaves_session=True, language=language)
        ward.sandbox.fail("openai", "scripted", **leaves)
        assert over in ward.ask(user, text, language_code=language)["text"]
        assert in_session(ward, user)["status"] == "cancelled"
        ward.ask(user, "hello", language_code=language)
        assert in_session(ward, user)["messages"] == 2


@pytest.mark.costs("it goes through sessions")
def test_every_step_of_a_session_has_a_way_out(ward: World, user: int) -> None:
    """A button below answers and questions; it ends only the session that it belongs to."""
    with running_bot(ward.environment):
        first = told(ward, user, "/plan my whole day", "What do you want to do?")
        assert _LEAVE in labels(first)
        ask = calling("request_more_information", question="How long will it take?")
        asked = told(ward, user, "Write the report", ask)
        assert labels(asked) == [_LEAVE]
        press(ward, user, asked, _LEAVE)
        told_so = wait_until(
            lambda: next(iter(ward.sandbox.replies(user, asked["message_id"])), None),
            "the session is over",
        )
        assert "is cancelled" in told_so["text"]
        assert in_session(ward, user)["status"] == "cancelled"
        told(ward, user, "/review the whole week", "What was good?")
        press(ward, user, first, _LEAVE)
        ward.await_idle()
        assert in_session(ward, user)["status"] == "active"


@pytest.mark.feature("agenda")
@pytest.mark.costs("it starts a bot of its own")
def test_session_of_the_demo_comes_to_its_end(ward: World, user: int) -> None:
    """With the stand-in alone: a list, a proposal, a card, and a picture of the day."""
    with running_bot(ward.environment):
        ward.ask(user, "/plan")
        proposal = ward.ask(user, "report 2 hours, gym 1 hour")
        assert "09:00–11:00 report" in proposal["text"]
        card = ward.ask(user, "yes")
        assert labels(card) == _APPROVAL
        decide(ward, user, card, "Approve")
        ended = wait_until(
            lambda: in_session(ward, user)["status"] == "completed" or None, "the session ends"
        )
        assert ended
        assert scheduled(ward, user) == {"report": "09:00", "gym": "11:00"}
