"""Messages whose number was lost: a process died, or a connection broke, after Telegram took them.

The Bot API lists no messages. But numbers grow, so a lost message lies between the newest one known
before it was sent and the one that was sent after it; and an attempt to edit the caption of a
message changes no text and tells whether the bot wrote it.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from rich_agent.errors import MessageGoneError, UpstreamError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.outbox import Outbox
from rich_agent.runtime.concurrency import run_all
from rich_agent.telegram.deliver.limiter import Limiter

MOST_ASKED = 300
"""Numbers that are tried, of all chats together: what even a busy bot uses up in some seconds."""
_AT_ONCE = 8
_LOOKS = 50
_PAUSE_S = 0.1
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MessageRemover:
    """Takes messages of the bot away from one chat; `locale` is for those that must stay."""

    api: TelegramApi
    limiter: Limiter
    chat_id: int
    locale: str

    async def take_away(self, message_id: int) -> None:
        """Delete a message; one that is too old for that says that it was replaced.

        Raises: UpstreamError, but for refusals.
        """
        await self.limiter.take(self.chat_id)
        try:
            await self.api.delete_message(self.chat_id, message_id)
        except MessageGoneError:
            return
        except UpstreamRefusedError as error:
            # After two days a message can only be changed. Source: Bot API, deleteMessage.
            _log.info("telegram.not_deleted", error=str(error))
            await self._mark_replaced(message_id)

    async def _mark_replaced(self, message_id: int) -> None:
        try:
            notice = RenderedMessage(say(self.locale, "replaced"))
            await self.api.edit_message(self.chat_id, message_id, notice)
        except UpstreamRefusedError as error:
            _log.info("telegram.not_replaced", error=str(error))


@dataclass(frozen=True, slots=True)
class LostMessageSearch:
    """Finds what earlier sends of a chat left behind, and takes it away."""

    outbox: Outbox
    removing: MessageRemover

    async def clear(self, after_id: int, before_id: int) -> bool:
        """Take away the bot's messages between two that nobody accounts for.

        False when that cannot be found out: too many numbers, Telegram away, or other sends of the
        chat do not come to their end.
        """
        if before_id - after_id > MOST_ASKED + 1:
            return False
        try:
            return await self._clear(range(after_id + 1, before_id))
        except UpstreamError as error:
            _log.info("telegram.not_looked_back", error=str(error))
            return False

    async def _clear(self, candidates: range) -> bool:
        chat_id = self.removing.chat_id
        known = (await self.outbox.accounted(chat_id, candidates.start - 1)).message_ids
        found = await self._written_by_us(n for n in candidates if n not in known)
        if not found:
            return True
        # A sender of one of these meanwhile had begun before: when it has ended, it is known.
        for _ in range(_LOOKS):
            accounted = await self.outbox.accounted(chat_id, candidates.start - 1)
            if not accounted.under_way:
                break
            await asyncio.sleep(_PAUSE_S)
        else:
            return False
        for message_id in sorted(found - accounted.message_ids):
            _log.info("telegram.lost_message_found", message_id=message_id)
            await self.removing.take_away(message_id)
        return True

    async def _written_by_us(self, candidates: Iterable[int]) -> set[int]:
        places = asyncio.Semaphore(_AT_ONCE)
        chat_id, api = self.removing.chat_id, self.removing.api

        async def ask(message_id: int) -> int | None:
            async with places:
                return message_id if await api.is_own_text(chat_id, message_id) else None

        asked = await run_all(ask(message_id) for message_id in candidates)
        return {message_id for message_id in asked if message_id is not None}
