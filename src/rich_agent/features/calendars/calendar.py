"""Calendar of a user's plans, whatever keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from rich_agent.feature import DatedEntry
from rich_agent.feature.times import in_short_months, next_occurrence, occurrences

DAYS_BACK, DAYS_AHEAD = 30, 366
"""The days that a calendar shows, counted from today."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A user's plans from the day `since` on; `time_zone` is "" while it is not known."""

    since: date
    time_zone: str
    entries: Sequence[DatedEntry]


def window_around(today: date) -> tuple[date, date]:
    """The first day that a calendar shows, and the first one that it does not show any more."""
    return today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)


def in_series(entry: DatedEntry) -> Sequence[DatedEntry]:
    """An entry for other programs, in which each series begins on a day that its rule names.

    If a task is due on a day that its rule does not name, this day becomes an entry by itself:
    calendars may read a series with such a first day in different ways. Source: RFC 5545, 3.8.5.3.
    """
    if not entry.rule:
        return (entry,)
    if isinstance(entry.starts, datetime):
        return (replace(entry, rule=_rule_from(entry.starts, entry)),)
    first_entry = replace(entry, rule="")
    following = next_occurrence(entry.rule, entry.starts, entry.starts)
    if following is None:
        return (first_entry,)
    day, rule = following
    series = replace(entry, uid=f"{entry.uid}-next", starts=day, rule=rule)
    return first_entry, replace(series, ends=day + timedelta(days=1))


def _rule_from(following: datetime, entry: DatedEntry) -> str:
    """The rule from `following` on; its COUNT is reduced by past occurrences."""
    began = entry.began or following
    rule = in_short_months(entry.rule, began)
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    if "COUNT" not in parts:
        return rule
    parts["COUNT"] = str(sum(1 for _ in occurrences(entry.rule, began, following)))
    return ";".join(f"{name}={value}" for name, value in parts.items())
