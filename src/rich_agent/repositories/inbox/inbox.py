"""The durable inbox in PostgreSQL: updates, and one lane for each user with work.

A lane's `ready_at` serves as lease, backoff and album debounce. All times are of the database's
clock. A transaction that changes a lane locks its row first and looks up the remaining work in a
second statement, whose snapshot then includes every update stored before.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from math import inf
from typing import Any, LiteralString, Self

from rich_agent.domain.text import clean_text
from rich_agent.errors import DatabaseUnavailableError, LaneLostError
from rich_agent.ports.inbox import (
    MOST_QUEUED,
    SPLIT_TEXT_UNITS,
    InboxDepth,
    InboxRules,
    Lane,
    ReceivedUpdate,
    StoredUpdate,
)
from rich_agent.ports.operations import MOST_LONE_ENDS, Work
from rich_agent.repositories.database.fences import checkout_held, lock_lane
from rich_agent.repositories.database.pools import (
    Connection,
    Pool,
    execute,
    one_transaction,
)
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.inbox.attempts import (
    BEGUN,
    ENDS,
    IN_DOUBT,
    MOST_NOTICES,
    NEEDS_LONE_PROCESS,
    Attempt,
    PostgresAttempts,
)
from rich_agent.repositories.inbox.lanes import (
    DEPTH,
    FINISH,
    POSTPONE_YOUNG,
    Leases,
    boot_time_s,
    bury_updates,
    first_of_each,
    free_lane,
    hold_updates,
    next_bundle,
    put_lane_back,
    ready_in_s,
    waiting_in,
)
from rich_agent.repositories.inbox.storing import GroupCommit, shorten_command_text
from rich_agent.repositories.inbox.wakeups import (
    INBOX_CHANNEL,
    USERS_CHANNEL,
    ReadyIn,
    Wakeups,
)
from rich_agent.runtime.fencing import note_progress_with

GIVEN_UP = "given up: no attempt finished"

# statement_timestamp() is constant within the statement, so that the index can be used. A lane that
# is ready although its work was begun is that of a process that ended, or lost it. A process
# without a lock judges nobody, so it does not wait for a judgement either.
_OF_LANE = "attempts.user_id = ready.user_id AND attempts.kind = %(kind)s"
_TAKE_LANE = f"""
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %(lease_s)s), awaits_more = false,
    holder = %(holder)s, fence = nextval('telegram_lane_fence'),
    waits_since = CASE WHEN %(untold_s)s::float8 IS NULL THEN waits_since ELSE ready_at END
WHERE (user_id, urgent) = (
    SELECT user_id, urgent FROM telegram_lanes AS ready
    WHERE urgent = %(urgent)s AND ready_at <= statement_timestamp() AND (
        %(untold_s)s::float8 IS NULL OR waits_since IS NULL
        AND ready_at <= statement_timestamp() - make_interval(secs => %(untold_s)s)
    ) AND (
        (NOT %(is_lone)s AND (SELECT key FROM attempts WHERE {_OF_LANE} LIMIT 1) IS NULL)
        OR (%(alone)s AND (%(holder)s::integer IS NULL OR NOT EXISTS (
            {IN_DOUBT} AND doubtful.user_id = ready.user_id AND kind = %(kind)s
        )) AND {NEEDS_LONE_PROCESS.format(_OF_LANE)} = %(is_lone)s)
    )
    ORDER BY ready_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING user_id, urgent, fence
"""
# Hands out the first update in the statement that takes the lane, if it is certainly alone: it is
# new, and neither part of an album nor a long text. What is stored meanwhile is at most missed, as
# if it came later; what another worker finishes meanwhile is not handed out, because the update
# looks at the newest row.
_CLAIM = f"""
WITH taken AS ({_TAKE_LANE}), head AS (
    SELECT inbox.update_id FROM taken CROSS JOIN LATERAL (
        SELECT update_id, attempts = 0 AND bundle_id IS NULL AND media_group_id IS NULL
            AND coalesce(text_units, 0) < {SPLIT_TEXT_UNITS} AND NOT EXISTS (
                SELECT FROM attempts AS earlier WHERE kind = %(kind)s AND key = update_id
            ) AS is_alone
        FROM telegram_inbox AS waiting
        WHERE waiting.user_id = taken.user_id AND waiting.urgent = taken.urgent
            AND done_at IS NULL AND dead_at IS NULL
        ORDER BY update_id LIMIT 1
    ) AS inbox WHERE is_alone
), handed AS (
    UPDATE telegram_inbox AS inbox SET attempts = attempts + 1, bundle_id = inbox.update_id
    FROM head WHERE inbox.update_id = head.update_id
        AND bundle_id IS NULL AND done_at IS NULL AND dead_at IS NULL
    RETURNING inbox.update_id, raw, attempts AS attempt, over_cap, holds, true AS is_new,
        coalesce(extract(epoch FROM clock_timestamp() - held_since)::float8, 0) AS held_s,
        NOT EXISTS (
            SELECT FROM telegram_inbox AS later
            WHERE later.user_id = inbox.user_id AND later.urgent = inbox.urgent
                AND later.done_at IS NULL AND later.dead_at IS NULL
                AND later.update_id > inbox.update_id
        ) AS is_newest
), begun AS (
    INSERT INTO attempts (kind, key, holder, user_id, launch)
    SELECT %(kind)s, handed.update_id, %(holder)s::integer, user_id, %(launch)s::bigint
    FROM handed, taken WHERE %(holder)s::integer IS NOT NULL
    ON CONFLICT DO NOTHING
)
SELECT next.*, taken.*, handed.* FROM (
    SELECT min(extract(epoch FROM ready_at - clock_timestamp()))::float8 AS ready_in_s FROM (
        SELECT ready_at FROM telegram_lanes AS lane
        WHERE urgent = %(urgent)s AND user_id NOT IN (SELECT user_id FROM taken)
        ORDER BY ready_at LIMIT 1
    ) AS first
) AS next LEFT JOIN taken ON true LEFT JOIN handed ON true
"""
_LOOK_VALID_S = 1.0
_GIVE_BACK = """
UPDATE telegram_lanes SET ready_at = clock_timestamp(), holder = NULL WHERE fence = %s
"""

_HAND_OUT = f"""
WITH begun AS ({BEGUN}), ends AS MATERIALIZED ({ENDS})
UPDATE telegram_inbox SET attempts = attempts + 1, bundle_id = %(key)s FROM ends
WHERE update_id = ANY(%(ids)s)
RETURNING update_id, raw, attempts AS attempt, over_cap, holds, hard_ends, lone_ends, notices,
    coalesce(extract(epoch FROM clock_timestamp() - held_since)::float8, 0) AS held_s
"""

_AWAIT_MORE = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), awaits_more = true, holder = NULL
WHERE fence = %s
"""


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the lanes that nobody took; the first of them is ready after `ready_in_s`.

    `news_count` is the number of notifications before it, `at_s` its time by `boot_time_s`.
    """

    news_count: int
    at_s: float
    ready_in_s: float = inf


class Claims:
    """Claims lanes for this process; a suspect lane, which ended a process, is served alone."""

    def __init__(
        self, pool: Pool, rules: InboxRules, wakeups: Wakeups, attempts: PostgresAttempts
    ) -> None:
        self._pool = pool
        self._rules = rules
        self._wakeups = wakeups
        self._attempts = attempts
        self._at_hand = attempts.lanes
        self._looks: dict[bool, Look] = {}
        """The last looks for ordinary lanes and for urgent ones."""

    def ready_in_s(self, *, urgent: bool) -> float | None:
        """The seconds until a lane that nobody took is ready; None if that has to be looked up."""
        look = self._looks.get(urgent)
        if look is None or look.news_count != self._wakeups.count(INBOX_CHANNEL):
            return None
        elapsed_s = boot_time_s() - look.at_s
        return look.ready_in_s - elapsed_s if elapsed_s < _LOOK_VALID_S else None

    async def claim(self, *, urgent: bool, untold_s: float | None = None) -> Lane | None:
        """See `Inbox.claim`; with `untold_s` see `Inbox.claim_untold`, which takes no suspects."""
        place = self._attempts.alone.take() if untold_s is None else None
        taking = {
            "urgent": urgent,
            "lease_s": self._rules.lease_s,
            "holder": await self._wakeups.holder(),
            "alone": place is not None,
            "untold_s": untold_s,
            "kind": "urgent" if urgent else "ordinary",
            "mine": self._wakeups.numbers,
            "launch": self._attempts.launch,
            "is_lone": self._attempts.is_lone,
        }
        attempt = None
        try:
            while True:
                news_count = self._wakeups.count(USERS_CHANNEL)
                look = Look(self._wakeups.count(INBOX_CHANNEL), boot_time_s())
                row = await (await execute(self._pool, _CLAIM, taking)).fetchone()
                assert row is not None  # noqa: S101 - its first part is a minimum
                if untold_s is None:
                    ready_in_s = inf if row["ready_in_s"] is None else row["ready_in_s"]
                    self._looks[urgent] = replace(look, ready_in_s=ready_in_s)
                if row["fence"] is None:
                    return None
                lane, new_attempt = await self._begin({**taking, **row})
                if lane and new_attempt:
                    new_attempt.news_count = news_count
                    self._at_hand[lane.fence] = attempt = new_attempt
                    return lane
        finally:
            if attempt and attempt.hard_ends:
                attempt.place = place
            else:
                self._attempts.alone.give_up(place)

    def is_quiet(self, lane: Lane) -> bool:
        """See `Inbox.is_quiet`."""
        attempt = self._at_hand.get(lane.fence)
        count = self._wakeups.count(USERS_CHANNEL)
        is_newest = bool(lane.updates) and lane.updates[-1].is_newest
        return is_newest and attempt is not None and attempt.news_count == count

    @asynccontextmanager
    async def count_attempt(self, lane: Lane) -> AsyncIterator[None]:
        """See `Inbox.count_attempt`."""
        attempt = self._at_hand.get(lane.fence)
        if attempt is None:
            yield
            return
        note_progress_with(partial(self._attempts.note_progress, attempt))
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

    async def _begin(self, row: Mapping[str, Any]) -> tuple[Lane | None, Attempt | None]:
        """The taken lane with its next updates, and its counted attempt; None if there are none."""
        if row["update_id"] is None:
            try:
                async with one_transaction(self._pool) as connection:
                    await lock_lane(connection, row["fence"], "UPDATE")
                    return await self._hand_out(connection, row)
            except LaneLostError:
                return None, None
            except DatabaseUnavailableError:
                with suppress(DatabaseUnavailableError):  # else its lease ends
                    await execute(self._pool, _GIVE_BACK, (row["fence"],))
                raise
        update = StoredUpdate(**{column.name: row[column.name] for column in fields(StoredUpdate)})
        lane = Lane(row["user_id"], row["fence"], (update,), is_urgent=row["urgent"])
        return lane, Attempt(Work(row["kind"], update.update_id, row["user_id"]))

    async def _hand_out(
        self, connection: Connection, row: Mapping[str, Any]
    ) -> tuple[Lane | None, Attempt | None]:
        """The lane with its next updates, and its counted attempt; None if postponed or freed."""
        waiting = await waiting_in(self._pool, row["user_id"], urgent=row["urgent"])
        if not waiting:
            await free_lane(connection, row["fence"])
            return None, None
        bundle = next_bundle(waiting, self._rules)
        if bundle.await_s > 0:
            await connection.execute(_AWAIT_MORE, (bundle.await_s, row["fence"]))
            return None, None
        ids = bundle.update_ids
        surplus = max(update.attempts for update in bundle.updates) - self._rules.max_attempts
        rows = await fetch_all(connection, _HAND_OUT, {**row, "key": ids[0], "ids": ids})
        count_columns = ("hard_ends", "lone_ends", "notices")
        hard_ends, lone_ends, notices = max(
            [one.pop(name) for name in count_columns] for one in rows
        )
        if surplus > 0 or notices >= MOST_NOTICES:
            # Even telling the user did not finish.
            await bury_updates(connection, ids, GIVEN_UP)
            await free_lane(connection, row["fence"], finished_ids=ids)
            return None, None
        updates = sorted((StoredUpdate(**update) for update in rows), key=lambda u: u.update_id)
        is_spent = surplus == 0 or lone_ends >= MOST_LONE_ENDS
        lane = Lane(row["user_id"], row["fence"], tuple(updates), is_spent, row["urgent"])
        return lane, Attempt(Work(row["kind"], ids[0], row["user_id"]), hard_ends)


_SUSPECTS_WAIT_S = 0.2

_EXTEND = """
UPDATE telegram_lanes
SET ready_at = clock_timestamp() + make_interval(secs => %s), holder = %s
WHERE fence = %s
"""

_PLACE = """
SELECT count(*) + 1 AS place FROM (
    SELECT FROM telegram_lanes
    WHERE NOT urgent AND ready_at < (SELECT waits_since FROM telegram_lanes WHERE fence = %s)
    LIMIT 999
) AS earlier
"""

_TAKE_USER = """
INSERT INTO telegram_lanes (user_id, urgent, ready_at, holder)
VALUES (%(user_id)s, false, clock_timestamp() + make_interval(secs => %(lease_s)s), %(holder)s)
ON CONFLICT (user_id, urgent) DO UPDATE
SET ready_at = excluded.ready_at, awaits_more = false, holder = excluded.holder,
    fence = nextval('telegram_lane_fence')
WHERE telegram_lanes.ready_at <= clock_timestamp()
RETURNING fence
"""


class PostgresInbox(PostgresRepository):
    """Implements `Inbox`; use it with `async with`, which also ends its background tasks.

    `sessions` is the pool for listening and leases, see `Databases`.
    """

    def __init__(
        self, pool: Pool, rules: InboxRules | None = None, sessions: Pool | None = None
    ) -> None:
        super().__init__(pool)
        self._sessions = sessions or pool
        self._rules = rules or InboxRules()
        self._group = asyncio.TaskGroup()
        self._commits = GroupCommit(pool, self._group, self._rules.max_pending)
        self._wakeups = Wakeups(self._sessions, self._group)
        most_attempts = self._rules.max_attempts
        self.attempts = PostgresAttempts(pool, self._wakeups, self._group, most_attempts)
        self._claims = Claims(pool, self._rules, self._wakeups, self.attempts)
        self._leases = Leases(self._rules.lease_s)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *_failure: object) -> None:
        self._wakeups.stop()
        # The group waits for its tasks; an exception of the block is passed on unchanged.
        await self._group.__aexit__(None, None, None)

    async def store(self, updates: Sequence[ReceivedUpdate]) -> int:
        return await self._commits.store(updates)

    async def claim(self, *, urgent: bool = False) -> Lane | None:
        return self._leases.take(boot_time_s(), await self._claims.claim(urgent=urgent))

    def may_be_ready(self, *, urgent: bool) -> bool:
        return (self._claims.ready_in_s(urgent=urgent) or 0.0) <= 0

    async def claim_untold(self, waited_s: float) -> Lane | None:
        began, claim = boot_time_s(), self._claims.claim(urgent=False, untold_s=waited_s)
        return self._leases.take(began, await claim)

    async def place_of(self, lane: Lane) -> int:
        row = await self._row(_PLACE, (lane.fence,))
        return int(row["place"]) if row else 1

    def is_leased(self, lane: Lane) -> bool:
        return self._leases.is_running(lane)

    def count_attempt(self, lane: Lane) -> AbstractAsyncContextManager[None]:
        return self._claims.count_attempt(lane)

    async def extend(self, lane: Lane) -> None:
        # Nobody takes a lane whose lease has long to run, unless this process seems to be dead.
        if self._leases.is_certain(lane) and not self._wakeups.is_deaf:
            return
        began = boot_time_s()
        holder = await self._wakeups.holder()
        values = (self._rules.lease_s, holder, lane.fence)
        cursor = await execute(self._sessions, _EXTEND, values)
        if cursor.rowcount == 0:
            raise LaneLostError(f"lane of fence {lane.fence}")
        self._leases.take(began, lane, is_renewal=True)

    async def finish(self, lane: Lane) -> None:
        values = {"fence": lane.fence, "ids": _ids(lane)}
        row = await self._row(FINISH, values)
        if row is None:
            raise LaneLostError(f"lane of fence {lane.fence}")
        if not row["is_free"]:  # something was stored just now
            async with self._hold_lane(lane) as connection:
                await free_lane(connection, lane.fence)

    async def retry(self, lane: Lane, error: str, delay_s: float) -> bool:
        is_last = any(update.attempt >= self._rules.max_attempts for update in lane.updates)
        if is_last:
            await self.bury(lane, error)
        else:
            await self._settle(lane, "last_error = %s", clean_text(error), delay_s=delay_s)
        return not is_last

    async def bury(self, lane: Lane, error: str) -> None:
        async with self._hold_lane(lane) as connection:
            await bury_updates(connection, _ids(lane), error)
            await free_lane(connection, lane.fence, finished_ids=_ids(lane))

    async def release(self, lane: Lane, *, counted: bool) -> None:
        await self._settle(lane, "attempts = attempts - %s", 0 if counted else 1)

    async def put_back(self, lane: Lane, *, told: bool = True) -> None:
        async with self._hold_lane(lane) as connection:
            await put_lane_back(connection, lane.fence, _ids(lane), told=told)

    async def postpone(self, lane: Lane, error: str, delay_s: float) -> bool:
        async with self._hold_lane(lane) as connection:
            waiting = await connection.execute(
                POSTPONE_YOUNG, (clean_text(error), _ids(lane), self._rules.longest_postponed_s)
            )
            if waiting.rowcount == 0:
                await bury_updates(connection, _ids(lane), error)
            delay_s = delay_s if waiting.rowcount else 0.0
            await free_lane(connection, lane.fence, delay_s, finished_ids=_ids(lane))
        return waiting.rowcount > 0

    async def hold(self, lane: Lane, error: str, delay_s: float) -> None:
        async with one_transaction(self._pool) as connection:
            await hold_updates(connection, lane.fence, _ids(lane), error, delay_s)

    async def shorten_command(self, update_id: int, name: str) -> None:
        async with checkout_held(self._pool) as connection:
            await shorten_command_text(connection, update_id, name)

    async def claim_user(self, user_id: int) -> Lane | None:
        holder = await self._wakeups.holder()
        taking = {"user_id": user_id, "lease_s": self._rules.lease_s, "holder": holder}
        row = await self._row(_TAKE_USER, taking)
        return Lane(user_id, row["fence"]) if row else None

    async def waiting_updates(self, lane: Lane) -> tuple[StoredUpdate, ...]:
        waiting = await waiting_in(self._pool, lane.user_id, urgent=lane.is_urgent)
        heads = first_of_each([u for u in waiting if u.bundle_id is None], self._rules)
        if not heads:
            return ()
        query = (
            "SELECT update_id, raw, 0 AS attempt, over_cap FROM telegram_inbox "
            "WHERE update_id = ANY(%s) ORDER BY update_id"
        )
        rows = await self._rows(query, (heads[:MOST_QUEUED],))
        return tuple(StoredUpdate(**row) for row in rows)

    def is_quiet(self, lane: Lane) -> bool:
        return self._claims.is_quiet(lane) and not self._wakeups.is_deaf

    def hearing_from(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        return self._wakeups.hearing(USERS_CHANNEL, str(user_id))

    async def wait(self, timeout_s: float, *, urgent: bool = False) -> None:
        async def ready_in() -> float | None:
            ready = self._claims.ready_in_s(urgent=urgent)
            if ready is None:
                ready = await ready_in_s(self._pool, urgent=urgent)
            # A lane that is ready, and was not handed out, is served alone, or once it is judged.
            is_suspect = self.attempts.alone.is_taken or self._wakeups.is_in_doubt
            waits_s = _SUSPECTS_WAIT_S if is_suspect else 0.0
            return ready if ready is None else max(ready, waits_s)

        await self._wakeups.wait(INBOX_CHANNEL, timeout_s, ready_in)

    async def wait_for(self, channel: str, timeout_s: float, ready_in: ReadyIn) -> None:
        """Wait until a channel is notified or work is ready, at most `timeout_s`."""
        await self._wakeups.wait(channel, timeout_s, ready_in)

    def hearing(self, channel: str, about: str = "") -> AbstractAsyncContextManager[asyncio.Event]:
        """A context with an event that each notification of a channel with text `about` sets."""
        return self._wakeups.hearing(channel, about)

    async def depth(self) -> InboxDepth:
        return InboxDepth(**await self._one(DEPTH))

    @property
    def is_deaf(self) -> bool:
        """Whether the listener for new updates has lost its connection."""
        return self._wakeups.is_deaf

    async def prune(self, days: float) -> int:
        # As long as Telegram may repeat it. People with access are in `users`.
        without_access = await self._prune(
            "telegram_inbox",
            "done_at",
            min(days, 1),
            also="(over_cap OR NOT EXISTS (SELECT FROM users WHERE telegram_user_id = user_id))",
        )
        return without_access + await self._prune("telegram_inbox", "done_at", days)

    @asynccontextmanager
    async def _hold_lane(self, lane: Lane) -> AsyncIterator[Connection]:
        """A transaction during which no other worker can take or free the lane."""
        async with one_transaction(self._pool) as connection:
            await lock_lane(connection, lane.fence, "UPDATE")
            yield connection

    async def _settle(
        self, lane: Lane, change: LiteralString, *values: str | int, delay_s: float = 0.0
    ) -> None:
        """Change the lane's updates, which stay, and free the lane for the next ones."""
        query: LiteralString = f"UPDATE telegram_inbox SET {change} WHERE update_id = ANY(%s)"
        async with self._hold_lane(lane) as connection:
            await connection.execute(query, (*values, _ids(lane)))
            await free_lane(connection, lane.fence, delay_s, finished_ids=_ids(lane))


def _ids(lane: Lane) -> list[int]:
    return [update.update_id for update in lane.updates]
