"""When admins were last told of a trouble, in PostgreSQL."""

from rich_agent.repositories.database.repository import PostgresRepository

_TELL = """
INSERT INTO admin_alerts AS known (cause, told_at) VALUES (%s, clock_timestamp())
ON CONFLICT (cause) DO UPDATE SET told_at = excluded.told_at
WHERE known.told_at <= clock_timestamp() - make_interval(secs => %s)
"""


class PostgresAlerts(PostgresRepository):
    """Implements `Alerts`."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        return await self._run(_TELL, (cause, pause_s)) > 0
