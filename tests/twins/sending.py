"""What each process may send, without a database: the same contract, for one process's lifetime."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from rich_agent.domain.sharing import Share, share_of
from rich_agent.ports.outbox import SHARE_LEASE_S, TOTAL_PER_S


@dataclass(slots=True)
class InMemorySendingShares:
    """Implements `SendingShares`; `clock` counts seconds, monotonically."""

    total_per_s: float = TOTAL_PER_S
    lease_s: float = SHARE_LEASE_S
    clock: Callable[[], float] = time.monotonic
    _given: dict[UUID, tuple[Share, float]] = field(default_factory=dict)

    async def renew(self, process: UUID, wanted_per_s: float) -> float:
        now = self.clock()
        for known, (_, renewed_at) in tuple(self._given.items()):
            if renewed_at < now - self.lease_s:
                del self._given[known]
        others = [share for known, (share, _) in self._given.items() if known != process]
        is_new = process not in self._given
        share_per_s = share_of(self.total_per_s, wanted_per_s, others, is_new=is_new)
        self._given[process] = (Share(wanted_per_s, share_per_s), now)
        return share_per_s

    async def release(self, process: UUID) -> None:
        self._given.pop(process, None)
