"""Times as users meet them in a running bot, with the demo's stand-in for a model."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.acceptance.parameters import some_of
from tests.acceptance.program_tokens import make_token
from tests.acceptance.test_commands import labels
from tests.acceptance.world import World

BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")
_EXACT = re.compile(r"\d{4}-\d\d-\d\d|\dT\d|\bPT?\d+[DHM]|FREQ=|\d{4}/\d\d/\d\d")
"""Dates, times, durations and rules as programs write them."""
_ENGLISH = re.compile(r"\b(?:today|tomorrow|yesterday|[A-Z][a-z]+day|hrs?|mins)\b")
_COMMANDS = (
    *("/reminders", "/tasks", "/today", "/notes", "/memory", "/files", "/tokens", "/status"),
    *("/timezone", "/privacy", "/web", "/sources", "/export", "/calendar", "/connect", "/voice"),
)
_WISHES = {
    "de": ("morgen um acht an den Arzt erinnern", "Arzt – morgen, 8:00"),
    "ja": ("明日8時に病院とリマインドして", "病院 – 明日 8:00"),
    "ar": ("ذكّرني غدًا الساعة الثامنة بالطبيب", "غدًا، 8:00"),
    "hi": ("मुझे कल आठ बजे डॉक्टर की याद दिलाना", "डॉक्टर – कल, 8:00"),
}
_KEPT = """
WITH noted AS (INSERT INTO notes (user_id, title, content) VALUES (%s, 'n', 'n') RETURNING 1)
INSERT INTO tasks (user_id, title, due_date)
SELECT %s, 't', day FROM unnest(%s::date[]) AS day RETURNING 1
"""
_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069\u200e\u200f")


def today_in(zone: ZoneInfo) -> datetime:
    """Midnight, where clocks show that zone, without an offset."""
    now = datetime.now(UTC).astimezone(zone)
    return now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def said_to(world: World, user: int) -> list[str]:
    """Each text and button that the bot showed the user."""
    told = world.sandbox.replies(user)
    return [text for one in told for text in (one["text"], *labels(one))]


def planned(world: World, user: int) -> dict[str, Any]:
    """The only reminder of a user."""
    (row,) = world.rows(
        "SELECT text, tz, local_next, extract(epoch FROM next_at - now()) AS in_s FROM schedules "
        "WHERE user_id = %s AND status = 'active'",
        user,
    )
    return row


@pytest.mark.feature("agenda", "reminder")
@pytest.mark.costs("it is a whole day of commands")
@pytest.mark.parametrize("language", some_of(sorted(_WISHES), "ar", "ja"))
def test_day_of_commands_shows_no_time_as_programs_write_it(
    world: World, user: int, language: str
) -> None:
    """Nor a word of English about one: lists, answers, sessions, tokens, limits, notices."""
    wish, told = _WISHES[language]

    def ask(text: str) -> str:
        return str(world.ask(user, text, language_code=language)["text"])

    ask("/timezone Europe/Berlin")
    assert told in ask(wish).translate(_ISOLATES)
    days = [today_in(BERLIN) + timedelta(away) for away in (-3, -1, 0, 1, 4, 40, 400)]
    world.rows(_KEPT, user, user, days)
    make_token(world.environment, user, "--days", "2")
    for command in _COMMANDS:
        ask(command)
    said = said_to(world, user)
    assert not [text for text in said if _EXACT.search(text)]
    assert not [text for text in said if _ENGLISH.search(text)]


@pytest.mark.feature("reminder")
def test_reminder_comes_at_the_hour_that_was_said(world: World, user: int) -> None:
    """At eight of the user's tomorrow, with the words that it is about, in German throughout."""
    world.ask(user, "/timezone Berlin", language_code="de")
    answer = world.ask(user, "Kannst du mich morgen um acht an den Arzt erinnern?")
    tomorrow = today_in(BERLIN) + timedelta(days=1, hours=8)
    row = planned(world, user)
    assert (row["text"], row["local_next"]) == ("Arzt", tomorrow)
    assert "Ich erinnere dich." in answer["text"]
    assert "✓ Erinnerung: Arzt – morgen, 8:00" in answer["text"]
    assert "1. Arzt\nmorgen, 8:00" in world.ask(user, "/reminders")["text"]


@pytest.mark.feature("reminder")
def test_one_minute_is_one_minute(world: World, user: int) -> None:
    """Neither a zone nor a time of day is needed, and it is not put off to a whole minute."""
    answer = world.ask(user, "Erinner mich in einer Minute", language_code="de")
    row = planned(world, user)
    assert row["text"] == "Erinnerung"
    assert 0 < row["in_s"] <= 60
    assert "✓ Erinnerung: Erinnerung – in 1 Minute" in answer["text"]


@pytest.mark.feature("reminder")
@pytest.mark.parametrize(
    ("wish", "place", "zone"),
    [
        ("明日8時に病院とリマインドして", "東京", "Asia/Tokyo"),
        ("remind me tomorrow at 8", "I'm in Berlin, Germany", "Europe/Berlin"),
        ("remind me tomorrow at 8", "FAR", "FAR"),
    ],
)
def test_place_that_is_named_sets_the_reminder_by_its_own_day(
    world: World, user: int, wish: str, place: str, zone: str
) -> None:
    """A city in any script, one with its country, and one where it is another day than in UTC."""
    if place == "FAR":
        # At any time one of them has another day than UTC.
        place = "Kiritimati" if datetime.now(UTC).hour >= 11 else "Pago Pago"
        zone = f"Pacific/{place.replace(' ', '_')}"
    asked = world.ask(user, wish)["text"]
    assert "city" in asked or "都市" in asked
    answer = world.ask(user, place)
    row = planned(world, user)
    assert row["tz"] == zone
    assert row["local_next"] == today_in(ZoneInfo(zone)) + timedelta(days=1, hours=8)
    assert re.search("(?:tomorrow, |明日 )8:00", answer["text"])
    known = world.rows("SELECT time_zone FROM users WHERE telegram_user_id = %s", user)
    assert known == [{"time_zone": zone}]


@pytest.mark.feature("reminder")
def test_country_with_several_zones_asks_which_with_buttons(world: World, user: int) -> None:
    """In the command too; a press of a city chooses its zone."""
    shown = world.ask(user, "/timezone Spanien", language_code="de")
    assert "mehrere Zeitzonen" in shown["text"]
    assert labels(shown)[:1] == ["Madrid"]
    world.ask(user, "remind me tomorrow at 8")
    asked = world.ask(user, "USA")
    assert labels(asked)[:2] == ["New York", "Chicago"]
    assert world.rows("SELECT 1 FROM schedules WHERE user_id = %s", user) == []


def test_every_prompt_knows_the_users_time(world: World, user: int) -> None:
    """The day, the weekday and the time where the user is: so the question can be answered."""
    world.ask(user, "/timezone Asia/Tokyo")
    before, begun = world.sandbox.mark(), datetime.now(UTC)
    answer = world.ask(user, "what time is it?")["text"]
    minutes = {begun.astimezone(TOKYO), datetime.now(UTC).astimezone(TOKYO)}
    assert any(f"{at.hour}:{at:%M}" in answer for at in minutes)
    prompts = [
        str(call["body"]["messages"])
        for call in world.sandbox.calls("openai", before)
        if "messages" in call["body"]
    ]
    assert prompts
    for prompt in prompts:
        assert any(f"{at:%A, %Y-%m-%d %H:%M} in Asia/Tokyo" in prompt for at in minutes)
