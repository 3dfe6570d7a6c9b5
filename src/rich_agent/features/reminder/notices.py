"""Brings due reminders to their users: as messages, or, for prompts and digests, as turns."""

from dataclasses import dataclass, replace
from functools import partial

from rich_agent.feature import Clocks, DueWork, NoticeRequest, UserNotice, say
from rich_agent.feature.accounts import Access, Accounts
from rich_agent.feature.telegram import RenderedMessage
from rich_agent.feature.times import local_of, say_full_date
from rich_agent.feature.tools import Words
from rich_agent.features.reminder.commands import arrival_buttons
from rich_agent.features.reminder.messages import arrival_message
from rich_agent.features.reminder.records import DueReminder
from rich_agent.features.reminder.reminder import Reminder
from rich_agent.features.reminder.repository import Reminders

_MOST_IN_DIGEST = 50


@dataclass(frozen=True, slots=True)
class ReminderNotices:
    """Words the notices of due reminders, and records that they were sent."""

    reminders: Reminders
    accounts: Accounts
    access: Access

    async def word(self, request: NoticeRequest) -> UserNotice | None:
        """The notice of a due reminder; None if it was sent, or must not be sent any more."""
        due = await self.reminders.due(request.number)
        if due is None or due.state != "queued":
            return None
        account = await self.accounts.find(request.user_id)
        is_permitted = self.access.permits(request.user_id, account.is_allowed)
        if due.reminder.status == "cancelled" or not is_permitted:
            await self.reminders.note_end(request.number, "dropped")
            return None
        return UserNotice(
            partial(self._content, due, request.clocks),
            due.reminder.topic_id,
            is_awaited=True,
            note=partial(self._note, request.number),
        )

    async def _content(self, due: DueReminder, clocks: Clocks) -> RenderedMessage | Words:
        reminder = due.reminder
        match reminder.kind:
            case "reminder":
                buttons = arrival_buttons(reminder, clocks.locale)
                return replace(arrival_message(due, clocks), buttons=buttons)
            case "digest":
                return await self._digest(reminder, clocks.locale)
        return reminder.words

    async def _digest(self, digest: Reminder, locale: str) -> Words:
        """The request for a digest, which lists the reminders that are still to come today."""
        today = local_of(await self.reminders.now(), digest.tz).date()
        reminders, _ = await self.reminders.upcoming(digest.user_id, 0, _MOST_IN_DIGEST)
        timed_reminders = [
            (local_of(reminder.next_at, digest.tz), reminder)
            for reminder in reminders
            if reminder.next_at
        ]
        reminders_today = [
            (moment, reminder) for moment, reminder in timed_reminders if moment.date() == today
        ]
        clocks = Clocks(locale, digest.tz)
        lines = [
            f"- {clocks.clock(moment)} {reminder.text}" for moment, reminder in reminders_today
        ]
        request = say(
            locale, "reminder-digest-request", day=say_full_date(today, locale), count=len(lines)
        )
        untrusted_origins = (
            reminder.origin for _, reminder in reminders_today if reminder.words.is_foreign
        )
        return Words("\n".join([request, *lines]), next(untrusted_origins, "user"))

    async def _note(self, number: int, message_id: int | None) -> None:
        if message_id is None:
            await self.reminders.note_end(number, "failed", "Telegram does not take it")
        else:
            await self.reminders.note_arrival(number, message_id)


def firing_of(reminders: Reminders) -> DueWork:
    """The kind of due work that fires reminders; its retries begin after 1 s and never end.

    A firing only writes rows, so it is not what ends a process, and is never set aside.
    """
    return DueWork(
        reminders.fire,
        most_at_once=8,
        first_retry_s=1.0,
        longest_retry_s=60.0,
        most_tries=None,
        is_counted=False,
    )
