"""Dates, times and durations in words, for people, in each language.

Hours run from 0 to 23 in all languages, since commands write times like this too.
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
_WEEK_DAYS = 7
_NEAR_DAYS = {-1: "day-yesterday", 0: "day-today", 1: "day-tomorrow"}
_TWO_DIGITS = "HH"
_Unit = Literal["day", "hour", "minute"]
_UNIT_MINUTES: Mapping[_Unit, int] = MappingProxyType({"day": 1_440, "hour": 60, "minute": 1})


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clocks:
    """Formats times for a person, in their language and their time zone."""

    locale: str
    zone: str = ""
    """IANA name; "" while it is not known. Then times are in UTC, and say so."""
    now: datetime = field(default_factory=_now)
    """The moment that "today" and "tomorrow" are counted from."""

    def moment(self, at: datetime) -> str:
        """Day and time of an instant: "tomorrow, 8:00"."""
        local = self._local(at)
        words = _day_and_clock(self.locale, self.day(local.date()), self.clock(local))
        return words if self.zone else f"{words} {UTC_ZONE}"

    def last(self, at: datetime | None) -> str:
        """The last time of an event, "never" for None."""
        return self.moment(at) if at else say(self.locale, "never")

    def day_of(self, at: datetime) -> str:
        """Day of an instant, in the form of `day`."""
        return self.day(self._local(at).date())

    def day(self, day: date) -> str:
        """A day: "tomorrow", "Friday" within a week, "12 Dec", or "12 Dec 2027" in another year."""
        today = self._local(self.now).date()
        days_ahead = (day - today).days
        if days_ahead in _NEAR_DAYS:
            return say(self.locale, _NEAR_DAYS[days_ahead])
        if 0 < days_ahead < _WEEK_DAYS:
            return self._weekday(day)
        skeleton = "MMMd" if day.year == today.year else "yMMMd"
        return format_skeleton(skeleton, day, locale=_cldr_locale(self.locale))

    def written(self, text: str) -> str:
        """Day of an ISO date or time, in the form of `day`; any other text unchanged."""
        try:
            instant = datetime.fromisoformat(text)
        except ValueError:
            return text
        return self.day_of(instant) if instant.tzinfo else self.day(instant.date())

    def span(self, begins: datetime, ends: datetime) -> str:
        """A span between two local times of a day: "tomorrow, 8:00–9:30"."""
        return _day_and_clock(self.locale, self.day(begins.date()), self.hours(begins, ends))

    def dated(self, local: datetime) -> str:
        """A local time with its date, for texts that are read later too: "Fri, 27 Nov, 8:00"."""
        return _day_and_clock(self.locale, self.dated_day(local.date()), self.clock(local))

    def dated_day(self, day: date) -> str:
        """The date of a day, for texts that are read later too: "Fri, 27 Nov"."""
        skeleton = "MMMEd" if day.year == self._local(self.now).year else "yMMMEd"
        return format_skeleton(skeleton, day, locale=_cldr_locale(self.locale))

    def dated_span(self, begins: datetime, ends: datetime) -> str:
        """A span between two local times, with its date: "Fri, 27 Nov, 8:00–9:30"."""
        return _day_and_clock(self.locale, self.dated_day(begins.date()), self.hours(begins, ends))

    def present(self) -> str:
        """The present time: "Thursday, 14:05"."""
        local = self._local(self.now)
        return _day_and_clock(self.locale, self._weekday(local.date()), self.clock(local))

    def now_in_full(self) -> str:
        """The present time with its full date: "Thursday, 26 November 2026, 14:05"."""
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
        """A span between two times of day: "22:00–7:00"."""
        return f"{self.clock(begins)}–{self.clock(ends)}"

    def place(self, zone: str) -> str:
        """The city that a zone is named after, in the user's language; "UTC" unchanged."""
        if "/" not in zone:
            return zone
        return _city_of(zone, _cldr_locale(self.locale))

    def weekday_names(self) -> list[str]:
        """The short names of the weekdays, Monday first: "Mon"."""
        name_by_day = get_day_names("abbreviated", "stand-alone", _cldr_locale(self.locale))
        return [str(name_by_day[weekday]) for weekday in range(_WEEK_DAYS)]

    def _weekday(self, day: date) -> str:
        name_by_day = get_day_names("wide", "stand-alone", _cldr_locale(self.locale))
        return str(name_by_day[day.weekday()])

    def _local(self, instant: datetime) -> datetime:
        return local_of(instant, self.zone or UTC_ZONE)


def say_full_date(day: date, locale: str) -> str:
    """The full date of a day: "Thursday, 26 November 2026"."""
    return format_date(day, "full", _cldr_locale(locale))


def say_duration(duration: timedelta, locale: str) -> str:
    """A duration in whole minutes, one at least: "3 hours", "2 hrs 30 mins"."""
    parts = list(_units(duration))
    return _in_units(parts, "long" if len(parts) == 1 else "short", locale)


def say_wait(seconds: float, locale: str) -> str:
    """Say in how long a wait ends, one minute at least: "in 20 minutes", "in 5 hrs 20 mins"."""
    parts = list(_units(timedelta(seconds=seconds)))
    if len(parts) == 1:
        [(unit, part)] = parts
        return format_timedelta(part, unit, inf, add_direction=True, locale=_cldr_locale(locale))
    # Of several units, only the short ones are the same in each case of a noun.
    return say(locale, "limit-wait", duration=_in_units(parts, "short", locale))


def say_limit(error: DailyLimitError, clocks: Clocks) -> str:
    """Say which daily limit is reached, when it is reset, and what works until then."""
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
    for unit, size in _UNIT_MINUTES.items():
        count, minutes = divmod(minutes, size)
        if count:
            yield unit, timedelta(minutes=count * size)


@cache
def _cldr_locale(locale: str) -> Locale:
    """CLDR's locale. English is European: hours run to 23, and days come before months."""
    is_other = locale in SUPPORTED_LOCALES and locale != ENGLISH
    return Locale.parse(locale if is_other else "en-150", sep="-")


@cache
def _clock_pattern(locale: str) -> str:
    """The pattern of a time of day with hours to 23, without a leading zero."""
    return str(_cldr_locale(locale).datetime_skeletons["Hm"].pattern).replace(_TWO_DIGITS, "H")


def _city_of(zone: str, locale: Locale) -> str:
    """The city that a zone is named after. CLDR has some cities under a zone's old name."""
    zones = locale.time_zones
    zone_names = (
        zone,
        *(
            old_name
            for old_name, new_name in get_global("zone_aliases").items()
            if new_name == zone
        ),
    )
    cities = (
        str(zones[zone_name]["city"])
        for zone_name in zone_names
        if "city" in zones.get(zone_name, {})
    )
    return next(cities, zone.rpartition("/")[2].replace("_", " "))


def _day_and_clock(locale: str, day: str, clock: str) -> str:
    pattern = str(get_datetime_format("medium", locale=_cldr_locale(locale))).replace("'", "")
    return pattern.replace("{1}", day).replace("{0}", clock)
