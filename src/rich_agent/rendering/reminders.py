"""Reminders as messages. Their text was written by a user or a model, so it leads nowhere."""

from collections.abc import Sequence
from datetime import datetime

from rich_agent.domain.reminders.reminder import Reminder
from rich_agent.domain.reminders.wall_time import QuietHours, local_of
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.phrases import say, say_repeats
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.ports.reminders import DueReminder
from rich_agent.rendering.notices import unlinked
from rich_agent.rendering.spans import join

_MOMENT = "\ue000"
"""Stands in a phrase for the time, so that its place is known."""
_LISTED_TEXT = 200


def show_local(instant: datetime, tz: str) -> str:
    """The time that clocks in a zone show, to the minute."""
    return f"{local_of(instant, tz):%Y-%m-%d %H:%M}"


def _say_at(
    locale: str, key: str, instant: datetime, tz: str, **values: str | int
) -> RenderedMessage:
    """A phrase with a time, which Telegram shows on the reader's own clocks.

    Source: Bot API, MessageEntity `date_time`.
    """
    before, _, after = say(locale, key, at=_MOMENT, **values).partition(_MOMENT)
    shown = show_local(instant, tz)
    place = TextEntity("date_time", utf16_length(before), utf16_length(shown), moment=instant)
    return RenderedMessage(before + shown + after, (place,))


def came(due: DueReminder, locale: str) -> RenderedMessage:
    """A reminder whose time has come, with a word about it if that was a while ago."""
    told = unlinked(say(locale, "reminder-came", text=due.reminder.text))
    if not due.is_delayed:
        return told
    return join(told, _say_at(locale, "reminder-delayed", due.due_at, due.reminder.tz), "\n")


def came_again_later(reminder: Reminder, locale: str) -> RenderedMessage:
    """A reminder that was snoozed, and until when."""
    told = unlinked(say(locale, "reminder-came", text=reminder.text))
    until = reminder.snoozed_until
    if until is None:
        return told
    return join(told, _say_at(locale, "reminder-snoozed", until, reminder.tz), "\n")


def done(reminder: Reminder, locale: str) -> RenderedMessage:
    """A reminder whose user has done what it says."""
    told = unlinked(say(locale, "reminder-done", text=reminder.text))
    if reminder.next_at is None:
        return told
    return join(told, _say_at(locale, "reminder-next", reminder.next_at, reminder.tz), "\n")


def listed(
    reminders: Sequence[Reminder], total: int, quiet: QuietHours | None, locale: str
) -> RenderedMessage:
    """A page of what is to come, numbered from 1."""
    page = RenderedMessage(say(locale, "reminders-known", count=total))
    for number, reminder in enumerate(reminders, start=1):
        text = shorten(reminder.text, _LISTED_TEXT)
        page = join(page, unlinked(f"{number}. {text}"))
        at = reminder.arrives_at(quiet)
        if at is not None:
            page = join(page, _line(reminder, at, locale), "\n")
    return page


def _line(reminder: Reminder, at: datetime, locale: str) -> RenderedMessage:
    repeats = say_repeats(reminder.rrule, locale) or "once"
    status = "snoozed" if at == reminder.snoozed_until else reminder.status
    return _say_at(locale, "reminder-line", at, reminder.tz, repeats=repeats, status=status)
