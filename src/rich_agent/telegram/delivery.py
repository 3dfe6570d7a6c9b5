"""One answer on its way: its messages sent once, edited after that, through outbox and limiter.

Telegram has no key by which a repeated send would be known. A send whose outcome is unknown is
therefore repeated only with the final text, and with a line that says so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from rich_agent.domain.text import utf16_length
from rich_agent.errors import (
    ChatBlockedError,
    DatabaseUnavailableError,
    EntitiesRefusedError,
    MessageGoneError,
    OutcomeUnknownError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.phrases import say
from rich_agent.ports import Outbox, RenderedMessage, TelegramApi, Users
from rich_agent.telegram.limiter import Limiter

_DEFAULT_RETRY_AFTER_S = 5.0
_log = structlog.get_logger()

Hold = Callable[[], Awaitable[None]]
"""Confirms that the user's lane is still ours. Raises: LaneLostError."""


@dataclass(frozen=True, slots=True)
class Target:
    """The update that is answered, and how.

    `allowed_links` are the URLs that the user wrote; `reply_to` is the message that a late answer
    hangs on to.
    """

    update_id: int
    chat_id: int
    locale: str
    allowed_links: frozenset[str] = frozenset()
    reply_to: int | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a final text is tried: after failures (first pause in seconds), and after 429s."""

    tries: int = 5
    first_pause_s: float = 0.5
    flood_tries: int = 10


@dataclass(frozen=True, slots=True)
class Post:
    """What every delivery goes through."""

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    patience: Patience = Patience()


@dataclass(slots=True)
class _Part:
    """A message of the answer; `doubtful`: it may be in the chat although we have no id of it."""

    message_id: int | None
    doubtful: bool
    final_text: str
    is_new: bool = False


class Delivery:
    """Brings one answer to its chat. Part 0 may grow; all parts are completed in order."""

    def __init__(self, post: Post, target: Target, hold: Hold) -> None:
        self.target = target
        self._post = post
        self._hold = hold
        self._parts: dict[int, _Part] = {}
        self._shown: RenderedMessage | None = None
        self._is_blocked = False

    async def is_answered(self) -> bool:
        """Whether part 0 shows a final text."""
        return bool((await self._open(0)).final_text)

    async def announce(self, message: RenderedMessage) -> None:
        """Show something as part 0 unless an earlier try has already shown anything."""
        if (await self._open(0)).is_new:
            await self.grow(message)

    async def grow(self, message: RenderedMessage | None) -> bool:
        """Show a passing state in part 0 if the limits allow it now; False: try again later.

        Failures are logged only: what counts is the final text.
        """
        if message is None or message == self._shown or self._is_blocked:
            return True
        try:
            part = await self._open(0)
            if part.final_text or part.doubtful or self._is_blocked:
                return True
            if not self._post.limiter.try_take(self.target.chat_id):
                return False
            await self._put(0, message)
        except UpstreamError as error:
            await self._note_failure(0, error)
            _log.info("telegram.grow_failed", update_id=self.target.update_id, error=str(error))
            return not isinstance(error, UpstreamRateLimitedError)
        except DatabaseUnavailableError as error:
            _log.info("telegram.grow_failed", update_id=self.target.update_id, error=str(error))
            return False
        self._shown = message
        return True

    async def complete(self, messages: Sequence[RenderedMessage]) -> None:
        """Show the final text in all its parts; what is shown already stays untouched.

        Raises: UpstreamError when Telegram could not be reached for long, LaneLostError.
        """
        for number, message in enumerate(messages):
            part = await self._open(number)
            if self._is_blocked:
                return
            if part.final_text != message.text:
                await self._complete_part(number, message)

    async def _open(self, number: int) -> _Part:
        if number not in self._parts:
            row = await self._post.outbox.begin(self.target.update_id, number, self.target.chat_id)
            self._is_blocked |= row.state == "failed"
            self._parts[number] = _Part(
                row.message_id,
                doubtful=row.message_id is None and not row.is_new,
                final_text=row.text,
                is_new=row.is_new,
            )
        return self._parts[number]

    async def _complete_part(self, number: int, message: RenderedMessage) -> None:
        try:
            await self._put_patiently(number, message)
        except (ChatBlockedError, UpstreamRefusedError) as error:
            await self._give_up(number, error)
            return
        await self._post.outbox.finalized(self.target.update_id, number, message.text)
        self._parts[number].final_text = message.text

    async def _put_patiently(self, number: int, message: RenderedMessage) -> None:
        patience = self._post.patience
        failures = floods = 0
        while True:
            await self._post.limiter.take(self.target.chat_id)
            try:
                await self._put(number, self._with_doubt(number, message))
            except MessageGoneError:
                # The user deleted it; _note_failure forgets its id, and the text is sent anew.
                await self._note_failure(number, MessageGoneError("telegram", "gone"))
            except UpstreamRateLimitedError as error:
                floods += 1
                if floods >= patience.flood_tries:
                    raise
                await self._note_failure(number, error)
            except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
                failures += 1
                if failures >= patience.tries:
                    raise
                await self._note_failure(number, error)
                await asyncio.sleep(patience.first_pause_s * 2 ** (failures - 1))
            else:
                return

    async def _put(self, number: int, message: RenderedMessage) -> None:
        """Edit the part, or send it if it has no message yet."""
        target, part = self.target, self._parts[number]
        await self._hold()
        try:
            message_id = await self._send_or_edit(part, number, message)
        except EntitiesRefusedError:
            if not message.entities:
                raise
            plain = RenderedMessage(message.text)
            message_id = await self._send_or_edit(part, number, plain)
        if message_id != part.message_id:
            part.message_id, part.doubtful = message_id, False
            await self._post.outbox.sent(target.update_id, number, message_id)

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
        return RenderedMessage(note + message.text, moved)

    async def _note_failure(self, number: int, error: UpstreamError) -> None:
        """Learn from a failed call what the next one must know."""
        part = self._parts[number]
        match error:
            case UpstreamRateLimitedError():
                wait_s = error.retry_after_s or _DEFAULT_RETRY_AFTER_S
                self._post.limiter.penalize(self.target.chat_id, wait_s)
            case MessageGoneError():
                part.message_id = None
            case UpstreamTimeoutError() | OutcomeUnknownError():
                part.doubtful = part.message_id is None
            case ChatBlockedError():
                await self._give_up(number, error)

    async def _give_up(self, number: int, error: UpstreamError) -> None:
        self._is_blocked = True
        target = self.target
        _log.warning("telegram.undeliverable", update_id=target.update_id, error=str(error))
        await self._post.outbox.failed(target.update_id, number, str(error))
        if isinstance(error, ChatBlockedError):
            await self._post.users.mark_blocked(target.chat_id)
