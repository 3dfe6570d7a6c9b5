"""Dates, times and durations as people say them, in each language; programs get exact forms.

Hours count to 24 in all languages: that is how times are written in commands too.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from math import inf
from types import MappingProxyType
from typing import Literal

from babel import Locale
from babel.core import get_global
from babel.dates import (
    format_date,
    format_datetime,
    format_skeleton,
    format_timedelta,
    get_datetime_format,
    get_day_names,
)

from rich_agent.domain.languages import ENGLISH, SUPPORTED_LOCALES
from rich_agent.domain.time.wall_time import local_of
from rich_agent.errors import DailyLimitError
from rich_agent.phrases import say

UTC_ZONE = "UTC"
_WEEK = 7
_NEAR = {-1: "day-yesterday", 0: "day-today", 1: "day-tomorrow"}
_TWO_DIGITS = "HH"
_Unit = Literal["day", "hour", "minute"]
_MINUTES: Mapping[_Unit, int] = MappingProxyType({"day": 1_440, "hour": 60, "minute": 1})


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The language and the clocks of a person who is told times.

    `zone` is an IANA name, "" while it is not known: then times are told in UTC, which is said.
    """

    locale: str
    zone: str = ""
    now: datetime = field(default_factory=_now)

    def moment(self, at: datetime) -> str:
        """An instant: "tomorrow, 8:00"."""
        local = self._local(at)
        words = _day_and_clock(self.locale, self.day(local.date()), self.clock(local))
        return words if self.zone else f"{words} {UTC_ZONE}"

    def last(self, at: datetime | None) -> str:
        """When something was last, "never" where it was not."""
        return self.moment(at) if at else say(self.locale, "never")

    def day_of(self, at: datetime) -> str:
        """The day of an instant."""
        return self.day(self._local(at).date())

    def day(self, day: date) -> str:
        """A day: "tomorrow", "Friday" within a week, "12 Dec", with the year if it is another."""
        today = self._local(self.now).date()
        away = (day - today).days
        if away in _NEAR:
            return say(self.locale, _NEAR[away])
        if 0 < away < _WEEK:
            return self._weekday(day)
        skeleton = "MMMd" if day.year == today.year else "yMMMd"
        return format_skeleton(skeleton, day, locale=_cldr_locale(self.locale))

    def written(self, text: str) -> str:
        """The day of an ISO date or time; what is neither as it is."""
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return text
        return self.day_of(at) if at.tzinfo else self.day(at.date())

    def span(self, begins: datetime, ends: datetime) -> str:
        """A part of a day, from a local time to another: "tomorrow, 8:00–9:30"."""
        return _day_and_clock(self.locale, self.day(begins.date()), self.hours(begins, ends))

    def dated(self, local: datetime) -> str:
        """A local time by its date, for what is read later too: "Fri, 27 Nov, 8:00"."""
        return _day_and_clock(self.locale, self.dated_day(local.date()), self.clock(local))

    def dated_day(self, day: date) -> str:
        """A day by its date, for what is read later too: "Fri, 27 Nov"."""
        skeleton = "MMMEd" if day.year == self._local(self.now).year else "yMMMEd"
        return format_skeleton(skeleton, day, locale=_cldr_locale(self.locale))

    def dated_span(self, begins: datetime, ends: datetime) -> str:
        """A part of a day by its date: "Fri, 27 Nov, 8:00–9:30"."""
        return _day_and_clock(self.locale, self.dated_day(begins.date()), self.hours(begins, ends))

    def present(self) -> str:
        """The present: "Thursday, 14:05"."""
        local = self._local(self.now)
        return _day_and_clock(self.locale, self._weekday(local.date()), self.clock(local))

    def now_in_full(self) -> str:
        """The present with its whole date: "Thursday, 26 November 2026, 14:05"."""
        local = self._local(self.now)
        return _day_and_clock(self.locale, say_full_date(local, self.locale), self.clock(local))

    def clock(self, clock: datetime | time) -> str:
        """A local time of day: "8:00"."""
        return format_datetime(
            datetime(1, 1, 1, clock.hour, clock.minute),  # noqa: DTZ001 - local
            _clock_pattern(self.locale),
            locale=_cldr_locale(self.locale),
        )

    def hours(self, begins: datetime | time, ends: datetime | time) -> str:
        """From one time of day to another: "22:00–7:00"."""
        return f"{self.clock(begins)}–{self.clock(ends)}"

    def place(self, zone: str) -> str:
        """The city that a zone is named after, in the user's language; UTC as it is."""
        if "/" not in zone:
            return zone
        return _city_of(zone, _cldr_locale(self.locale))

    def weekday_names(self) -> list[str]:
        """The short names of the days of a week, from Monday on: "Mon"."""
        names = get_day_names("abbreviated", "stand-alone", _cldr_locale(self.locale))
        return [str(names[place]) for place in range(_WEEK)]

    def _weekday(self, day: date) -> str:
        names = get_day_names("wide", "stand-alone", _cldr_locale(self.locale))
        return str(names[day.weekday()])

    def _local(self, at: datetime) -> datetime:
        return local_of(at, self.zone or UTC_ZONE)


def say_full_date(day: date, locale: str) -> str:
    """A day as a heading: "Thursday, 26 November 2026"."""
    return format_date(day, "full", _cldr_locale(locale))


def say_duration(duration: timedelta, locale: str) -> str:
    """A duration to the minute, at least one: "3 hours", "2 hrs 30 mins"."""
    parts = list(_units(duration))
    return _in_units(parts, "long" if len(parts) == 1 else "short", locale)


def say_wait(seconds: float, locale: str) -> str:
    """Say how long it is until then, at least a minute: "in 20 minutes", "in 5 hrs 20 mins"."""
    parts = list(_units(timedelta(seconds=seconds)))
    if len(parts) == 1:
        [(unit, part)] = parts
        return format_timedelta(part, unit, inf, add_direction=True, locale=_cldr_locale(locale))
    # Of several units, only the short ones are the same in each case of a noun.
    return say(locale, "limit-wait", duration=_in_units(parts, "short", locale))


def say_limit(error: DailyLimitError, clocks: Clocks) -> str:
    """Say what cannot be done today, when it can again, and what can be done until then."""
    return say(
        clocks.locale,
        f"limit-{error.resource}",
        limit=error.limit,
        at=clocks.moment(error.resets_at),
        wait=say_wait(error.left_s, clocks.locale),
    )


def _in_units(
    parts: Iterable[tuple[_Unit, timedelta]], length: Literal["long", "short"], locale: str
) -> str:
    return " ".join(
        format_timedelta(part, unit, inf, format=length, locale=_cldr_locale(locale))
        for unit, part in parts
    )


def _units(duration: timedelta) -> Iterator[tuple[_Unit, timedelta]]:
    minutes = max(1, round(duration.total_seconds() / 60))
    for unit, size in _MINUTES.items():
        count, minutes = divmod(minutes, size)
        if count:
            yield unit, timedelta(minutes=count * size)


@cache
def _cldr_locale(locale: str) -> Locale:
    """CLDR's locale; English as in Europe, where hours count to 24 and days come before months."""
    is_other = locale in SUPPORTED_LOCALES and locale != ENGLISH
    return Locale.parse(locale if is_other else "en-150", sep="-")


@cache
def _clock_pattern(locale: str) -> str:
    """The pattern of hours to 24, without a leading zero."""
    return str(_cldr_locale(locale).datetime_skeletons["Hm"].pattern).replace(_TWO_DIGITS, "H")


def _city_of(zone: str, locale: Locale) -> str:
    """The city that a zone is named after; CLDR knows some zones by their old names."""
    zones = locale.time_zones
    names = (zone, *(old for old, new in get_global("zone_aliases").items() if new == zone))
    cities = (str(zones[name]["city"]) for name in names if "city" in zones.get(name, {}))
    return next(cities, zone.rpartition("/")[2].replace("_", " "))


def _day_and_clock(locale: str, day: str, clock: str) -> str:
    pattern = str(get_datetime_format("medium", locale=_cldr_locale(locale))).replace("'", "")
    return pattern.replace("{1}", day).replace("{0}", clock)
