"""Cleans up messages that still promise an answer although their update is over."""

import asyncio
from dataclasses import dataclass

import structlog

from rich_agent.errors import UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.outbox import Leftover
from rich_agent.runtime.concurrency import repeat, survived
from rich_agent.telegram.deliver.lost_messages import MessageRemover
from rich_agent.telegram.deliver.messenger import NOTICE, Messenger

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tidying:
    """Tidies now and then; every worker runs one, also in parallel. The pause is in seconds."""

    messenger: Messenger
    accounts: Accounts
    pause_s: float = 30.0

    async def run(self, stop: asyncio.Event) -> None:
        """Tidy until `stop` is set."""
        await repeat("tidying", self.tidy, stop, self.pause_s)

    async def tidy(self) -> None:
        """Edit each message that still promises an answer to say that there will be none.

        Raises: UpstreamError, DatabaseUnavailableError.
        """
        for left in await self.messenger.outbox.leftovers():
            _log.info("telegram.leftover", update_id=left.update_id)
            locale = (await self.accounts.find(left.chat_id)).locale or "en"
            if left.part == NOTICE:
                removing = MessageRemover(
                    self.messenger.api, self.messenger.limiter, left.chat_id, locale
                )
                await removing.take_away(left.message_id)
                await self.messenger.outbox.discard(left.update_id, left.part)
            else:
                await self._apologize(left, say(locale, "apology-internal"))

    async def _apologize(self, left: Leftover, words: str) -> None:
        await self.messenger.limiter.take(left.chat_id)
        with survived("telegram.leftover_stays", UpstreamRefusedError):
            await self.messenger.api.edit_message(
                left.chat_id, left.message_id, RenderedMessage(words)
            )
        await self.messenger.outbox.finalized(left.update_id, left.part, words)
