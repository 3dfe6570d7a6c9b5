"""Direct messages, which answer no update. They are sent without a lane, and after answers."""

from dataclasses import dataclass

import structlog

from rich_agent.domain.people import has_telegram
from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
)
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.outbox import DIRECT_PART, SendResult
from rich_agent.telegram.deliver.messenger import Messenger

_CLOSED_S = 2.0
"""Seconds for which a chat is left alone after a 429 that names no time."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DirectMessenger:
    """Implements `DirectMessages`.

    The outbox records each message, so that none seems to be lost. A person without Telegram finds
    it in their conversation.
    """

    messenger: Messenger

    async def send(self, user_id: int, message: RenderedMessage) -> SendResult:
        """See `DirectMessages.send`."""
        outbox = self.messenger.outbox
        if not has_telegram(user_id):
            message_number = await outbox.begin_direct(user_id)
            await self.messenger.write_down(user_id, message_number, [message])
            await outbox.withdraw(message_number, DIRECT_PART)
            return "sent"
        if not await self.messenger.limiter.try_take(user_id):
            return "later"
        message_number = await outbox.begin_direct(user_id)
        try:
            message_id = await self.messenger.send(user_id, message)
        except UpstreamError as error:
            _log.info("telegram.direct_message_failed", error=str(error))
            result = await self._result_of(error, user_id)
            if result != "unknown":
                await outbox.withdraw(message_number, DIRECT_PART)
            return result
        await outbox.note_sent(message_number, DIRECT_PART, message_id)
        return "sent"

    async def edit(self, user_id: int, message_id: int, message: RenderedMessage) -> bool:
        """See `DirectMessages.edit`."""
        if not has_telegram(user_id):
            return False
        try:
            await self.messenger.edit(user_id, message_id, message)
        except UpstreamRefusedError as error:
            _log.warning("telegram.direct_edit_refused", error=str(error))
            return False
        return True

    async def _result_of(self, error: UpstreamError, user_id: int) -> SendResult:
        match error:
            case ChatBlockedError():
                await self.messenger.users.mark_blocked(user_id)
                return "blocked"
            case UpstreamRateLimitedError():
                self.messenger.limiter.penalize(user_id, error.retry_after_s or _CLOSED_S)
            case BadGatewayError() | TokenRefusedError():
                return "later"
            case UpstreamTimeoutError() | OutcomeUnknownError():
                return "unknown"
            case UpstreamRefusedError():
                return "refused"
        return "later"
