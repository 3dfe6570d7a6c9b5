"""A new answer in the place of the old one: the same messages, edited; what is too much goes."""

from collections.abc import Sequence

import structlog
from typing_extensions import override

from rich_agent.errors import MessageGoneError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.outbox import OutboxPart
from rich_agent.ports.questions import Question
from rich_agent.telegram.delivery import Delivery, Hold, Post, Target

_log = structlog.get_logger()


async def open_delivery(post: Post, target: Target, hold: Hold, question: Question) -> Delivery:
    """The delivery of an answer; that of an edited question begins by letting go of the old one.

    Raises: LaneLostError.
    """
    if not question.revision:
        return Delivery(post, target, hold)
    delivery = Redelivery(post, target, hold)
    await delivery.reopen()
    return delivery


class Redelivery(Delivery):
    """Brings the answer to an edited question into the messages of its first answer."""

    async def reopen(self) -> None:
        """Let the old answer be written over. Raises: LaneLostError."""
        await self._hold()
        await self._post.outbox.reopen(self.target.update_id)

    @override
    async def complete(self, messages: Sequence[RenderedMessage]) -> None:
        """Show the new answer, and take away what the old one had more of.

        Raises: UpstreamError, LaneLostError.
        """
        await super().complete(messages)
        for part in await self._post.outbox.after(self.target.update_id, len(messages) - 1):
            await self._hold()
            await self._take_away(part)
            await self._post.outbox.discard(self.target.update_id, part.part)

    async def _take_away(self, part: OutboxPart) -> None:
        if part.message_id is None:
            return
        chat_id, api = self.target.chat_id, self._post.api
        await self._post.limiter.take(chat_id)
        try:
            await api.delete_message(chat_id, part.message_id)
        except MessageGoneError:
            return
        except UpstreamRefusedError as error:
            # After two days a message can only be changed. Source: Bot API, deleteMessage.
            _log.info("telegram.not_deleted", error=str(error))
            await self._mark_replaced(chat_id, part.message_id)

    async def _mark_replaced(self, chat_id: int, message_id: int) -> None:
        try:
            notice = RenderedMessage(say(self.target.locale, "replaced"))
            await self._post.api.edit_message(chat_id, message_id, notice)
        except UpstreamRefusedError as error:
            _log.info("telegram.not_replaced", error=str(error))
