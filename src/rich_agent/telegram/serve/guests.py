"""Answers questions of groups from registered documents, within limits. No question is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import structlog
from pydantic import ValidationError
from typing_extensions import override

from rich_agent.domain.access import Access, UserTags
from rich_agent.domain.answer.links import links_in
from rich_agent.domain.json_values import read_json, storable
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import (
    IncomingMessage,
    ReplyContext,
    TurnRequest,
    User,
    guest_thread_of,
)
from rich_agent.domain.words import Origin
from rich_agent.errors import (
    ChatBlockedError,
    EntitiesRefusedError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.usage import GuestLimits, Guests
from rich_agent.rendering.answers import without_entities
from rich_agent.rendering.spans import join
from rich_agent.telegram.deliver.delivery import NOTHING_MADE, Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, Recipe, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.telegram.deliver.retries import Retries
from rich_agent.telegram.receive.envelope import GUEST_KIND
from rich_agent.telegram.receive.inbound import LONGEST_TEXT
from rich_agent.telegram.receive.wire import Message
from rich_agent.turns.runner import TurnRunner


class GuestDelivery(Delivery):
    """Delivers the answer to a guest query.

    It records nothing, because Telegram refuses a second answer.
    """

    def __init__(
        self, messenger: Messenger, target: ReplyTarget, hold: Hold, query_id: str
    ) -> None:
        super().__init__(messenger, target, hold)
        self._query_id = query_id
        self._has_answered = False

    @override
    async def is_answered(self) -> bool:
        return self._has_answered

    @override
    async def announce(self, message: RenderedMessage, *, number: int = 0) -> bool:
        return True

    @override
    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        return True

    @override
    async def complete(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe] = NOTHING_MADE
    ) -> None:
        """Post the first message, with a hint if there are more.

        Raises: UpstreamError, TokenRefusedError, LaneLostError.
        """
        first_message, *further_messages = messages
        if further_messages:
            hint = RenderedMessage(say(self.target.locale, "guest-answer-cut"))
            first_message = join(first_message, hint)
        await self._post(replace(first_message, buttons=()))
        self._has_answered = True

    async def _post(self, message: RenderedMessage) -> None:
        tries = Retries(self._messenger.retry_policy)
        while True:
            await self._hold()
            try:
                await self._messenger.api.answer_guest(self._query_id, message)
            except EntitiesRefusedError:
                if not message.entities:
                    raise
                message = without_entities(message)
            except TokenRefusedError:
                raise
            except (ChatBlockedError, UpstreamRefusedError) as error:
                # An earlier try succeeded, or it took too long.
                _log.info("telegram.guest_query_over", error=str(error))
                return
            except UpstreamError as error:
                await tries.pause_after(error)
            else:
                return


@dataclass(frozen=True, slots=True)
class GuestQuestion:
    """A question to the bot in the group `chat_id`, perhaps in one of its topics.

    If there is a `query_id`, the bot is not a member of the group, and may post one message as a
    guest.
    """

    message: IncomingMessage
    chat_id: int
    query_id: str = ""
    topic_id: int | None = None

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
    return GuestQuestion(question, message.chat.id, message.guest_query_id, message.topic_id())


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


@dataclass(frozen=True, slots=True)
class GuestAnswers:
    """Answers questions of groups. Once a question is answered, nothing of the group is kept."""

    turns: TurnRunner
    messenger: Messenger
    guests: Guests
    accounts: Accounts
    access: Access
    mode: GuestMode
    limits: Callable[[], GuestLimits]
    tags: UserTags

    async def take(self, update: StoredUpdate, hold: Hold) -> bool:
        """Answer the question in an update once; return False if it is no question of a group.

        Raises: RichAgentError if the turn or its delivery failed.
        """
        question = read_guest_question(update.raw)
        if question is not None:
            await self._answer(question, update.update_id, hold)
        return question is not None

    async def _answer(self, question: GuestQuestion, update_id: int, hold: Hold) -> None:
        user_id = question.user.telegram_user_id
        if not await self._permits(user_id):
            _log.info("telegram.guest_not_allowed", user=self.tags.of(user_id))
            return
        admission = await self.guests.admit(update_id, user_id, question.chat_id, self.limits())
        if admission == "silent":
            return
        delivery = self._delivery(question, update_id, hold)
        thread_id = guest_thread_of(user_id, update_id)
        if admission == "answered":
            request = TurnRequest(thread_id, f"tg:{update_id}", question.message, audience="group")
            # A group sees no text grow: Telegram allows a bot 20 messages a minute there.
            options = AnswerOptions("off", shows_typing=not question.query_id)
            await AnswerWriter(self.messenger, delivery, options).write(self.turns.run(request))
        else:
            phrase = f"guest-{admission.replace('_', '-')}"
            await delivery.complete([RenderedMessage(say(delivery.target.locale, phrase))])
        await self.guests.close(update_id, thread_id)

    def delivery_of(self, update: StoredUpdate, hold: Hold) -> Delivery | None:
        """The delivery of the answer to an update; None if the update is no question of a group."""
        question = read_guest_question(update.raw)
        return self._delivery(question, update.update_id, hold) if question else None

    def _delivery(self, question: GuestQuestion, update_id: int, hold: Hold) -> Delivery:
        message = question.message
        target = ReplyTarget(
            update_id,
            question.chat_id,
            question.locale,
            links_in(message.text),
            reply_to=message.message_id,
            after_id=message.message_id,
            topic_id=question.topic_id,
        )
        if question.query_id:
            return GuestDelivery(self.messenger, target, hold, question.query_id)
        return Delivery(self.messenger, target, hold)

    async def _permits(self, user_id: int) -> bool:
        if self.mode == "off":
            return False
        is_allowed = (await self.accounts.find(user_id)).is_allowed
        if self.mode == "everyone":
            return is_allowed is not False
        return self.access.permits(user_id, is_allowed)
