"""The usage of each user by day, and reservations for running calls, in PostgreSQL.

Days are UTC days of the database's clock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.domain.access import UserTags
from rich_agent.domain.usage_limits import (
    UNLIMITED,
    Call,
    DailyLimits,
    DailyUsage,
    Payer,
    Usage,
    UsageLine,
)
from rich_agent.errors import LaneLostError
from rich_agent.ports.usage import HOLD_S
from rich_agent.repositories.database.fences import IS_HELD, LANE, LONGEST_PAUSE
from rich_agent.repositories.database.pools import Connection, Pool, checkout, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one
from rich_agent.runtime.fencing import current_fence

_SUMS = Usage.__slots__
_TODAY = "(clock_timestamp() AT TIME ZONE 'UTC')::date"

# A user's reservations are made one at a time, across all processes.
_LOCK = """
SELECT pg_advisory_xact_lock(%(namespace)s, hashint8(%(user_id)s)),
    set_config('idle_in_transaction_session_timeout', %(longest_pause)s, true)
"""
_NAMESPACE = 0x75736167

# Only the holder of the key can link a tag to its user, and only for the day.
_TAG = f"encode(sha256(convert_to({_TODAY} || ':' || %(tag)s, 'UTF8')), 'hex')"
KEEP_FOR_TODAY = f"""
INSERT INTO usage_forgotten AS known (day, tag, tokens, images, searches, tool_calls, audio_seconds)
SELECT {_TODAY}, {_TAG}, sum(input_tokens + output_tokens), sum(images), sum(searches),
    sum(tool_calls), sum(audio_seconds)
FROM usage_days WHERE user_id = %(user_id)s AND day = {_TODAY} HAVING count(*) > 0
ON CONFLICT (day, tag) DO UPDATE SET tokens = known.tokens + excluded.tokens,
    images = known.images + excluded.images, searches = known.searches + excluded.searches,
    tool_calls = known.tool_calls + excluded.tool_calls,
    audio_seconds = known.audio_seconds + excluded.audio_seconds
"""
"""Keeps a user's sums of the day under a tag, before the user is deleted: limits still apply."""

_STANDING = f"""
SELECT clock_timestamp() AS now, used.*, held.*, forgotten.*, EXISTS (
    SELECT FROM usage_reservations
    WHERE user_id = %(user_id)s AND request_id = %(request_id)s AND kind IS NULL
) AS is_admitted
FROM (
    SELECT {", ".join(f"coalesce(sum({name}), 0)::bigint AS {name}" for name in _SUMS)}
    FROM usage_days WHERE user_id = %(user_id)s AND day = {_TODAY}
) AS used, (
    SELECT coalesce(sum(tokens), 0)::bigint AS held_tokens,
        coalesce(sum(images), 0)::bigint AS held_images,
        coalesce(sum(searches), 0)::bigint AS held_searches,
        coalesce(sum(tool_calls), 0)::bigint AS held_tool_calls,
        coalesce(sum(audio_seconds), 0)::bigint AS held_audio_seconds
    FROM usage_reservations
    WHERE user_id = %(user_id)s
        AND reserved_at > clock_timestamp() - make_interval(secs => %(hold_s)s)
) AS held, (
    SELECT coalesce(sum(tokens), 0)::bigint AS forgotten_tokens,
        coalesce(sum(images), 0)::bigint AS forgotten_images,
        coalesce(sum(searches), 0)::bigint AS forgotten_searches,
        coalesce(sum(tool_calls), 0)::bigint AS forgotten_tool_calls,
        coalesce(sum(audio_seconds), 0)::bigint AS forgotten_audio_seconds
    FROM usage_forgotten WHERE day = {_TODAY} AND tag = {_TAG}
) AS forgotten
"""
# The first call of a turn reserves for all of them, and each draws on that.
_RESERVE = f"""
WITH {LANE}, drawn AS (
    INSERT INTO usage_reservations AS known (user_id, request_id, tokens)
    SELECT %(user_id)s, %(request_id)s, greatest(0, %(turn_tokens)s - %(tokens)s::bigint)
    WHERE {IS_HELD}
    ON CONFLICT (user_id, request_id) WHERE kind IS NULL
    DO UPDATE SET tokens = greatest(0, known.tokens - %(tokens)s)
)
INSERT INTO usage_reservations
    (user_id, request_id, kind, model, tokens, images, searches, tool_calls,
    audio_seconds)
SELECT %(user_id)s, %(request_id)s, %(kind)s, %(model)s, %(tokens)s, %(images)s, %(searches)s,
    %(tool_calls)s, %(audio_seconds)s
WHERE {IS_HELD}
RETURNING id
"""

# A turn that was admitted asks for no more tokens, so its calls need not wait for others.
_DRAW = f"""
WITH {LANE}, drawn AS (
    UPDATE usage_reservations SET tokens = greatest(0, tokens - %(tokens)s)
    WHERE user_id = %(user_id)s AND request_id = %(request_id)s AND kind IS NULL AND {IS_HELD}
    RETURNING user_id, request_id
)
INSERT INTO usage_reservations (user_id, request_id, kind, model, tokens)
SELECT user_id, request_id, %(kind)s, %(model)s, %(tokens)s FROM drawn
RETURNING id
"""

_COLUMNS = ", ".join(_SUMS)
_CALL = f"user_id, kind, model, {_COLUMNS}"
_ESTIMATED = (
    "user_id, kind, model, 1, (tokens > 0)::int, tokens, 0, 0, images, searches, tool_calls, "
    "audio_seconds, 0"
)
_ADD_TO_DAY = f"""
INSERT INTO usage_days AS known (user_id, day, kind, model, {_COLUMNS})
SELECT user_id, {_TODAY}, kind, model, {", ".join(f"sum({name})" for name in _SUMS)}
FROM charged WHERE kind IS NOT NULL AND calls + images > 0 GROUP BY user_id, kind, model
ON CONFLICT (user_id, day, kind, model) DO UPDATE
SET {", ".join(f"{name} = known.{name} + excluded.{name}" for name in _SUMS)}
"""
_SETTLE = f"""
WITH {LANE}, used AS (
    SELECT * FROM jsonb_to_recordset(%(used)s) AS used (
        id bigint, {", ".join(f"{name} bigint" for name in _SUMS)}
    )
), settled AS (
    DELETE FROM usage_reservations AS made USING used
    WHERE made.user_id = %(user_id)s AND made.id = used.id AND {IS_HELD}
    RETURNING user_id, kind, model, {", ".join(f"used.{name}" for name in _SUMS)}
), left_open AS (
    DELETE FROM usage_reservations
    WHERE %(is_over)s AND user_id = %(user_id)s AND request_id = %(request_id)s
        AND NOT id IN (SELECT id FROM used) AND {IS_HELD}
    RETURNING {_ESTIMATED}
), charged ({_CALL}) AS (
    SELECT * FROM settled UNION ALL SELECT * FROM left_open
), added AS ({_ADD_TO_DAY})
SELECT {IS_HELD} AS has_lane
"""
_EXPIRE = f"""
WITH charged ({_CALL}) AS (
    DELETE FROM usage_reservations
    WHERE reserved_at < clock_timestamp() - make_interval(secs => %(hold_s)s)
    RETURNING {_ESTIMATED}
)
{_ADD_TO_DAY}
"""

_LINES = f"""
SELECT user_id, day, kind, model, {_COLUMNS} FROM usage_days
WHERE day > {_TODAY} - %(days)s::int
ORDER BY day DESC, user_id, kind, model
"""
_PRUNE = f"DELETE FROM usage_days WHERE day < {_TODAY} - ceil(%(days)s::float8)::int"


class PostgresUsageLedger(PostgresRepository):
    """Implements `UsageLedger`; `tags` are the names of deleted users in today's sums."""

    def __init__(self, pool: Pool, tags: UserTags | None = None) -> None:
        super().__init__(pool)
        self._tags = tags or UserTags()

    async def reserve(self, payer: Payer, call: Call, turn_tokens: int, limits: DailyLimits) -> int:
        fence = current_fence()
        values = {
            **self._names_of(payer),
            **asdict(call),
            "turn_tokens": turn_tokens,
            "fence": fence,
        }
        is_admitted = not turn_tokens and call.takes_tokens_only
        if is_admitted and (reservation := await self._row(_DRAW, values)):
            return int(reservation["id"])
        if limits == UNLIMITED:
            row = await self._row(_RESERVE, values)
        else:
            async with one_transaction(self._pool) as connection:
                await connection.execute(_LOCK, {**values, "longest_pause": LONGEST_PAUSE})
                standing = await _standing(connection, values)
                standing.admit(call, turn_tokens, limits)
                row = await (await connection.execute(_RESERVE, values)).fetchone()
        if row is None:
            raise LaneLostError(f"lane of fence {fence}")
        return int(row["id"])

    async def settle(self, payer: Payer, used: Mapping[int, Usage], *, is_over: bool) -> None:
        fence = current_fence()
        calls = Jsonb([{"id": number, **asdict(usage)} for number, usage in used.items()])
        values = {**asdict(payer), "used": calls, "is_over": is_over, "fence": fence}
        if not (await self._one(_SETTLE, values))["has_lane"]:
            raise LaneLostError(f"lane of fence {fence}")

    async def standing(self, user_id: int) -> DailyUsage:
        async with checkout(self._pool) as connection:
            return await _standing(connection, self._names_of(Payer(user_id, "")))

    def _names_of(self, payer: Payer) -> dict[str, Any]:
        tag = self._tags.of(payer.user_id)
        return {"namespace": _NAMESPACE, "tag": tag, **asdict(payer)}

    async def lines(self, days: int) -> Sequence[UsageLine]:
        rows = await self._rows(_LINES, {"days": days})
        return [_line(row) for row in rows]

    async def prune(self, days: float) -> int:
        async with checkout(self._pool) as connection:
            expiry = await connection.execute(_EXPIRE, {"hold_s": HOLD_S})
            deletion = await connection.execute(_PRUNE, {"days": days})
            await connection.execute(f"DELETE FROM usage_forgotten WHERE day < {_TODAY}")
        return expiry.rowcount + deletion.rowcount


async def _standing(connection: Connection, values: dict[str, Any]) -> DailyUsage:
    row = await fetch_one(connection, _STANDING, {**values, "hold_s": HOLD_S})
    reservations, forgotten = (
        Usage(
            input_tokens=row.pop(f"{part}_tokens"),
            images=row.pop(f"{part}_images"),
            searches=row.pop(f"{part}_searches"),
            tool_calls=row.pop(f"{part}_tool_calls"),
            audio_seconds=row.pop(f"{part}_audio_seconds"),
        )
        for part in ("held", "forgotten")
    )
    now, is_admitted = row.pop("now"), row.pop("is_admitted")
    return DailyUsage(now, Usage(**row) + forgotten, reservations, is_admitted)


def _line(row: dict[str, Any]) -> UsageLine:
    column_names = ("user_id", "day", "kind", "model")
    user_id, day, kind, model = (row.pop(name) for name in column_names)
    return UsageLine(model, Usage(**row), user_id, day, kind)
