"""Delivers one answer: sends each message once, then edits it, through outbox and limiter.

Telegram has no idempotency key for sends. If the outcome of a send is unknown, the message is sent
again, and the first copy is searched for and deleted. If the search cannot be finished, the final
text says that the message was sent again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import structlog

from rich_agent.domain.people import has_telegram
from rich_agent.errors import (
    ChatBlockedError,
    DatabaseUnavailableError,
    DeliveryPostponedError,
    EntitiesRefusedError,
    MessageGoneError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage, RichRefusedError
from rich_agent.rendering.answers import without_entities
from rich_agent.rendering.spans import join
from rich_agent.runtime.fencing import require_lease
from rich_agent.telegram.deliver.limiter import DEFAULT_RETRY_AFTER_S
from rich_agent.telegram.deliver.lost_messages import (
    LAST_LOOKS,
    LOOKS,
    LostMessageSearch,
    MessageRemover,
)
from rich_agent.telegram.deliver.message_parts import MessagePart, MessageParts
from rich_agent.telegram.deliver.messenger import NOTICE, Hold, Messenger, Recipe, ReplyTarget
from rich_agent.telegram.deliver.retries import Retries

NOTHING_MADE: Mapping[int, Recipe] = MappingProxyType({})
_log = structlog.get_logger()


class Delivery:
    """Delivers one answer to its chat.

    The text of part 0 may grow. All parts are completed in order. For a person without Telegram,
    the final texts are written into their conversation.
    """

    def __init__(self, messenger: Messenger, target: ReplyTarget, hold: Hold) -> None:
        self.target = target
        self._messenger = messenger
        self._hold = hold
        self._parts = MessageParts(messenger, target, hold)
        self._remover = MessageRemover(
            messenger.api, messenger.limiter, target.chat_id, target.locale
        )
        self._lost_messages = LostMessageSearch(messenger.outbox, self._remover, target.update_id)
        self._shown: RenderedMessage | None = None
        self._is_given_up = False
        self._looks = LOOKS

    @property
    def is_undeliverable(self) -> bool:
        """Whether Telegram refused the answer for good."""
        return self._is_given_up

    async def is_answered(self) -> bool:
        """Whether part 0 shows a final text."""
        return bool((await self._parts.open(0)).final_text)

    async def announce(self, message: RenderedMessage, *, number: int = 0) -> bool:
        """Show a message, unless an earlier attempt has begun to; False means try again later.

        Part 0 is the message that later becomes the answer, `NOTICE` a separate message.
        """
        return await self._try_to_show(message, number=number, only_as_first=True)

    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        """Show a temporary text in part 0 if the limits allow it now; False means try again later.

        It is shown only if the chat could still take `spare` more messages. Failures are only
        logged, because only the final text has to arrive.
        """
        if message == self._shown or self._is_given_up:
            return True
        return await self._try_to_show(message, spare=spare)

    async def has_message(self) -> bool:
        """Whether an earlier attempt sent, or may have sent, a message for part 0."""
        part = await self._messenger.outbox.find(self.target.update_id, 0)
        return part is not None

    async def confirm(self) -> None:
        """Check that this worker still holds the lane. Raises: LaneLostError."""
        await self._hold()

    async def complete(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe] = NOTHING_MADE
    ) -> None:
        """Show the final messages, followed by the parts that `recipes` make, by part number.

        Parts that are complete stay untouched.

        Raises: DeliveryPostponedError if the delivery has to wait for long; LaneLostError;
        RichRefusedError for a rich message, instead of which ordinary messages may be shown.
        """
        if not has_telegram(self.target.chat_id):
            await self._messenger.write_down(self.target.chat_id, self.target.update_id, messages)
            return
        await self._complete_parts(dict(enumerate(messages)))
        await self._take_surplus_away(len(messages))
        for number, recipe in recipes.items():
            await self._complete_parts({number: recipe})
        await self._take_notice_away()

    async def precede(self, recipes: Mapping[int, Recipe]) -> None:
        """Send parts that must precede the final text, such as a question's file.

        Raises: the errors of `complete`.
        """
        if has_telegram(self.target.chat_id):
            await self._complete_parts(recipes)

    async def retract(self) -> None:
        """Delete the notices of an answer that became part of the answer to another update.

        Raises: UpstreamError, LaneLostError.
        """
        await self._take_away_from(NOTICE)

    async def _take_away_from(self, first: int) -> None:
        """Delete the messages without a final text, beginning with part number `first`."""
        for part in await self._messenger.outbox.after(self.target.update_id, first - 1):
            await self._hold()
            if part.text:
                continue
            if part.message_id is not None:
                await self._remover.take_away(part.message_id)
            await self._messenger.outbox.discard(self.target.update_id, part.part)

    async def _take_surplus_away(self, count: int) -> None:
        """Delete parts of an earlier answer from number `count` on. Here is nothing to delete."""

    async def _complete_parts(self, parts: Mapping[int, RenderedMessage | Recipe]) -> None:
        for number, message in parts.items():
            try:
                is_shown = await self._put_patiently(number, message)
            except TokenRefusedError as error:
                # The answer waits until the operator has fixed the token.
                raise DeliveryPostponedError(
                    self._messenger.retry_policy.postponed_s, str(error)
                ) from error
            except RichRefusedError:
                raise
            except UpstreamRefusedError as error:
                await self._give_up(number, error)
                return
            if is_shown:
                await self._parts.finalize(number, message.text)

    async def _take_notice_away(self) -> None:
        """Delete the notice of waiting.

        The id of a lost notice is searched for below that of the answer.
        """
        outbox, update_id = self._messenger.outbox, self.target.update_id
        may_exist = self._parts.may_follow_notice
        notice = await outbox.find(update_id, NOTICE) if may_exist else None
        if notice is None:
            return
        try:
            if notice.message_id is not None:
                await self._remover.take_away(notice.message_id)
            elif (answer := (await self._parts.open(0)).message_id) is not None:
                await self._lost_messages.clear(NOTICE, answer)
        except UpstreamError as error:
            _log.info("telegram.notice_stays", error=str(error))
            return
        await outbox.discard(update_id, NOTICE)

    async def _try_to_show(
        self,
        message: RenderedMessage,
        *,
        number: int = 0,
        spare: int = 0,
        only_as_first: bool = False,
    ) -> bool:
        if not has_telegram(self.target.chat_id):
            return True  # a page shows no temporary text of a notice
        try:
            if not await self._messenger.limiter.try_take(self.target.chat_id, spare=spare):
                return False
            if only_as_first and await self._has_begun(number):
                return True
            part = await self._parts.open(number)
            self._is_given_up |= part.failed
            if part.final_text or self._is_given_up:
                return True
            await self._move_down(part, message)
            is_first = part.message_id is None
            await self._put_once(part, message)
            if is_first:
                await self._look_back(part)
        except (UpstreamError, DatabaseUnavailableError) as error:
            _log.info("telegram.grow_failed", update_id=self.target.update_id, error=str(error))
            return False
        self._shown = message
        return True

    async def _has_begun(self, number: int) -> bool:
        return await self._messenger.outbox.find(self.target.update_id, number) is not None

    async def _move_down(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        """Delete the part's message if it has to be sent again.

        That is so if an earlier answer follows it, or if it is a text and becomes a widget.
        """
        message_id = part.message_id
        if message_id is None:
            return
        chat_id, messenger = self.target.chat_id, self._messenger
        if part.overtaken or await messenger.must_be_sent_anew(chat_id, message_id, message):
            was_doubtful = part.doubtful
            await self._parts.renew(part)
            part.doubtful = True  # until the message is gone
            await self._remover.take_away(message_id)
            part.doubtful = was_doubtful

    async def _put_once(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        try:
            await self._put(part, message)
        except UpstreamError as error:
            await self._note_failure(part, error)
            raise

    async def _put_patiently(self, number: int, message: RenderedMessage | Recipe) -> bool:
        """Show a final message; False if that was done before, or cannot be done."""
        if number == 0 and message == self._shown:
            part = await self._parts.open(number)
            if not (part.failed or part.doubtful):
                return not part.final_text
        self._looks = LAST_LOOKS
        tries = Retries(self._messenger.retry_policy)
        while True:
            await self._await_limits()
            part = await self._parts.open(number)
            self._is_given_up |= part.failed
            if self._is_given_up or part.final_text == message.text:
                return False
            try:
                await self._move_down(part, message)
                await self._put_once(part, message)
                await self._look_back(part)
                if part.doubtful:
                    await self._confess(part, message)
            except UpstreamError as error:
                await tries.pause_after(error)
            else:
                return True

    async def _confess(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        """Add a note at the top of a text that may be in the chat twice."""
        _log.warning("telegram.sent_again", update_id=self.target.update_id, part=part.number)
        if not isinstance(message, RenderedMessage):
            await self._parts.settle(part)
            return
        note = say(self.target.locale, "sent-again")
        message_with_note = join(RenderedMessage(note), message)
        if message.blocks:
            message_with_note = replace(
                message, blocks=({"type": "paragraph", "text": note}, *message.blocks)
            )
        if message.living:
            living = replace(message.living, note=note)
            message_with_note = replace(message_with_note, living=living)
        await self._put_once(part, message_with_note)
        await self._parts.settle(part)

    async def _await_limits(self) -> None:
        """Wait for the limiter. Raises: DeliveryPostponedError if the chat is closed for long."""
        limiter, chat_id = self._messenger.limiter, self.target.chat_id
        closed_s = limiter.closed_for_s(chat_id)
        if closed_s > self._messenger.retry_policy.longest_wait_s:
            raise DeliveryPostponedError(closed_s, "too many requests in this chat")
        await limiter.take(chat_id)

    async def _put(self, part: MessagePart, message: RenderedMessage | Recipe) -> None:
        """Edit the part's message, or send it if the part has none yet."""
        if not isinstance(message, RenderedMessage):
            await self._put_recipe(part, message)
            return
        previous_id = part.message_id
        try:
            part.message_id = await self._send_or_edit(part, message)
        except EntitiesRefusedError:
            if not message.entities:
                raise
            plain_message = without_entities(message)
            part.message_id = await self._send_or_edit(part, plain_message)
        record_sending = self._parts.record(part)
        await (
            record_sending if previous_id else self._remover.keep(part.message_id, record_sending)
        )

    async def _put_recipe(self, part: MessagePart, recipe: Recipe) -> None:
        """Send the part unless it was sent before. Parts made by recipes are never edited."""
        if part.message_id is None:
            with require_lease():
                part.message_id = await recipe.send(self._messenger.api, self.target)
            await self._remover.keep(part.message_id, self._parts.record(part))

    async def _look_back(self, part: MessagePart) -> None:
        """Delete messages that earlier sends of the part left behind, if they can be found."""
        if not part.doubtful or part.message_id is None:
            return
        if await self._lost_messages.clear(part.number, part.message_id, self._looks):
            await self._parts.settle(part)

    async def _send_or_edit(self, part: MessagePart, message: RenderedMessage) -> int:
        target, messenger = self.target, self._messenger
        with require_lease():
            if part.message_id is not None:
                await messenger.edit(target.chat_id, part.message_id, message)
                return part.message_id
            reply_to = target.reply_to if part.number in (0, NOTICE) else None
            return await messenger.send(
                target.chat_id, message, reply_to=reply_to, topic_id=target.topic_id
            )

    async def _note_failure(self, part: MessagePart, error: UpstreamError) -> None:
        """Update the state of a part, of the limiter and of the outbox after a failed call."""
        match error:
            case UpstreamTimeoutError() | OutcomeUnknownError():
                if part.message_id is None:
                    await self._parts.interrupt(part)
            case MessageGoneError():
                await self._parts.renew(part)
            case ChatBlockedError():
                await self._give_up(part.number, error)
            case UpstreamRateLimitedError():
                wait_s = error.retry_after_s or DEFAULT_RETRY_AFTER_S
                self._messenger.limiter.penalize(self.target.chat_id, wait_s)
                await self._parts.withdraw(part)
            case UpstreamUnavailableError():
                await self._parts.withdraw(part)

    async def _give_up(self, number: int, error: UpstreamError) -> None:
        if self._is_given_up:
            return
        self._is_given_up = True
        target = self.target
        _log.warning("telegram.undeliverable", update_id=target.update_id, error=str(error))
        await self._messenger.outbox.note_failure(target.update_id, number, str(error))
        if isinstance(error, ChatBlockedError):
            await self._messenger.users.mark_blocked(target.chat_id)
