"""Answers what is asked in groups, from registered documents, within limits, and forgets it."""

from dataclasses import dataclass
from typing import Literal

import structlog

from rich_agent.domain.access import Access
from rich_agent.domain.answer.links import links_in
from rich_agent.domain.message import TurnRequest, guest_thread_of
from rich_agent.domain.user_tags import UserTags
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.usage import GuestLimits, Guests
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.guest_delivery import GuestDelivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.telegram.receive.guests import GuestQuestion, read_guest_question
from rich_agent.turns.runner import TurnRunner

_log = structlog.get_logger()
GuestMode = Literal["off", "allowed", "everyone"]
"""Who is answered in groups: nobody, those who may use the bot, or everybody not denied it."""


@dataclass(frozen=True, slots=True)
class GuestAnswers:
    """Answers questions of groups. Of a group nothing is kept once its question is answered."""

    turns: TurnRunner
    messenger: Messenger
    guests: Guests
    accounts: Accounts
    access: Access
    mode: GuestMode
    limits: GuestLimits
    tags: UserTags

    async def take(self, update: StoredUpdate, hold: Hold) -> bool:
        """Answer the question in an update once; False if it is no question of a group.

        Raises: RichAgentError if the turn or its delivery failed.
        """
        asked = read_guest_question(update.raw)
        if asked is not None:
            await self._answer(asked, update.update_id, hold)
        return asked is not None

    async def _answer(self, asked: GuestQuestion, update_id: int, hold: Hold) -> None:
        user_id = asked.user.telegram_user_id
        if not await self._permits(user_id):
            _log.info("telegram.guest_not_allowed", user=self.tags.of(user_id))
            return
        admitted = await self.guests.admit(update_id, user_id, asked.chat_id, self.limits)
        if admitted == "silent":
            return
        delivery = self._delivery(asked, update_id, hold)
        thread_id = guest_thread_of(user_id, update_id)
        if admitted == "answered":
            request = TurnRequest(thread_id, f"tg:{update_id}", asked.message, audience="group")
            # A group sees no text grow: Telegram allows a bot 20 messages a minute there.
            options = AnswerOptions("off", shows_typing=not asked.query_id)
            await AnswerWriter(self.messenger, delivery, options).write(self.turns.run(request))
        else:
            phrase = f"guest-{admitted.replace('_', '-')}"
            await delivery.complete([RenderedMessage(say(delivery.target.locale, phrase))])
        await self.guests.close(update_id, thread_id)

    def delivery_of(self, update: StoredUpdate, hold: Hold) -> Delivery | None:
        """The delivery of the answer to an update; None if it is no question of a group."""
        asked = read_guest_question(update.raw)
        return self._delivery(asked, update.update_id, hold) if asked else None

    def _delivery(self, asked: GuestQuestion, update_id: int, hold: Hold) -> Delivery:
        message = asked.message
        target = ReplyTarget(
            update_id,
            asked.chat_id,
            asked.locale,
            links_in(message.text),
            reply_to=message.message_id,
            after_id=message.message_id,
            topic_id=asked.topic_id,
        )
        if asked.query_id:
            return GuestDelivery(self.messenger, target, hold, asked.query_id)
        return Delivery(self.messenger, target, hold)

    async def _permits(self, user_id: int) -> bool:
        if self.mode == "off":
            return False
        is_allowed = (await self.accounts.find(user_id)).is_allowed
        if self.mode == "everyone":
            return is_allowed is not False
        return self.access.permits(user_id, is_allowed)
