"""Recurrence of a time: an RRULE of RFC 5545, checked before any work is done for it.

`dateutil` looks for the next occurrence of a rule that has none until the year 9999. The calendar
repeats itself every 400 years, so it is asked about dates 7,600 years later: from there, the end is
near, and the longest search takes a fraction of a second.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time

from dateutil.rrule import rrule, rrulestr

from rich_agent.domain.reminders.wall_time import TimeRefusedError, local_of

_SHIFT_YEARS = 7_600
_LAST_YEAR = 2_399
_LONGEST_RULE = 300
MOST_TIMES = 1_000
"""The highest COUNT and INTERVAL."""
_FREQUENCIES = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_DAY = r"(?:MO|TU|WE|TH|FR|SA|SU)"
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
    # One minute at most, so that no rule is due more often than once an hour.
    "BYMINUTE": re.compile(r"\d{1,2}"),
    "WKST": re.compile(_DAY),
}
_STAMP = "%Y%m%dT%H%M%S"


def check_rule(text: str, start: datetime, zone: str) -> str:
    """The rule in its normal form; an UNTIL in UTC becomes a local time of the zone.

    Raises: TimeRefusedError for what cannot be read, or repeats more often than hourly.
    """
    parts = _read(text)
    if parts.get("FREQ", "") not in _FREQUENCIES:
        raise TimeRefusedError(f"FREQ must be one of {', '.join(_FREQUENCIES)}.")
    if "COUNT" in parts and "UNTIL" in parts:
        raise TimeRefusedError("COUNT and UNTIL cannot be used together.")
    for name in ("INTERVAL", "COUNT"):
        if not 1 <= int(parts.get(name, "1")) <= MOST_TIMES:
            raise TimeRefusedError(f"{name} must be between 1 and {MOST_TIMES}.")
    try:
        if until := parts.get("UNTIL"):
            parts["UNTIL"] = f"{_read_until(until, zone):{_STAMP}}"
        _build(parts, start)
    except (ValueError, OverflowError) as error:
        raise TimeRefusedError(f"The rule cannot be used: {error}") from error
    return _write(parts)


def occurrences(rule: str, start: datetime, since: datetime) -> Iterator[datetime]:
    """The local times of a checked rule from `since` on, in order.

    `since` is the start or one of these times, so that nothing before it has to be counted.
    """
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    for found in _build(parts, start if "COUNT" in parts else since):
        local = found.replace(year=found.year - _SHIFT_YEARS)
        if local >= since:
            yield local


def frequency_of(rule: str) -> tuple[str, int]:
    """The unit in which a checked rule repeats (DAILY, ...), and of how many such units."""
    parts = dict(part.split("=", 1) for part in rule.split(";"))
    return parts["FREQ"], int(parts.get("INTERVAL", "1"))


def is_only_frequency(rule: str) -> bool:
    """Whether the unit and their number are all that a checked rule says."""
    return {part.partition("=")[0] for part in rule.split(";")} <= {"FREQ", "INTERVAL"}


def _read(text: str) -> dict[str, str]:
    """The parts of a rule by name, each in its form."""
    if len(text) > _LONGEST_RULE:
        raise TimeRefusedError(f"A rule may have up to {_LONGEST_RULE} characters.")
    parts: dict[str, str] = {}
    for part in filter(None, text.strip().upper().removeprefix("RRULE:").split(";")):
        name, _, value = part.strip().partition("=")
        form = _FORMS.get(name)
        if form is None or name in parts or not form.fullmatch(value):
            raise TimeRefusedError(f"{part[:40]!r} cannot be used in a rule.")
        parts[name] = value
    return parts


def _write(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _read_until(text: str, zone: str) -> datetime:
    if "T" not in text:
        return datetime.combine(datetime.strptime(text, "%Y%m%d"), time(23, 59, 59))  # noqa: DTZ007 - local
    until = datetime.strptime(text.removesuffix("Z"), _STAMP)  # noqa: DTZ007 - local, or made so
    return local_of(until.replace(tzinfo=UTC), zone) if text.endswith("Z") else until


def _build(parts: Mapping[str, str], start: datetime) -> rrule:
    """The library's rule, in the far future."""
    others = {name: value for name, value in parts.items() if name != "UNTIL"}
    built = rrulestr(_write(others), dtstart=_shifted(start))
    assert isinstance(built, rrule)  # noqa: S101 - of one rule
    until = datetime.strptime(parts["UNTIL"], _STAMP) if "UNTIL" in parts else None  # noqa: DTZ007 - local
    if until is None or until.year > _LAST_YEAR:
        return built
    return built.replace(until=_shifted(until))


def _shifted(local: datetime) -> datetime:
    return local.replace(year=local.year + _SHIFT_YEARS)
