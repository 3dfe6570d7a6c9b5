"""Recurrence of a time: an RRULE of RFC 5545, checked before any work is done for it.

For a rule without a next occurrence, `dateutil` searches until the year 9999. The calendar repeats
itself every 400 years. So the library gets dates 7,600 years later, near that end: then the longest
search takes a fraction of a second.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time

from dateutil.rrule import rrule, rrulestr

from rich_agent.domain.time.wall_time import TimeRefusedError, local_of

_SHIFT_YEARS = 7_600
_LAST_YEAR = 2_399
_LONGEST_RULE = 300
MOST_TIMES = 1_000
"""The highest COUNT and INTERVAL."""
_FREQUENCIES = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_DAY = r"(?:MO|TU|WE|TH|FR|SA|SU)"
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NUMBERS = r"[+-]?\d{1,3}(?:,[+-]?\d{1,3}){0,60}"
_FORMS: Mapping[str, re.Pattern[str]] = {
    "FREQ": re.compile(r"[A-Z]{1,20}"),
    "INTERVAL": re.compile(r"\d{1,4}"),
    "COUNT": re.compile(r"\d{1,4}"),
    "UNTIL": re.compile(r"\d{8}(?:T\d{6}Z?)?"),
    "BYDAY": re.compile(rf"(?:[+-]?\d{{1,2}})?{_DAY}(?:,(?:[+-]?\d{{1,2}})?{_DAY}){{0,30}}"),
    "BYMONTHDAY": re.compile(_NUMBERS),
    "BYYEARDAY": re.compile(_NUMBERS),
    "BYWEEKNO": re.compile(_NUMBERS),
    "BYMONTH": re.compile(_NUMBERS),
    "BYSETPOS": re.compile(_NUMBERS),
    "BYHOUR": re.compile(_NUMBERS),
    # A single minute, so that no rule is due more often than once an hour.
    "BYMINUTE": re.compile(r"\d{1,2}"),
    "WKST": re.compile(_DAY),
}
_DAYS_OF_OTHER_KINDS = frozenset({"BYDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"})
_LATE_DAYS = frozenset({"29", "30", "31"})
_UP_TO = {"29": "28,29", "30": "28,29,30"}
_STAMP = "%Y%m%dT%H%M%S"


def check_rule(text: str, start: datetime, zone: str) -> str:
    """The rule in its normal form; an UNTIL in UTC becomes a local time of the zone.

    Raises: TimeRefusedError if it cannot be read, or repeats more often than hourly.
    """
    rule_parts = _read(text)
    if rule_parts.get("FREQ", "") not in _FREQUENCIES:
        raise TimeRefusedError(f"FREQ must be one of {', '.join(_FREQUENCIES)}.")
    if "COUNT" in rule_parts and "UNTIL" in rule_parts:
        raise TimeRefusedError("COUNT and UNTIL cannot be used together.")
    for name in ("INTERVAL", "COUNT"):
        if not 1 <= int(rule_parts.get(name, "1")) <= MOST_TIMES:
            raise TimeRefusedError(f"{name} must be between 1 and {MOST_TIMES}.")
    try:
        if until := rule_parts.get("UNTIL"):
            rule_parts["UNTIL"] = f"{_read_until(until, zone):{_STAMP}}"
        _build(rule_parts, start)
    except (ValueError, OverflowError) as error:
        raise TimeRefusedError(f"The rule cannot be used: {error}") from error
    return _write(rule_parts)


def occurrences(rule: str, start: datetime, since: datetime) -> Iterator[datetime]:
    """The local times of a checked rule from `since` on, in order.

    `since` is the start or one of these times, so that earlier times need not be counted.
    """
    rule_parts = _in_short_months(parts_of(rule), start)
    for far_time in _build(rule_parts, start if "COUNT" in rule_parts else since):
        local_time = far_time.replace(year=far_time.year - _SHIFT_YEARS)
        if local_time >= since:
            yield local_time


def in_short_months(rule: str, start: date) -> str:
    """The rule in a form that falls on the last day of months that are too short.

    RFC 5545 skips months without a 31st, and years without a 29 February. People who say "on the
    31st of every month" expect a day in each, as RFC 7529 defines with SKIP=BACKWARD.
    """
    return _write(_in_short_months(parts_of(rule), start))


def parts_of(rule: str) -> dict[str, str]:
    """The parts of a checked rule by name."""
    return dict(part.split("=", 1) for part in rule.split(";"))


def without_end(rule: str) -> str:
    """The checked rule without its number of times and its last time."""
    parts = parts_of(rule)
    return _write({name: value for name, value in parts.items() if name not in {"COUNT", "UNTIL"}})


def ends_of(rule: str) -> tuple[int, date | None]:
    """The number of times of a checked rule, 0 without one, and its last day, None without one."""
    parts = parts_of(rule)
    until = datetime.strptime(parts["UNTIL"], _STAMP).date() if "UNTIL" in parts else None  # noqa: DTZ007 - local
    return int(parts.get("COUNT", "0")), until


def frequency_of(rule: str) -> tuple[str, int]:
    """The unit in which a checked rule repeats (DAILY, ...), and the number of units."""
    parts = parts_of(rule)
    return parts["FREQ"], int(parts.get("INTERVAL", "1"))


def follows_from_first(rule: str, first: datetime) -> bool:
    """Whether the frequency and the first time say everything about a checked rule.

    "Monday, 9:00, every week" says everything about FREQ=WEEKLY;BYDAY=MO.
    """
    parts_of_first = {
        "BYDAY": WEEKDAYS[first.weekday()],
        "BYMONTHDAY": str(first.day),
        "BYMONTH": str(first.month),
        "BYHOUR": str(first.hour),
        "BYMINUTE": str(first.minute),
    }
    parts = parts_of(rule)
    unit = parts.pop("FREQ")
    # A first date does not imply BYDAY in a month, nor BYMONTH in a shorter interval than a year.
    parts_by_unit = {
        "WEEKLY": {"BYDAY"},
        "MONTHLY": {"BYMONTHDAY"},
        "YEARLY": {"BYMONTH", "BYMONTHDAY"},
    }
    implied_names = parts_by_unit.get(unit, set()) | {"BYHOUR", "BYMINUTE"}
    return all(
        name == "INTERVAL" or (name in implied_names and parts_of_first[name] == value)
        for name, value in parts.items()
    )


def _in_short_months(parts: Mapping[str, str], start: date) -> Mapping[str, str]:
    """The parts, extended by earlier days that may be the last of a month."""
    if not _DAYS_OF_OTHER_KINDS.isdisjoint(parts) or "," in parts.get("BYHOUR", ""):
        return parts
    days = parts.get("BYMONTHDAY", f"{start.day}").split(",")
    month = parts.get("BYMONTH", "" if "BYMONTHDAY" in parts else f"{start.month}")
    if parts["FREQ"] == "YEARLY" and (month, days) == ("2", ["29"]):
        return {**parts, "BYMONTH": month, "BYMONTHDAY": _UP_TO["29"], "BYSETPOS": "-1"}
    if parts["FREQ"] != "MONTHLY" or _LATE_DAYS.isdisjoint(days):
        return parts
    if "31" in days or len(days) > 1:
        return {**parts, "BYMONTHDAY": ",".join("-1" if day == "31" else day for day in days)}
    return {**parts, "BYMONTHDAY": _UP_TO[days[0]], "BYSETPOS": "-1"}


def _read(text: str) -> dict[str, str]:
    """The parts of a rule by name.

    Raises: TimeRefusedError if one has the wrong form.
    """
    if len(text) > _LONGEST_RULE:
        raise TimeRefusedError(f"A rule may have up to {_LONGEST_RULE} characters.")
    parts: dict[str, str] = {}
    for part in filter(None, text.strip().upper().removeprefix("RRULE:").split(";")):
        name, _, value = part.strip().partition("=")
        form = _FORMS.get(name)
        if form is None or name in parts or not form.fullmatch(value):
            raise TimeRefusedError(f"{part[:40]!r} cannot be used in a rule.")
        parts[name] = value.replace("+", "")
    return parts


def _write(parts: Mapping[str, str]) -> str:
    """The rule with these parts."""
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _read_until(text: str, zone: str) -> datetime:
    """The local time of an UNTIL."""
    if "T" not in text:
        return datetime.combine(datetime.strptime(text, "%Y%m%d"), time(23, 59, 59))  # noqa: DTZ007 - local
    until = datetime.strptime(text.removesuffix("Z"), _STAMP)  # noqa: DTZ007 - local, or made so
    return local_of(until.replace(tzinfo=UTC), zone) if text.endswith("Z") else until


def _build(parts: Mapping[str, str], start: datetime) -> rrule:
    """The library's rule, 7,600 years later."""
    parts_without_until = {name: value for name, value in parts.items() if name != "UNTIL"}
    library_rule = rrulestr(_write(parts_without_until), dtstart=_shift(start))
    assert isinstance(library_rule, rrule)  # noqa: S101 - of one rule
    until = datetime.strptime(parts["UNTIL"], _STAMP) if "UNTIL" in parts else None  # noqa: DTZ007 - local
    if until is None or until.year > _LAST_YEAR:
        return library_rule
    return library_rule.replace(until=_shift(until))


def _shift(local: datetime) -> datetime:
    """The time 7,600 years later."""
    return local.replace(year=local.year + _SHIFT_YEARS)
