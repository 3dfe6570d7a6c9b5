"""Lanes: their waiting updates, their leases, and their release."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from rich_agent.domain.text import clean_text
from rich_agent.ports.inbox import SPLIT_TEXT_UNITS, InboxRules, Lane
from rich_agent.repositories.database.fences import lock_lane
from rich_agent.repositories.database.pools import Connection, Pool, execute

MOST_EXAMINED = 100
"""Most waiting updates to read: an album has 10 parts, 25 pieces hold 100,000 characters."""


_CERTAIN, _CERTAIN_S = 0.25, 2.5
"""The part of a lease, and the most seconds, for which it is not renewed again."""
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def boot_time_s() -> float:
    """Seconds of a clock that also runs while the machine sleeps."""
    return time.clock_gettime(_CLOCK)


@dataclass(slots=True)
class Leases:
    """The starts of the leases of this process's lanes, and whether each start was a renewal."""

    lease_s: float
    _starts: dict[int, tuple[float, bool]] = field(default_factory=dict)

    def take(self, began_s: float, lane: Lane | None, *, is_renewal: bool = False) -> Lane | None:
        """Record that the lease of a lane runs at least from `began_s`; return the lane."""
        oldest = boot_time_s() - self.lease_s
        self._starts = {fence: lease for fence, lease in self._starts.items() if lease[0] > oldest}
        if lane:
            self._starts[lane.fence] = (began_s, is_renewal)
        return lane

    def is_running(self, lane: Lane) -> bool:
        """Whether the lease of the lane still runs, so that no other worker can have taken it."""
        began_s, _ = self._starts.get(lane.fence, (-inf, False))
        return boot_time_s() - began_s < self.lease_s

    def is_certain(self, lane: Lane) -> bool:
        """Whether the lease was renewed only a moment ago."""
        began_s, is_renewal = self._starts.get(lane.fence, (-inf, False))
        most_s = min(_CERTAIN_S, self.lease_s * _CERTAIN)
        return is_renewal and boot_time_s() - began_s < most_s


@dataclass(frozen=True, slots=True)
class WaitingUpdate:
    """An update of a lane, without its content.

    - `bundle_id`: set once the update was handed out.
    - `follows`: whether it came directly after the previous update of the lane, in the same topic,
      with nothing urgent in between.
    """

    update_id: int
    media_group_id: str | None
    text_units: int | None
    attempts: int
    bundle_id: int | None
    age_s: float
    follows: bool = True


@dataclass(frozen=True, slots=True)
class Bundle:
    """Updates to answer together, after `await_s` seconds in which further parts may arrive."""

    updates: tuple[WaitingUpdate, ...]
    await_s: float = 0.0

    @property
    def update_ids(self) -> list[int]:
        """The ids of the updates, in order."""
        return [update.update_id for update in self.updates]


def next_bundle(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    """The bundle that begins with the first of `waiting`, which is sorted and not empty.

    Updates that were handed out together stay together, without later parts: the turn goes on from
    its checkpoint, which would ignore a late part.
    """
    head = waiting[0]
    if head.bundle_id is not None:
        return Bundle(tuple(update for update in waiting if update.bundle_id == head.bundle_id))
    if head.media_group_id is not None:
        return _album(waiting, rules)
    return _long_text(waiting, rules)


def first_of_each(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> list[int]:
    """The ids of the first updates of all bundles in `waiting`."""
    first_ids = []
    while waiting:
        bundle = next_bundle(waiting, rules)
        first_ids.append(bundle.update_ids[0])
        waiting = [update for update in waiting if update not in bundle.updates]
    return first_ids


def _album(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    group = waiting[0].media_group_id
    parts = tuple(
        update for update in waiting if update.media_group_id == group and update.bundle_id is None
    )
    oldest_s = max(part.age_s for part in parts)
    newest_s = min(part.age_s for part in parts)
    await_s = min(rules.album_quiet_s - newest_s, rules.album_longest_s - oldest_s)
    return Bundle(parts, max(0.0, await_s))


def _long_text(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    pieces = [waiting[0]]
    for update in waiting[1:]:
        if not _goes_on(pieces[-1], update, rules.text_gap_s):
            return Bundle(tuple(pieces))
        pieces.append(update)
    last_piece = pieces[-1]
    return Bundle(
        tuple(pieces),
        max(0.0, rules.text_gap_s - last_piece.age_s) if _may_go_on(last_piece) else 0.0,
    )


def _may_go_on(piece: WaitingUpdate) -> bool:
    return piece.text_units is not None and piece.text_units >= SPLIT_TEXT_UNITS


def _goes_on(piece: WaitingUpdate, update: WaitingUpdate, gap_s: float) -> bool:
    return (
        _may_go_on(piece)
        and update.text_units is not None
        and update.follows
        and update.bundle_id is None
        and piece.age_s - update.age_s <= gap_s
    )


_FREE_IF_IDLE = """
WITH ended AS (
    DELETE FROM attempts WHERE kind IN ('ordinary', 'urgent') AND key = ANY(%s::bigint[])
)
DELETE FROM telegram_lanes AS lane WHERE fence = %s AND NOT EXISTS (
    SELECT FROM telegram_inbox AS waiting
    WHERE waiting.user_id = lane.user_id AND waiting.urgent = lane.urgent
        AND done_at IS NULL AND dead_at IS NULL
)
"""

_HAND_ON = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), holder = NULL, waits_since = NULL,
    fence = nextval('telegram_lane_fence')
WHERE fence = %s
"""
_UNCOUNT = """
WITH ended AS (DELETE FROM attempts WHERE kind = 'ordinary' AND key = ANY(%(ids)s::bigint[]))
UPDATE telegram_inbox SET attempts = attempts - 1 WHERE update_id = ANY(%(ids)s)
"""

_PUT_BACK = """
UPDATE telegram_lanes SET ready_at = coalesce(waits_since, clock_timestamp()), holder = NULL,
    waits_since = CASE WHEN %(told)s THEN waits_since END, fence = nextval('telegram_lane_fence')
WHERE fence = %(fence)s
"""
# Ordinary lanes are locked before urgent ones, in the same order as when updates are stored.
_OPEN_ORDINARY = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at)
SELECT user_id, false, clock_timestamp() + make_interval(secs => %s)
FROM telegram_lanes WHERE fence = %s AND urgent
ON CONFLICT (user_id, urgent) DO UPDATE SET user_id = excluded.user_id
"""

_HOLD = """
UPDATE telegram_inbox SET attempts = attempts - 1, last_error = %(error)s, holds = holds + 1,
    held_since = coalesce(held_since, clock_timestamp()),
    held_until = clock_timestamp() + make_interval(secs => %(delay_s)s), urgent = false
WHERE update_id = ANY(%(ids)s)
"""

POSTPONE_YOUNG = """
UPDATE telegram_inbox SET attempts = attempts - 1, last_error = %s
WHERE update_id = ANY(%s)
    AND greatest(received_at, held_until) > clock_timestamp() - make_interval(secs => %s)
"""

READY_IN = """
SELECT extract(epoch FROM min(ready_at) - clock_timestamp())::float8 AS ready_in_s
FROM telegram_lanes WHERE urgent = %(urgent)s
"""
# The lane is deleted only if its row is still the one that this statement saw: who stores an update
# writes a new row. If it is another one, the lane stays, and is freed by `free_lane`.
FINISH = """
WITH lane AS MATERIALIZED (
    SELECT user_id, urgent, xmin::text AS version FROM telegram_lanes WHERE fence = %(fence)s
), held AS MATERIALIZED (
    SELECT user_id FROM telegram_lanes WHERE fence = %(fence)s FOR KEY SHARE
), done AS (
    UPDATE telegram_inbox SET done_at = clock_timestamp(), raw = '' FROM held
    WHERE update_id = ANY(%(ids)s::bigint[])
), ended AS (
    DELETE FROM attempts USING held
    WHERE kind IN ('ordinary', 'urgent') AND key = ANY(%(ids)s::bigint[])
), load AS MATERIALIZED (
    SELECT version, EXISTS (
        SELECT FROM telegram_inbox AS waiting
        WHERE waiting.user_id = lane.user_id AND waiting.urgent = lane.urgent
            AND done_at IS NULL AND dead_at IS NULL AND update_id <> ALL(%(ids)s::bigint[])
    ) AS has_more FROM lane
), freed AS (
    DELETE FROM telegram_lanes USING load
    WHERE fence = %(fence)s AND NOT has_more AND telegram_lanes.xmin::text = version
    RETURNING fence
), handed_on AS (
    UPDATE telegram_lanes SET ready_at = clock_timestamp(), holder = NULL, waits_since = NULL,
        fence = nextval('telegram_lane_fence')
    FROM load WHERE fence = %(fence)s AND has_more
    RETURNING pg_notify('telegram_inbox', '')
)
SELECT (SELECT count(*) FROM freed) + (SELECT count(*) FROM handed_on) > 0 AS is_free FROM held
"""


async def bury_updates(connection: Connection, ids: Sequence[int], error: str) -> None:
    """Give up updates as dead letters."""
    await connection.execute(
        "UPDATE telegram_inbox SET dead_at = clock_timestamp(), last_error = %s "
        "WHERE update_id = ANY(%s)",
        (clean_text(error), list(ids)),
    )


async def free_lane(
    connection: Connection, fence: int, delay_s: float = 0.0, *, finished_ids: Sequence[int] = ()
) -> None:
    """Delete a lane without work; free a lane with work under a new fence.

    The attempts at the updates `finished_ids`, which ended normally, are deleted.
    """
    cursor = await connection.execute(_FREE_IF_IDLE, (list(finished_ids), fence))
    if cursor.rowcount == 0:
        await connection.execute(_HAND_ON, (delay_s, fence))
        await connection.execute("NOTIFY telegram_inbox")


async def put_lane_back(
    connection: Connection, fence: int, ids: Sequence[int], *, told: bool
) -> None:
    """Free an ordinary lane in its old position, as if its updates were not handed out.

    Unless its user was told to wait, nothing remains of the notice either.
    """
    await connection.execute(_UNCOUNT, {"ids": list(ids)})
    await connection.execute(_PUT_BACK, {"fence": fence, "told": told})
    await connection.execute("NOTIFY telegram_inbox")


async def hold_updates(
    connection: Connection, fence: int, ids: Sequence[int], error: str, delay_s: float
) -> None:
    """Put the updates of a lane back into the user's ordinary lane, for `delay_s` seconds.

    Raises: LaneLostError.
    """
    await connection.execute(_OPEN_ORDINARY, (delay_s, fence))
    await lock_lane(connection, fence, "UPDATE")
    values = {"error": clean_text(error), "delay_s": delay_s, "ids": list(ids)}
    await connection.execute(_HOLD, values)
    await free_lane(connection, fence, delay_s, finished_ids=ids)


# Two updates are separated by another topic, or by an urgent update between them. This matters only
# after a long text.
_WAITING = f"""
SELECT update_id, media_group_id, text_units, attempts, bundle_id, age_s,
    CASE WHEN units_before >= {SPLIT_TEXT_UNITS} THEN
        topic_id IS NOT DISTINCT FROM topic_before AND NOT EXISTS (
        SELECT FROM telegram_inbox AS other
        WHERE other.update_id > id_before AND other.update_id < waiting.update_id
            AND other.user_id = %(user_id)s AND other.urgent <> %(urgent)s
    ) ELSE true END AS follows
FROM (
    SELECT update_id, media_group_id, text_units, attempts, bundle_id, topic_id,
        extract(epoch FROM clock_timestamp() - received_at)::float8 AS age_s,
        lag(text_units) OVER (ORDER BY update_id) AS units_before,
        lag(update_id) OVER (ORDER BY update_id) AS id_before,
        lag(topic_id) OVER (ORDER BY update_id) AS topic_before
    FROM telegram_inbox
    WHERE user_id = %(user_id)s AND urgent = %(urgent)s AND done_at IS NULL AND dead_at IS NULL
    ORDER BY update_id LIMIT {MOST_EXAMINED}
) AS waiting
ORDER BY update_id
"""

DEPTH = """
SELECT count(*) AS pending,
    coalesce(extract(epoch FROM clock_timestamp() - min(received_at))::float8, 0) AS oldest_s,
    (SELECT count(*) FROM telegram_inbox WHERE dead_at IS NOT NULL) AS dead,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(part.created_at))::float8, 0)
        FROM telegram_outbox AS part JOIN telegram_inbox AS open USING (update_id)
        WHERE open.done_at IS NULL AND open.dead_at IS NULL AND part.state = 'sending') AS unsent_s,
    count(*) FILTER (WHERE held_until > clock_timestamp()) AS held,
    coalesce(extract(epoch FROM clock_timestamp()
        - min(received_at) FILTER (WHERE bundle_id IS NULL))::float8, 0) AS waiting_s
FROM telegram_inbox WHERE done_at IS NULL AND dead_at IS NULL
"""


async def waiting_in(pool: Pool, user_id: int, *, urgent: bool) -> list[WaitingUpdate]:
    """The first updates of a lane, in order."""
    cursor = await execute(pool, _WAITING, {"user_id": user_id, "urgent": urgent})
    return [WaitingUpdate(**row) for row in await cursor.fetchall()]


async def ready_in_s(pool: Pool, *, urgent: bool) -> float | None:
    """Seconds until the next lane is ready, None if there is no lane."""
    row = await (await execute(pool, READY_IN, {"urgent": urgent})).fetchone()
    return row["ready_in_s"] if row else None
