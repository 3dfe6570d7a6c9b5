"""Hands out lanes with their next updates, the attempt counted in the same statement."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from rich_agent.ports.inbox import InboxRules, Lane, StoredUpdate
from rich_agent.ports.operations import MOST_HARD_ENDS, Work
from rich_agent.repositories.database.fences import LONGEST_PAUSE
from rich_agent.repositories.database.pools import Connection, Pool, checkout
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.repositories.inbox.attempts import (
    BEGUN,
    HARD_ENDS,
    IN_DOUBT,
    Attempt,
    PostgresAttempts,
)
from rich_agent.repositories.inbox.bundles import next_bundle
from rich_agent.repositories.inbox.lanes import bury_updates, free_lane, waiting_in
from rich_agent.repositories.inbox.wakeups import Wakeups
from rich_agent.runtime.fencing import note_progress_with

GIVEN_UP = "given up: no attempt finished"

# statement_timestamp() is constant within the statement, so that the index can be used. A lane that
# is ready although its work was begun is that of a process that ended, or lost it. A process
# without a lock judges nobody, so it does not wait for a judgement either.
_TAKE_LANE = f"""
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %(lease_s)s), awaits_more = false,
    holder = %(holder)s, fence = nextval('telegram_lane_fence')
WHERE (user_id, urgent) = (
    SELECT user_id, urgent FROM telegram_lanes AS ready
    WHERE urgent = %(urgent)s AND ready_at <= statement_timestamp() AND (
        (
            SELECT key FROM attempts
            WHERE attempts.user_id = ready.user_id AND kind = %(kind)s LIMIT 1
        ) IS NULL
        OR (%(alone)s AND (%(holder)s::integer IS NULL OR NOT EXISTS (
            {IN_DOUBT} AND doubtful.user_id = ready.user_id AND kind = %(kind)s
        )))
    )
    ORDER BY ready_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING user_id, urgent, fence,
    set_config('idle_in_transaction_session_timeout', %(longest_pause)s, true) AS longest_pause
"""

_HAND_OUT = f"""
WITH begun AS ({BEGUN})
UPDATE telegram_inbox SET attempts = attempts + 1, bundle_id = %(key)s
WHERE update_id = ANY(%(ids)s)
RETURNING update_id, raw, attempts AS attempt, over_cap, holds, ({HARD_ENDS}) AS hard_ends,
    coalesce(extract(epoch FROM clock_timestamp() - held_since)::float8, 0) AS held_s
"""

_AWAIT_MORE = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), awaits_more = true, holder = NULL
WHERE fence = %s
"""


class Claims:
    """Takes lanes for this process. A suspect, which ended a process before, is taken alone."""

    def __init__(
        self, pool: Pool, rules: InboxRules, wakeups: Wakeups, attempts: PostgresAttempts
    ) -> None:
        self._pool = pool
        self._rules = rules
        self._wakeups = wakeups
        self._attempts = attempts
        self._at_hand: dict[int, Attempt] = {}

    async def claim(self, *, urgent: bool) -> Lane | None:
        """See `Inbox.claim`."""
        place = self._attempts.alone.take()
        taking = {
            "urgent": urgent,
            "lease_s": self._rules.lease_s,
            "holder": await self._wakeups.holder(),
            "longest_pause": LONGEST_PAUSE,
            "alone": place is not None,
            "kind": "urgent" if urgent else "ordinary",
            "mine": self._wakeups.numbers,
        }
        attempt = None
        try:
            while True:
                async with checkout(self._pool) as connection, connection.transaction():
                    row = await (await connection.execute(_TAKE_LANE, taking)).fetchone()
                    if row is None:
                        return None
                    lane, handed = await self._hand_out(connection, {**taking, **row})
                if lane and handed:
                    self._at_hand[lane.fence] = attempt = handed
                    return lane
        finally:
            if attempt and attempt.hard_ends:
                attempt.place = place
            else:
                self._attempts.alone.give_up(place)

    @asynccontextmanager
    async def counted(self, lane: Lane) -> AsyncIterator[None]:
        """See `Inbox.counted`."""
        attempt = self._at_hand.get(lane.fence)
        if attempt is None:
            yield
            return
        note_progress_with(partial(self._attempts.progressed, attempt))
        try:
            yield
        except BaseException:
            # A lane that was lost, and taken again by this process, has one row for both.
            if [one.work for one in self._at_hand.values()].count(attempt.work) == 1:
                await asyncio.shield(self._attempts.leave(attempt))
            raise
        finally:
            del self._at_hand[lane.fence]
            self._attempts.alone.give_up(attempt.place)

    async def _hand_out(
        self, connection: Connection, row: Mapping[str, Any]
    ) -> tuple[Lane | None, Attempt | None]:
        """The lane with its next updates, attempt counted; None if it was postponed or freed."""
        waiting = await waiting_in(connection, row)
        if not waiting:
            await free_lane(connection, row["fence"])
            return None, None
        bundle = next_bundle(waiting, self._rules)
        if bundle.await_s > 0:
            await connection.execute(_AWAIT_MORE, (bundle.await_s, row["fence"]))
            return None, None
        ids = bundle.update_ids
        spent = max(update.attempts for update in bundle.updates) - self._rules.max_attempts
        handed = await fetch_all(connection, _HAND_OUT, {**row, "key": ids[0], "ids": ids})
        hard_ends = max(update.pop("hard_ends") for update in handed)
        if spent > 0 or hard_ends > MOST_HARD_ENDS:
            # Even telling the user did not finish.
            await bury_updates(connection, ids, GIVEN_UP)
            await free_lane(connection, row["fence"], ended=ids)
            return None, None
        updates = sorted((StoredUpdate(**update) for update in handed), key=lambda u: u.update_id)
        is_spent = spent == 0 or hard_ends == MOST_HARD_ENDS
        lane = Lane(row["user_id"], row["fence"], tuple(updates), is_spent=is_spent)
        return lane, Attempt(Work(row["kind"], ids[0], row["user_id"]), hard_ends)
