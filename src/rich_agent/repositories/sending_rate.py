"""The rate at which all processes send messages together, in PostgreSQL."""

import time

from rich_agent.ports.outbox import (
    BURST_S,
    TOTAL_PER_S,
)
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository

# A row once the message may go, now or after a wait of at most `patience_s`; a negative patience
# leaves some of the allowance. After a crash of the database the table is empty, and the allowance
# is whole.
_RESERVE = """
INSERT INTO telegram_rate AS rate (whole_at)
VALUES (clock_timestamp() + make_interval(secs => %(takes_s)s))
ON CONFLICT (is_only) DO UPDATE
SET whole_at = greatest(rate.whole_at, clock_timestamp()) + make_interval(secs => %(takes_s)s)
WHERE rate.whole_at + make_interval(secs => %(takes_s)s - %(burst_s)s)
    <= clock_timestamp() + make_interval(secs => %(patience_s)s)
RETURNING extract(epoch FROM whole_at - clock_timestamp())::float8 - %(burst_s)s AS wait_s
"""
_FOR_EVER_S = 1e9
_TAKEN_TOGETHER = 4
_TAKEN_FOR_S = 10.0


class PostgresSendingRate(PostgresRepository):
    """Implements `SendingRate`; only the moment at which the allowance is whole again is stored.

    While the allowance is large, a process reserves some messages ahead, for its answers and their
    edits.
    Source: the generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
    """

    def __init__(
        self, pool: Pool, *, total_per_s: float = TOTAL_PER_S, burst_s: float = BURST_S
    ) -> None:
        super().__init__(pool)
        self._each_s = 1 / total_per_s
        self._burst_s = burst_s
        self._taken_at: list[float] = []

    async def try_take(self, spare: int = 0) -> bool:
        if self._use_taken():
            return True
        start_time, together_s = time.monotonic(), _TAKEN_TOGETHER * self._each_s
        patience_s = -spare * self._each_s
        if together_s <= self._burst_s and await self._wait_s(patience_s, together_s) is not None:
            self._taken_at += [start_time] * (_TAKEN_TOGETHER - 1)
            return True
        return await self._wait_s(patience_s) is not None

    async def reserve(self) -> float:
        if self._use_taken():
            return 0.0
        return max(0.0, await self._wait_s(_FOR_EVER_S) or 0.0)

    def _use_taken(self) -> bool:
        """Use a message that was reserved ahead; False without one."""
        oldest = time.monotonic() - _TAKEN_FOR_S
        self._taken_at = [taken_at for taken_at in self._taken_at if taken_at > oldest]
        return bool(self._taken_at and self._taken_at.pop())

    async def _wait_s(self, patience_s: float, takes_s: float = 0.0) -> float | None:
        takes = {"takes_s": takes_s or self._each_s, "burst_s": self._burst_s}
        row = await self._row(_RESERVE, {**takes, "patience_s": patience_s})
        return row["wait_s"] if row else None
