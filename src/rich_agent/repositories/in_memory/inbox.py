"""The inbox without a database: the same contract, for one process's lifetime."""

import asyncio
import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rich_agent.errors import LaneLostError
from rich_agent.telegram_ports import (
    MOST_QUEUED,
    InboxDepth,
    InboxRules,
    Lane,
    ReceivedUpdate,
    StoredUpdate,
)

_LaneKey = tuple[int, bool]
_DAY_S = 86_400


@dataclass(slots=True)
class _Row:
    update: ReceivedUpdate
    received_at: float
    attempts: int = 0
    last_error: str = ""
    done_at: float | None = None
    dead_at: float | None = None

    @property
    def is_pending(self) -> bool:
        return self.done_at is None and self.dead_at is None

    @property
    def key(self) -> _LaneKey:
        return (self.update.user_id, self.update.urgent)


@dataclass(slots=True)
class _LaneRow:
    ready_at: float
    fence: int


@dataclass(slots=True)
class InMemoryInbox:
    """Implements `Inbox`; `clock` counts seconds, monotonically."""

    rules: InboxRules = field(default_factory=InboxRules)
    clock: Callable[[], float] = time.monotonic
    _rows: dict[int, _Row] = field(default_factory=dict)
    _lanes: dict[_LaneKey, _LaneRow] = field(default_factory=dict)
    _fences: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Keep the updates and wake a worker; how many were new."""
        new = [update for update in updates if update.update_id not in self._rows]
        now = self.clock()
        for update in new:
            row = _Row(update, now)
            self._rows[update.update_id] = row
            self._lanes.setdefault(row.key, _LaneRow(now, next(self._fences)))
        self._news.set()
        return len(new)

    async def claim(self) -> Lane | None:
        """Lease the lane that waits longest and can be served now."""
        for key, lane in sorted(self._lanes.items(), key=lambda item: item[1].ready_at):
            if lane.ready_at > self.clock():
                return None
            updates = self._hand_out(key, lane)
            if updates:
                return Lane(key[0], lane.fence, updates)
        return None

    def _hand_out(self, key: _LaneKey, lane: _LaneRow) -> tuple[StoredUpdate, ...]:
        now = self.clock()
        lane.fence = next(self._fences)
        rows = self._next_rows(key)
        complete_at = self._complete_at(rows)
        if complete_at > now:
            lane.ready_at = complete_at
            return ()
        if any(row.attempts >= self.rules.max_attempts for row in rows):
            self._bury(rows, "given up: no attempt came to an end")
            rows = []
        if not rows:
            self._free(key)
            return ()
        lane.ready_at = now + self.rules.lease_s
        for row in rows:
            row.attempts += 1
        return tuple(StoredUpdate(r.update.update_id, r.update.raw, r.attempts) for r in rows)

    def in_hand(self, user_id: int) -> list[int]:
        """The ordinary updates of a user that were handed out and are not done, oldest first."""
        return [row.update.update_id for row in self._pending((user_id, False)) if row.attempts]

    def pending_of(self, user_id: int) -> list[ReceivedUpdate]:
        """The user's ordinary updates that are not done, in order."""
        return [row.update for row in self._pending((user_id, False))]

    def _next_rows(self, key: _LaneKey) -> list[_Row]:
        pending = self._pending(key)
        group = pending[0].update.media_group_id if pending else None
        return (
            [row for row in pending if row.update.media_group_id == group] if group else pending[:1]
        )

    def _complete_at(self, rows: Sequence[_Row]) -> float:
        if not rows or rows[0].update.media_group_id is None:
            return 0.0
        return min(
            max(row.received_at for row in rows) + self.rules.album_quiet_s,
            min(row.received_at for row in rows) + self.rules.album_longest_s,
        )

    def _pending(self, key: _LaneKey) -> list[_Row]:
        rows = (row for row in self._rows.values() if row.key == key and row.is_pending)
        return sorted(rows, key=lambda row: row.update.update_id)

    async def extend(self, lane: Lane) -> None:
        """Renew the lease. Raises: LaneLostError."""
        self._lanes[self._held(lane)].ready_at = self.clock() + self.rules.lease_s

    async def finish(self, lane: Lane) -> None:
        """Mark the updates done and free the lane. Raises: LaneLostError."""
        key = self._held(lane)
        for row in self._rows_of(lane):
            row.done_at = self.clock()
        self._free(key)

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back, or bury them when the attempts are used up (False)."""
        key = self._held(lane)
        if any(update.attempt >= self.rules.max_attempts for update in lane.updates):
            self._bury(self._rows_of(lane), error)
            self._free(key)
            return False
        for row in self._rows_of(lane):
            row.last_error = error
        self._free(key, delay_s)
        return True

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back. Raises: LaneLostError."""
        key = self._held(lane)
        if not counted:
            for update in lane.updates:
                self._rows[update.update_id].attempts -= 1
        self._free(key)

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update, None while another holds it."""
        now = self.clock()
        lane = self._lanes.setdefault((user_id, False), _LaneRow(now, 0))
        if lane.ready_at > now:
            return None
        lane.ready_at, lane.fence = now + self.rules.lease_s, next(self._fences)
        return Lane(user_id, lane.fence)

    async def queued(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """What waits behind a held lane and was never handed out, an album once."""
        first: dict[str | int, ReceivedUpdate] = {}
        for row in self._pending(self._held(lane)):
            if row.attempts == 0:
                first.setdefault(row.update.media_group_id or row.update.update_id, row.update)
        return tuple(StoredUpdate(update.update_id, update.raw, 0) for update in first.values())[
            :MOST_QUEUED
        ]

    async def wait(self, timeout_s: float) -> None:
        """Return when work came or a lane is ready, at the latest after `timeout_s`."""
        now = self.clock()
        ready_in_s = [lane.ready_at - now for lane in self._lanes.values()]
        try:
            async with asyncio.timeout(max(0.0, min([timeout_s, *ready_in_s]))):
                await self._news.wait()
        except TimeoutError:
            return
        self._news.clear()

    async def depth(self) -> InboxDepth:
        """How much waits."""
        pending = [row.received_at for row in self._rows.values() if row.is_pending]
        dead = sum(row.dead_at is not None for row in self._rows.values())
        oldest_s = self.clock() - min(pending) if pending else 0.0
        return InboxDepth(len(pending), oldest_s, dead)

    async def prune(self, days: float) -> int:
        """Forget updates that were done more than `days` ago; how many."""
        before = self.clock() - days * _DAY_S
        old = [
            i for i, row in self._rows.items() if row.done_at is not None and row.done_at < before
        ]
        for update_id in old:
            del self._rows[update_id]
        return len(old)

    def is_held(self, fence: int) -> bool:
        """Whether nobody took the lane of this fence over."""
        return any(row.fence == fence for row in self._lanes.values())

    def _held(self, lane: Lane) -> _LaneKey:
        for key, row in self._lanes.items():
            if row.fence == lane.fence:
                return key
        raise LaneLostError(f"lane of fence {lane.fence}")

    def _rows_of(self, lane: Lane) -> list[_Row]:
        return [self._rows[update.update_id] for update in lane.updates]

    def _bury(self, rows: Iterable[_Row], error: str) -> None:
        for row in rows:
            row.dead_at, row.last_error = self.clock(), error

    def _free(self, key: _LaneKey, delay_s: float = 0.0) -> None:
        if self._pending(key):
            self._lanes[key] = _LaneRow(self.clock() + delay_s, next(self._fences))
            self._news.set()
        else:
            del self._lanes[key]
