"""The inbox without a database: the same contract, for one process's lifetime."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from rich_agent.errors import LaneLostError
from rich_agent.ports.inbox import (
    MOST_QUEUED,
    SPLIT_TEXT_UNITS,
    InboxDepth,
    InboxRules,
    Lane,
    ReceivedUpdate,
    StoredUpdate,
    shortened,
)
from rich_agent.repositories.inbox.lanes import (
    MOST_EXAMINED,
    WaitingUpdate,
    first_of_each,
    next_bundle,
)
from tests.twins.inbox_rows import DAY_S, LaneKey, LaneRow, Row


@dataclass(slots=True)
class InMemoryInbox:
    """Implements `Inbox`; `clock` counts seconds, monotonically."""

    rules: InboxRules = field(default_factory=InboxRules)
    clock: Callable[[], float] = time.monotonic
    rows: dict[int, Row] = field(default_factory=dict)
    _lanes: dict[LaneKey, LaneRow] = field(default_factory=dict)
    _fences: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _news: set[asyncio.Event] = field(default_factory=set)
    _news_count: int = 0
    is_deaf: bool = False

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        """Keep the updates and wake a worker; how many were new."""
        new = [update for update in updates if update.update_id not in self.rows]
        for update in sorted(new, key=lambda update: update.update_id):
            self._store(update)
        self._tell()
        return len(new)

    def _store(self, update: ReceivedUpdate) -> None:
        now = self.clock()
        row = Row(update, now)
        lane = self._open_lane(row.key)
        waiting = [known for known in self._pending(row.key) if known.update.update_id > 0]
        if update.update_id > 0 and len(waiting) >= self.rules.max_pending:
            row.over_cap = True
            if update.urgent or lane.was_told:
                row.done_at, row.update = now, replace(update, raw=b"")
            else:
                lane.was_told = True
                row.update = replace(update, urgent=True)
                self._open_lane(row.key)
        self.rows[update.update_id] = row

    def _open_lane(self, key: LaneKey) -> LaneRow:
        now = self.clock()
        lane = self._lanes.setdefault(key, LaneRow(now, next(self._fences)))
        if lane.awaits_more:
            lane.ready_at = now
        return lane

    def may_be_ready(self, *, urgent: bool) -> bool:
        """Nothing is known without a look."""
        del urgent
        return True

    def is_quiet(self, lane: Lane) -> bool:
        """Whether nothing waited behind the lane's update, and nothing was stored since."""
        is_newest = bool(lane.updates) and lane.updates[-1].is_newest
        held = [one for one in self._lanes.values() if one.fence == lane.fence]
        return is_newest and any(one.news_count == self._news_count for one in held)

    async def claim(self, *, urgent: bool = False) -> Lane | None:
        """Lease the lane that waits longest and can be served now."""
        lanes = [(key, lane) for key, lane in self._lanes.items() if key[1] is urgent]
        for key, lane in sorted(lanes, key=lambda item: item[1].ready_at):
            if lane.ready_at > self.clock():
                return None
            claimed = self._hand_out(key, lane)
            if claimed:
                return claimed
        return None

    async def claim_untold(self, waited_s: float) -> Lane | None:
        """Lease the lane that waits longest, if its user was not told so."""
        untold = [
            (lane.ready_at, key, lane)
            for key, lane in self._lanes.items()
            if not key[1] and lane.waits_since is None
        ]
        for ready_at, key, lane in sorted(untold, key=lambda item: item[0]):
            if ready_at > self.clock() - waited_s:
                return None
            if claimed := self._hand_out(key, lane):
                lane.waits_since = ready_at
                return claimed
        return None

    async def place_of(self, lane: Lane) -> int:
        """The place of a lane among those that wait, from 1."""
        since = self._lanes[self._held(lane)].waits_since
        waiting = [other.ready_at for key, other in self._lanes.items() if not key[1]]
        return 1 + sum(since is not None and ready_at < since for ready_at in waiting)

    async def put_back(self, lane: Lane, *, told: bool = True) -> None:
        """Give the lane back in its place. Raises: LaneLostError."""
        key = self._held(lane)
        for row in self._rows_of(lane):
            row.attempts -= 1
        waiting = self._lanes[key]
        waiting.fence = next(self._fences)
        waiting.ready_at = waiting.waits_since or self.clock()
        if not told:
            waiting.waits_since = None
        self._tell()

    def _hand_out(self, key: LaneKey, lane: LaneRow) -> Lane | None:
        now = self.clock()
        lane.fence, lane.awaits_more = next(self._fences), False
        waiting = self._waiting(key)
        if not waiting:
            self._free(key)
            return None
        bundle = next_bundle(waiting, self.rules)
        if bundle.await_s > 0:
            lane.ready_at, lane.awaits_more = now + bundle.await_s, True
            return None
        rows = [self.rows[update_id] for update_id in bundle.update_ids]
        spent = max(row.attempts for row in rows) - self.rules.max_attempts
        if spent > 0:
            self._bury(rows, "given up: no attempt finished")
            self._free(key)
            return None
        lane.ready_at = now + self.rules.lease_s
        for row in rows:
            row.attempts += 1
            row.bundle_id = bundle.update_ids[0]
        lane.news_count, is_newest = self._news_count, len(waiting) == 1 and _is_alone(waiting[0])
        handed = tuple(replace(row.handed_out(now), is_newest=is_newest) for row in rows)
        return Lane(key[0], lane.fence, handed, is_spent=spent == 0)

    @asynccontextmanager
    async def count_attempt(self, lane: Lane) -> AsyncIterator[None]:
        """Nothing outlives the process."""
        del lane
        yield

    def in_hand(self, user_id: int) -> list[int]:
        """The ordinary updates of a user that were handed out and are not done, oldest first."""
        pending = self._pending((user_id, False))
        return [row.update.update_id for row in pending if row.attempts + row.holds]

    def pending_of(self, user_id: int) -> list[ReceivedUpdate]:
        """The user's ordinary updates that are not done, in order."""
        return [row.update for row in self._pending((user_id, False))]

    def _pending(self, key: LaneKey) -> list[Row]:
        rows = (row for row in self.rows.values() if row.key == key and row.is_pending)
        return sorted(rows, key=lambda row: row.update.update_id)

    def _waiting(self, key: LaneKey) -> list[WaitingUpdate]:
        pending = self._pending(key)[:MOST_EXAMINED]
        before = [None, *pending]
        return [
            self._waiting_update(row, earlier)
            for row, earlier in zip(pending, before, strict=False)
        ]

    def _waiting_update(self, row: Row, earlier: Row | None) -> WaitingUpdate:
        update = row.update
        return WaitingUpdate(
            update.update_id,
            update.media_group_id,
            update.text_units,
            row.attempts,
            row.bundle_id,
            self.clock() - row.received_at,
            follows=earlier is None or not self._is_parted(earlier.update, update),
        )

    def _is_parted(self, one: ReceivedUpdate, next_one: ReceivedUpdate) -> bool:
        return one.topic_id != next_one.topic_id or any(
            row.update.user_id == one.user_id
            and row.update.urgent is not one.urgent
            and one.update_id < row.update.update_id < next_one.update_id
            for row in self.rows.values()
        )

    def is_leased(self, lane: Lane) -> bool:
        """Whether the lease runs."""
        held = [one for one in self._lanes.values() if one.fence == lane.fence]
        return any(one.ready_at > self.clock() for one in held)

    async def extend(self, lane: Lane) -> None:
        """Renew the lease. Raises: LaneLostError."""
        self._lanes[self._held(lane)].ready_at = self.clock() + self.rules.lease_s

    async def finish(self, lane: Lane) -> None:
        """Mark the updates done, drop their bytes, free the lane. Raises: LaneLostError."""
        key = self._held(lane)
        for row in self._rows_of(lane):
            row.done_at, row.update = self.clock(), replace(row.update, raw=b"")
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

    async def bury(self, lane: Lane, error: str) -> None:
        """Give the updates up and free the lane. Raises: LaneLostError."""
        key = self._held(lane)
        self._bury(self._rows_of(lane), error)
        self._free(key)

    async def release(self, lane: Lane, *, counted: bool) -> None:
        """Give the lane back. Raises: LaneLostError."""
        key = self._held(lane)
        if not counted:
            for update in lane.updates:
                self.rows[update.update_id].attempts -= 1
        self._free(key)

    async def postpone(self, lane: Lane, error: str, delay_s: float) -> bool:
        """Put the updates back, the attempt not counted, or bury what waited too long (False)."""
        key, rows = self._held(lane), self._rows_of(lane)
        since = self.clock() - self.rules.longest_postponed_s
        is_young = any(max(row.received_at, row.held_until or 0.0) > since for row in rows)
        if not is_young:
            self._bury(rows, error)
        for row in rows:
            row.attempts -= is_young
        self._free(key, delay_s if is_young else 0.0)
        return is_young

    async def hold(self, lane: Lane, error: str, delay_s: float) -> None:
        """Put the updates back until a model server may be asked again. Raises: LaneLostError."""
        key, now = self._held(lane), self.clock()
        for row in self._rows_of(lane):
            row.attempts, row.last_error, row.holds = row.attempts - 1, error, row.holds + 1
            row.held_since = now if row.held_since is None else row.held_since
            row.held_until = now + delay_s
            row.update = replace(row.update, urgent=False)
        if key[1]:
            ordinary = LaneRow(now + delay_s, next(self._fences))
            self._lanes.setdefault((key[0], False), ordinary)
        self._free(key, delay_s)

    async def shorten_command(self, update_id: int, name: str) -> None:
        """See `Inbox.shorten_command`."""
        row = self.rows.get(update_id)
        if short := shortened(row.update.raw, name) if row else None:
            self.rows[update_id].update = replace(self.rows[update_id].update, raw=short)

    async def claim_user(self, user_id: int) -> Lane | None:
        """Lease a user's lane without an update, None while another holds it."""
        now = self.clock()
        lane = self._lanes.setdefault((user_id, False), LaneRow(now, 0))
        if lane.ready_at > now:
            return None
        lane.ready_at, lane.fence = now + self.rules.lease_s, next(self._fences)
        lane.awaits_more = False
        return Lane(user_id, lane.fence)

    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        """The updates that wait behind a held lane and were never handed out, a bundle once."""
        waiting = [u for u in self._waiting(self._held(lane)) if u.bundle_id is None]
        heads = first_of_each(waiting, self.rules)[:MOST_QUEUED]
        return tuple(StoredUpdate(i, self.rows[i].update.raw, 0) for i in heads)

    @asynccontextmanager
    async def hearing_from(self, user_id: int) -> AsyncIterator[asyncio.Event]:
        """An event that is set by whatever is stored, also for others."""
        del user_id
        news = asyncio.Event()
        self._news.add(news)
        try:
            yield news
        finally:
            self._news.discard(news)

    async def wait(self, timeout_s: float, *, urgent: bool = False) -> None:
        """Return when work came or a lane is ready, at the latest after `timeout_s`."""
        now = self.clock()
        ready_in_s = [row.ready_at - now for key, row in self._lanes.items() if key[1] is urgent]
        news = asyncio.Event()
        self._news.add(news)
        try:
            async with asyncio.timeout(max(0.0, min([timeout_s, *ready_in_s]))):
                await news.wait()
        except TimeoutError:
            return
        finally:
            self._news.discard(news)

    async def depth(self) -> InboxDepth:
        """The number of updates that wait."""
        pending = [row.received_at for row in self.rows.values() if row.is_pending]
        dead = sum(row.dead_at is not None for row in self.rows.values())
        oldest_s = self.clock() - min(pending) if pending else 0.0
        rows = [row for row in self.rows.values() if row.is_pending]
        held = sum((row.held_until or 0.0) > self.clock() for row in rows)
        waiting = [row.received_at for row in rows if row.bundle_id is None]
        waiting_s = self.clock() - min(waiting) if waiting else 0.0
        return InboxDepth(len(pending), oldest_s, dead, held=held, waiting_s=waiting_s)

    async def prune(self, days: float) -> int:
        """Forget updates that were done more than `days` ago; how many."""
        before, yesterday = (self.clock() - n * DAY_S for n in (days, min(days, 1)))
        old = [
            i
            for i, row in self.rows.items()
            if row.done_at is not None and row.done_at < (yesterday if row.over_cap else before)
        ]
        for update_id in old:
            del self.rows[update_id]
        return len(old)

    def is_held(self, fence: int) -> bool:
        """Whether nobody took the lane of this fence over."""
        return any(row.fence == fence for row in self._lanes.values())

    def has_lane(self, user_id: int) -> bool:
        """Whether a user has work, waiting or in hand."""
        return any(user == user_id for user, _ in self._lanes)

    def _held(self, lane: Lane) -> LaneKey:
        for key, row in self._lanes.items():
            if row.fence == lane.fence:
                return key
        raise LaneLostError(f"lane of fence {lane.fence}")

    def _rows_of(self, lane: Lane) -> list[Row]:
        return [self.rows[update.update_id] for update in lane.updates]

    def _bury(self, rows: Iterable[Row], error: str) -> None:
        for row in rows:
            row.dead_at, row.last_error = self.clock(), error

    def _free(self, key: LaneKey, delay_s: float = 0.0) -> None:
        if self._pending(key):
            self._lanes[key].ready_at = self.clock() + delay_s
            self._lanes[key].fence, self._lanes[key].waits_since = next(self._fences), None
            self._tell()
        else:
            del self._lanes[key]

    def _tell(self) -> None:
        self._news_count += 1
        for news in self._news:
            news.set()


def _is_alone(update: WaitingUpdate) -> bool:
    """Whether an update is new, and neither part of an album nor a long text."""
    is_new = update.attempts == 0 and update.bundle_id is None
    return is_new and update.media_group_id is None and (update.text_units or 0) < SPLIT_TEXT_UNITS
