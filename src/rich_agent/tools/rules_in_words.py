"""Rules of repetition in the words of approval cards: how often, on which days, and until when."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice

from rich_agent.domain.time.recurrence import (
    WEEKDAYS,
    ends_of,
    follows_from_first,
    occurrences,
    parts_of,
    without_end,
)
from rich_agent.phrases import say_repeats
from rich_agent.times import Clocks

_TIMES_SHOWN = 3
_WEEKLY = frozenset({"FREQ", "INTERVAL", "BYDAY"})


def say_rule(rule: str, first: datetime, clocks: Clocks, *, is_first_shown: bool = True) -> str:
    """The words for a checked rule: "every week (Mon, Thu) … Thu, 31 Dec", "every day × 10".

    What its first time says is not said again where that is shown. Days that have no plain words
    are named by the next three dates.
    """
    if not rule:
        return ""
    endless, (count, until) = without_end(rule), ends_of(rule)
    words = say_repeats(rule, clocks.locale)
    if not (is_first_shown and follows_from_first(endless, first)):
        words += _days(endless, rule, first, clocks)
    words += f" × {count}" if count else ""
    return words + (f" … {clocks.dated_day(until)}" if until else "")


def _days(endless: str, rule: str, first: datetime, clocks: Clocks) -> str:
    parts = parts_of(endless)
    if parts.keys() <= {"FREQ", "INTERVAL"}:
        return ""
    if days := _weekdays(parts, clocks):
        return f" ({days})"
    moments = list(islice(occurrences(rule, first, first), _TIMES_SHOWN + 1))
    has_own_times = any(moment.time() != first.time() for moment in moments)
    say_moment = clocks.dated if has_own_times else lambda moment: clocks.dated_day(moment.date())
    more = " …" if len(moments) > _TIMES_SHOWN else ""
    return f" ({'; '.join(map(say_moment, moments[:_TIMES_SHOWN]))}{more})"


def _weekdays(parts: Mapping[str, str], clocks: Clocks) -> str:
    """The names of the weekdays of a week, "" for other rules."""
    if not parts.keys() <= _WEEKLY or parts["FREQ"] not in {"DAILY", "WEEKLY"}:
        return ""
    days = parts["BYDAY"].split(",")
    if not all(day in WEEKDAYS for day in days):
        return ""
    return ", ".join(clocks.weekday_names()[WEEKDAYS.index(day)] for day in days)
