"""Reminders, and the changes of a reminder when its time has come; every function gets the time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Literal

from rich_agent.feature import DatedEntry
from rich_agent.feature.text import shorten
from rich_agent.feature.times import QuietHours, first_after, instant_of, local_of, occurrences
from rich_agent.feature.tools import Origin, Words

ReminderKind = Literal["reminder", "prompt", "digest"]
"""A text that is sent as it is; a question that is asked for the user; the digest of a day."""
ReminderStatus = Literal["active", "paused", "done", "cancelled", "failed"]
"""`paused` while the user blocks the bot; `failed` when its times cannot be computed any more."""
Span = Literal["10m", "1h", "1d"]

LATEST_ONCE = timedelta(days=7)
"""A single reminder that is later than this was missed."""
LATEST_REPEATED = timedelta(hours=12)
"""An occurrence of a repeated reminder that is later than this was missed."""
_RECENT = timedelta(hours=12)
_LONGEST_TITLE = 120
_SPANS = {"10m": timedelta(minutes=10), "1h": timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class NewReminder:
    """A reminder to be kept; `local_start` and `local_next` are what clocks in `tz` show."""

    user_id: int
    text: str
    kind: ReminderKind
    local_start: datetime
    tz: str
    rrule: str
    local_next: datetime
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder as it is kept.

    `local_next` is the next time by its rule, on the clocks of `tz`, None when no more comes.
    `snoozed_until` comes besides, once. At `next_at` it has to be looked at. `fired_at` is when it
    was last due. It comes in the topic `topic_id`, in which it was set. `origin` is who wrote
    `text`.
    """

    id: int
    user_id: int
    text: str
    kind: ReminderKind
    local_start: datetime
    tz: str
    rrule: str = ""
    local_next: datetime | None = None
    snoozed_until: datetime | None = None
    next_at: datetime | None = None
    status: ReminderStatus = "active"
    fired_at: datetime | None = None
    topic_id: int | None = None
    origin: Origin = "user"

    @property
    def words(self) -> Words:
        """The text, with who wrote it."""
        return Words(self.text, self.origin)

    @property
    def regular_at(self) -> datetime | None:
        """The instant of the next time by its rule."""
        return instant_of(self.local_next, self.tz) if self.local_next else None

    def planned(self) -> "Reminder":
        """The reminder with `next_at` and `status` computed from its times."""
        next_at = _earliest(self.regular_at, self.snoozed_until)
        is_over = next_at is None and self.status in {"active", "paused"}
        return replace(self, next_at=next_at, status="done" if is_over else self.status)

    def arrives_at(self, quiet: QuietHours | None) -> datetime | None:
        """The next time at which the reminder is sent; a snoozed reminder ignores quiet hours."""
        regular = self.regular_at
        if regular and quiet:
            regular = quiet.over_at(regular, self.tz) or regular
        return _earliest(regular, self.snoozed_until)


@dataclass(frozen=True, slots=True)
class Firing:
    """A time at which a reminder was due; its work should have been done at `due_at`."""

    reminder_id: int
    occurrence: datetime
    due_at: datetime
    is_missed: bool = False


def daily_digest(user_id: int, clock: time, tz: str, now: datetime) -> NewReminder:
    """The digest that comes each day when the user's clocks show `clock`."""
    start = datetime.combine(local_of(now, tz).date(), clock)
    following = first_after("FREQ=DAILY", start, tz, now) or start
    return NewReminder(user_id, "", "digest", start, tz, "FREQ=DAILY", following)


def fire(
    reminder: Reminder, now: datetime, quiet: QuietHours | None
) -> tuple[Reminder, Firing | None]:
    """The reminder as it goes on after `now`, and what is due, None if nothing is (yet).

    Of several times that were missed only the last is due. Quiet hours put off what comes by its
    rule, not what was snoozed.
    """
    regular, snooze_end = reminder.regular_at, reminder.snoozed_until
    quiet_until = quiet.over_at(now, reminder.tz) if quiet else None
    is_snooze_due = snooze_end is not None and snooze_end <= now
    is_put_off = quiet_until is not None and regular is not None and regular <= now
    newest, following = None, reminder.local_next
    if regular is not None and regular <= now and not is_put_off:
        newest, following = _around(reminder, now)
    rest = replace(
        reminder, local_next=following, snoozed_until=None if is_snooze_due else snooze_end
    ).planned()
    if is_put_off:
        rest = replace(rest, next_at=_earliest(quiet_until, rest.snoozed_until))
    times = [snooze_end] if snooze_end and is_snooze_due else []
    if newest:
        times.append(instant_of(newest, reminder.tz))
    if not times:
        return rest, None
    return replace(rest, fired_at=now), _firing(reminder, max(times), now, quiet)


def snooze(reminder: Reminder, until: Span | datetime, now: datetime) -> Reminder:
    """The reminder again later: counted from now if it came lately, else from when it is due.

    One that has not come yet is put off, and comes only then.
    """
    has_come = reminder.fired_at is not None and now - reminder.fired_at < _RECENT
    base = now if has_come or reminder.next_at is None else max(now, reminder.next_at)
    later = _later(reminder, until, base, has_come=base == now) if isinstance(until, str) else until
    following = reminder.local_next if reminder.status != "cancelled" else None
    if base != now and reminder.next_at != reminder.snoozed_until:
        following = _around(reminder, base)[1]
    put_off = replace(
        reminder, local_next=following, snoozed_until=later.replace(microsecond=0), status="active"
    )
    return put_off.planned()


def cancel(reminder: Reminder) -> Reminder:
    """The reminder in its cancelled form."""
    return replace(reminder, status="cancelled", snoozed_until=None, next_at=None)


def finish(reminder: Reminder) -> Reminder:
    """The reminder when its user has done what it says: it does not come again out of turn."""
    return replace(reminder, snoozed_until=None).planned()


def move(reminder: Reminder, tz: str, now: datetime) -> Reminder:
    """A repeated reminder on the clocks of another zone, from its next time there on."""
    following = reminder.local_next
    if following and instant_of(following, tz) <= now:
        following = first_after(reminder.rrule, following, tz, now)
    return replace(reminder, tz=tz, local_next=following).planned()


def _firing(
    reminder: Reminder, occurrence: datetime, now: datetime, quiet: QuietHours | None
) -> Firing:
    is_regular = occurrence != reminder.snoozed_until
    over_at = quiet.over_at(occurrence, reminder.tz) if quiet and is_regular else None
    due_at = over_at or occurrence
    latest = LATEST_REPEATED if reminder.rrule else LATEST_ONCE
    return Firing(reminder.id, occurrence, due_at, is_missed=now - due_at > latest)


def _around(reminder: Reminder, now: datetime) -> tuple[datetime | None, datetime | None]:
    """The last local time by the rule up to `now`, and the first after it."""
    newest = reminder.local_next
    if newest is None or not reminder.rrule:
        return newest, None
    for local in occurrences(reminder.rrule, reminder.local_start, newest):
        if instant_of(local, reminder.tz) > now:
            return newest, local
        newest = local
    return newest, None


def _later(reminder: Reminder, span: Span, base: datetime, *, has_come: bool) -> datetime:
    if span in _SPANS:
        return base + _SPANS[span]
    local = local_of(base, reminder.tz)
    clock = reminder.local_start.time() if has_come else local.time()
    return instant_of(datetime.combine(local.date() + timedelta(days=1), clock), reminder.tz)


def _earliest(*times: datetime | None) -> datetime | None:
    return min(filter(None, times), default=None)


def dated_entries(reminder: Reminder, changed_at: datetime) -> Iterator[DatedEntry]:
    """The times at which a reminder is to come: by its rule, and out of turn."""
    at = DatedEntry(
        f"reminder-{reminder.id}",
        "Reminder",
        shorten(reminder.text, _LONGEST_TITLE),
        reminder.local_start,
        None,
        changed_at,
        reminder.text,
        time_zone=reminder.tz,
    )
    if reminder.local_next:
        yield replace(
            at, starts=reminder.local_next, rule=reminder.rrule, began=reminder.local_start
        )
    if reminder.snoozed_until:
        again = local_of(reminder.snoozed_until, reminder.tz)
        yield replace(at, uid=f"{at.uid}-snoozed", starts=again)
