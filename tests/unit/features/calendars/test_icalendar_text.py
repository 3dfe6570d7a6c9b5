"""Feeds as calendar programs read them, with two libraries of theirs."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events

from rich_agent.domain.dated_entry import DatedEntry
from rich_agent.features.calendars.calendar import Calendar
from rich_agent.features.calendars.icalendar_text import write_calendar

CHANGED = datetime(2026, 3, 1, 12, tzinfo=UTC)
SINCE = date(2026, 2, 1)


def block(local: str, title: str = "Write", number: int = 1) -> DatedEntry:
    """A block of an hour."""
    starts = datetime.fromisoformat(local)
    ends = starts + timedelta(hours=1)
    return DatedEntry(f"block-{number}", "Schedule", title, starts, ends, CHANGED, is_busy=True)


def task(due: str, rule: str = "", title: str = "Pay rent", description: str = "") -> DatedEntry:
    """A task that is due on a day."""
    day = date.fromisoformat(due)
    after = day + timedelta(days=1)
    return DatedEntry("task-7", "Task", title, day, after, CHANGED, description, rule)


def written(*entries: DatedEntry, zone: str = "Europe/Berlin") -> bytes:
    """The text of a calendar."""
    return write_calendar(Calendar(SINCE, zone, entries), "bot.example")


def read(text: bytes, since: str, until: str) -> list[icalendar.Event]:
    """The events between two days, series taken apart, in order."""
    calendar = icalendar.Calendar.from_ical(text)
    span = (date.fromisoformat(since), date.fromisoformat(until))
    found = recurring_ical_events.of(calendar).between(*span)
    return sorted(found, key=lambda event: str(event.start))


def instant(event: icalendar.Event) -> datetime:
    """When it begins, in UTC."""
    assert isinstance(event.start, datetime)
    return event.start.astimezone(UTC)


def days(events: Sequence[icalendar.Event]) -> list[str]:
    """When they begin."""
    return [event.start.isoformat() for event in events]


def test_blocks_begin_at_the_same_instant_on_both_sides_of_a_change_of_the_clocks() -> None:
    """Nine in Berlin is eight in UTC in winter, and seven in summer."""
    text = written(block("2026-03-28T09:00"), block("2026-03-30T09:00", number=2))
    winter, summer = read(text, "2026-03-01", "2026-05-01")
    instants = [instant(event).hour for event in (winter, summer)]
    assert instants == [8, 7]
    assert [event.duration for event in (winter, summer)] == [timedelta(hours=1)] * 2
    assert b"\r\nDTSTART;TZID=Europe/Berlin:20260328T090000\r\n" in text


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe"]
)
def test_vtimezone_tells_what_the_clocks_show(zone: str) -> None:
    """The rules that are written, read without the zone's name, agree with the zone database."""
    text = written(block("2026-03-28T09:00"), zone=zone)
    calendar = icalendar.Calendar.from_ical(text)
    assert isinstance(calendar, icalendar.Calendar)
    (rules,) = calendar.timezones
    told = rules.to_tz(lookup_tzid=False)
    for day in range(0, 700, 7):
        local = datetime(2026, 3, 1, 9) + timedelta(days=day)  # noqa: DTZ001 - a clock's
        assert local.replace(tzinfo=told).utcoffset() == (
            local.replace(tzinfo=ZoneInfo(zone)).utcoffset()
        ), (zone, local)


def test_blocks_of_an_unknown_zone_stay_local() -> None:
    """A program shows the time as it is."""
    text = written(block("2026-03-28T09:00"), zone="")
    assert b"DTSTART:20260328T090000\r\n" in text
    assert b"VTIMEZONE" not in text


def test_tasks_are_whole_days_that_keep_nobody_busy() -> None:
    """The day on which it is due, in any zone; with what the task says."""
    text = written(task("2026-03-05", description="Landlord; in cash"))
    (event,) = read(text, "2026-03-01", "2026-04-01")
    assert (event.start, event.end) == (date(2026, 3, 5), date(2026, 3, 6))
    assert event["TRANSP"] == "TRANSPARENT"
    assert (event["SUMMARY"], event["DESCRIPTION"]) == ("Pay rent", "Landlord; in cash")
    assert event["UID"] == "task-7@bot.example"
    assert event.DTSTAMP == CHANGED


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", ["2026-03-05", "2026-03-09", "2026-03-16", "2026-03-23"]),
        ("FREQ=WEEKLY;BYDAY=TH;COUNT=3", ["2026-03-05", "2026-03-12", "2026-03-19"]),
        ("FREQ=WEEKLY;BYDAY=TH;COUNT=1", ["2026-03-05"]),
        ("FREQ=WEEKLY;UNTIL=20260312T235959", ["2026-03-05", "2026-03-12"]),
    ],
)
def test_recurring_tasks_come_on_the_days_of_their_rule(rule: str, expected: list[str]) -> None:
    """The day that is due counts as the first, even if the rule does not name it."""
    text = written(task("2026-03-05", rule))
    assert days(read(text, "2026-03-01", "2026-03-25")) == expected


def remind(local: str, rule: str = "", next_time: str = "", **values: Any) -> list[DatedEntry]:
    """The times of a reminder in New York."""
    start = datetime.fromisoformat(local)
    following = datetime.fromisoformat(next_time or local)
    module = import_module("rich_agent.features.reminder.reminder")
    reminder = module.Reminder(
        3, 42, "Call mum", "reminder", start, "America/New_York", rule, following
    )
    return list(module.dated_entries(replace(reminder, **values), CHANGED))


@pytest.mark.feature("reminder")
@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY", ["12T13:00", "13T13:00", "14T13:00"]),
        ("FREQ=DAILY;COUNT=4", ["12T13:00", "13T13:00"]),
        ("FREQ=DAILY;UNTIL=20260313T090000", ["12T13:00", "13T13:00"]),
        ("", ["12T13:00"]),
    ],
)
def test_reminders_come_at_their_times(rule: str, expected: list[str]) -> None:
    """In a zone of their own; what is over of a COUNT is not counted again."""
    text = written(*remind("2026-03-10T09:00", rule, "2026-03-12T09:00"))
    events = read(text, "2026-03-01", "2026-03-15")
    assert [f"{instant(event):%dT%H:%M}" for event in events] == expected
    assert {str(event["SUMMARY"]) for event in events} == {"Call mum"}


@pytest.mark.feature("reminder")
def test_snoozed_reminder_comes_besides() -> None:
    """Out of turn, at the instant until which it was put off."""
    later = datetime(2026, 3, 11, 20, 30, tzinfo=UTC)
    text = written(*remind("2026-03-12T09:00", "FREQ=WEEKLY", snoozed_until=later))
    snoozed, regular = read(text, "2026-03-10", "2026-03-15")
    assert instant(snoozed) == later
    assert snoozed["UID"] != regular["UID"]


def test_text_of_a_title_cannot_become_a_property() -> None:
    """Line ends are escaped, other control characters are left out."""
    title = "A,b;c\\\r\nATTACH:http://evil.example/\nX\x07\x0b" + "長い名前" * 40
    text = written(task("2026-03-05", title=title))
    (event,) = read(text, "2026-03-01", "2026-04-01")
    assert "ATTACH" not in event
    assert event["SUMMARY"] == "A,b;c\\\nATTACH:http://evil.example/\nX" + "長い名前" * 40
    assert all(len(line) <= 75 for line in text.split(b"\r\n"))


def test_calendar_is_the_same_for_the_same_plans() -> None:
    """So a program that has it need not read it again."""
    entries = (block("2026-03-28T09:00"), task("2026-03-05", "FREQ=DAILY"))
    assert written(*entries) == written(*entries)
