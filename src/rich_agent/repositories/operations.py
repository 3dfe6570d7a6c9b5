"""Workload, statistics, and alerts to admins, in PostgreSQL."""

from rich_agent.ports.operations import Statistics, TurnStatistics, UserStatistics, UserWorkload
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one

_USERS = """
SELECT count(*) AS known,
    count(*) FILTER (WHERE last_seen_at > now() - interval '1 day') AS of_day,
    count(*) FILTER (WHERE last_seen_at > now() - interval '7 days') AS of_week,
    count(*) FILTER (WHERE blocked_at IS NOT NULL) AS blocking
FROM users WHERE last_seen_at IS NOT NULL
"""

_INBOX = """
SELECT count(*) FILTER (WHERE dead_at IS NULL) AS pending,
    count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead
FROM telegram_inbox WHERE done_at IS NULL
"""

_UNDELIVERED = """
SELECT count(*) AS undelivered FROM telegram_outbox
WHERE state = 'failed' AND created_at > now() - interval '7 days'
"""

_UNAPPROVED = "SELECT count(*) AS unapproved FROM approvals WHERE state = 'pending'"

# A turn is complete when its last node has reported; a recent one may still be running.
_TURNS = """
SELECT count(*) FILTER (WHERE created_at > now() - interval '1 day') AS of_day,
    count(*) AS of_week,
    jsonb_build_object(
        'direct', count(*) FILTER (WHERE plan = 'direct'),
        'rag', count(*) FILTER (WHERE plan = 'rag'),
        'web', count(*) FILTER (WHERE plan = 'web'),
        'rag+web', count(*) FILTER (WHERE plan = 'rag+web')
    ) AS plans,
    count(*) FILTER (
        WHERE NOT latency_ms ? 'N7_persist' AND created_at < now() - interval '10 minutes'
    ) AS broken_off,
    coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY took.ms), 0) / 1000 AS p50_s,
    coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY took.ms), 0) / 1000 AS p95_s
FROM retrieval_decisions, LATERAL (
    SELECT sum(ms::float8) AS ms FROM jsonb_each_text(latency_ms) AS node (name, ms)
) AS took
WHERE created_at > now() - interval '7 days'
"""

_FEEDBACK = """
SELECT count(*) FILTER (WHERE rating = 'up') AS rated_up,
    count(*) FILTER (WHERE rating = 'down') AS rated_down
FROM answer_feedback
"""


class PostgresStatistics:
    """Implements `StatisticsReader`."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    async def read(self) -> Statistics:
        async with checkout(self._databases.app) as app:
            users = await fetch_one(app, _USERS)
            total_by_name = {
                **await fetch_one(app, _INBOX),
                **await fetch_one(app, _UNDELIVERED),
                **await fetch_one(app, _UNAPPROVED),
            }
        async with checkout(self._databases.rag) as rag:
            turns, ratings = await fetch_one(rag, _TURNS), await fetch_one(rag, _FEEDBACK)
        return Statistics(
            users=UserStatistics(**users), turns=TurnStatistics(**turns), **total_by_name, **ratings
        )


# A lane that is ready is not held; only a held one has updates in progress.
_OF_USER = """
SELECT lane.is_held AND bool_or(attempts > 0) AS is_answering,
    count(*) FILTER (WHERE attempts = 0 OR NOT lane.is_held) AS waiting
FROM telegram_inbox AS update
JOIN (
    SELECT user_id, urgent, ready_at > clock_timestamp() AS is_held FROM telegram_lanes
) AS lane USING (user_id, urgent)
WHERE user_id = %s AND update_id <> %s AND NOT urgent AND done_at IS NULL AND dead_at IS NULL
GROUP BY lane.is_held
"""


class PostgresWorkload(PostgresRepository):
    """Implements `Workload`."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        row = await self._row(_OF_USER, (user_id, besides))
        if row is None:
            return UserWorkload(is_answering=False, waiting=0)
        return UserWorkload(row["is_answering"], row["waiting"])


_TELL = """
INSERT INTO admin_alerts AS known (cause, told_at) VALUES (%s, clock_timestamp())
ON CONFLICT (cause) DO UPDATE SET told_at = excluded.told_at
WHERE known.told_at <= clock_timestamp() - make_interval(secs => %s)
"""


class PostgresAlerts(PostgresRepository):
    """Implements `Alerts`."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        return await self._run(_TELL, (cause, pause_s)) > 0
