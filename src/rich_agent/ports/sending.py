"""Interface by which processes share what Telegram takes from one bot."""

from typing import Protocol
from uuid import UUID

TOTAL_PER_S = 30.0
"""Messages per second to all chats together.

Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""
LEASE_S = 6.0
"""A process that does not ask again for so long has lost its share to the others."""


class SendingShares(Protocol):
    """Who may send how much. Only the database's clock counts.

    Every method may raise DatabaseUnavailableError.
    """

    async def renew(self, process: UUID, wanted_per_s: float) -> float:
        """Messages per second that the process may send until it asks again."""
        ...

    async def release(self, process: UUID) -> None:
        """The process sends nothing any more."""
        ...
