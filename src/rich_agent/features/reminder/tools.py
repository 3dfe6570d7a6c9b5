"""Tools for reminders: set, list, cancel and put off."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from rich_agent.feature import Arguments, Asker, Outcome, Rule, Tool, ToolRefusedError, say
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.times import (
    LONGEST_WHEN,
    UTC_ZONE,
    Clocks,
    QuietHours,
    TimeRefusedError,
    When,
    instant_of,
    is_from_now,
    local_of,
    read_when,
    say_repeats,
    say_wait,
    zones_like,
    zones_of,
)
from rich_agent.feature.tools import (
    MIDDLE_DOT,
    CardLine,
    LineForm,
    Nothing,
    ReadableCall,
    foreign_words,
    origin_of,
    phrase_around,
    verbatim,
)
from rich_agent.features.reminder.records import MOST_REMINDERS, Change
from rich_agent.features.reminder.reminder import NewReminder, Reminder, Span, cancel, snooze
from rich_agent.features.reminder.repository import Reminders

_LISTED = 50
_NEAR_S = 86_400
_SPANS: Mapping[str, Span] = {"10 min": "10m", "1 h": "1h", "tomorrow": "1d"}
_RESTORED = ("local_next", "snoozed_until", "next_at", "fired_at")


def _check_place(name: str | None) -> str | None:
    if name and not zones_of(name):
        near = ", ".join(zones_like(name)) or "names such as Europe/Berlin"
        raise ValueError(f"there is no time zone {name[:64]!r}, but there are {near}")
    return name


class Remind(Arguments):
    """A reminder for the user: its text, and when."""

    text: str = Field(min_length=1, max_length=1000, description="In the user's own words.")
    when: str = Field(
        min_length=1,
        max_length=LONGEST_WHEN,
        description='The user\'s local time, as "2026-11-24T09:00". What repeats has an RRULE '
        'behind its first time: "2026-11-24T09:00 RRULE:FREQ=WEEKLY;BYDAY=TU". "In 20 minutes" is '
        '"PT20M".',
    )
    time_zone: Annotated[str | None, AfterValidator(_check_place)] = Field(
        None,
        max_length=100,
        description="IANA name, or the city or country that the user named, or where they live if "
        "they told; only if the zone is not known yet, or another one.",
    )
    kind: Literal["reminder", "prompt"] = Field(
        "reminder", description="prompt: at that time you answer `text` as if the user asked it."
    )


class WhichReminder(Arguments):
    """One of the user's reminders."""

    schedule_id: int = Field(description="From remind or list_reminders.")


class PutOff(WhichReminder):
    """One of the user's reminders, and when it comes instead."""

    until: str = Field(
        max_length=LONGEST_WHEN,
        description='"10 min", "1 h", "tomorrow", or a local time as "2026-11-24T09:00".',
    )


@dataclass(frozen=True, slots=True)
class ReminderTools:
    """The tools for the reminders of the user who asks."""

    reminders: Reminders
    accounts: Accounts

    def tools(self) -> Sequence[Tool]:
        """All tools for reminders."""
        remind = Tool(
            "remind",
            "Remind the user of something at a time, once or repeatedly.",
            Remind,
            self.remind,
            "change",
            self.undo,
            # A prompt acts with its words later; the first zone that is named stays the user's.
            rule=Rule.of_own_texts(
                "text", asks={"kind": "prompt"}, places=("time_zone",), recurrence=("when",)
            ),
            line=LineForm(_reminder_line, ("text",), f"{MIDDLE_DOT}–"),
            is_always_offered=True,
        )
        listing = Tool(
            "list_reminders",
            "The user's reminders that are to come.",
            Nothing,
            self.list,
            is_always_offered=True,
        )
        return (remind, listing, *self._changing())

    def _changing(self) -> Sequence[Tool]:
        return (
            Tool(
                "cancel_reminder",
                "Cancel a reminder; one that repeats does not come any more.",
                WhichReminder,
                self.cancel,
                "change",
                self.undo,
                rule=Rule(writes=()),
                names={"schedule_id": self.name},
                is_always_offered=True,
            ),
            Tool(
                "snooze_reminder",
                "Put a reminder off, or have one that came come again.",
                PutOff,
                self.snooze,
                "change",
                self.undo,
                rule=Rule(writes=()),
                names={"schedule_id": self.name},
                is_always_offered=True,
            ),
        )

    async def name(self, user_id: int, reminder_id: int) -> str:
        """The text of a reminder, "" if there is none."""
        reminder = await self.reminders.find(user_id, reminder_id)
        return reminder.text if reminder else ""

    async def remind(self, arguments: Remind, asker: Asker) -> Outcome:
        """Keep a reminder. Raises: ToolRefusedError."""
        now, own_zone = (
            await self.reminders.now(),
            (await self.accounts.find(asker.user_id)).time_zone,
        )
        # The names of places are read from files once.
        tz = await asyncio.to_thread(_zone, arguments, asker, own_zone)
        if arguments.time_zone and not own_zone:
            await self.accounts.learn_time_zone(asker.user_id, tz)
            if _is_another_day(arguments, tz, now):
                return _to_be_read_again(tz, now)
        when = _read(arguments.when, tz, now)
        origin = await origin_of(asker, arguments.text)
        reminder = await self.reminders.add(
            NewReminder(
                asker.user_id,
                arguments.text,
                arguments.kind,
                when.start,
                tz,
                when.rule,
                when.next,
                origin,
            )
        )
        if reminder is None:
            raise ToolRefusedError(
                f"The user has {MOST_REMINDERS} reminders already. One has to be cancelled first."
            )
        clocks = Clocks(asker.locale, own_zone or (tz if arguments.time_zone else ""), now)
        row = await self._row(reminder, clocks)
        time_text = " · ".join(
            filter(None, (row["said"], say_repeats(reminder.rrule, asker.locale)))
        )
        notice = say(asker.locale, "reminder-set", text=reminder.text, at=time_text)
        undo = {"schedule_id": reminder.id, "before": None}
        return Outcome(row, done=notice, undo=undo, words=foreign_words([reminder]))

    async def list(self, _nothing: Nothing, asker: Asker) -> Outcome:
        """List the reminders to come, the next first."""
        reminders, total = await self.reminders.upcoming(asker.user_id, 0, _LISTED)
        quiet = (await self.accounts.find(asker.user_id)).quiet_hours
        clocks = await self._clocks(asker)
        tz, now = clocks.zone, clocks.now
        return Outcome(
            {
                "reminders": [_reminder_row(one, quiet, clocks) for one in reminders],
                "total_count": total,
                "now": _local(now, tz) if tz else None,
                "time_zone": tz or None,
                "quiet_hours": quiet.text if quiet else None,
            },
            words=foreign_words(reminders),
        )

    async def cancel(self, arguments: WhichReminder, asker: Asker) -> Outcome:
        """Cancel a reminder. Raises: ToolRefusedError."""
        return await self._change(
            arguments.schedule_id, asker, "reminder-cancelled", lambda one, _: cancel(one)
        )

    async def snooze(self, arguments: PutOff, asker: Asker) -> Outcome:
        """Put a reminder off. Raises: ToolRefusedError."""
        span = _SPANS.get(arguments.until.casefold())

        def put_off(reminder: Reminder, now: datetime) -> Reminder:
            if span:
                return snooze(reminder, span, now)
            when = _read(arguments.until, reminder.tz, now)
            if when.rule:
                raise ToolRefusedError("`until` is one time, without a rule.")
            return snooze(reminder, instant_of(when.next, reminder.tz), now)

        return await self._change(arguments.schedule_id, asker, "reminder-put-off", put_off)

    async def undo(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Restore a reminder as it was before a call; cancel a reminder that the call added."""
        before = undo["before"]

        def restore(reminder: Reminder, _now: datetime) -> Reminder:
            return _earlier_version(reminder, before) if before else cancel(reminder)

        versions = await self.reminders.change(asker.user_id, undo["schedule_id"], restore)
        return versions[1].text if versions else ""

    async def _change(self, number: int, asker: Asker, phrase: str, change: Change) -> Outcome:
        versions = await self.reminders.change(asker.user_id, number, change)
        if versions is None:
            raise ToolRefusedError(f"There is no reminder {number}. list_reminders shows them.")
        before, after = versions
        row = await self._row(after, await self._clocks(asker))
        notice = say(asker.locale, phrase, text=after.text, at=row["said"] or "–")
        undo = {"schedule_id": number, "before": _state(before)}
        return Outcome(row, done=notice, undo=undo, words=foreign_words([after]))

    async def _row(self, reminder: Reminder, clocks: Clocks) -> dict[str, Any]:
        account = await self.accounts.find(reminder.user_id)
        return _reminder_row(reminder, account.quiet_hours, clocks)

    async def _clocks(self, asker: Asker) -> Clocks:
        zone = (await self.accounts.find(asker.user_id)).time_zone
        return Clocks(asker.locale, zone, await self.reminders.now())


def _zone(arguments: Remind, asker: Asker, own_zone: str) -> str:
    """The zone of a reminder. A span from now needs none. Raises: ToolRefusedError."""
    place = arguments.time_zone
    if not place:
        if own_zone or is_from_now(arguments.when):
            return own_zone or UTC_ZONE
        raise ToolRefusedError(
            "It is not known in which time zone the user is. The user is being asked; call the "
            "tool again with time_zone, the city or country that they name.",
            question=say(asker.locale, "reminder-ask-time-zone"),
        )
    zones = zones_of(place)
    if len(zones) > 1 and own_zone not in zones:
        raise ToolRefusedError(
            f"{place[:64]!r} has several time zones: {', '.join(zones)}. The user is being asked; "
            "call the tool again with the one that they choose.",
            question=say(asker.locale, "time-zone-which", name=place[:64]),
            choices=[Clocks(asker.locale).place(zone) for zone in zones],
        )
    return own_zone if own_zone in zones else zones[0]


def _is_another_day(arguments: Remind, tz: str, now: datetime) -> bool:
    """Whether the day is another one where the user is than in UTC, by which the model read it."""
    return (
        not is_from_now(arguments.when) and local_of(now, tz).date() != now.astimezone(UTC).date()
    )


def _to_be_read_again(tz: str, now: datetime) -> Outcome:
    """The answer that only the zone was kept, and that the model has to read the day again."""
    present = _local(now, tz)
    return Outcome(
        {
            "error": "Not set yet. The time zone of the user is known only now, and the day is "
            f"another one there: it is {local_of(now, tz):%A}, {present} in {tz}. Read again what "
            "the user said, by this day, and call the tool again.",
            "now": present,
            "time_zone": tz,
        }
    )


def _read(text: str, tz: str, now: datetime) -> When:
    try:
        return read_when(text, tz, now)
    except TimeRefusedError as error:
        raise ToolRefusedError(str(error)) from error


def _reminder_row(reminder: Reminder, quiet: QuietHours | None, clocks: Clocks) -> dict[str, Any]:
    """A reminder for the model.

    `next_at` is when it comes, on the clocks of its zone, `said` how the user is told.
    """
    at = reminder.arrives_at(quiet) if reminder.next_at else None
    row: dict[str, Any] = {
        "schedule_id": reminder.id,
        "text": reminder.text,
        "next_at": _local(at, reminder.tz) if at else None,
        "said": _arrival_text(at, clocks) if at else None,
        "time_zone": reminder.tz,
        "repeats": reminder.rrule or None,
        "status": reminder.status,
    }
    if at and reminder.next_at and at > reminder.next_at:
        row["note"] = "It comes later, because of the user's quiet hours."
    return row


def _arrival_text(at: datetime, clocks: Clocks) -> str:
    """A moment on the user's clocks; in how long it is where these are not known, if it is near."""
    left_s = (at - clocks.now).total_seconds()
    is_near = not clocks.zone and 0 <= left_s < _NEAR_S
    return say_wait(left_s, clocks.locale) if is_near else clocks.moment(at)


def _local(instant: datetime, tz: str) -> str:
    return f"{local_of(instant, tz):%Y-%m-%dT%H:%M}"


def _state(reminder: Reminder) -> dict[str, str | None]:
    times = {name: getattr(reminder, name) for name in _RESTORED}
    return {
        "status": reminder.status,
        **{name: at.isoformat() if at else None for name, at in times.items()},
    }


def _earlier_version(reminder: Reminder, before: Mapping[str, Any]) -> Reminder:
    local_next, snoozed_until, next_at, fired_at = (
        datetime.fromisoformat(before[name]) if before[name] else None for name in _RESTORED
    )
    return replace(
        reminder,
        status=before["status"],
        local_next=local_next,
        snoozed_until=snoozed_until,
        next_at=next_at,
        fired_at=fired_at,
    )


def _reminder_line(subject: str, call: ReadableCall) -> CardLine:
    """The line of a card: "Reminder: Water the plants – Mon, 30 Nov, 9:00 · every week"."""
    when, place = call.values.get("when", ""), call.values.get("time_zone", "")
    if not when or when == verbatim(call.arguments["when"]):
        return CardLine()
    at = f" {MIDDLE_DOT} ".join(filter(None, (when, place)))
    line = phrase_around("reminder-set", subject, call, at=at)
    return CardLine(line, frozenset({"when", "time_zone"}))
