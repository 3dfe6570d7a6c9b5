"""Answers questions of groups from registered documents, within limits. No question is kept."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import structlog
from pydantic import ValidationError

from rich_agent.chat_commands.registry import Commands
from rich_agent.chat_commands.replies import CommandRequest
from rich_agent.domain.access import Access, UserTags
from rich_agent.domain.answer.links import links_in
from rich_agent.domain.json_values import read_json, storable
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import (
    Audience,
    IncomingMessage,
    ReplyContext,
    TurnRequest,
    User,
    guest_thread_of,
    thread_of,
)
from rich_agent.domain.words import Origin
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account, Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.usage import Admission, GuestEntry, GuestLimits, Guests
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.ephemeral import EphemeralSupport
from rich_agent.telegram.deliver.guest_queries import GuestDelivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.telegram.deliver.private import PrivateDelivery, WayToAsker
from rich_agent.telegram.receive.envelope import GUEST_KIND
from rich_agent.telegram.receive.inbound import LONGEST_TEXT
from rich_agent.telegram.receive.wire import Message
from rich_agent.turns.runner import TurnRunner


@dataclass(frozen=True, slots=True)
class GuestQuestion:
    """A question to the bot in the group `chat_id`, perhaps in one of its topics.

    If there is a `query_id`, the bot is not a member of the group, and may post one message as a
    guest. With an `ephemeral_id`, only the bot saw the message. A `command` has no slash, and no
    text: what follows it is not kept.
    """

    message: IncomingMessage
    chat_id: int
    query_id: str = ""
    topic_id: int | None = None
    ephemeral_id: int | None = None
    command: str = ""

    @property
    def is_unseen(self) -> bool:
        """Whether nobody in the group saw it, so that nobody sees the answer either."""
        return self.ephemeral_id is not None

    @property
    def is_for_asker(self) -> bool:
        """Whether its user alone gets the answer, whatever they may read."""
        return self.is_unseen or bool(self.command)

    @property
    def user(self) -> User:
        """The user who asked."""
        return self.message.user

    @property
    def locale(self) -> str:
        """The language of the question, for the bot's own phrases."""
        return choose_locale(self.message.text, self.user.language_code)


def read_guest_question(raw: bytes) -> GuestQuestion | None:
    """The question in an update, None if the update has no question of a group."""
    update = read_json(raw)
    if not isinstance(update, dict) or GUEST_KIND not in update:
        return None
    try:
        message = Message.model_validate(storable(update[GUEST_KIND]))
    except ValidationError:
        return None
    if message.sender is None:
        return None
    user, text = message.sender.to_user(), message.text
    unread_kinds = (*message.left_out, *(("long_text",) if len(text) > LONGEST_TEXT else ()))
    question = IncomingMessage(
        user=user,
        text=text[:LONGEST_TEXT],
        reply=_read_reply(message),
        message_id=message.message_id,
        unread=tuple(dict.fromkeys(unread_kinds)),
    )
    return GuestQuestion(
        question,
        message.chat.id,
        message.guest_query_id,
        message.topic_id(),
        message.ephemeral_message_id,
        message.group_command,
    )


def _read_reply(message: Message) -> ReplyContext | None:
    original, quote = message.reply_to_message, message.quote.text if message.quote else ""
    if original is None:
        return ReplyContext(0, quote=quote, author="other") if quote else None
    author: Origin = "other"
    if original.sender is not None and message.sender is not None:
        is_of_sender = original.sender.id == message.sender.id
        author = "assistant" if original.sender.is_bot else "user" if is_of_sender else "other"
    return ReplyContext(original.message_id, original.written(), quote=quote, author=author)


_log = structlog.get_logger()
GuestMode = Literal["off", "allowed", "everyone"]
"""Users whom the bot answers in groups: none, users with access, or all except denied users."""


async def reads_no_more(_user_id: int) -> bool:
    """Callback for a bot without documents that not everybody may read."""
    return False


@dataclass(frozen=True, slots=True)
class PrivateAnswers:
    """Answers to one member of a group alone.

    - `reads_more`: whether a user may read a document that not everybody may read.
    - `support`: the ephemeral messages of the Bot API server.
    - `link`: the address of the private chat with the bot, "" if it is not known.
    - `commands`: of these, users may type those `in_groups`.
    """

    support: EphemeralSupport
    reads_more: Callable[[int], Awaitable[bool]] = reads_no_more
    link: Callable[[], str] = str
    commands: Commands = field(default_factory=Commands)

    def way(self, question: GuestQuestion) -> WayToAsker:
        """The ways to the user who asked."""
        return WayToAsker(
            question.user.telegram_user_id,
            self.support,
            question.query_id,
            question.ephemeral_id,
            self.link(),
        )

    def knows(self, command: str) -> bool:
        """Whether a command may be typed in a group."""
        return command in self.commands.menu.in_groups and self.commands.knows(command)


@dataclass(frozen=True, slots=True)
class GuestAnswers:
    """Answers questions of groups. Once a question is answered, nothing of the group is kept.

    A user who may read more than everybody is answered alone, with their rights. All others are
    answered for everybody to read. Commands, and what only the bot sees, are answered to their user
    alone, too.
    """

    turns: TurnRunner
    messenger: Messenger
    guests: Guests
    accounts: Accounts
    access: Access
    mode: GuestMode
    limits: Callable[[], GuestLimits]
    tags: UserTags
    private: PrivateAnswers

    async def take(self, update: StoredUpdate, hold: Hold) -> bool:
        """Answer the question in an update once; return False if it is no question of a group.

        Raises: RichAgentError if the turn or its delivery failed.
        """
        question = read_guest_question(update.raw)
        if question is not None:
            await self._take(question, update.update_id, hold)
        return question is not None

    async def _take(self, question: GuestQuestion, update_id: int, hold: Hold) -> None:
        user_id = question.user.telegram_user_id
        account = await self.accounts.find(user_id)
        is_own_user = self.access.permits(user_id, account.is_allowed)
        if not self._permits(question, account, is_own_user=is_own_user):
            _log.info("telegram.guest_not_allowed", user=self.tags.of(user_id))
            return
        is_private = question.is_for_asker or (
            is_own_user and await self.private.reads_more(user_id)
        )
        is_command = bool(question.command)
        entry = GuestEntry(update_id, user_id, question.chat_id, is_private, is_command)
        entry_reply = await self.guests.admit(entry, self.limits())
        if entry_reply.admission == "silent":
            return
        is_private = entry_reply.is_private
        delivery = self._delivery(question, update_id, hold, account if is_private else None)
        thread_id = guest_thread_of(user_id, update_id, is_private=is_private)
        audience: Audience = "asker" if is_private and is_own_user else "group"
        request = TurnRequest(thread_id, f"tg:{update_id}", question.message, audience=audience)
        await self._answer(question, entry_reply.admission, delivery, request, account)
        await self.guests.close(update_id, thread_id)

    async def _answer(
        self,
        question: GuestQuestion,
        admission: Admission,
        delivery: Delivery,
        request: TurnRequest,
        account: Account,
    ) -> None:
        if isinstance(delivery, PrivateDelivery) and not await delivery.open():
            return
        if admission == "command":
            reply = await self._reply(question, delivery.target, account)
            await delivery.complete([reply])
        elif admission == "answered":
            # A group sees no text grow: Telegram allows a bot 20 messages a minute there.
            shows_typing = not (question.query_id or isinstance(delivery, PrivateDelivery))
            options = AnswerOptions("off", shows_typing=shows_typing)
            await AnswerWriter(self.messenger, delivery, options).write(self.turns.run(request))
        else:
            phrase = f"guest-{admission.replace('_', '-')}"
            await delivery.complete([RenderedMessage(say(delivery.target.locale, phrase))])

    async def _reply(
        self, question: GuestQuestion, target: ReplyTarget, account: Account
    ) -> RenderedMessage:
        """The reply to a command, which shows what is the user's own."""
        locale = account.locale_for(client=question.user.language_code)
        if not self.private.knows(question.command):
            text = say(locale, "guest-withheld")
            return RenderedMessage(f"{text} {self.private.link()}".rstrip())
        request = CommandRequest(
            question.command,
            "",
            question.user,
            locale,
            target.update_id,
            account,
            thread_of(question.user.telegram_user_id),
        )
        return (await self.private.commands.answer(request)).message

    async def delivery_of(self, update: StoredUpdate, hold: Hold) -> Delivery | None:
        """The delivery of the answer to an update; None if the update is no question of a group.

        Raises: DatabaseUnavailableError.
        """
        question = read_guest_question(update.raw)
        if question is None:
            return None
        is_private = question.is_for_asker or await self.guests.is_private(update.update_id)
        asker = await self.accounts.find(question.user.telegram_user_id) if is_private else None
        return self._delivery(question, update.update_id, hold, asker)

    def _delivery(
        self, question: GuestQuestion, update_id: int, hold: Hold, asker: Account | None
    ) -> Delivery:
        """The delivery to everybody or, with the account of an `asker`, to them alone."""
        message, client = question.message, question.user.language_code
        target = ReplyTarget(
            update_id,
            question.chat_id,
            asker.locale_for(message.text, client) if asker else question.locale,
            links_in(message.text),
            reply_to=message.message_id or None,
            after_id=message.message_id,
            topic_id=question.topic_id,
            time_zone=asker.time_zone if asker else "",
        )
        if asker:
            return PrivateDelivery(self.messenger, target, hold, self.private.way(question))
        if question.query_id:
            return GuestDelivery(self.messenger, target, hold, question.query_id)
        return Delivery(self.messenger, target, hold)

    def _permits(self, question: GuestQuestion, account: Account, *, is_own_user: bool) -> bool:
        if self.mode == "off":
            return False
        if question.command:
            is_known = question.is_unseen or self.private.knows(question.command)
            return is_own_user and is_known
        if self.mode == "everyone":
            return account.is_allowed is not False
        return is_own_user
