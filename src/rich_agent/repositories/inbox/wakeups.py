"""Waits for work by NOTIFY or until work is due; a lock shows that a process lives."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import LiteralString

import psycopg
import structlog

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.repositories.database.pools import (
    Connection,
    Pool,
    translate_database_errors,
)
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.runtime.concurrency import happens_by, happens_within, survived

LOOK_S = 1.0
_SPACE = 1_918_977_908
"""The first half of the keys; no other lock of this program has a two-part key."""
_MOST = 2**31 - 1
# After a restart the server has no locks although the processes live; they need a moment. A clock
# that was set back since then shows a time before the restart.
_SERVER_SETTLES_S = 3.0
# A promoted standby has run for long and has no locks yet: a process that had to connect anew gives
# the others time to do so.
_OTHERS_RETURN_S = 5.0

LACKS_LOCK = f"""NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
        AND classid = {_SPACE} AND objid = {{}}.holder::oid
)"""
"""Whether the `holder` in a row of a table has no lock; `format` gets the table's name."""
_MISSING = f"""
SELECT holder,
    clock_timestamp() NOT BETWEEN pg_postmaster_start_time()
        AND pg_postmaster_start_time() + make_interval(secs => {_SERVER_SETTLES_S}) AS is_settled
FROM (
    SELECT holder FROM telegram_lanes WHERE holder IS NOT NULL
    UNION SELECT holder FROM attempts WHERE NOT has_ended
    UNION SELECT holder FROM due_work WHERE holder IS NOT NULL
) AS held
WHERE {LACKS_LOCK.format("held")}
"""
_FREE = """
WITH judged AS (
    UPDATE attempts SET has_ended = true WHERE holder = ANY(%(gone)s) AND NOT has_ended
    RETURNING user_id, kind, key
), uncounted AS (
    UPDATE telegram_inbox AS cut SET attempts = greatest(attempts - 1, 1) FROM judged
    WHERE cut.user_id = judged.user_id AND cut.bundle_id = judged.key
        AND kind IN ('ordinary', 'urgent') AND done_at IS NULL AND dead_at IS NULL
), due AS (
    UPDATE due_work SET lease_until = NULL, holder = NULL WHERE holder = ANY(%(gone)s)
)
UPDATE telegram_lanes SET ready_at = clock_timestamp(), holder = NULL WHERE holder = ANY(%(gone)s)
"""
_NOW = "SELECT extract(epoch FROM clock_timestamp())::float8 AS now_s"
_MOST_SLEW_S = 2.0
# Lanes that nobody holds: what is shifted by several processes is only ready earlier.
_SHIFT = """
UPDATE telegram_lanes
SET ready_at = greatest(ready_at - make_interval(secs => %s), clock_timestamp())
WHERE holder IS NULL AND ready_at > clock_timestamp()
"""
# What a statement under way entered under an older number is taken over too, even if the same work
# was entered under several.
_RENAME = """
WITH older AS (
    DELETE FROM attempts WHERE holder = ANY(%(older)s) AND letter IS NULL
    RETURNING kind, key, user_id, begun_at, launch
), begun AS (
    INSERT INTO attempts (kind, key, holder, user_id, begun_at, launch)
    SELECT kind, key, %(number)s, user_id, min(begun_at), max(launch)
    FROM older GROUP BY kind, key, user_id
    ON CONFLICT DO NOTHING
), due AS (
    UPDATE due_work SET holder = %(number)s WHERE holder = ANY(%(older)s)
)
UPDATE telegram_lanes SET holder = %(number)s WHERE holder = ANY(%(older)s)
"""
_log = structlog.get_logger()


class Presence:
    """This process as a holder of lanes.

    - `number`: the number of its lock, None while it has none.
    - `numbers`: all numbers that it has had.
    - `is_in_doubt`: whether it is unclear if some other process is dead.

    A process counts as dead if its lock is missing at two checks in a row. A process that only lost
    its connection has a new lock by then. In a failover all processes lose their locks, so one that
    has just reconnected counts none as dead for 5 s. If a living process is taken for dead, it
    loses its lanes but does no harm, because its fences are gone, too; its attempts are restored
    when it has a new lock.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.numbers: list[int] = []
        self.is_in_doubt = True
        self._missing: set[int] = set()
        self._judges_from = 0.0
        self._clock_s: tuple[float, float] | None = None

    async def show(self, connection: Connection) -> None:
        """Take a lock that lasts as long as the connection."""
        number = random.randint(1, _MOST)  # noqa: S311 - only to be told from others
        await connection.execute("SELECT pg_advisory_lock(%s, %s)", (_SPACE, number))
        if self.numbers:
            self._judges_from = asyncio.get_running_loop().time() + _OTHERS_RETURN_S
        self.number = number
        self.numbers.append(number)
        self._missing = set()

    def hide(self) -> None:
        """Forget the number, because the connection is lost."""
        self.number = None
        self.is_in_doubt = True

    async def look(self, connection: Connection) -> None:
        """Free the lanes of dead processes, and mark their attempts as having ended them."""
        if older := self.numbers[:-1]:
            await connection.execute(_RENAME, {"number": self.number, "older": older})
        await self._look_at_clock(connection)
        rows = await fetch_all(connection, _MISSING)
        missing = {int(row["holder"]) for row in rows}
        may_judge = asyncio.get_running_loop().time() >= self._judges_from
        certain = {int(row["holder"]) for row in rows if row["is_settled"] and may_judge}
        dead = certain & self._missing
        self._missing, self.is_in_doubt = missing, bool(missing - dead)
        if dead:
            cursor = await connection.execute(_FREE, {"gone": sorted(dead)})
            await connection.execute("NOTIFY telegram_inbox")
            await connection.execute(f"NOTIFY {DUE_WORK_CHANNEL}")
            _log.warning("telegram.worker_gone", lanes=cursor.rowcount)

    async def _look_at_clock(self, connection: Connection) -> None:
        """Move the times of lanes if the server's clock was set back, so that they are served."""
        began_s = time.monotonic()
        now_s = float((await fetch_all(connection, _NOW))[0]["now_s"])
        previous_clock_s, self._clock_s = self._clock_s, (began_s, now_s)
        if previous_clock_s is None:
            return
        back_s = previous_clock_s[1] + (began_s - previous_clock_s[0]) - now_s
        if back_s > _MOST_SLEW_S:
            await connection.execute(_SHIFT, (back_s,))
            await connection.execute("NOTIFY telegram_inbox")
            _log.warning("telegram.clock_set_back", seconds=round(back_s))


INBOX_CHANNEL = "telegram_inbox"
USERS_CHANNEL = "telegram_users"
STOPS_CHANNEL = "telegram_stops"
RUNS_CHANNEL = "run_events"
NEWS_CHANNEL = "conversations"
OPERATORS = 0
"""The number, of no user, under which NEWS_CHANNEL tells what the operator's pages show."""
FOLLOWERS_CHANNEL = "run_followers"
TELL_PAGES = f"SELECT pg_notify('{NEWS_CHANNEL}', %(user_id)s::text)"
"""Has open pages of a user look for what the transaction changes, once it is committed."""
DUE_WORK_CHANNEL = "due_work"
SETTINGS_CHANNEL = "setting_changes"
_CHANNELS = (
    *(INBOX_CHANNEL, USERS_CHANNEL, STOPS_CHANNEL),
    *(RUNS_CHANNEL, DUE_WORK_CHANNEL, NEWS_CHANNEL, FOLLOWERS_CHANNEL),
    SETTINGS_CHANNEL,
)


def telling_pages(change: LiteralString, returned: LiteralString = "user_id") -> LiteralString:
    """A statement that also tells open pages of the users whose rows it changes.

    `change` has one table, with the column `user_id`, and no RETURNING. The statement returns a row
    for each changed one, with the columns `returned`.
    """
    return f"""
    WITH changed AS ({change} RETURNING *)
    SELECT {returned} FROM changed, pg_notify('{NEWS_CHANNEL}', user_id::text)
    """


_SHOW_S = 1.0
_LOOK_DEADLINE_S = 5.0
_SHORTEST_WAIT_S = 0.02
_UNLISTEN_S = 1.0
_PAUSE_S = 1.0
ReadyIn = Callable[[], Awaitable[float | None]]
"""Returns the seconds until work is due, None if there is none."""


class Wakeups:
    """Listens on one connection for all waiting callers, as a task of `group`.

    The task starts with the first caller. Its connection also shows that this process is alive; see
    `Presence`. `is_deaf` is true if the connection was lost or could not be opened: then new work
    is only found at the next look.
    """

    def __init__(self, pool: Pool, group: asyncio.TaskGroup) -> None:
        self._pool = pool
        self._group = group
        self._waiting: dict[tuple[str, str], set[asyncio.Event]] = defaultdict(set)
        self._hears = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._presence = Presence()
        self._counts: Counter[str] = Counter()
        self.is_deaf = False

    def stop(self) -> None:
        """Stop listening, so that the group can end."""
        if self._listening:
            self._listening.cancel()

    async def wait(self, channel: str, timeout_s: float, ready_in: ReadyIn) -> None:
        """Wait until `channel` is notified or work is ready, at most `timeout_s`.

        Raises: DatabaseUnavailableError.
        """
        self._begin()
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout_s
        if not await happens_by(self._hears, end):
            return
        # Before the times are read, so that later work is noticed.
        async with self.hearing(channel) as news_event:
            ready_in_s = await ready_in()
            if ready_in_s is not None:
                end = min(end, loop.time() + max(ready_in_s, _SHORTEST_WAIT_S))
            await happens_by(news_event, end)

    @asynccontextmanager
    async def hearing(self, channel: str, about: str = "") -> AsyncIterator[asyncio.Event]:
        """Yield an event that is set by each notification of a channel with the text `about`.

        It is also set when a lost connection is back, because notifications may have been missed.
        """
        self._begin()
        news_event, waiting_events = asyncio.Event(), self._waiting[channel, about]
        waiting_events.add(news_event)
        try:
            yield news_event
        finally:
            waiting_events.discard(news_event)
            if not waiting_events:
                self._waiting.pop((channel, about), None)

    def count(self, channel: str) -> int:
        """The number of notifications of a channel so far, and of connections that were opened."""
        return self._counts[channel] + self._counts[""]

    async def holder(self) -> int | None:
        """The number by which other processes see that this one lives, None if they cannot."""
        self._begin()
        await happens_within(self._hears, _SHOW_S)
        return self._presence.number

    @property
    def numbers(self) -> list[int]:
        """All numbers that this process had."""
        return self._presence.numbers

    @property
    def is_in_doubt(self) -> bool:
        """Whether some process may be dead or not."""
        return self._presence.is_in_doubt

    def _begin(self) -> None:
        if self._listening is None:
            self.is_deaf = True
            self._listening = self._group.create_task(self._listen_on())

    async def _listen_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            with (
                survived("telegram.listening_failed", DatabaseUnavailableError, level="warning"),
                translate_database_errors(self._pool),
            ):
                await self._listen()
            # A connection that held is replaced at once, before others take this process for dead.
            await asyncio.sleep(began + _PAUSE_S - loop.time())

    async def _listen(self) -> None:
        connection = await self._pool.getconn()
        try:
            for channel in _CHANNELS:
                await connection.execute(f"LISTEN {channel}")
            await self._presence.show(connection)
            self._hears.set()
            self.is_deaf = False
            # Updates may have arrived while there was no connection.
            self._counts[""] += 1
            for channel, about in tuple(self._waiting):
                self._tell(channel, about)
            while True:
                async with asyncio.timeout(_LOOK_DEADLINE_S):
                    await self._presence.look(connection)
                async for notice in connection.notifies(timeout=LOOK_S):
                    self._tell(notice.channel, notice.payload)
        finally:
            self.is_deaf = True
            self._presence.hide()
            await self._give_back(connection)

    def _tell(self, channel: str, about: str) -> None:
        self._counts[channel] += 1
        for news_event in self._waiting.get((channel, about), ()):
            news_event.set()

    async def _give_back(self, connection: Connection) -> None:
        try:
            async with asyncio.timeout(_UNLISTEN_S):
                await connection.execute("UNLISTEN *")
                await connection.execute("SELECT pg_advisory_unlock_all()")
        except (psycopg.Error, TimeoutError):
            # A connection that may still be listening must not be reused.
            await connection.close()
        await self._pool.putconn(connection)
