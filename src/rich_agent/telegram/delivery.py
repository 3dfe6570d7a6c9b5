"""One answer on its way: its messages sent once, edited after that, through outbox and limiter.

Telegram has no key by which a repeated send would be known. A send whose outcome is unknown is
therefore repeated only with the final text, and with a line that says so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import structlog

from rich_agent.domain.text import utf16_length
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
from rich_agent.ports.accounts import Users
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.outbox import Outbox
from rich_agent.telegram.limiter import Limiter
from rich_agent.telegram.patience import Patience, Tries
from rich_agent.telegram.rendering import without_entities

DEFAULT_RETRY_AFTER_S = 5.0
NOTICE = -1
"""The part of a notice that does not grow into the answer."""
_log = structlog.get_logger()

Hold = Callable[[], Awaitable[None]]
"""Confirms that the user's lane is still ours. Raises: LaneLostError."""


@dataclass(frozen=True, slots=True)
class Target:
    """The update that is answered, and how.

    `allowed_links` are the URLs that the user wrote; `reply_to` is the message that a late answer
    hangs on to. `handled_id` is the update in hand when that is another: an edit of the question.
    """

    update_id: int
    chat_id: int
    locale: str
    allowed_links: frozenset[str] = frozenset()
    reply_to: int | None = None
    handled_id: int | None = None

    @property
    def in_hand(self) -> int:
        """The update whose handling writes this answer; by it the answer is stopped."""
        return self.handled_id or self.update_id


@dataclass(frozen=True, slots=True)
class Post:
    """What every delivery goes through."""

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    patience: Patience = field(default_factory=Patience)


@dataclass(slots=True)
class _Part:
    """A message of the answer; `doubtful`: it may be in the chat although we have no id of it."""

    message_id: int | None
    recorded_id: int | None
    doubtful: bool
    final_text: str
    is_new: bool


class Delivery:
    """Brings one answer to its chat. Part 0 may grow; all parts are completed in order."""

    def __init__(self, post: Post, target: Target, hold: Hold) -> None:
        self.target = target
        self._post = post
        self._hold = hold
        self._parts: dict[int, _Part] = {}
        self._shown: RenderedMessage | None = None
        self._is_given_up = False

    async def is_answered(self) -> bool:
        """Whether part 0 shows a final text."""
        return bool((await self._open(0)).final_text)

    async def announce(self, message: RenderedMessage, *, number: int = 0) -> bool:
        """Show something unless an earlier try began to; False: try again later.

        As part 0, the message that will grow; or as `NOTICE`, a message of its own.
        """
        return await self._try_to_show(message, number=number, only_as_first=True)

    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        """Show a passing state in part 0 if the limits allow it now; False: try again later.

        `spare` sends of the chat's allowance are left for what comes next. Failures are logged
        only: what counts is the final text.
        """
        if message == self._shown or self._is_given_up:
            return True
        return await self._try_to_show(message, spare=spare)

    async def has_message(self) -> bool:
        """Whether a message was sent for part 0, or may have been, by an earlier try."""
        part = await self._post.outbox.find(self.target.update_id, 0)
        return part is not None

    async def confirm(self) -> None:
        """Raises: LaneLostError when another worker writes this answer now."""
        await self._hold()

    async def complete(self, messages: Sequence[RenderedMessage]) -> None:
        """Show the final text in all its parts; what is shown already stays untouched.

        Raises: DeliveryPostponedError when it has to wait for long, LaneLostError.
        """
        for number, message in enumerate(messages):
            try:
                is_shown = await self._put_patiently(number, message)
            except TokenRefusedError as error:
                # The answer waits until the operator has mended the token.
                raise DeliveryPostponedError(self._post.patience.postponed_s, str(error)) from error
            except UpstreamRefusedError as error:
                await self._give_up(number, error)
                return
            if is_shown:
                await self._post.outbox.finalized(self.target.update_id, number, message.text)
                self._parts[number].final_text = message.text

    async def _try_to_show(
        self,
        message: RenderedMessage,
        *,
        number: int = 0,
        spare: int = 0,
        only_as_first: bool = False,
    ) -> bool:
        if not self._post.limiter.try_take(self.target.chat_id, spare=spare):
            return False
        try:
            part = await self._open(number)
            if part.final_text or part.doubtful or self._is_given_up:
                return True
            if only_as_first and not part.is_new:
                return True
            await self._put_once(number, message)
        except (UpstreamError, DatabaseUnavailableError) as error:
            _log.info("telegram.grow_failed", update_id=self.target.update_id, error=str(error))
            return False
        self._shown = message
        return True

    async def _open(self, number: int) -> _Part:
        """The part, begun in the outbox; only right before it is sent, and only by who may."""
        await self._hold()
        if number not in self._parts:
            row = await self._post.outbox.begin(self.target.update_id, number, self.target.chat_id)
            self._is_given_up |= row.state == "failed"
            self._parts[number] = _Part(
                row.message_id,
                row.message_id,
                doubtful=row.message_id is None and not row.is_new,
                final_text=row.text,
                is_new=row.is_new,
            )
        return self._parts[number]

    async def _put_once(self, number: int, message: RenderedMessage) -> None:
        try:
            await self._put(number, message)
        except UpstreamError as error:
            await self._note_failure(number, error)
            raise

    async def _put_patiently(self, number: int, message: RenderedMessage) -> bool:
        """Whether the message was put; False if it is there already, or cannot be."""
        tries = Tries(self._post.patience)
        while True:
            await self._await_limits()
            part = await self._open(number)
            if self._is_given_up or part.final_text == message.text:
                return False
            try:
                await self._put_once(number, self._with_doubt(number, message))
            except UpstreamError as error:
                await tries.pause_after(error)
            else:
                return True

    async def _await_limits(self) -> None:
        """Raises: DeliveryPostponedError when the chat is closed for long."""
        limiter, chat_id = self._post.limiter, self.target.chat_id
        closed_s = limiter.closed_for_s(chat_id)
        if closed_s > self._post.patience.longest_wait_s:
            raise DeliveryPostponedError(closed_s, "too many requests in this chat")
        await limiter.take(chat_id)

    async def _put(self, number: int, message: RenderedMessage) -> None:
        """Edit the part, or send it if it has no message yet."""
        part = self._parts[number]
        try:
            part.message_id = await self._send_or_edit(part, number, message)
        except EntitiesRefusedError:
            if not message.entities:
                raise
            plain = without_entities(message)
            part.message_id = await self._send_or_edit(part, number, plain)
        part.doubtful = False
        if part.message_id != part.recorded_id:
            await self._record(number, part)

    async def _record(self, number: int, part: _Part) -> None:
        """Store a message's id, however long it takes: nothing else tells that it was sent.

        Raises: LaneLostError.
        """
        while part.message_id is not None and part.message_id != part.recorded_id:
            try:
                await self._post.outbox.sent(self.target.update_id, number, part.message_id)
            except DatabaseUnavailableError as error:
                _log.info("telegram.record_failed", error=str(error))
                await asyncio.sleep(self._post.patience.first_pause_s)
            else:
                part.recorded_id = part.message_id

    async def _send_or_edit(self, part: _Part, number: int, message: RenderedMessage) -> int:
        target, api = self.target, self._post.api
        if part.message_id is not None:
            await api.edit_message(target.chat_id, part.message_id, message)
            return part.message_id
        reply_to = target.reply_to if number == 0 else None
        return await api.send_message(target.chat_id, message, reply_to=reply_to)

    def _with_doubt(self, number: int, message: RenderedMessage) -> RenderedMessage:
        part = self._parts[number]
        if not part.doubtful or part.message_id is not None:
            return message
        _log.warning("telegram.sent_again", update_id=self.target.update_id, part=number)
        note = say(self.target.locale, "sent-again") + "\n\n"
        shift = utf16_length(note)
        moved = tuple(replace(entity, offset=entity.offset + shift) for entity in message.entities)
        return replace(message, text=note + message.text, entities=moved)

    async def _note_failure(self, number: int, error: UpstreamError) -> None:
        """Learn from a failed call what the next one must know."""
        part = self._parts[number]
        match error:
            case UpstreamTimeoutError() | OutcomeUnknownError():
                part.doubtful = part.message_id is None
            case MessageGoneError():
                part.message_id = None
            case ChatBlockedError():
                await self._give_up(number, error)
            case UpstreamRateLimitedError():
                wait_s = error.retry_after_s or DEFAULT_RETRY_AFTER_S
                self._post.limiter.penalize(self.target.chat_id, wait_s)
                await self._withdraw(number, part)
            case UpstreamUnavailableError():
                await self._withdraw(number, part)

    async def _withdraw(self, number: int, part: _Part) -> None:
        """Forget a send that certainly did not happen: the next one is no repetition."""
        if part.message_id is None and not part.doubtful:
            await self._post.outbox.withdraw(self.target.update_id, number)
            del self._parts[number]

    async def _give_up(self, number: int, error: UpstreamError) -> None:
        if self._is_given_up:
            return
        self._is_given_up = True
        target = self.target
        _log.warning("telegram.undeliverable", update_id=target.update_id, error=str(error))
        await self._post.outbox.failed(target.update_id, number, str(error))
        if isinstance(error, ChatBlockedError):
            await self._post.users.mark_blocked(target.chat_id)
