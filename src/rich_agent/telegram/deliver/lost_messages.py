"""Finds messages whose id was lost because a process died or a connection broke after the send.

The Bot API cannot list messages, but their ids grow. So the id of a lost message is an unknown id
between the newest id known before the send and the next id sent after it. To test an id, the bot
tries to edit the caption of a message without caption: this changes nothing, and the outcome shows
whether the bot sent that message.
"""

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass

import structlog

from rich_agent.errors import (
    LaneLostError,
    MessageGoneError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.outbox import Leftover, Outbox
from rich_agent.runtime.concurrency import repeat, run_all, survived
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import NOTICE, Messenger

MOST_ASKED = 300
"""Most ids that are tried in one search, including the ids of messages in other chats."""
_AT_ONCE = 8
LOOKS = 50
"""Looks for the end of other sends in the chat, which are 0.1 s apart."""
LAST_LOOKS = 300
"""Looks of a search that is not repeated: as long as a send to Telegram may take."""
_PAUSE_S = 0.1
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MessageRemover:
    """Deletes the bot's messages in a chat; messages that are too old for that are marked.

    `locale` is the language of the mark.
    """

    api: TelegramApi
    limiter: Limiter
    chat_id: int
    locale: str

    async def take_away(self, message_id: int) -> None:
        """Delete a message. If it is too old, edit it to say that it was replaced.

        Raises: UpstreamError, except for refusals.
        """
        await self.limiter.take(self.chat_id)
        try:
            await self.api.delete_message(self.chat_id, message_id)
        except MessageGoneError:
            return
        except UpstreamRefusedError as error:
            # After two days a message can only be edited. Source: Bot API, deleteMessage.
            _log.info("telegram.not_deleted", error=str(error))
            await self._mark_as_replaced(message_id)

    async def keep(self, message_id: int, recording: Awaitable[None]) -> None:
        """Await the recording of a new message; if it fails with LaneLostError, delete the message.

        Without a record, the message could never be edited or deleted later.

        Raises: LaneLostError, when the user had everything forgotten, or another worker answers.
        """
        try:
            await recording
        except LaneLostError:
            with survived("telegram.not_taken_back", UpstreamError):
                await self.take_away(message_id)
            raise

    async def _mark_as_replaced(self, message_id: int) -> None:
        with survived("telegram.not_replaced", UpstreamRefusedError):
            notice = RenderedMessage(say(self.locale, "replaced"))
            await self.api.edit_message(self.chat_id, message_id, notice)


@dataclass(frozen=True, slots=True)
class LostMessageSearch:
    """Finds and deletes messages in the chat that earlier tries to send an answer left behind."""

    outbox: Outbox
    removing: MessageRemover
    update_id: int

    async def clear(self, part: int, below: int, looks: int = LOOKS) -> bool:
        """Delete the bot's unrecorded messages below an id that may be copies of a part.

        Returns False if these messages cannot be determined, because there are too many ids or no
        id before them is known, Telegram is unavailable, or other sends in the chat do not finish.
        """
        try:
            return await self._clear(part, below, looks)
        except UpstreamError as error:
            _log.info("telegram.not_looked_back", error=str(error))
            return False

    async def _clear(self, part: int, below: int, looks: int) -> bool:
        account = await self.outbox.account_before(self.update_id, part, below)
        recorded_ids = account.message_ids
        known_count = sum(account.after_id < known_id < below for known_id in recorded_ids)
        candidate_count = below - account.after_id - 1 - known_count
        if not account.after_id or candidate_count > MOST_ASKED:
            _log.info("telegram.not_looked_back", ids=candidate_count)
            return False
        candidates = [i for i in range(account.after_id + 1, below) if i not in recorded_ids]
        bot_message_ids = await self._own_messages(candidates)
        if not bot_message_ids:
            return True
        # Any other sender of one of these ids began earlier; once it has finished, its id is known.
        for _ in range(looks):
            account = await self.outbox.account_before(self.update_id, part, below)
            if not account.under_way:
                break
            await asyncio.sleep(_PAUSE_S)
        else:
            _log.info("telegram.not_looked_back", under_way=account.under_way)
            return False
        for message_id in sorted(bot_message_ids - account.message_ids):
            _log.info("telegram.lost_message_found", message_id=message_id)
            await self.removing.take_away(message_id)
        return True

    async def _own_messages(self, candidates: Iterable[int]) -> set[int]:
        call_slots = asyncio.Semaphore(_AT_ONCE)
        chat_id, api = self.removing.chat_id, self.removing.api

        async def ask(message_id: int) -> int | None:
            async with call_slots:
                return message_id if await api.is_own(chat_id, message_id) else None

        checked_ids = await run_all(ask(message_id) for message_id in candidates)
        return {message_id for message_id in checked_ids if message_id is not None}


@dataclass(frozen=True, slots=True)
class Tidying:
    """Tidies up abandoned messages every `pause_s` seconds; workers may do so in parallel."""

    messenger: Messenger
    accounts: Accounts
    pause_s: float = 30.0

    async def run(self, stop: asyncio.Event) -> None:
        """Tidy until `stop` is set."""
        await repeat("tidying", self.tidy, stop, self.pause_s)

    async def tidy(self) -> None:
        """Replace abandoned messages that promise an answer by apologies; delete abandoned notices.

        Raises: UpstreamError, DatabaseUnavailableError.
        """
        for leftover in await self.messenger.outbox.leftovers():
            _log.info("telegram.leftover", update_id=leftover.update_id)
            locale = (await self.accounts.find(leftover.chat_id)).locale or "en"
            if leftover.part == NOTICE:
                remover = MessageRemover(
                    self.messenger.api, self.messenger.limiter, leftover.chat_id, locale
                )
                await remover.take_away(leftover.message_id)
                await self.messenger.outbox.discard(leftover.update_id, leftover.part)
            else:
                await self._apologize(leftover, say(locale, "apology-internal"))

    async def _apologize(self, leftover: Leftover, apology: str) -> None:
        await self.messenger.limiter.take(leftover.chat_id)
        with survived("telegram.leftover_stays", UpstreamRefusedError):
            await self.messenger.api.edit_message(
                leftover.chat_id, leftover.message_id, RenderedMessage(apology)
            )
        await self.messenger.outbox.note_final(leftover.update_id, leftover.part, apology)
