"""Shows other processes that this one is alive; frees the lanes of dead ones, and ends attempts.

A process holds an advisory lock on a separate connection. When a process is killed, the kernel
closes its connections at once and PostgreSQL releases the lock, so its leases need not run out.
"""

import random

import structlog

from rich_agent.repositories.database.pools import Connection
from rich_agent.repositories.database.repository import fetch_all

LOOK_S = 1.0
_SPACE = 1_918_977_908
"""The first half of the keys; no other lock of this program has a two-part key."""
_MOST = 2**31 - 1
# After a restart the server has no locks although the processes live; they need a moment. A clock
# that was set back since then shows a time before the restart.
_SERVER_SETTLES_S = 3.0

LACKS_LOCK = f"""NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
        AND classid = {_SPACE} AND objid = {{}}.holder::oid
)"""
"""Whether the `holder` of a table, to be named, has no lock."""
_MISSING = f"""
SELECT holder,
    clock_timestamp() NOT BETWEEN pg_postmaster_start_time()
        AND pg_postmaster_start_time() + make_interval(secs => {_SERVER_SETTLES_S}) AS is_settled
FROM (
    SELECT holder FROM telegram_lanes WHERE holder IS NOT NULL
    UNION SELECT holder FROM attempts WHERE NOT has_ended
) AS held
WHERE {LACKS_LOCK.format("held")}
"""
_FREE = """
WITH judged AS (
    UPDATE attempts SET has_ended = true WHERE holder = ANY(%(gone)s) AND NOT has_ended
)
UPDATE telegram_lanes SET ready_at = clock_timestamp(), holder = NULL WHERE holder = ANY(%(gone)s)
"""
# What a statement under way entered under an older number is taken over too, even if the same work
# was entered under several.
_RENAME = """
WITH older AS (
    DELETE FROM attempts WHERE holder = ANY(%(older)s) AND letter IS NULL
    RETURNING kind, key, user_id, begun_at
), begun AS (
    INSERT INTO attempts (kind, key, holder, user_id, begun_at)
    SELECT kind, key, %(number)s, user_id, min(begun_at) FROM older GROUP BY kind, key, user_id
    ON CONFLICT DO NOTHING
)
UPDATE telegram_lanes SET holder = %(number)s WHERE holder = ANY(%(older)s)
"""
_log = structlog.get_logger()


class Presence:
    """This process as a holder of lanes; `number` is None while it has no lock.

    `numbers` are all that it had. While it `is_in_doubt`, a process may be dead or not.

    A process counts as dead if its lock is missing at two checks in a row; one that only lost its
    connection has a new one by then. After a mistake, the living process loses its lanes but does
    no harm, because its fences are gone too; its attempts are taken back when it has a new lock.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.numbers: list[int] = []
        self.is_in_doubt = True
        self._missing: set[int] = set()

    async def show(self, connection: Connection) -> None:
        """Take a lock that lasts as long as the connection."""
        number = random.randint(1, _MOST)  # noqa: S311 - only to be told from others
        await connection.execute("SELECT pg_advisory_lock(%s, %s)", (_SPACE, number))
        self.number = number
        self.numbers.append(number)
        self._missing = set()

    def hide(self) -> None:
        """Forget the number, because the connection is lost."""
        self.number = None
        self.is_in_doubt = True

    async def look(self, connection: Connection) -> None:
        """Free the lanes of processes that are gone, and mark their attempts as ended by them."""
        if older := self.numbers[:-1]:
            await connection.execute(_RENAME, {"number": self.number, "older": older})
        found = await fetch_all(connection, _MISSING)
        missing = {int(row["holder"]) for row in found}
        gone = {int(row["holder"]) for row in found if row["is_settled"]} & self._missing
        self._missing, self.is_in_doubt = missing, bool(missing - gone)
        if gone:
            freed = await connection.execute(_FREE, {"gone": sorted(gone)})
            await connection.execute("NOTIFY telegram_inbox")
            _log.warning("telegram.worker_gone", lanes=freed.rowcount)
