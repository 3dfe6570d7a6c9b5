"""The schedule of a day as a picture in the chat: when it comes, how often, and its text."""

import io
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from rich_agent.features.day_picture.drawing import TINTS, WIDTH_PX
from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import asked, decide
from tests.acceptance.test_commands import command, data_of, press, press_data, shown
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

pytestmark = pytest.mark.feature("agenda")
Json = dict[str, Any]
DAY = "2099-01-05"


def block(at: str, title: str, kind: str = "work") -> Json:
    """A call that puts an hour into the schedule."""
    return calling(
        "create_schedule_block",
        date=DAY,
        start_time=at,
        duration_minutes=60,
        title=title,
        block_type=kind,
    )


def saving(*titles: str) -> Json:
    """A call that saves a schedule of hours from nine on."""
    blocks = [
        {"start_time": f"{9 + number}:00", "duration_minutes": 60, "title": title}
        for number, title in enumerate(titles)
    ]
    data = {"date": DAY, "blocks": blocks}
    return calling("save_ceremony_output", output_type="schedule", data=data)


def pictures(world: World, user: int) -> list[Json]:
    """The bot's messages with a picture."""
    return [reply for reply in world.sandbox.replies(user) if reply["photo_url"]]


def drawn(world: World, message: Json) -> Image.Image:
    """The picture of a message."""
    content = world.sandbox.http.get(f"{world.sandbox.url}{message['photo_url']}").content
    return Image.open(io.BytesIO(content)).convert("RGB")


def proposal(world: World, user: int) -> Json:
    """The card of a session in which two blocks wait for approval."""
    world.sandbox.script(f"plan {user}", "When?")
    world.ask(user, f"/plan plan {user}")
    world.sandbox.script(
        f"agreed, {user}",
        {"calls": [block("09:00", "論文の執筆"), block("10:15", "Lunch", "break")]},
        "Your day is planned.",
    )
    return world.ask(user, f"agreed, {user}")


@pytest.fixture(scope="module")
def ward(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database without documents; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def test_approved_blocks_come_as_one_picture_below_their_text(world: World, user: int) -> None:
    """The text holds the whole day; the picture is no caption's and has each kind's colours."""
    decide(world, user, proposal(world, user), "Approve")
    *_, text, picture = world.sandbox.replies(user)
    assert text["text"].startswith("Your day is planned.\n\nMonday, 5 January 2099")
    assert "09:00–10:00 論文の執筆" in text["text"]
    assert "10:15–11:15 Lunch" in text["text"]
    assert "✓" not in text["text"]
    assert pictures(world, user) == [picture]
    assert picture["text"] == ""
    image = drawn(world, picture)
    assert image.width == WIDTH_PX
    seen = {colour for _, colour in image.getcolors(1 << 24) or ()}
    assert {TINTS["work"].ground, TINTS["break"].ground} <= seen
    assert TINTS["meeting"].ground not in seen


def test_saved_schedule_is_a_card_and_one_picture(world: World, user: int) -> None:
    """It stands for the blocks that were approved in the same turn: a turn sends one picture."""
    world.sandbox.script(f"plan {user}", "When?")
    world.ask(user, f"/plan plan {user}")
    written = {"calls": [block("09:00", "A"), block("10:00", "B")]}
    world.sandbox.script(f"agreed, {user}", written, saving("A", "B"), "Go!")
    decide(world, user, world.ask(user, f"agreed, {user}"), "Approve")
    assert len(pictures(world, user)) == 1
    text = world.sandbox.replies(user)[-2]["text"]
    assert text.count("09:00–10:00 A") == text.count("10:00–11:00 B") == 1


def test_other_results_are_cards_without_a_picture(world: World, user: int) -> None:
    """Whatever their shape; nothing of a schedule that cannot be read is made up."""
    world.sandbox.script(f"plan {user}", "When?")
    world.ask(user, f"/plan plan {user}")
    data = {"wins": ["Shipped", {"what": "Rested", "when": "Sunday"}], "next_week": "Write"}
    odd = calling("save_ceremony_output", output_type="schedule", data="Rest all day")
    save = calling("save_ceremony_output", output_type="summary", data=data)
    world.sandbox.script(f"agreed, {user}", save, odd, "Saved.")
    answer = world.ask(user, f"agreed, {user}")
    lines = answer["text"].splitlines()
    assert lines[:2] == ["Saved.", ""]
    assert lines[2] == "Summary"
    assert [line.strip(" •⦁-–◦▪") for line in lines[3:]] == [
        *("", "wins:", "Shipped", "Rested · Sunday", "next week: Write", ""),
        *("Schedule", "", "Rest all day"),
    ]
    bold = [e for e in answer["entities"] if e["type"] == "bold"]
    assert len(bold) == 2
    assert pictures(world, user) == []


def test_block_that_nobody_was_asked_about_is_not_drawn(world: World, user: int) -> None:
    """A line tells of it; a picture for each small change would be too much."""
    answer = asked(world, user, block("09:00", "Dentist"), "Noted.")
    assert "✓ Added to your schedule: 5 Jan 2099, 9:00–10:00 Dentist." in answer["text"]
    assert pictures(world, user) == []


def test_edited_message_takes_the_picture_of_its_first_answer_along(
    world: World, user: int
) -> None:
    """A picture cannot be edited, so it goes; the new answer brings its own."""
    world.sandbox.script(f"plan {user}", "When?")
    world.ask(user, f"/plan plan {user}")
    world.sandbox.script(f"first {user}", saving("A"), "Saved.")
    sent = world.sandbox.say(user, f"first {user}")
    world.answer(user, sent)
    (first,) = pictures(world, user)
    world.sandbox.script(f"second {user}", saving("B", "C"), "Saved again.")
    edit = world.sandbox.say(user, f"second {user}", edit_message_id=sent.message_id)
    wait_until(lambda: world.is_done(edit) or None, "the edit is answered")
    (second,) = pictures(world, user)
    assert second["message_id"] != first["message_id"]
    world.sandbox.script(f"third {user}", "Never mind.")
    edit = world.sandbox.say(user, f"third {user}", edit_message_id=sent.message_id)
    wait_until(lambda: world.is_done(edit) or None, "the second edit is answered")
    assert pictures(world, user) == []
    assert world.sandbox.replies(user, sent.message_id)[-1]["text"] == "Never mind."


@pytest.mark.req("DUR-2", "IDEMP-1")
@pytest.mark.parametrize("kind", ["reset", "502_done", "502", "429"])
def test_picture_comes_once_when_telegram_fails(world: World, user: int, kind: str) -> None:
    """Whether Telegram had taken it or not; of two copies the first one is deleted."""
    card = proposal(world, user)
    world.sandbox.fail("telegram", kind, method="sendPhoto", chat_id=user)
    decide(world, user, card, "Approve")
    *_, text, picture = world.sandbox.replies(user)
    assert pictures(world, user) == [picture]
    assert "論文の執筆" in text["text"]
    assert drawn(world, picture).width == WIDTH_PX


def test_picture_that_telegram_refuses_leaves_its_text(world: World, user: int) -> None:
    """The answer is whole without it, and nothing is tried again."""
    card = proposal(world, user)
    world.sandbox.fail("telegram", "400_entities", method="sendPhoto", chat_id=user)
    answer = decide(world, user, card, "Approve")
    assert "論文の執筆" in answer["text"]
    assert pictures(world, user) == []
    given_up = "SELECT update_id FROM telegram_inbox WHERE user_id = %s AND dead_at IS NOT NULL"
    assert world.rows(given_up, user) == []


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("DUR-2", "IDEMP-1")
@pytest.mark.parametrize("kind", ["delay", "timeout"], ids=["before", "after"])
def test_picture_comes_once_when_its_process_is_killed(ward: World, user: int, kind: str) -> None:
    """Before Telegram took it, or before its number was stored; the blocks are written once."""
    with running_bot(ward.environment) as bot:
        card = proposal(ward, user)
        ward.sandbox.fail("telegram", kind, method="sendPhoto", delay_s=8, chat_id=user)
        begun = "SELECT 1 FROM telegram_outbox WHERE chat_id = %s AND part >= 1000"
        body = {"message_id": card["message_id"], "callback_data": data_of(card, "Approve")}
        ward.sandbox.http.post(f"{ward.sandbox.url}/sim/chats/{user}/press", json=body)
        wait_until(lambda: ward.rows(begun, user) or None, "the picture is being sent")
        if kind == "timeout":
            wait_until(lambda: pictures(ward, user) or None, "Telegram has the picture")
        bot.send_signal(signal.SIGKILL)
    ward.sandbox.recover()
    with running_bot(ward.environment):
        done = "SELECT 1 FROM telegram_outbox WHERE chat_id = %s AND part >= 1000 AND text <> ''"
        wait_until(lambda: ward.rows(done, user) or None, "the picture is there")
    assert len(pictures(ward, user)) == 1
    texts = [reply["text"] for reply in ward.sandbox.replies(user)]
    assert sum("論文の執筆" in text and "planned" in text for text in texts) == 1
    blocks = ward.rows("SELECT title FROM schedule_blocks WHERE user_id = %s", user)
    assert len(blocks) == 2


def test_today_offers_its_schedule_as_a_picture(world: World, user: int) -> None:
    """By a button, which sends it for each press once; a damaged one sends nothing."""
    world.rows(
        "INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title) VALUES (%s,"
        " (now() AT TIME ZONE 'UTC')::date + time '00:00',"
        " (now() AT TIME ZONE 'UTC')::date + time '23:59', 'Travel') RETURNING id",
        user,
    )
    listed = command(world, user, "/today")
    assert "00:00–23:59 Travel" in listed["text"]
    chat = press(world, user, listed, "As a picture")
    (picture,) = pictures(world, user)
    assert shown(chat, picture["message_id"])["photo_url"]
    assert drawn(world, picture).width == WIDTH_PX
    for data in ("daypicture1:", "daypicture1:2099-99-99", "daypicture1:2001-01-01"):
        press_data(world, user, listed["message_id"], data)
    assert len(pictures(world, user)) == 1
