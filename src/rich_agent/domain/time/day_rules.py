"""Rules for days without a time, such as those of a recurring task."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from itertools import takewhile

from rich_agent.domain.time.recurrence import (
    check_rule,
    in_short_months,
    occurrences,
    parts_of,
)
from rich_agent.domain.time.wall_time import TimeRefusedError

_SOME_DAY = datetime.fromisoformat("2026-01-01")
_OF_HOURS = {"BYHOUR", "BYMINUTE"}


def check_day_rule(text: str) -> str:
    """The RRULE (RFC 5545) in its normal form; "" for "".

    Raises: TimeRefusedError if it cannot be read, names times of day, or fits no day.
    """
    if not text.strip():
        return ""
    rule = check_rule(text, _SOME_DAY, "UTC")
    parts = parts_of(rule)
    if parts["FREQ"] == "HOURLY" or _OF_HOURS & parts.keys():
        raise TimeRefusedError("A task is due on days. Use DAILY, WEEKLY, MONTHLY or YEARLY.")
    if "UNTIL" not in parts and next(occurrences(rule, _SOME_DAY, _SOME_DAY), None) is None:
        raise TimeRefusedError("No day fits this rule.")
    return rule


def next_occurrence(rule: str, due: date, today: date) -> tuple[date, str] | None:
    """The first day after `due` and `today`, and the rule from that day on, None without one.

    COUNT is reduced by one for each day, also for missed ones.
    """
    parts = parts_of(in_short_months(rule, due))
    count = int(parts.pop("COUNT", "0"))
    missed_days = sum(1 for _ in takewhile(lambda day: day <= today, _days_after(due, parts)))
    next_day = next((day for day in _days_after(due, parts) if day > today), None)
    if next_day is None or 0 < count <= missed_days + 1:
        return None
    if count:
        parts["COUNT"] = str(count - missed_days - 1)
    return next_day, _rule_of(parts)


def _days_after(due: date, parts: Mapping[str, str]) -> Iterator[date]:
    """The days of a rule after `due`."""
    start = datetime.combine(due, time.min)
    days = (moment.date() for moment in occurrences(_rule_of(parts), start, start))
    return (day for day in days if day > due)


def _rule_of(parts: Mapping[str, str]) -> str:
    """The rule with these parts."""
    return ";".join(f"{name}={value}" for name, value in parts.items())
