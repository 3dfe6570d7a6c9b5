"""Broadcasts without a database: the same contract, for one process's lifetime."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rich_agent.domain.text import clean_text
from rich_agent.ports.broadcasts import Audience, Copy, CopyState, NewBroadcast, Result, Tally
from tests.twins.accounts import InMemoryAccounts

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

    accounts: InMemoryAccounts = field(default_factory=InMemoryAccounts)
    silent_for_s: float = _SILENT_FOR_S
    clock: Callable[[], float] = time.monotonic
    _begun: dict[str, _Sending] = field(default_factory=dict)

    async def count(self, audience: Audience) -> int:
        return len(await self._recipients(audience))

    async def start(self, broadcast: NewBroadcast, audience: Audience) -> int:
        if broadcast.id in self._begun:
            return 0
        now, chosen = self.clock(), await self._recipients(audience)
        states = dict.fromkeys(chosen, ("pending", now))
        self._begun[broadcast.id] = _Sending(broadcast, now, states)
        return len(chosen)

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

    async def note(
        self,
        copy: Copy,
        state: CopyState,
        message_id: int | None = None,  # noqa: ARG002 - nobody looks back
    ) -> None:
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

    async def _recipients(self, audience: Audience) -> list[int]:
        users = self.accounts.users
        chosen: list[int] = []
        for user_id in sorted(users.known.keys() - users.blocked):
            listed = (await self.accounts.find(user_id)).is_allowed
            by_settings = audience.allowed is None or user_id in audience.allowed
            if user_id in audience.admins or (by_settings if listed is None else listed):
                chosen.append(user_id)
        return chosen
