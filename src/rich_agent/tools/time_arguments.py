"""Times among the arguments of the product's own tools, in the words of approval cards.

Nothing is left out: what has no words for all of it stays as it is written.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from types import MappingProxyType

from rich_agent.domain.time.day_rules import check_day_rule
from rich_agent.domain.time.wall_time import TimeRefusedError, local_of, read_clock
from rich_agent.domain.time.when import read_when, span_of
from rich_agent.domain.time.zones import zone_named
from rich_agent.times import UTC_ZONE, Clocks, say_duration, say_wait
from rich_agent.tools.rules_in_words import say_rule

_PLAIN = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200e": "", "\u200f": "", "\u061c": ""}
)


def say_time_argument(name: str, value: object, clocks: Clocks) -> str:
    """The words for an argument that is a time: "Fri, 27 Nov, 8:00"; "" for any other.

    They have plain spaces and no marks of direction: a card writes out what is invisible.
    """
    words = _WORDS.get(name)
    if words is None:
        return ""
    try:
        return words(str(value).strip(), clocks).translate(_PLAIN)
    except (ValueError, OverflowError, TimeRefusedError):
        return ""


def _day(text: str, clocks: Clocks) -> str:
    return clocks.dated_day(date.fromisoformat(text))


def _clock(text: str, clocks: Clocks) -> str:
    clock = read_clock(text)
    return clocks.clock(clock) if clock else ""


def _minutes(text: str, clocks: Clocks) -> str:
    return say_duration(timedelta(minutes=int(text)), clocks.locale)


def _when(text: str, clocks: Clocks) -> str:
    """The first time, and how often it repeats."""
    span = span_of(text)
    if span is not None:
        return say_wait(span.total_seconds(), clocks.locale)
    when = read_when(text, clocks.zone or UTC_ZONE, clocks.now)
    first = clocks.dated(when.next)
    if not when.rule:
        return first
    return f"{first} · {say_rule(when.rule, when.next, clocks)}"


def _repeats(text: str, clocks: Clocks) -> str:
    """The rule of a task; the day that it counts from may be another one than today."""
    rule = check_day_rule(text)
    today = local_of(clocks.now, clocks.zone or UTC_ZONE).date()
    words = say_rule(rule, datetime.combine(today, time()), clocks, is_first_shown=False)
    return words if rule else ""


def _place(text: str, clocks: Clocks) -> str:
    zone = zone_named(text)
    return clocks.place(zone) if zone else ""


_WORDS: Mapping[str, Callable[[str, Clocks], str]] = MappingProxyType(
    {
        "date": _day,
        "due_date": _day,
        "recurrence": _repeats,
        "target_date": _day,
        "start_time": _clock,
        "duration_minutes": _minutes,
        "estimated_minutes": _minutes,
        "when": _when,
        "until": _when,
        "time_zone": _place,
    }
)
