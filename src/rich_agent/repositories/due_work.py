"""The table of all due work in PostgreSQL. All times are by the database's clock."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.ports.due_work import (
    MOST_COUNTED,
    DueRow,
    DueWork,
    DueWorkCount,
    DueWorkEntry,
    DueWorkLostError,
    DueWorkSum,
    NewWork,
    NextRun,
)
from rich_agent.ports.operations import Work
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.inbox.attempts import FITS_PROCESS
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import DUE_WORK_CHANNEL

_NOTIFY = f"NOTIFY {DUE_WORK_CHANNEL}"
_ADD = """
INSERT INTO due_work AS known (kind, key, user_id, request_id, payload, due_at)
VALUES (%(kind)s, %(key)s, %(user_id)s, %(request_id)s, %(payload)s,
    clock_timestamp() + make_interval(secs => %(in_s)s))
ON CONFLICT (kind, key) DO UPDATE SET user_id = excluded.user_id,
    request_id = excluded.request_id, payload = excluded.payload, due_at = excluded.due_at,
    version = known.version + 1, tries = 0, last_error = '', set_aside_at = NULL
"""
_HASTEN = """
UPDATE due_work
SET due_at = least(due_at, clock_timestamp() + make_interval(secs => %(in_s)s)),
    version = version + 1
WHERE kind = %(kind)s AND key = %(key)s
"""
# However much news comes, a row is written once until a process has taken it.
_PROMPT = """
INSERT INTO due_work AS known (kind, key) VALUES (%(kind)s, %(key)s)
ON CONFLICT (kind, key) DO UPDATE SET due_at = clock_timestamp(), version = known.version + 1
WHERE known.lease_until IS NOT NULL
    OR known.due_at > clock_timestamp() AND (known.last_error = '' OR %(after_failure)s)
"""
_KEEP = """
INSERT INTO due_work (kind, key, due_at)
VALUES (%(kind)s, %(key)s, clock_timestamp() + make_interval(secs => %(in_s)s))
ON CONFLICT (kind, key) DO NOTHING
"""
_CAME_DUE = "known.due_at > %(since)s AND known.due_at <= clock_timestamp()"
_NOTE_RUN = f"""
INSERT INTO due_work AS known (kind, key, due_at, last_error, tries)
VALUES (%(kind)s, %(key)s, clock_timestamp() + make_interval(secs => %(in_s)s), %(error)s,
    (%(error)s <> '')::integer)
ON CONFLICT (kind, key) DO UPDATE SET version = known.version + 1, last_error = %(error)s,
    due_at = CASE WHEN %(error)s = '' AND {_CAME_DUE} THEN known.due_at ELSE excluded.due_at END,
    tries = CASE WHEN %(error)s = '' THEN 0
        WHEN known.lease_until IS NULL THEN known.tries + 1 ELSE known.tries END
"""
_NOTE_END = f"""
DELETE FROM due_work AS known
WHERE kind = %(kind)s AND key = %(key)s AND lease_until IS NULL AND NOT ({_CAME_DUE})
"""
_REMOVE = "DELETE FROM due_work WHERE kind = %s AND key = %s"
_REQUIRE = """
SELECT FROM due_work WHERE id = %s AND fence = %s AND lease_until IS NOT NULL FOR UPDATE
"""

_OF_THIS = "kind = due.kind AND key = due.id"
# Claims and waits share it: a wait would end at once for a row that nobody may claim. Each
# kind is searched by itself: those that are not wanted now, or wait for long, may be many.
_IS_FREE = f"""
due.kind = of_kind AND due.set_aside_at IS NULL AND {FITS_PROCESS.format(_OF_THIS)}
AND NOT (due.kind = ANY(%(ordered)s) AND EXISTS (
    SELECT FROM due_work AS earlier
    WHERE earlier.kind = due.kind AND earlier.user_id = due.user_id AND earlier.id < due.id
        AND earlier.set_aside_at IS NULL
))
"""
_CLAIM = f"""
UPDATE due_work AS held SET fence = fence + 1, tries = tries + 1, holder = %(holder)s,
    lease_until = clock_timestamp() + make_interval(secs => first.lease_s)
FROM (
    SELECT one.id, lease_s
    FROM unnest(%(kinds)s::text[], %(leases)s::float8[]) AS leases (of_kind, lease_s)
    CROSS JOIN LATERAL (
        SELECT due.id, due.due_at FROM due_work AS due
        WHERE due.due_at <= statement_timestamp()
            AND (due.lease_until IS NULL OR due.lease_until <= statement_timestamp())
            AND {_IS_FREE}
        ORDER BY due.due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS one
    ORDER BY one.due_at LIMIT 1
) AS first
WHERE held.id = first.id
RETURNING held.id, kind, key, user_id, payload, due_at, version, fence, tries
"""
_NEXT_IN = f"""
SELECT extract(epoch FROM min(next_at) - clock_timestamp())::float8 AS due_in_s
FROM unnest(%(kinds)s::text[]) AS kinds (of_kind) CROSS JOIN LATERAL (
    (
        SELECT due.due_at AS next_at FROM due_work AS due
        WHERE due.lease_until IS NULL AND {_IS_FREE} ORDER BY due.due_at LIMIT 1
    )
    UNION ALL
    SELECT min(greatest(due.due_at, due.lease_until)) FROM due_work AS due
    WHERE due.lease_until IS NOT NULL AND {_IS_FREE}
) AS next
"""
_RENEW = """
UPDATE due_work
SET lease_until = clock_timestamp() + make_interval(secs => %(lease_s)s), holder = %(holder)s
WHERE id = %(id)s AND fence = %(fence)s AND lease_until IS NOT NULL
"""
_DELETE = """
WITH gone AS (
    DELETE FROM due_work WHERE id = %(id)s AND fence = %(fence)s AND version = %(version)s
        AND lease_until IS NOT NULL
    RETURNING id
)
UPDATE due_work SET lease_until = NULL, holder = NULL, tries = 0
WHERE id = %(id)s AND fence = %(fence)s AND lease_until IS NOT NULL
    AND NOT EXISTS (SELECT FROM gone)
"""
_POSTPONE = """
UPDATE due_work SET lease_until = NULL, holder = NULL, last_error = %(error)s,
    tries = CASE WHEN %(error)s = '' THEN 0 ELSE tries END,
    payload = CASE WHEN version = %(version)s THEN coalesce(%(payload)s, payload)
        ELSE payload END,
    due_at = CASE WHEN version = %(version)s
        THEN clock_timestamp() + make_interval(secs => %(in_s)s) ELSE due_at END
WHERE id = %(id)s AND fence = %(fence)s AND lease_until IS NOT NULL
"""
_RELEASE = """
UPDATE due_work SET lease_until = NULL, holder = NULL, tries = greatest(tries - 1, 0)
WHERE id = %(id)s AND fence = %(fence)s AND lease_until IS NOT NULL
"""
_SET_ASIDE = """
UPDATE due_work SET lease_until = NULL, holder = NULL, last_error = %(error)s,
    set_aside_at = clock_timestamp()
WHERE id = %(id)s AND fence = %(fence)s AND lease_until IS NOT NULL
"""
_STATE = """
CASE WHEN set_aside_at IS NOT NULL THEN 'set_aside'
    WHEN lease_until > clock_timestamp() THEN 'running'
    WHEN due_at <= clock_timestamp() THEN 'due' ELSE 'waiting' END
"""
_ENTRIES = f"""
SELECT id, kind, key, user_id, {_STATE} AS state, due_at, tries, last_error FROM due_work
ORDER BY set_aside_at IS NULL, last_error = '', due_at LIMIT 500
"""
_COUNTS = f"SELECT kind, {_STATE} AS state, count(*) AS rows FROM due_work GROUP BY 1, 2"
# The kinds are few and their rows many: each is looked up by an index, and counted up to a limit.
_SUMS = """
WITH RECURSIVE known (kind) AS (
    (SELECT kind FROM due_work ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT next.kind FROM due_work AS next WHERE next.kind > known.kind
        ORDER BY next.kind LIMIT 1)
    FROM known WHERE known.kind IS NOT NULL
), held AS (
    SELECT kind, count(*) AS running FROM due_work
    WHERE lease_until > statement_timestamp() GROUP BY 1
), bad AS (
    SELECT kind, count(*) FILTER (WHERE set_aside_at IS NULL) AS failed,
        count(set_aside_at) AS set_aside
    FROM due_work WHERE set_aside_at IS NOT NULL OR last_error <> '' GROUP BY 1
)
SELECT kind, rows, coalesce(running, 0) AS running, overdue, since,
    coalesce(failed, 0) AS failed, coalesce(set_aside, 0) AS set_aside
FROM known LEFT JOIN held USING (kind) LEFT JOIN bad USING (kind)
CROSS JOIN LATERAL (
    SELECT count(*) AS rows
    FROM (SELECT FROM due_work WHERE due_work.kind = known.kind LIMIT %(most)s) AS counted
) AS of_kind
CROSS JOIN LATERAL (
    SELECT count(*) AS overdue, min(due_at) AS since FROM (
        SELECT due_at FROM due_work
        WHERE due_work.kind = known.kind AND set_aside_at IS NULL
            AND due_at <= statement_timestamp()
            AND (lease_until IS NULL OR lease_until <= statement_timestamp())
        ORDER BY due_at LIMIT %(most)s
    ) AS late
) AS late
WHERE kind IS NOT NULL ORDER BY kind
"""
_FAILURES = f"""
SELECT id, kind, key, user_id, {_STATE} AS state, due_at, tries, last_error FROM due_work
WHERE set_aside_at IS NOT NULL OR last_error <> ''
ORDER BY set_aside_at IS NULL, due_at, id LIMIT %s
"""
_RETRY = """
WITH chosen AS (
    UPDATE due_work SET set_aside_at = NULL, due_at = least(due_at, clock_timestamp()), tries = 0
    WHERE id = ANY(%s) RETURNING kind, id
), begun AS (
    DELETE FROM attempts USING chosen
    WHERE attempts.kind = chosen.kind AND attempts.key = chosen.id AND has_ended
)
SELECT id FROM chosen ORDER BY id
"""


async def add_due(connection: Connection, work: NewWork) -> None:
    """Add work in the caller's transaction; existing work gets the new time and payload."""
    payload = Jsonb(storable(dict(work.payload)))
    await connection.execute(_ADD, {**asdict(work), "payload": payload})
    await connection.execute(_NOTIFY)


async def hasten_due(connection: Connection, kind: str, key: str, in_s: float = 0.0) -> bool:
    """Make work due in `in_s` seconds at the latest, in the caller's transaction.

    Return whether there is such work.
    """
    cursor = await connection.execute(_HASTEN, {"kind": kind, "key": key, "in_s": in_s})
    if cursor.rowcount:
        await connection.execute(_NOTIFY)
    return cursor.rowcount > 0


async def prompt_due(
    connection: Connection, kind: str, key: str, *, after_failure: bool = False
) -> None:
    """Make work due now; add it if there is none. Work that is running is done once more.

    Work whose last try failed waits for its next try, unless `after_failure` is true.
    """
    values = {"kind": kind, "key": key, "after_failure": after_failure}
    await connection.execute(_PROMPT, values)
    await connection.execute(_NOTIFY)


async def keep_due(connection: Connection, kind: str, key: str, in_s: float) -> None:
    """Add work that is due in `in_s` seconds, unless there is such work already."""
    await connection.execute(_KEEP, {"kind": kind, "key": key, "in_s": in_s})
    await connection.execute(_NOTIFY)


async def note_due(
    connection: Connection, row: tuple[str, str], began: datetime, next_run: NextRun | None
) -> None:
    """Record that work of a kind and key was done, by any process, and when it is due again.

    With None, it is not due again by itself. Work that came due after `began` stays due, unless the
    work failed. A process that holds the row keeps it.
    """
    kind, key = row
    values: dict[str, Any] = {"kind": kind, "key": key, "since": began}
    if next_run is None:
        await connection.execute(_NOTE_END, values)
    else:
        error = clean_text(next_run.error)
        await connection.execute(_NOTE_RUN, {**values, "in_s": next_run.in_s, "error": error})
    await connection.execute(_NOTIFY)


async def remove_due(connection: Connection, kind: str, key: str) -> None:
    """Delete work; a process that is doing it loses it."""
    await connection.execute(_REMOVE, (kind, key))


async def require_due(connection: Connection, row: DueRow) -> None:
    """Lock a row that this process holds until the transaction ends. Raises: DueWorkLostError."""
    if (await connection.execute(_REQUIRE, (row.id, row.fence))).rowcount == 0:
        raise DueWorkLostError(row.kind, row.key)


class PostgresDueWork(PostgresRepository):
    """Implements `DueWorkQueue` and `DueWorkReader`, with notifications and presence of `inbox`."""

    def __init__(self, pool: Pool, inbox: PostgresInbox) -> None:
        super().__init__(pool)
        self._inbox = inbox

    async def claim(self, kinds: Mapping[str, DueWork]) -> DueRow | None:
        leases = [kind.lease_s for kind in kinds.values()]
        holder = await self._inbox.attempts.holder()
        values = {**self._choice(kinds), "leases": leases, "holder": holder}
        row = await self._row(_CLAIM, values)
        return DueRow(**row) if row else None

    async def wait(self, timeout_s: float, kinds: Mapping[str, DueWork]) -> None:
        async def due_in_s() -> float | None:
            in_s: float | None = (await self._one(_NEXT_IN, self._choice(kinds)))["due_in_s"]
            return in_s

        await self._inbox.wait_for(DUE_WORK_CHANNEL, timeout_s, due_in_s)

    async def renew(self, row: DueRow, lease_s: float) -> None:
        holder = await self._inbox.attempts.holder()
        if await self._run(_RENEW, {**_claim_of(row), "lease_s": lease_s, "holder": holder}) == 0:
            raise DueWorkLostError(row.kind, row.key)

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        if next_run is None:
            await self._run(_DELETE, _claim_of(row))
            return
        payload = None
        if next_run.payload is not None:
            payload = Jsonb(storable(dict(next_run.payload)))
        error = clean_text(next_run.error)
        outcome = {"in_s": next_run.in_s, "error": error, "payload": payload}
        await self._run(_POSTPONE, {**_claim_of(row), **outcome})

    async def release(self, row: DueRow) -> None:
        await self._run(_RELEASE, _claim_of(row))
        await self._run(_NOTIFY)

    async def set_aside(self, row: DueRow, error: str) -> None:
        async with one_transaction(self._pool) as connection:
            values = {**_claim_of(row), "error": clean_text(error)}
            is_held = (await connection.execute(_SET_ASIDE, values)).rowcount > 0
            if is_held and row.user_id is not None:
                await self._inbox.attempts.set_aside(Work(row.kind, row.id, row.user_id))

    async def entries(self) -> Sequence[DueWorkEntry]:
        return [DueWorkEntry(**row) for row in await self._rows(_ENTRIES)]

    async def counts(self) -> Sequence[DueWorkCount]:
        return [DueWorkCount(**row) for row in await self._rows(_COUNTS)]

    async def sums(self) -> Sequence[DueWorkSum]:
        return [DueWorkSum(**row) for row in await self._rows(_SUMS, {"most": MOST_COUNTED})]

    async def failures(self, limit: int) -> Sequence[DueWorkEntry]:
        return [DueWorkEntry(**row) for row in await self._rows(_FAILURES, (limit,))]

    async def retry(self, ids: Sequence[int]) -> Sequence[int]:
        async with one_transaction(self._pool) as connection:
            rows = await self._rows(_RETRY, (list(ids),))
            await connection.execute(_NOTIFY)
        return [row["id"] for row in rows]

    def _choice(self, kinds: Mapping[str, DueWork]) -> dict[str, Any]:
        """The parameters for the choice of a row."""
        return {
            "kinds": list(kinds),
            "ordered": [name for name, kind in kinds.items() if kind.in_order],
            "is_lone": self._inbox.attempts.is_lone,
        }


def _claim_of(row: DueRow) -> dict[str, Any]:
    return {"id": row.id, "fence": row.fence, "version": row.version}
