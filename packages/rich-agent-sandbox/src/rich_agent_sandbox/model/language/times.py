"""Days, times and repetitions ahead that a text names, as seen from now, in four languages."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from dateutil.rrule import rrulestr

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_STEPS = {
    "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1), "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1), "MONTHLY": timedelta(days=30), "YEARLY": timedelta(days=365),
}  # fmt: skip
_PERIODS = {"週": "WEEKLY", "月": "MONTHLY", "年": "YEARLY"}
_USUAL = time(9)
_TONIGHT = time(21)
_EARLIEST_ALONE = 7  # "at 3" is in the afternoon


@dataclass(frozen=True, slots=True)
class When:
    """A day, a time of day, and an RRULE, as far as they were named; or an `offset` from now."""

    day: date | None = None
    at: time | None = None
    rule: str = ""
    offset: timedelta | None = None

    def moment(self, now: datetime) -> datetime | None:
        """The first such moment after now, at nine where no time was named; None without any."""
        if self.offset is not None:
            return (now + self.offset).replace(second=0, microsecond=0)
        if self.day is None and self.at is None and not self.rule:
            return None
        at = self.at or _USUAL
        if self.rule and self.day is None:
            first: datetime | None = rrulestr(self.rule, dtstart=now.combine(now, at)).after(now)
            return first
        day = self.day or (now.date() if at > now.time() else now.date() + timedelta(days=1))
        return datetime.combine(day, at)

    def changed_by(self, other: "When") -> "When":
        """Return the other's values, and of this the ones that the other leaves open."""
        return When(
            other.day or self.day,
            other.at or self.at,
            other.rule or self.rule,
            other.offset or (None if other.day or other.at else self.offset),
        )

    @property
    def timed_rule(self) -> str:
        """The RRULE with its hour and minute, where a time was named; "" for what is once."""
        at = f";BYHOUR={self.at.hour};BYMINUTE={self.at.minute}" if self.at else ""
        return self.rule + at if self.rule else ""


def read_when(text: str, today: date | None) -> tuple[When, str]:
    """Read the days and times ahead from a text; return them, and the text without them.

    Without `today` only dates that are written out are understood.
    """
    when, left = When(), text
    for patterns, read in _patterns():
        for pattern in patterns:
            found = pattern.search(left)
            told = read(found, when, today) if found else None
            if found and told is not None:
                when, left = told, f"{left[: found.start()]} {left[found.end() :]}"
                break
    return when, left


_Read = Callable[[re.Match[str], When, date | None], When | None]


def _given(found: re.Match[str], name: str) -> str:
    return (found.groupdict().get(name) or "").lower()


def _weekly(found: re.Match[str], when: When, _: date | None) -> When:
    weekdays = _words().weekdays
    named = [weekdays[word.lower()] for word in _words().weekday.findall(found[0])]
    return replace(when, rule=f"FREQ=WEEKLY;BYDAY={','.join(_CODES[at] for at in named)}")


def _workdays(_: re.Match[str], when: When, __: date | None) -> When:
    return replace(when, rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")


def _daily(found: re.Match[str], when: When, _: date | None) -> When:
    return replace(when, rule="FREQ=DAILY", at=_part_of(found) or when.at)


def _repeated(found: re.Match[str], when: When, _: date | None) -> When:
    unit = _given(found, "unit")
    rule = f"FREQ={_PERIODS.get(unit) or _words().units[unit]}"
    number, day = _given(found, "number"), _given(found, "monthday")
    rule += f";INTERVAL={number}" if number and number != "1" else ""
    return replace(when, rule=rule + (f";BYMONTHDAY={day}" if day else ""))


def _offset(found: re.Match[str], when: When, _: date | None) -> When:
    number = _given(found, "number")
    spelt = 0.5 if number == "half an" else _words().numbers.get(number)
    amount = float(number) if spelt is None else spelt
    return replace(when, offset=amount * _STEPS[_words().units[_given(found, "unit")]])


def _dated(found: re.Match[str], when: When, today: date | None) -> When | None:
    month = _given(found, "month")
    year = int(_given(found, "year") or (today.year if today else 1))
    try:
        day = date(year, _words().months.get(month) or int(month), int(found["day"]))
        if not _given(found, "year") and today and day < today:
            day = day.replace(year=year + 1)
    except ValueError:
        return None
    return replace(when, day=day)


def _clock(found: re.Match[str], when: When, _: date | None) -> When | None:
    hour, minute = int(found["hour"]), int(_given(found, "minute") or 0)
    part = _given(found, "part")
    is_bare = "bare" in found.groupdict() and not part
    if hour < 12 and (part in _words().later or (is_bare and 0 < hour < _EARLIEST_ALONE)):
        hour += 12
    if hour > 24 or minute > 59:
        return None
    return replace(when, at=time(hour % 24, 30 if _given(found, "half") else minute))


def _ahead(days: int) -> _Read:
    def read(found: re.Match[str], when: When, today: date | None) -> When | None:
        if today is None:
            return None
        return replace(when, day=today + timedelta(days=days), at=when.at or _part_of(found))

    return read


def _tonight(_: re.Match[str], when: When, today: date | None) -> When | None:
    return replace(when, day=today, at=when.at or _TONIGHT) if today else None


def _weekday(found: re.Match[str], when: When, today: date | None) -> When | None:
    if today is None:
        return None
    number = _words().weekdays[_given(found, "weekday")]
    ahead = (number - today.weekday()) % 7 or 7
    if _given(found, "next_week"):
        ahead = 7 - today.weekday() + number
    return replace(when, day=today + timedelta(days=ahead))


def _next_week(_: re.Match[str], when: When, today: date | None) -> When | None:
    return replace(when, day=today + timedelta(days=7 - today.weekday())) if today else None


def _part(found: re.Match[str], when: When, _: date | None) -> When | None:
    return replace(when, at=when.at or _part_of(found))


def _part_of(found: re.Match[str]) -> time | None:
    hour = _words().parts.get(_given(found, "part"))
    return None if hour is None else time(hour)


_READ: Mapping[str, _Read] = {
    "weekly": _weekly, "workdays": _workdays, "daily": _daily, "repeated": _repeated,
    "offset": _offset, "dated": _dated, "clock": _clock, "in_two_days": _ahead(2),
    "tomorrow": _ahead(1), "tonight": _tonight, "today": _ahead(0), "weekday": _weekday,
    "next_week": _next_week, "part": _part,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of the tables, each with what it means."""

    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    parts: Mapping[str, int]
    later: frozenset[str]
    weekday: re.Pattern[str]


@cache
def _words() -> _Words:
    told = _table()
    weekdays = {
        word: at for line in told["words"]["weekdays"] for at, word in enumerate(line.split())
    }
    return _Words(
        weekdays,
        {word: at for line in told["words"]["months"] for at, word in enumerate(line.split(), 1)},
        {word: unit for unit, words in told["units"].items() for word in words.split()},
        {word: int(number) for number, words in told["numbers"].items() for word in words.split()},
        {word: int(hour) for hour, words in told["parts"].items() for word in words.split()},
        frozenset(told["words"]["later"].split()),
        re.compile("|".join(weekdays), re.IGNORECASE),
    )


@cache
def _patterns() -> tuple[tuple[tuple[re.Pattern[str], ...], _Read], ...]:
    words = _words()
    spelt = {
        "WEEKDAY": words.weekdays, "MONTH": words.months, "UNIT": words.units, "PART": words.parts,
        "NUMBER": words.numbers,
    }  # fmt: skip

    def pattern(line: str) -> re.Pattern[str]:
        for name, of in spelt.items():
            line = line.replace(name, "|".join(sorted(of, key=len, reverse=True)))
        return re.compile(line, re.IGNORECASE)

    return tuple(
        (tuple(map(pattern, filter(None, told["said"].splitlines()))), _READ[told["read"]])
        for told in _table()["time"]
    )


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("times.toml").read_text(encoding="utf-8"))
