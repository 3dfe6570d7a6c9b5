"""Messages about reminders: those that came, and the list of those to come."""

from collections.abc import Sequence
from datetime import datetime

from rich_agent.feature import Clocks, say
from rich_agent.feature.telegram import RenderedMessage, join, say_at, unlinked
from rich_agent.feature.text import shorten
from rich_agent.feature.times import QuietHours, say_repeats
from rich_agent.features.reminder.records import DueReminder
from rich_agent.features.reminder.reminder import Reminder

_LISTED_TEXT = 200


def arrival_message(due: DueReminder, clocks: Clocks) -> RenderedMessage:
    """A reminder whose time has come, with a word about it if that was a while ago."""
    notice = unlinked(say(clocks.locale, "reminder-came", text=due.reminder.text))
    if not due.is_delayed:
        return notice
    return join(notice, say_at(clocks, "reminder-delayed", due.due_at), "\n")


def snooze_message(reminder: Reminder, clocks: Clocks) -> RenderedMessage:
    """A reminder that was snoozed, and until when."""
    notice = unlinked(say(clocks.locale, "reminder-came", text=reminder.text))
    until = reminder.snoozed_until
    if until is None:
        return notice
    return join(notice, say_at(clocks, "reminder-snoozed", until), "\n")


def done_message(reminder: Reminder, clocks: Clocks) -> RenderedMessage:
    """A reminder whose user has done what it says."""
    notice = unlinked(say(clocks.locale, "reminder-done", text=reminder.text))
    if reminder.next_at is None:
        return notice
    return join(notice, say_at(clocks, "reminder-next", reminder.next_at), "\n")


def upcoming_page(
    reminders: Sequence[Reminder], total: int, quiet: QuietHours | None, clocks: Clocks
) -> RenderedMessage:
    """A page of what is to come, numbered from 1."""
    page = RenderedMessage(say(clocks.locale, "reminders-known", count=total))
    for number, reminder in enumerate(reminders, start=1):
        text = shorten(reminder.text, _LISTED_TEXT)
        page = join(page, unlinked(f"{number}. {text}"))
        at = reminder.arrives_at(quiet)
        if at is not None:
            page = join(page, _line(reminder, at, clocks), "\n")
    return page


def _line(reminder: Reminder, at: datetime, clocks: Clocks) -> RenderedMessage:
    repeats = say_repeats(reminder.rrule, clocks.locale) or "once"
    status = "snoozed" if at == reminder.snoozed_until else reminder.status
    return say_at(clocks, "reminder-line", at, repeats=repeats, status=status)
