"""Plans of a user that have a place on a calendar, whatever keeps them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

MOST_DATED_ENTRIES = 1_000
"""Entries of one kind that are given for a span of days, the earliest."""


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """Something on a calendar: whole days, or what clocks show; `ends` is not part of it.

    `uid` is the same each time, and begins with a word for its kind, since others give entries too.
    `category` names the kind in English, as calendar programs list it. `rule` is the RRULE (RFC
    5545) by which it comes again, "" if it comes once; a COUNT in it counts from `began`.
    `time_zone` is an IANA name, "" for that of the user. One that `is_busy` takes the user's time.
    """

    uid: str
    category: str
    title: str
    starts: date | datetime
    ends: date | datetime | None
    changed_at: datetime
    description: str = ""
    rule: str = ""
    began: datetime | None = None
    time_zone: str = ""
    is_busy: bool = False


DatedEntries = Callable[[int, date, date], Awaitable[Sequence[DatedEntry]]]
"""Gives a user's entries from a day up to, but not on, another, those that come again among them.

Raises: DatabaseUnavailableError.
"""
