"""When admins were last told of a trouble, in PostgreSQL."""

from rich_agent.repositories.database import Pool, checkout

_TELL = """
INSERT INTO admin_alerts AS known (cause, told_at) VALUES (%s, clock_timestamp())
ON CONFLICT (cause) DO UPDATE SET told_at = excluded.told_at
WHERE known.told_at <= clock_timestamp() - make_interval(secs => %s)
"""


class PostgresAlerts:
    """Implements `Alerts`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """See `Alerts.may_tell`."""
        async with checkout(self._pool) as connection:
            told = await connection.execute(_TELL, (cause, pause_s))
        return told.rowcount > 0
