"""Days that a text names: as a date, or as seen from today."""

import re
from datetime import date, timedelta

_ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_TODAY = re.compile(
    r"\b(?:today|now|date|time)\b[^\n]{0,80}?(?P<day>\d{4}-\d{2}-\d{2})", re.IGNORECASE
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AHEAD = (
    (re.compile(r"day after tomorrow|明後日|あさって"), 2),
    (re.compile(r"\btomorrow\b|明日|あした"), 1),
    (re.compile(r"\b(?:today|tonight)\b|今日|本日"), 0),
)


def today_in(instructions: str) -> date | None:
    """The day that a prompt gives as today."""
    found = _TODAY.search(instructions)
    return date.fromisoformat(found["day"]) if found else None


def due_day(text: str, today: date | None) -> str:
    """The first day that a text names, ISO; "" for none, or for one that needs to know today."""
    if written := _ISO.search(text):
        return written[0]
    if today is None:
        return ""
    said = text.lower()
    for named, days in _AHEAD:
        if named.search(said):
            return (today + timedelta(days=days)).isoformat()
    for number, weekday in enumerate(_WEEKDAYS):
        if re.search(rf"\b{weekday}\b", said):
            return (today + timedelta(days=(number - today.weekday()) % 7)).isoformat()
    return ""
