"""Entries of a calendar: a user's plans that have a date, from the core and from features."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

MOST_DATED_ENTRIES = 1_000
"""Limit of entries of one kind for a span of days. The earliest are given."""


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """An entry of a calendar."""

    uid: str
    """Id that never changes. It begins with a word for the kind, so that ids of different kinds
    differ."""
    category: str
    """Kind of entry in English, as calendar programs show it."""
    title: str
    starts: date | datetime
    """First day, or local time of the beginning."""
    ends: date | datetime | None
    """Day or local time at which the entry is over; it is not part of the entry."""
    changed_at: datetime
    description: str = ""
    rule: str = ""
    """RRULE by which the entry repeats (RFC 5545), "" if it does not repeat."""
    began: datetime | None = None
    """Time from which a COUNT in `rule` counts."""
    time_zone: str = ""
    """IANA name, "" for the user's time zone."""
    is_busy: bool = False
    """Whether the user is busy during the entry."""


DatedEntries = Callable[[int, date, date], Awaitable[Sequence[DatedEntry]]]
"""Returns a user's entries from a first day to an end day, which is excluded; repeats included.

Raises: DatabaseUnavailableError.
"""
