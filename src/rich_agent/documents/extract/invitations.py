"""Reads invitations to events as people see them in a mail (RFC 5545, RFC 5546)."""

import re
from collections.abc import Iterator
from typing import Final

_PROPERTY: Final = re.compile(r'([A-Za-z-]{1,60})((?:[^":]++|"[^"]*+")*+):(.*)', re.DOTALL)
_FOLD: Final = re.compile(r"\n[ \t]")
_ESCAPED: Final = re.compile(r"\\([\\;,nN])")
_TIME: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_ZONE: Final = re.compile(r';TZID="?([^";:]{1,100})"?')
_NAME: Final = re.compile(r';CN=(?:"([^"]{1,200})"|([^";]{1,200}))')
_LABELS: Final = {
    "SUMMARY": "",
    "DTSTART": "Start",
    "DTEND": "End",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "LOCATION": "Location",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "DESCRIPTION": "",
}
_MAIL_TO: Final = "mailto:"
_MOST_LINES: Final = 2_000


def invitation_lines(text: str) -> Iterator[str]:
    """The events of an invitation, a line for each fact; at most 2,000 lines."""
    is_event = False
    count = 0
    for line in _FOLD.sub("", text.replace("\r\n", "\n")).split("\n"):
        if line in {"BEGIN:VEVENT", "END:VEVENT"}:
            is_event = line.startswith("BEGIN")
        elif line == "BEGIN:VALARM":
            is_event = False
        elif line == "END:VALARM":
            is_event = True
        elif is_event and count < _MOST_LINES and (fact := _fact(line)):
            count += 1
            yield fact


def _fact(line: str) -> str:
    """A property as a line, "" for one that programs do not show."""
    match = _PROPERTY.match(line)
    name, parameters, value = match.groups() if match else ("", "", "")
    name, label = name.upper(), _LABELS.get(name.upper())
    if label is None or not value.strip():
        return ""
    value = _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)
    if name in {"DTSTART", "DTEND"}:
        value = _time(value, parameters)
    elif name in {"ORGANIZER", "ATTENDEE"}:
        address = value[len(_MAIL_TO) :] if value.lower().startswith(_MAIL_TO) else value
        person = _NAME.search(parameters)
        name = (person[1] or person[2]) if person else address
        value = f"{name} <{address}>" if name != address else address
    return f"{label}: {value}" if label else value


def _time(value: str, parameters: str) -> str:
    """A date with its time and zone: "2026-12-01 09:30 Europe/Berlin"."""
    match = _TIME.fullmatch(value)
    if match is None:
        return value
    *date, hour, minute, utc = match.groups()
    day_text = "-".join(date)
    if hour is None:
        return day_text
    zone = _ZONE.search(parameters)
    zone_name = "UTC" if utc else (zone[1] if zone else "")
    return f"{day_text} {hour}:{minute} {zone_name}".rstrip()
