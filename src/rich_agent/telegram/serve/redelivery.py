"""Delivers the answer to an edited question into the messages of the first answer."""

from typing_extensions import override

from rich_agent.ports.inbox import EditableQuestion
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget


class Redelivery(Delivery):
    """Delivers the answer to an edited question into the messages of the first answer."""

    async def reopen(self) -> None:
        """Allow the old answer to be overwritten. Raises: LaneLostError."""
        await self._hold()
        await self._messenger.outbox.reopen(self.target.update_id)

    @override
    async def _take_surplus_away(self, count: int) -> None:
        """Delete the old answer's parts from number `count` on, including its picture.

        Raises: UpstreamError, LaneLostError.
        """
        await self._take_away_from(count)


async def open_delivery(
    messenger: Messenger, target: ReplyTarget, hold: Hold, question: EditableQuestion
) -> Delivery:
    """The delivery of an answer. For an edited question, it overwrites the old answer.

    Raises: LaneLostError.
    """
    if not question.revision:
        return Delivery(messenger, target, hold)
    delivery = Redelivery(messenger, target, hold)
    await delivery.reopen()
    return delivery
