"""/calendar: a user subscribes to their plans, and ends it."""

import re
from typing import Any

import httpx
import icalendar

from rich_agent.phrases import say
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import command, labels, press, shown
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import World


def address_in(message: dict[str, Any]) -> str:
    """The address that a message shows, to be copied."""
    (code,) = [entity for entity in message["entities"] if entity["type"] == "code"]
    shown_as_code = message["text"][code["offset"] : code["offset"] + code["length"]]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/calendar/[\w-]{43}\.ics", shown_as_code)
    return str(shown_as_code)


def pressed(world: World, user: int, message: dict[str, Any], phrase: str) -> dict[str, Any]:
    """The message once one of its buttons was pressed."""
    chat = press(world, user, message, say("en", phrase))
    return shown(chat, message["message_id"])


def titles_at(address: str) -> list[str] | int:
    """The titles that the calendar shows, or the status of an answer without one."""
    answer = httpx.get(address, trust_env=False)
    if answer.status_code != 200:
        return answer.status_code
    calendar = icalendar.Calendar.from_ical(answer.content)
    return [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")]


def test_calendar_is_subscribed_to_renewed_and_ended(world: World, user: int) -> None:
    """The address shows what was planned; the bot polls, and keeps the address nowhere."""
    name = f"Xylophone{user}"
    world.sandbox.script(name, calling("create_task", title=name, due_date="2026-12-24"), "Added.")
    world.ask(user, f"Add a task: {name}, for Christmas Eve")
    message = command(world, user, "/calendar")
    assert labels(message) == [say("en", "calendars-make")]
    message = pressed(world, user, message, "calendars-make")
    first = address_in(message)
    assert titles_at(first) == [name]

    again = command(world, user, "/calendar")
    assert "calendar/" not in again["text"]
    assert address_in(pressed(world, user, again, "calendars-show")) == first
    token = first.rpartition("/")[2].removesuffix(".ics")
    assert set(rows_naming(world, token)) <= {"telegram_inbox"}

    second = address_in(pressed(world, user, message, "calendars-renew"))
    assert titles_at(first) == 404
    assert titles_at(second) == [name]
    pressed(world, user, shown(world.sandbox.chat(user), message["message_id"]), "calendars-end")
    assert titles_at(second) == 404


def test_calendar_goes_with_everything_else_about_its_user(world: World, user: int) -> None:
    """/forget ends it."""
    message = pressed(world, user, command(world, user, "/calendar"), "calendars-make")
    address = address_in(message)
    assert titles_at(address) == []
    pressed(world, user, command(world, user, "/forget"), "forget-yes")
    assert titles_at(address) == 404
