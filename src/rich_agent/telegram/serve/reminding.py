"""Brings what is due to its user: a reminder as it is, a prompt or a digest as a turn."""

from dataclasses import dataclass, field, replace

import structlog

from rich_agent.chat_commands.reminders import came_buttons
from rich_agent.domain.access import Access
from rich_agent.domain.message import IncomingMessage, TurnRequest, User
from rich_agent.domain.reminders.reminder import Reminder
from rich_agent.domain.time.wall_time import local_of
from rich_agent.domain.words import Words
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account, Accounts
from rich_agent.ports.due_work import DueWork
from rich_agent.ports.reminders import DueReminder, Reminders
from rich_agent.rendering.answers import as_markdown
from rich_agent.rendering.notices import came
from rich_agent.runs.elsewhere import Notebook
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget, Threads
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.times import Clocks, say_full_date
from rich_agent.turns.runner import TurnRunner
from rich_agent.turns.stopping import Stopping

_log = structlog.get_logger()
_MOST_IN_DIGEST = 50


@dataclass(frozen=True, slots=True)
class Reminding:
    """Does the internal work of reminders; the same work again sends nothing twice."""

    reminders: Reminders
    accounts: Accounts
    access: Access
    messenger: Messenger
    stopping: Stopping
    turns: TurnRunner
    answer_options: AnswerOptions = field(default_factory=AnswerOptions)
    threads: Threads = field(default_factory=Threads)
    notebook: Notebook | None = None

    async def remind(self, update_id: int, hold: Hold) -> None:
        """Bring what comes by an update, and note that it came; nothing if it was forgotten.

        Raises: RichAgentError when it could not be brought.
        """
        due = await self.reminders.due(update_id)
        if due is None or due.state != "queued":
            return
        user_id = due.reminder.user_id
        account = await self.accounts.find(user_id)
        is_permitted = self.access.permits(user_id, account.is_allowed)
        if due.reminder.status == "cancelled" or not is_permitted:
            await self.reminders.ended(update_id, "dropped")
            return
        # What was shown before a crash is not changed to a delayed one by the next try.
        part = await self.messenger.outbox.find(update_id, 0)
        if part is None or not part.text:
            await self._bring(due, self._target(due.reminder, account, update_id), account, hold)
        await self._note(update_id)

    async def target_of(self, update_id: int) -> ReplyTarget | None:
        """The user who is told that it failed, or has to wait."""
        due = await self.reminders.due(update_id)
        if due is None:
            return None
        account = await self.accounts.find(due.reminder.user_id)
        return self._target(due.reminder, account, update_id)

    async def _bring(
        self, due: DueReminder, target: ReplyTarget, account: Account, hold: Hold
    ) -> None:
        delivery = Delivery(self.messenger, target, hold)
        if due.reminder.kind == "reminder":
            message = came(due, target.clocks)
            buttons = came_buttons(due.reminder, target.locale)
            await delivery.complete([replace(message, buttons=buttons)])
            if self.notebook:
                user_id = due.reminder.user_id
                thread = self.threads.of(user_id, due.reminder.topic_id)
                markdown = as_markdown(message)
                await self.notebook.say(thread, user_id, target.update_id, "", markdown)
            return
        request = await self._request(due.reminder, target, account)
        writer = AnswerWriter(self.messenger, delivery, self.answer_options)
        async with self.stopping.watching(target.update_id) as stop:
            await writer.write(self.turns.run(request, stop))

    async def _request(
        self, reminder: Reminder, target: ReplyTarget, account: Account
    ) -> TurnRequest:
        """The question that a prompt or a digest asks for its user."""
        user_id = reminder.user_id
        names = await self.accounts.names([user_id])
        user = account.in_turn(User(user_id, names.get(user_id, "")))
        asks = Words(reminder.text, reminder.origin)
        if reminder.kind == "digest":
            asks = await self._digest(reminder, target.locale)
        return TurnRequest(
            thread_id=self.threads.of(user_id, reminder.topic_id),
            request_id=f"tg:{target.update_id}",
            message=IncomingMessage(user, asks.text, origin=asks.origin),
            fresh_from=account.fresh_from,
            is_unattended=True,
        )

    async def _digest(self, digest: Reminder, locale: str) -> Words:
        """The request for today's digest, with the reminders that are to come today."""
        today = local_of(await self.reminders.now(), digest.tz).date()
        reminders, _ = await self.reminders.upcoming(digest.user_id, 0, _MOST_IN_DIGEST)
        coming = [(local_of(one.next_at, digest.tz), one) for one in reminders if one.next_at]
        todays = [(at, one) for at, one in coming if at.date() == today]
        clocks = Clocks(locale, digest.tz)
        lines = [f"- {clocks.clock(at)} {one.text}" for at, one in todays]
        day = say_full_date(today, locale)
        request = say(locale, "digest-request", day=day, count=len(lines))
        foreign_origins = (one.origin for _, one in todays if one.words.is_foreign)
        return Words("\n".join([request, *lines]), next(foreign_origins, "user"))

    async def _note(self, update_id: int) -> None:
        """It came if Telegram's number of its message is known."""
        part = await self.messenger.outbox.find(update_id, 0)
        if part and part.state == "failed":
            await self.reminders.ended(update_id, "failed", "Telegram does not take it")
        elif part and part.message_id is not None:
            await self.reminders.sent(update_id, part.message_id)

    def _target(self, reminder: Reminder, account: Account, update_id: int) -> ReplyTarget:
        locale = account.locale_for()
        return ReplyTarget(
            update_id,
            reminder.user_id,
            locale,
            topic_id=reminder.topic_id,
            time_zone=account.time_zone,
        )


def firing_of(reminders: Reminders) -> DueWork:
    """The kind of due work that fires reminders: soon again after the database was away."""
    return DueWork(
        reminders.fire, most_at_once=8, first_retry_s=1.0, longest_retry_s=60.0, most_tries=None
    )
