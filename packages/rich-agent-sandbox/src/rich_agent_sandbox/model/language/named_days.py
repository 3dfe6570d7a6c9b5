"""Past days that a text names: "yesterday", "in March", 「先週」, "letzte Woche", 「上周」.

Weeks begin on Monday; a month without a year is the most recent one with that name.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

DaySpan = tuple[date | None, date | None]
"""First and last day, None for an open end."""

ALWAYS: DaySpan = (None, None)
_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    )
    for number, name in enumerate(names.split(), 1)
}
_WEEKDAYS = {
    name: number
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    )
    for number, name in enumerate(names.split())
}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"


def named_days(text: str, today: date) -> tuple[DaySpan, str]:
    """The days that a case-folded text names, and the text without their names."""
    for pattern, days in _SPANS:
        found = pattern.search(text)
        span = days(found, today) if found else None
        if found and span:
            return span, f"{text[: found.start()]} {text[found.end() :]}"
    return ALWAYS, text


def _days_ago(found: re.Match[str], today: date) -> DaySpan:
    """A day or a month or a year; of weeks ago, the week around that day."""
    number, unit = int(found["number"]), found["unit"]
    if unit in {"week", "woche", "週間"}:
        day = today - timedelta(weeks=number)
        return day - timedelta(days=3), day + timedelta(days=3)
    if unit in {"day", "tag", "日", "天"}:
        return (today - timedelta(days=number),) * 2
    if unit in {"year", "jahr", "年"}:
        return _year(today.year - number)
    return _month(*_months_back(today, number))


def _months_back(today: date, number: int) -> tuple[int, int]:
    place = today.year * 12 + today.month - 1 - number
    return place // 12, place % 12 + 1


def _month(year: int, month: int) -> DaySpan:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _year(year: int) -> DaySpan:
    return date(year, 1, 1), date(year, 12, 31)


def _named_month(found: re.Match[str], today: date) -> DaySpan | None:
    """The month, or its day where one is given."""
    given = found.groupdict()
    name = given["month"]
    month = int(name) if name.isdecimal() else _MONTHS[name]
    if not 1 <= month <= 12:
        return None
    year = int(given.get("year") or today.year - (month > today.month))
    day = int(given.get("day") or 0)
    if 1 <= day <= monthrange(year, month)[1]:
        return (date(year, month, day),) * 2
    return _month(year, month)


def _weekday(found: re.Match[str], today: date) -> DaySpan:
    back = (today.weekday() - _WEEKDAYS[found["weekday"]]) % 7 or 7
    return (today - timedelta(days=back),) * 2


def _week_before(today: date) -> DaySpan:
    monday = today - timedelta(days=today.weekday() + 7)
    return monday, monday + timedelta(days=6)


_Reading = Callable[[re.Match[str], date], DaySpan | None]


def _from_today(days: Callable[[date], DaySpan]) -> _Reading:
    return lambda _, today: days(today)


def _day_before(days: int) -> _Reading:
    return _from_today(lambda today: (today - timedelta(days=days),) * 2)


_SPANS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(pattern), days)
    for pattern, days in (
        (rf"\b{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)\b", _named_month),
        (
            r"\bthe day before yesterday\b|\bvorgestern\b|\banteayer\b|おととい|一昨日|前天",
            _day_before(2),
        ),
        (r"\byesterday\b|\bgestern\b|\bayer\b|昨日|きのう|昨天", _day_before(1)),
        (r"\b(?:today|this morning|heute|hoy)\b|今日|今朝|今天", _day_before(0)),
        (
            r"\b(?:last|letzten?) (?:week|woche)\b|\bla semana pasada\b|先週|上周|上星期",
            _from_today(_week_before),
        ),
        (
            r"\b(?:this|diese) (?:week|woche)\b|今週|这周|这星期",
            _from_today(lambda today: (today - timedelta(days=today.weekday()), today)),
        ),
        (
            r"\b(?:last|letzten) (?:month|monat)\b|\bel mes pasado\b|先月|上个月",
            _from_today(lambda today: _month(*_months_back(today, 1))),
        ),
        (
            r"\b(?:this|diesen) (?:month|monat)\b|今月|这个月",
            _from_today(lambda today: (today.replace(day=1), today)),
        ),
        (
            r"\b(?:last|letztes) (?:year|jahr)\b|去年|昨年",
            _from_today(lambda today: _year(today.year - 1)),
        ),
        (r"\b(?P<number>\d{1,3}) (?P<unit>day|week|month|year)s? ago\b", _days_ago),
        (r"\bvor (?P<number>\d{1,3}) (?P<unit>tag|woche|monat|jahr)(?:en|n|e)?\b", _days_ago),
        (r"(?P<number>\d{1,3})(?P<unit>日|天|週間|[かヶカケ箇]月|年)前", _days_ago),
        (rf"\b(?:on |am )?(?:the )?{_DAY} (?:of )?{_MONTH}(?: {_YEAR})?\b", _named_month),
        (rf"\b(?:on )?{_MONTH} {_DAY}(?:,? {_YEAR})?\b", _named_month),
        (rf"\b(?:in|last|during|back in|im|en) {_MONTH}(?: {_YEAR})?\b", _named_month),
        (rf"(?:{_YEAR}年)?(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})[日号]", _named_month),
        (rf"(?:{_YEAR}年)?(?P<month>\d{{1,2}})月", _named_month),
        (rf"\b(?:on|last|am|letzten) (?P<weekday>{'|'.join(_WEEKDAYS)})\b", _weekday),
        (rf"\bin {_YEAR}\b|{_YEAR.replace('year', 'named')}年", lambda found, _: _a_year(found)),
    )
)


def _a_year(found: re.Match[str]) -> DaySpan:
    return _year(int(found["year"] or found["named"]))
