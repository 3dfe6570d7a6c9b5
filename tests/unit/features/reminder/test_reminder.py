"""Reminders that are due, snoozed, moved or late, and what becomes of them."""

# ruff: noqa: DTZ001 - what clocks show has no offset

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

import pytest

from rich_agent.domain.time.wall_time import QuietHours, read_clock, read_quiet_hours
from rich_agent.features.reminder.reminder import (
    Reminder,
    cancel,
    finish,
    fire,
    move,
    snooze,
)

DUE = datetime(2026, 11, 24, 0, 0, tzinfo=UTC)
LOCAL = datetime(2026, 11, 24, 9, 0)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = QuietHours(time(22), time(7))
START = datetime(2026, 1, 1)
ZONES = (
    *("Asia/Tokyo", "Europe/Berlin", "America/New_York", "America/Sao_Paulo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu"),
)


def reminder(rule: str = "", local: datetime = LOCAL) -> Reminder:
    """A reminder in Tokyo, at nine."""
    made = Reminder(1, 42, "Water the plants", "reminder", local, "Asia/Tokyo", rule, local)
    return made.planned()


def test_single_reminder_fires_once_and_is_done() -> None:
    """Before its time nothing is due."""
    early, nothing = fire(reminder(), DUE - HOUR, None)
    assert (nothing, early.status, early.next_at) == (None, "active", DUE)
    after, firing = fire(reminder(), DUE + timedelta(seconds=1), None)
    assert firing is not None
    assert (firing.occurrence, firing.due_at, firing.is_missed) == (DUE, DUE, False)
    assert (after.status, after.next_at) == ("done", None)


def test_repeated_reminder_skips_what_was_missed() -> None:
    """After three days away it comes once, for the last time of them, and goes on."""
    after, firing = fire(reminder("FREQ=DAILY"), DUE + 3 * DAY + HOUR, None)
    assert firing is not None
    assert (firing.occurrence, firing.is_missed) == (DUE + 3 * DAY, False)
    assert (after.next_at, after.status) == (DUE + 4 * DAY, "active")


@pytest.mark.parametrize(
    ("rule", "late", "is_missed"),
    [
        ("", 6 * DAY, False),
        ("", 8 * DAY, True),
        ("FREQ=WEEKLY", 11 * HOUR, False),
        ("FREQ=WEEKLY", 13 * HOUR, True),
    ],
)
def test_reminder_that_is_too_late_counts_as_missed(
    rule: str, late: timedelta, *, is_missed: bool
) -> None:
    """One that comes again is of use for hours only, a single one for days."""
    _, firing = fire(reminder(rule), DUE + late, None)
    assert firing is not None
    assert firing.is_missed is is_missed


def test_last_time_of_a_rule_ends_the_reminder() -> None:
    """COUNT is counted from the start, however often it was looked at."""
    first, _ = fire(reminder("FREQ=DAILY;COUNT=2"), DUE, None)
    last, firing = fire(first, DUE + DAY, None)
    assert firing is not None
    assert (firing.occurrence, last.status) == (DUE + DAY, "done")


def test_quiet_hours_put_a_reminder_off_to_their_end() -> None:
    """It comes once then, in time, even if several times lie in the night."""
    late_evening = reminder("FREQ=HOURLY", datetime(2026, 11, 24, 22, 30))
    due = datetime(2026, 11, 24, 13, 30, tzinfo=UTC)
    morning = datetime(2026, 11, 24, 22, 0, tzinfo=UTC)
    held, nothing = fire(late_evening, due, NIGHT)
    assert (nothing, held.next_at, held.local_next) == (None, morning, late_evening.local_next)
    after, firing = fire(held, morning, NIGHT)
    assert firing is not None
    assert firing.due_at == morning
    assert after.next_at == morning + timedelta(minutes=30)


def test_snoozed_reminder_comes_in_quiet_hours_too() -> None:
    """Somebody who asks for ten minutes is awake."""
    came, _ = fire(reminder(local=datetime(2026, 11, 24, 21, 55)), DUE + 12.95 * HOUR, NIGHT)
    now = datetime(2026, 11, 24, 13, 0, tzinfo=UTC)
    snoozed = snooze(came, "10m", now)
    after, firing = fire(snoozed, now + timedelta(minutes=10), NIGHT)
    assert firing is not None
    assert firing.occurrence == now + timedelta(minutes=10)
    assert after.status == "done"


@pytest.mark.parametrize(
    ("span", "comes"),
    [
        ("10m", DUE + timedelta(minutes=12)),
        ("1h", DUE + timedelta(minutes=62)),
        ("1d", DUE + DAY),
        (DUE + 5 * HOUR, DUE + 5 * HOUR),
    ],
)
def test_snooze_counts_from_now_once_the_reminder_has_come(span: object, comes: datetime) -> None:
    """Tomorrow is at the hour of the reminder; its rule goes on beside."""
    now = DUE + timedelta(minutes=2)
    once = snooze(fire(reminder(), DUE, None)[0], span, now)  # type: ignore[arg-type]  # of the table
    assert (once.next_at, once.status) == (comes, "active")
    daily = snooze(fire(reminder("FREQ=DAILY"), DUE, None)[0], "1h", now)
    assert (daily.snoozed_until, daily.regular_at) == (DUE + timedelta(minutes=62), DUE + DAY)


def test_snooze_puts_off_a_reminder_that_has_not_come_yet() -> None:
    """From the time when it is due; of a repeated one, that time only."""
    assert snooze(reminder(), "1h", DUE - 5 * HOUR).next_at == DUE + HOUR
    put_off = snooze(reminder("FREQ=DAILY"), "1h", DUE - 5 * HOUR)
    assert (put_off.next_at, put_off.regular_at) == (DUE + HOUR, DUE + DAY)
    twice = snooze(put_off, "1h", DUE - 5 * HOUR)
    assert (twice.next_at, twice.regular_at) == (DUE + 2 * HOUR, DUE + DAY)
    assert snooze(reminder(), "1d", DUE - HOUR).next_at == DUE + DAY


def test_snooze_of_a_cancelled_reminder_brings_it_once() -> None:
    """Its rule stays cancelled."""
    again = snooze(cancel(reminder("FREQ=DAILY")), "1h", DUE)
    assert (again.next_at, again.local_next, again.status) == (DUE + HOUR, None, "active")


def test_finish_ends_what_was_snoozed_and_keeps_the_rule() -> None:
    """Done is done, until the next time."""
    came, _ = fire(reminder("FREQ=DAILY"), DUE, None)
    assert finish(snooze(came, "10m", DUE)) == came


def test_move_keeps_the_hour_on_the_clocks_of_the_new_zone() -> None:
    """A time that is over there already is not made up for."""
    daily = reminder("FREQ=DAILY")
    now = datetime(2026, 11, 23, 23, 0, tzinfo=UTC)
    london = move(daily, "Europe/London", now)
    assert london.next_at == datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    auckland = move(daily, "Pacific/Auckland", now)
    assert auckland.next_at == datetime(2026, 11, 24, 20, 0, tzinfo=UTC)


def test_paused_reminder_stays_paused_until_its_user_is_back() -> None:
    """Whatever else changes."""
    paused = replace(reminder("FREQ=DAILY"), status="paused")
    assert move(paused, "Europe/London", DUE).status == "paused"


def test_quiet_hours_are_read_as_users_write_them() -> None:
    """With either dash; nonsense is none."""
    assert read_quiet_hours("22:00-07:00") == read_quiet_hours("22:00 – 7:00") == NIGHT
    for nonsense in ("22-7", "22:00", "25:00-07:00", "07:00-07:00", "a:b-c:d", "-" * 9999):
        assert read_quiet_hours(nonsense) is None
    assert read_clock("8:00") == time(8)
    assert NIGHT.text == "22:00-07:00"


@pytest.mark.parametrize("zone", ZONES)
def test_hourly_reminder_never_comes_twice_at_one_instant(zone: str) -> None:
    """Neither at a gap, where two local times are one instant, nor at a fold."""
    reminder = Reminder(1, 42, "", "reminder", START, zone, "FREQ=HOURLY", START).planned()
    came: list[datetime] = []
    for _ in range(320 * 24):
        assert reminder.next_at is not None
        reminder, firing = fire(reminder, reminder.next_at, None)
        assert firing is not None
        came.append(firing.occurrence)
    assert came == sorted(set(came))
    longest = max(later - earlier for earlier, later in pairwise(came))
    assert longest <= timedelta(hours=2)
