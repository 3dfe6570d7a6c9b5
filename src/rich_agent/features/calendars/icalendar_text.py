"""Writes a calendar in the format of RFC 5545, as calendar programs subscribe to it.

Tasks are events of a whole day: most programs leave the tasks of a subscription out.
"""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
from icalendar import Component, Event
from icalendar.prop import vRecur

from rich_agent.feature import DatedEntry
from rich_agent.feature.text import printable
from rich_agent.feature.times import zone_named
from rich_agent.features.calendars.calendar import Calendar, in_series

PRODUCT = "-//rich-agent//calendar//EN"
_READ_AGAIN_AFTER = timedelta(hours=1)
_RULES_FOR = timedelta(days=3_653)
"""How far ahead the changes of the clocks are listed, for what comes again."""


def write_calendar(calendar: Calendar, host: str) -> bytes:
    """The calendar as UTF-8; `host` makes the ids of its entries unique in the world.

    Times are in the user's zone, whose rules are included. As long as the zone is not known they
    are in none, and programs show them as they are.
    """
    component = icalendar.Calendar()
    component.add("prodid", PRODUCT)
    component.add("version", "2.0")
    component.add("calscale", "GREGORIAN")
    component.add("x-wr-calname", "rich-agent")
    component.add("refresh-interval", _READ_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    component.add("x-published-ttl", "PT1H")
    if zone := zone_named(calendar.time_zone):
        component.add("x-wr-timezone", zone)
    for entry in calendar.entries:
        name = zone_named(entry.time_zone or calendar.time_zone)
        for part in in_series(entry):
            component.add_component(_event(part, host, ZoneInfo(name) if name else None))
    last_date = calendar.since + _RULES_FOR
    component.add_missing_timezones(first_date=calendar.since, last_date=last_date)
    return bytes(component.to_ical())


def _event(entry: DatedEntry, host: str, zone: ZoneInfo | None) -> Component:
    event = Event()
    event.add("uid", f"{entry.uid}@{host}")
    # Without a METHOD, this is when the entry was changed last. Source: RFC 5545, 3.8.7.2.
    event.add("dtstamp", entry.changed_at)
    event.add("summary", printable(entry.title))
    if entry.description:
        event.add("description", printable(entry.description))
    event.add("dtstart", _in_zone(entry.starts, zone))
    if entry.ends is not None:
        event.add("dtend", _in_zone(entry.ends, zone))
    event.add("categories", [printable(entry.category)])
    event.add("transp", "OPAQUE" if entry.is_busy else "TRANSPARENT")
    if entry.rule:
        event.add("rrule", _rule(entry, zone))
    return event


def _in_zone(moment: date | datetime, zone: ZoneInfo | None) -> date | datetime:
    return moment.replace(tzinfo=zone) if isinstance(moment, datetime) else moment


def _rule(entry: DatedEntry, zone: ZoneInfo | None) -> vRecur:
    """The rule; its end is a day or an instant, as the start is. Source: RFC 5545, 3.3.10."""
    rule: vRecur = vRecur.from_ical(entry.rule)
    if until := rule.get("UNTIL"):
        end_times = [end_time.replace(tzinfo=zone) for end_time in until]
        is_timed = isinstance(entry.starts, datetime)
        rule["UNTIL"] = [
            end_time.astimezone(UTC) if is_timed else end_time.date() for end_time in end_times
        ]
    return rule
