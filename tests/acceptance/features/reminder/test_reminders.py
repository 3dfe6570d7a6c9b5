"""Reminders as a user sees them; over HTTP and PostgreSQL, with times moved in the database."""

import json
import re
import signal
from collections.abc import Iterator
from typing import LiteralString

import pytest

from tests.acceptance.reminding import TEXT, Message, plan, reminded
from tests.acceptance.scripting import calling
from tests.acceptance.session import data_of
from tests.acceptance.test_interrupts import press
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer


def state_of(world: World, number: int) -> list[str]:
    """The states of the times at which a reminder was due."""
    rows = world.rows(
        "SELECT state FROM schedule_firings WHERE schedule_id = %s ORDER BY occurrence", number
    )
    return [row["state"] for row in rows]


def status_of(world: World, number: int) -> str:
    """Whether it is to come again."""
    (row,) = world.rows("SELECT status FROM schedules WHERE id = %s", number)
    return str(row["status"])


def button(message: Message, verb: str) -> str:
    """The data of one of the buttons."""
    return next(data for data in data_of(message) if data.startswith(verb))


def now_in(world: World, user: int, message: Message) -> Message:
    """A message as it reads now."""
    replies = world.sandbox.replies(user)
    return next(one for one in replies if one["message_id"] == message["message_id"])


@pytest.fixture(scope="module")
def ward(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database without documents; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def test_reminder_arrives_once_with_its_buttons(world: World, user: int) -> None:
    """In time it says nothing of a delay, and its message is known by Telegram's number."""
    number = plan(world, user)
    came = reminded(world, user)
    assert came["text"] == f"⏰ {TEXT}"
    verbs = [data.partition(":")[0] for data in data_of(came)]
    assert verbs == ["done1", "snooze1", "snooze1", "snooze1"]
    wait_until(lambda: state_of(world, number) == ["sent"], "it is noted as sent")
    (row,) = world.rows("SELECT message_id FROM schedule_firings WHERE schedule_id = %s", number)
    assert row["message_id"] == came["message_id"]
    assert status_of(world, number) == "done"


def test_done_and_snooze_change_the_reminder_where_it_stands(world: World, user: int) -> None:
    """Snoozed it comes again, once, at the time that the last press named."""
    number = plan(world, user)
    came = reminded(world, user)
    press(world, user, came["message_id"], button(came, "snooze1:10m"))
    assert "I will remind you again" in now_in(world, user, came)["text"]
    press(world, user, came["message_id"], button(came, "snooze1:1h"))
    (row,) = world.rows(
        "SELECT extract(epoch FROM next_at - clock_timestamp()) AS in_s FROM schedules "
        "WHERE id = %s",
        number,
    )
    assert 3_400 < row["in_s"] <= 3_600
    (entity,) = [e for e in now_in(world, user, came)["entities"] if e["type"] == "date_time"]
    assert entity["unix_time"] > 0
    world.rows(
        "UPDATE schedules SET snoozed_until = clock_timestamp(), next_at = clock_timestamp() "
        "WHERE id = %s RETURNING pg_notify('schedules', '')",
        number,
    )
    again = reminded(world, user, times=2)
    press(world, user, again["message_id"], button(again, "done1"))
    finished = now_in(world, user, again)
    assert finished["text"] == f"✓ {TEXT}"
    assert data_of(finished) == []
    assert state_of(world, number) == ["sent", "sent"]
    assert status_of(world, number) == "done"


def test_late_reminder_says_so_and_what_was_missed_is_skipped(world: World, user: int) -> None:
    """Three hours late: one message for the three times, and the next one is planned."""
    number = plan(world, user, in_s=-3 * 3_600 - 60, rule="FREQ=HOURLY")
    reminded(world, user)
    assert len(state_of(world, number)) == 1
    late = plan(world, user, "Late tea", in_s=-3_600)
    assert "(delayed: it was due " in reminded(world, user, "Late tea")["text"]
    wait_until(lambda: state_of(world, late) == ["sent"], "it is noted as sent")
    query: LiteralString = "SELECT next_at > clock_timestamp() AS is_planned FROM schedules"
    assert world.rows(f"{query} WHERE id = %s", number) == [{"is_planned": True}]


def test_users_text_in_a_reminder_leads_nowhere(world: World, user: int) -> None:
    """A model may have written it, from a page that somebody else wrote."""
    plan(world, user, "Look at https://evil.example/x and t.me/evil")
    came = reminded(world, user, "Look at")
    assert not [e for e in came.get("entities", []) if e["type"] in {"url", "text_link", "mention"}]


@pytest.mark.costs("it starts a bot of its own")
def test_blocked_bot_pauses_reminders_until_the_user_writes(ward: World, user: int) -> None:
    """403 ends this one; the next one waits."""
    with running_bot(ward.environment):
        ward.ask(user, "/start")
        ward.sandbox.fail("telegram", "403_blocked", method="sendMessage", times=1)
        number = plan(ward, user, rule="FREQ=DAILY")
        wait_until(lambda: state_of(ward, number) == ["failed"], "it is noted as failed")
        assert status_of(ward, number) == "paused"
        ward.ask(user, "/start")
        assert status_of(ward, number) == "active"


def test_quiet_hours_put_a_reminder_off(world: World, user: int) -> None:
    """A reminder that is due in them is planned for their end, and nobody is woken."""
    (hours,) = world.rows(
        "SELECT to_char(t - interval '2 h', 'HH24:MI') || '-' || to_char(t + interval '2 h', "
        "'HH24:MI') AS text FROM (SELECT clock_timestamp() AT TIME ZONE 'Asia/Tokyo' AS t) AS n"
    )
    said = re.sub(r"\b0(?=\d:)", "", hours["text"]).replace("-", "–")
    assert said in world.ask(user, f"/reminders quiet {hours['text']}")["text"]
    number = plan(world, user)
    wait_until(
        lambda: world.rows(
            "SELECT 1 FROM schedules WHERE id = %s AND next_at > clock_timestamp() + "
            "interval '1 h'",
            number,
        ),
        "it is put off",
    )
    assert state_of(world, number) == []
    assert "no quiet hours" in world.ask(user, "/reminders quiet off")["text"]


def test_reminders_are_listed_cancelled_and_put_off_without_a_model(
    world: World, user: int
) -> None:
    """Five on a page; a press acts on the right one, and shows the page again."""
    numbers = [plan(world, user, f"Task {n}", in_s=3_600 * n) for n in range(1, 8)]
    before = world.sandbox.mark()
    page = world.ask(user, "/reminders")
    assert "You have 7 reminders" in page["text"]
    assert "5. Task 5" in page["text"]
    assert [e for e in page["entities"] if e["type"] == "date_time"]
    press(world, user, page["message_id"], "reminders1:5")
    assert "2. Task 7" in now_in(world, user, page)["text"]
    press(world, user, page["message_id"], f"putoff1:1d:{numbers[0]}:0")
    assert "Task 1" not in now_in(world, user, page)["text"].partition("2. ")[0]
    press(world, user, page["message_id"], f"unremind1:{numbers[1]}:0")
    assert "You have 6 reminders" in now_in(world, user, page)["text"]
    assert status_of(world, numbers[1]) == "cancelled"
    assert "no longer works" in press(world, user, page["message_id"], "unremind1:999999:0")
    assert world.sandbox.calls("openai", before) == []


def test_somebody_elses_reminder_cannot_be_touched(world: World, user: int) -> None:
    """A press that names its number is out of date."""
    number = plan(world, user + 70_000, in_s=3_600)
    page = world.ask(user, "/reminders")
    for data in (f"unremind1:{number}:0", f"snooze1:10m:{number}", f"done1:{number}"):
        assert "no longer works" in press(world, user, page["message_id"], data)
    assert status_of(world, number) == "active"


def test_time_zone_is_shown_set_and_suggested(world: World, user: int) -> None:
    """By name, by a button, and by a name that is almost right; the digest needs it."""
    assert "/timezone" in world.ask(user, "/reminders digest 08:00")["text"]
    offered = world.ask(user, "/timezone")
    assert "zone1:Europe/Berlin" in data_of(offered)
    near = world.ask(user, "/timezone Tokjo")
    assert "zone1:Asia/Tokyo" in data_of(near)
    press(world, user, near["message_id"], "zone1:Asia/Tokyo")
    assert "Your time zone is Tokyo." in now_in(world, user, near)["text"]
    assert "every day at 8:00" in world.ask(user, "/reminders digest 08:00")["text"]
    assert "zone is London." in world.ask(user, "/timezone europe/london")["text"]
    (digest,) = world.rows(
        "SELECT tz, to_char(local_next, 'HH24:MI') AS clock FROM schedules "
        "WHERE user_id = %s AND status = 'active'",
        user,
    )
    assert digest == {"tz": "Europe/London", "clock": "08:00"}
    assert "no daily digest" in world.ask(user, "/reminders digest off")["text"]


@pytest.mark.parametrize("kind", ["prompt", "digest"])
def test_prompt_and_digest_are_answered_like_a_question(world: World, user: int, kind: str) -> None:
    """The model writes the answer, and it is stored as a turn of the user's."""
    number = plan(world, user, "What are your sources?", kind=kind, rule="FREQ=DAILY")
    wait_until(lambda: state_of(world, number) == ["sent"], "the answer is sent")
    assert world.sandbox.replies(user)
    wait_until(lambda: world.decisions(user), "the turn is recorded")


@pytest.mark.costs("it starts a bot of its own")
def test_reminder_survives_the_end_of_its_process(ward: World, user: int) -> None:
    """Killed between the firing and the message: the next process sends it, once."""
    with running_bot(ward.environment) as bot:
        ward.ask(user, "/start")
        ward.sandbox.fail("telegram", "429", method="sendMessage", times=1, retry_after=3)
        number = plan(ward, user)
        wait_until(lambda: state_of(ward, number), "it is handed out")
        bot.send_signal(signal.SIGKILL)
    with running_bot(ward.environment):
        reminded(ward, user)
        wait_until(lambda: state_of(ward, number) == ["sent"], "it is noted as sent")
        assert len([r for r in ward.sandbox.replies(user) if TEXT in r["text"]]) == 1


def test_model_sets_a_reminder_once_it_knows_where_the_user_is(world: World, user: int) -> None:
    """Without a time zone the user is asked; the zone that the model gives then is kept."""
    when = "2099-01-06T09:00"
    world.sandbox.script(
        "call the dentist",
        calling("remind", text="Call the dentist", when=when),
        # Its day is that of UTC, so nothing has to be read again.
        calling("remind", text="Call the dentist", when=when, time_zone="Africa/Abidjan"),
        "I will remind you.",
    )
    asked = world.ask(user, "remind me to call the dentist at nine on January 6, 2099")
    assert "In which city are you?" in asked["text"]
    assert world.rows("SELECT FROM schedules WHERE user_id = %s", user) == []
    world.ask(user, "Abidjan")
    (row,) = world.rows(
        "SELECT tz, to_char(local_next, 'YYYY-MM-DD HH24:MI') AS at, time_zone "
        "FROM schedules JOIN users ON telegram_user_id = user_id WHERE user_id = %s",
        user,
    )
    zone = "Africa/Abidjan"
    assert row == {"tz": zone, "at": "2099-01-06 09:00", "time_zone": zone}


def test_span_from_now_needs_no_time_zone(world: World, user: int) -> None:
    """Twenty minutes are the same everywhere: nobody is asked, and the reminder is kept."""
    world.ask(user, "Remind me in 20 minutes to water the ficus")
    (row,) = world.rows(
        "SELECT tz, next_at - now() BETWEEN interval '18 min' AND interval '21 min' AS is_due "
        "FROM schedules WHERE user_id = %s",
        user,
    )
    assert row == {"tz": "UTC", "is_due": True}


_QUEUE: LiteralString = """
WITH firing AS (
    INSERT INTO schedule_firings (schedule_id, occurrence, due_at, state)
    SELECT id, next_at, next_at, 'queued' FROM schedules WHERE id = %s RETURNING update_id
), notice AS (
    INSERT INTO telegram_inbox (update_id, user_id, raw, urgent)
    SELECT update_id, %s, %s, true FROM firing RETURNING user_id
), moved AS (
    UPDATE schedules SET status = 'done', next_at = NULL WHERE id = %s
)
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
SELECT user_id, true, clock_timestamp() FROM notice
ON CONFLICT (user_id, urgent) DO NOTHING RETURNING pg_notify('telegram_inbox', '')
"""


@pytest.mark.soak
@pytest.mark.req("REL-1")
def test_queued_reminder_is_kept_by_a_bot_without_reminders(ward: World, user: int) -> None:
    """A dead letter, while the user's messages are answered; replayed, the reminder comes."""
    told = {**ward.environment, "FEATURES_OFF": "reminder"}
    with running_bot(told):
        number = plan(ward, user)
        raw = json.dumps({"reminder": {"from": {"id": user}}}).encode()
        ward.rows(_QUEUE, number, user, raw, number)
        query: LiteralString = "SELECT update_id FROM telegram_inbox WHERE dead_at IS NOT NULL"
        (letter,) = wait_until(lambda: ward.rows(query) or None, "it is a dead letter")
        assert state_of(ward, number) == ["queued"]
        assert ward.ask(user, "hi")
    with running_bot(ward.environment):
        command(
            ["rich_agent.cli", "inbox", "replay", "--", str(letter["update_id"])], ward.environment
        )
        reminded(ward, user)
        wait_until(lambda: state_of(ward, number) == ["sent"], "it is noted as sent")
