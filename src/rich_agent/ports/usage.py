"""Interface of the record of what users use; every method may raise DatabaseUnavailableError."""

from collections.abc import Sequence
from typing import Protocol

from rich_agent.domain.usage.usage import Call, DailyLimits, DailyUsage, Payer, Usage, UsageLine

HOLD_S = 3600.0
"""A reservation that nobody settles counts no longer; no turn takes so long."""


class UsageLedger(Protocol):
    """Who used how much on which day of UTC, and what is reserved for calls under way.

    Each call is reserved before it is made and settled after it, so that one which a crash cut off
    is paid for too: by its estimate, when its turn is closed or an hour old.
    """

    async def reserve(self, payer: Payer, call: Call, turn_tokens: int, limits: DailyLimits) -> int:
        """Reserve a call; the number to settle it with.

        The first call of a turn reserves `turn_tokens` for all of it, and the others draw on them.
        Concurrent reservations of a user never exceed a limit together.

        Raises: DailyLimitError, LaneLostError.
        """

    async def settle(self, reservation: int, usage: Usage) -> None:
        """Record what the call used in place of its reservation; settled before: nothing.

        Raises: LaneLostError.
        """

    async def close(self, payer: Payer) -> None:
        """Give back what the turn reserved and did not use.

        Calls left open, by this attempt or by one that a crash ended, are charged by estimate.

        Raises: LaneLostError.
        """

    async def standing(self, user_id: int) -> DailyUsage:
        """The user's day so far."""

    async def lines(self, days: int) -> Sequence[UsageLine]:
        """Everybody's use of the last `days` days, today included; newest day first."""

    async def prune(self, days: float) -> int:
        """Forget days that ended more than `days` ago, and settle what was left behind; rows."""
