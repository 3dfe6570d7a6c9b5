"""/reminders: the reminders to come, quiet hours and the digest; the buttons below a reminder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import get_args

from rich_agent.feature import (
    Button,
    Clocks,
    CommandRequest,
    PressReply,
    PressRequest,
    Reply,
    say,
)
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.conversation import PressAnswer
from rich_agent.feature.lists import ListPage, ListPlace, PagedList
from rich_agent.feature.telegram import Keyboard, RenderedMessage
from rich_agent.feature.text import whole_number
from rich_agent.feature.times import QuietHours, read_clock, read_quiet_hours
from rich_agent.features.reminder.messages import done_message, snooze_message, upcoming_page
from rich_agent.features.reminder.records import Change
from rich_agent.features.reminder.reminder import (
    Reminder,
    Span,
    cancel,
    daily_digest,
    finish,
    snooze,
)
from rich_agent.features.reminder.repository import Reminders

PAGE_VERB, CANCEL_VERB, PUTOFF_VERB = "reminders1", "unremind1", "putoff1"
DONE_VERB, SNOOZE_VERB = "done1", "snooze1"
QUIET_VERB, DIGEST_VERB = "quiet1", "digest1"
PER_PAGE = 5
_SPANS: tuple[Span, ...] = get_args(Span)
_NIGHT = QuietHours(time(22), time(7))
_MORNING = time(8)
OFF = "off"


def arrival_buttons(reminder: Reminder, locale: str) -> Keyboard:
    """The buttons below a reminder that came: mark it as done, or repeat it later."""
    spans = [
        Button(_say_span(locale, span), f"{SNOOZE_VERB}:{span}:{reminder.id}") for span in _SPANS
    ]
    done_button = Button(say(locale, "reminder-button-done"), f"{DONE_VERB}:{reminder.id}")
    return ((done_button, spans[0]), tuple(spans[1:]))


@dataclass(frozen=True, slots=True)
class ReminderCommands:
    """Shows and changes the reminders of the user who asks, without a model."""

    reminders: Reminders
    accounts: Accounts

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to the buttons, by their verbs."""
        return {
            PAGE_VERB: self._pages.turn,
            CANCEL_VERB: self.cancel,
            PUTOFF_VERB: self.put_off,
            DONE_VERB: self.on_done,
            SNOOZE_VERB: self.snooze,
            QUIET_VERB: self.set_quiet,
            DIGEST_VERB: self.set_digest,
        }

    @property
    def _pages(self) -> PagedList[Reminder]:
        return PagedList(PAGE_VERB, PER_PAGE, self._load, self._render)

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page, or what /reminders quiet and /reminders digest ask for."""
        locale, user_id = request.locale, request.user_id
        word, _, value = request.args.partition(" ")
        match word.casefold():
            case "":
                return await self._pages.answer(request)
            case "quiet":
                return Reply.of(await self.keep_quiet_hours(user_id, value.strip(), request.clocks))
            case "digest":
                return Reply.of(await self.keep_digest(user_id, value.strip(), request.clocks))
        return Reply.of(say(locale, "reminders-usage"))

    async def cancel(self, press: PressRequest) -> PressReply:
        """Cancel a reminder of the page, unless it is cancelled already."""
        return await self._change_in_page(press, lambda one, _: cancel(one))

    async def put_off(self, press: PressRequest) -> PressReply:
        """Put a reminder of the page off."""
        span = _span_in(press)
        if span is None:
            return PressReply(say(press.locale, "button-outdated"))
        rest = replace(press, data=press.data.replace(f":{span}:", ":", 1))
        return await self._change_in_page(rest, lambda one, now: snooze(one, span, now))

    async def on_done(self, press: PressRequest) -> PressReply:
        """Mark a reminder that came as done, and remove its buttons."""
        await press.hold()
        reminder = await self._change(press, press.argument, lambda one, _: finish(one))
        if reminder is None:
            return PressReply(say(press.locale, "button-outdated"))
        return PressReply(message=done_message(reminder, press.clocks))

    async def snooze(self, press: PressRequest) -> PressReply:
        """Repeat a reminder that came at a later time; another press changes the time."""
        span = _span_in(press)
        await press.hold()
        number = press.argument.rpartition(":")[2]
        reminder = span and await self._change(
            press, number, lambda one, now: snooze(one, span, now)
        )
        if not reminder:
            return PressReply(say(press.locale, "button-outdated"))
        message = snooze_message(reminder, press.clocks)
        return PressReply(message=replace(message, buttons=arrival_buttons(reminder, press.locale)))

    async def set_quiet(self, press: PressRequest) -> PressReply:
        """Switch the quiet hours on or off."""
        notice = await self.keep_quiet_hours(press.user_id, press.argument, press.clocks)
        return await self._with_page(press, notice)

    async def set_digest(self, press: PressRequest) -> PressReply:
        """Switch the digest on or off."""
        notice = await self.keep_digest(press.user_id, press.argument, press.clocks)
        return await self._with_page(press, notice)

    async def keep_quiet_hours(self, user_id: int, value: str, clocks: Clocks) -> str:
        """Keep the hours of a text such as 22:00-07:00, or none with "off"; say what holds."""
        locale, hours = clocks.locale, read_quiet_hours(value)
        if hours is None and value.casefold() != OFF:
            return say(locale, "reminders-usage")
        await self.accounts.keep_quiet_hours(user_id, hours)
        return say(
            locale,
            "reminder-quiet-hours",
            hours=clocks.hours(hours.begin, hours.end) if hours else "none",
        )

    async def keep_digest(self, user_id: int, value: str, clocks: Clocks) -> str:
        """Have a digest come at the time of a text, or none with "off"; say what holds."""
        locale, clock = clocks.locale, read_clock(value)
        if clock is None and value.casefold() != OFF:
            return say(locale, "reminders-usage")
        if clock and not clocks.zone:
            return say(locale, "reminder-time-zone-needed")
        before = await self.reminders.digest(user_id)
        if clock:
            now = await self.reminders.now()
            await self.reminders.add(daily_digest(user_id, clock, clocks.zone, now))
        elif before:
            await self.reminders.change(user_id, before.id, lambda one, _: cancel(one))
        return say(locale, "reminder-digest-time", clock=clocks.clock(clock) if clock else "none")

    async def _change_in_page(self, press: PressRequest, change: Change) -> PressReply:
        number, _, data = press.argument.partition(":")
        await press.hold()
        reminder = await self._change(press, number, change)
        notice = "" if reminder else say(press.locale, "button-outdated")
        return await self._with_page(press, notice, data)

    async def _change(self, press: PressRequest, number: str, change: Change) -> Reminder | None:
        versions = await self.reminders.change(press.user_id, whole_number(number) or 0, change)
        return versions[1] if versions else None

    async def _with_page(self, press: PressRequest, notice: str, data: str = "") -> PressReply:
        return PressReply(notice, await self._pages.show(ListPlace.on_button(press, data)))

    async def _load(self, place: ListPlace) -> tuple[Sequence[Reminder], int]:
        return await self.reminders.upcoming(place.user_id, place.offset, PER_PAGE)

    async def _render(self, page: ListPage[Reminder]) -> RenderedMessage:
        user_id, clocks = page.place.user_id, page.place.clocks
        quiet = (await self.accounts.find(user_id)).quiet_hours
        digest = await self.reminders.digest(user_id)
        rows = [_row(*one, page.place) for one in enumerate(page.items, start=1)]
        rows += [*page.turning, _settings(quiet, digest, clocks)]
        return replace(upcoming_page(page.items, page.total, quiet, clocks), buttons=tuple(rows))


def _span_in(press: PressRequest) -> Span | None:
    word = press.argument.partition(":")[0]
    return next((span for span in _SPANS if span == word), None)


def _row(number: int, reminder: Reminder, place: ListPlace) -> tuple[Button, ...]:
    rest, locale = f"{reminder.id}:{place.data}", place.locale
    put_off = (
        Button(f"{number}: {_say_span(locale, span)}", f"{PUTOFF_VERB}:{span}:{rest}")
        for span in _SPANS
    )
    return (Button(f"✕ {number}", f"{CANCEL_VERB}:{rest}"), *put_off)


def _say_span(locale: str, span: Span) -> str:
    return say(locale, f"reminder-button-snooze-{span}")


def _settings(
    quiet: QuietHours | None, digest: Reminder | None, clocks: Clocks
) -> tuple[Button, ...]:
    """The buttons for quiet hours and the digest: a press ends what is set, and the reverse."""
    locale = clocks.locale
    hours = clocks.hours(quiet.begin, quiet.end) if quiet else "none"
    clock = clocks.clock(digest.local_start) if digest else "none"
    return (
        Button(
            say(locale, "reminder-button-quiet", hours=hours),
            f"{QUIET_VERB}:{OFF if quiet else _NIGHT.text}",
        ),
        Button(
            say(locale, "reminder-button-digest", clock=clock),
            f"{DIGEST_VERB}:{OFF if digest else format(_MORNING, '%H:%M')}",
        ),
    )
