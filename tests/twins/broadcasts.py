"""Broadcasts without a database: the same contract, for one process's lifetime."""

import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from rich_agent.domain.text import clean_text
from rich_agent.ports.broadcasts import Copy, CopyState, NewBroadcast, Result, Tally

_SILENT_FOR_S = 60.0


@dataclass(slots=True)
class _Sending:
    begun: NewBroadcast
    at: float
    states: dict[int, tuple[str, float]]
    is_cancelled: bool = False
    is_reported: bool = False


@dataclass(slots=True)
class InMemoryBroadcasts:
    """Implements `Broadcasts`; `clock` counts seconds, monotonically."""

    silent_for_s: float = _SILENT_FOR_S
    clock: Callable[[], float] = time.monotonic
    _begun: dict[str, _Sending] = field(default_factory=dict)

    async def start(self, broadcast: NewBroadcast, recipients: Collection[int]) -> int:
        if broadcast.id in self._begun:
            return 0
        now = self.clock()
        states = dict.fromkeys(recipients, ("pending", now))
        self._begun[broadcast.id] = _Sending(broadcast, now, states)
        return len(states)

    async def cancel(self, broadcast_id: str, admin_id: int) -> bool:
        found = self._begun.get(broadcast_id)
        if found is None or found.begun.admin_id != admin_id:
            return False
        if found.is_cancelled or found.is_reported:
            return False
        found.is_cancelled = True
        return True

    async def next_copy(self, broadcast_id: str) -> Copy | None:
        sending = self._begun.get(broadcast_id)
        if sending is None or sending.is_cancelled or sending.is_reported:
            return None
        for user_id, (state, _) in sorted(sending.states.items()):
            if state == "pending":
                sending.states[user_id] = ("sending", self.clock())
                return Copy(broadcast_id, user_id, clean_text(sending.begun.text))
        return None

    async def note(self, copy: Copy, state: CopyState) -> None:
        states = self._begun[copy.broadcast_id].states
        if states[copy.user_id][0] == "sending":
            states[copy.user_id] = (state, self.clock())

    async def result(self, broadcast_id: str) -> Result | None:
        sending = self._begun.get(broadcast_id)
        return self._result(sending) if sending and not sending.is_reported else None

    def _result(self, found: _Sending) -> Result:
        silent_since = self.clock() - self.silent_for_s
        for user_id, (state, at) in found.states.items():
            if state == "sending" and at < silent_since:
                found.states[user_id] = ("unknown", at)
        counts = Counter(state for state, _ in found.states.values())
        is_open = counts["sending"] or (counts["pending"] and not found.is_cancelled)
        return Result(
            found.begun.id,
            found.begun.admin_id,
            found.begun.message_id,
            found.begun.locale,
            found.is_cancelled,
            not is_open,
            Tally(**{field: counts[field] for field in Tally.__slots__}),
        )

    async def reported(self, broadcast_id: str) -> None:
        self._begun[broadcast_id].is_reported = True
