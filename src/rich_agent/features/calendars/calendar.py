"""Calendar of a user's plans: the schedule, tasks on their days, and reminders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from rich_agent.feature.agenda import (
    Reminder,
    in_short_months,
    local_of,
    next_occurrence,
    occurrences,
)
from rich_agent.feature.text import shorten

DAYS_BACK, DAYS_AHEAD = 30, 366
"""The days that a calendar shows, counted from today."""
MOST_ENTRIES = 1_000
"""The most of each kind; the latest are left out."""
_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Something on a calendar: whole days, or what clocks show; `ends` is not part of it.

    `rule` is the RRULE (RFC 5545) by which it comes again, "" if it comes once; a COUNT in it
    counts from `began`. `time_zone` is an IANA name, "" for that of the user.
    """

    uid: str
    kind: Literal["block", "task", "reminder"]
    title: str
    starts: date | datetime
    ends: date | datetime | None
    changed_at: datetime
    description: str = ""
    rule: str = ""
    began: datetime | None = None
    time_zone: str = ""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A user's plans from the day `since` on; `time_zone` is "" while it is not known."""

    since: date
    time_zone: str
    entries: Sequence[CalendarEntry]


def window_around(today: date) -> tuple[date, date]:
    """The first day that a calendar shows, and the first one that it does not show any more."""
    return today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)


def reminder_entries(reminder: Reminder, changed_at: datetime) -> Iterator[CalendarEntry]:
    """The times at which a reminder is to come: by its rule, and out of turn."""
    at = CalendarEntry(
        f"reminder-{reminder.id}",
        "reminder",
        shorten(reminder.text, _LONGEST_TITLE),
        reminder.local_start,
        None,
        changed_at,
        reminder.text,
        time_zone=reminder.tz,
    )
    if reminder.local_next:
        yield replace(
            at, starts=reminder.local_next, rule=reminder.rrule, began=reminder.local_start
        )
    if reminder.snoozed_until:
        again = local_of(reminder.snoozed_until, reminder.tz)
        yield replace(at, uid=f"{at.uid}-snoozed", starts=again)


def in_series(entry: CalendarEntry) -> Sequence[CalendarEntry]:
    """An entry as others may write it: the first day of each series is one that its rule names.

    A task may be due on a day that its rule does not name; then that day comes by itself. What
    calendars make of a series that begins so is not defined. Source: RFC 5545, 3.8.5.3.
    """
    if not entry.rule:
        return (entry,)
    if isinstance(entry.starts, datetime):
        return (replace(entry, rule=_counted_from(entry.starts, entry)),)
    first = replace(entry, rule="")
    following = next_occurrence(entry.rule, entry.starts, entry.starts)
    if following is None:
        return (first,)
    day, rule = following
    series = replace(entry, uid=f"{entry.uid}-next", starts=day, rule=rule)
    return first, replace(series, ends=day + timedelta(days=1))


def _counted_from(following: datetime, entry: CalendarEntry) -> str:
    """The rule from `following` on; its COUNT goes down by what is over."""
    began = entry.began or following
    rule = in_short_months(entry.rule, began)
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    if "COUNT" not in parts:
        return rule
    parts["COUNT"] = str(sum(1 for _ in occurrences(entry.rule, began, following)))
    return ";".join(f"{name}={value}" for name, value in parts.items())
