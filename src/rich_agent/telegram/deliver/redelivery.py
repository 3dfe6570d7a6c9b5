"""A new answer in the place of the old one: the same messages, edited; what is too much goes."""

from collections.abc import Sequence

from typing_extensions import override

from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import EditableQuestion
from rich_agent.telegram.deliver.delivery import Delivery, Hold, Messenger, ReplyTarget


async def open_delivery(
    messenger: Messenger, target: ReplyTarget, hold: Hold, question: EditableQuestion
) -> Delivery:
    """The delivery of an answer; that of an edited question begins by letting go of the old one.

    Raises: LaneLostError.
    """
    if not question.revision:
        return Delivery(messenger, target, hold)
    delivery = Redelivery(messenger, target, hold)
    await delivery.reopen()
    return delivery


class Redelivery(Delivery):
    """Brings the answer to an edited question into the messages of its first answer."""

    async def reopen(self) -> None:
        """Let the old answer be written over. Raises: LaneLostError."""
        await self._hold()
        await self._messenger.outbox.reopen(self.target.update_id)

    @override
    async def complete(self, messages: Sequence[RenderedMessage]) -> None:
        """Show the new answer, and take away what the old one had more of.

        Raises: UpstreamError, LaneLostError.
        """
        await super().complete(messages)
        for part in await self._messenger.outbox.after(self.target.update_id, len(messages) - 1):
            await self._hold()
            if part.message_id is not None:
                await self._removing.take_away(part.message_id)
            await self._messenger.outbox.discard(self.target.update_id, part.part)
