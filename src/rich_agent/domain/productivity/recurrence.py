"""When a recurring task is due again. A rule that is due more than once a day is refused."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from itertools import takewhile

from dateutil.rrule import rrulestr

LONGEST_RULE = 200
_FREQUENCIES = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
_PARTS = frozenset(
    {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS"}
    | {"BYWEEKNO", "BYYEARDAY"}
)
_MOST_PERIODS = 999
_LOOKED_AHEAD = timedelta(days=366 * 12)
"""A rule that fits no day would be followed to the year 9999."""
_FAR_AWAY = date(2200, 1, 1)


def clean_rule(text: str) -> str:
    """The rule in capitals, without a time of day and without its name; "" for "".

    Raises: ValueError if it is no RRULE (RFC 5545) that names days, or fits none in 12 years.
    """
    rule = "".join(text.upper().split()).removeprefix("RRULE:").strip(";")
    if not rule:
        return ""
    if len(rule) > LONGEST_RULE:
        raise ValueError(f"a rule has at most {LONGEST_RULE} characters")
    parts = _parts_of(rule)
    if unknown := parts.keys() - _PARTS:
        raise ValueError(f"{', '.join(sorted(unknown))} cannot be used here")
    if parts.get("FREQ") not in _FREQUENCIES:
        raise ValueError("FREQ is one of DAILY, WEEKLY, MONTHLY, YEARLY")
    for name in ("INTERVAL", "COUNT"):
        if not 1 <= int(parts.get(name, "1")) <= _MOST_PERIODS:
            raise ValueError(f"{name} is a number from 1 to {_MOST_PERIODS}")
    if "UNTIL" in parts:
        parts["UNTIL"] = f"{date.fromisoformat(parts['UNTIL'][:8]):%Y%m%d}"
    try:
        some_day = next(_days_after(parts, date(2026, 1, 1), date(2026, 1, 1)), None)
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError("this is no RRULE") from error
    if some_day is None and "UNTIL" not in parts:
        raise ValueError("no day fits this rule")
    return _rule_of(parts)


def next_occurrence(rule: str, due: date, today: date) -> tuple[date, str] | None:
    """When a task with a cleaned rule is due after `due` and after today; None if never again.

    The rule that goes on from there counts less if it counts. What was missed counts too.
    """
    if due >= _FAR_AWAY:
        return None
    parts = _parts_of(rule)
    days = _days_after(parts, due, today)
    missed = sum(1 for _ in takewhile(lambda day: day <= today, _days_after(parts, due, today)))
    following = next((day for day in days if day > today), None)
    if following is None:
        return None
    if "COUNT" in parts:
        left = int(parts["COUNT"]) - 1 - missed
        if left < 1:
            return None
        parts["COUNT"] = str(left)
    return following, _rule_of(parts)


def _days_after(parts: Mapping[str, str], due: date, today: date) -> Iterator[date]:
    """The days of a rule after `due`, until twelve years from now; `COUNT` ends none of them."""
    end = f"{max(due, today) + _LOOKED_AHEAD:%Y%m%d}"
    until = min(end, parts.get("UNTIL", end))
    bounded = {name: value for name, value in parts.items() if name != "COUNT"} | {"UNTIL": until}
    start = datetime.combine(due, time.min)
    found = rrulestr(_rule_of(bounded), dtstart=start)
    return (day.date() for day in found.xafter(start))


def _parts_of(rule: str) -> dict[str, str]:
    return {name: value for name, _, value in (part.partition("=") for part in rule.split(";"))}


def _rule_of(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())
