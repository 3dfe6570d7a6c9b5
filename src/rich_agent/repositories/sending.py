"""What each process may send to Telegram, in PostgreSQL."""

from uuid import UUID

from rich_agent.domain.sharing import Share, share_of
from rich_agent.ports.outbox import SHARE_LEASE_S, TOTAL_PER_S
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.database.repository import PostgresRepository

# One after the other, so that nothing is given away twice.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('telegram_senders', 0))"
_DROP_SILENT = """
DELETE FROM telegram_senders WHERE renewed_at < clock_timestamp() - make_interval(secs => %s)
"""
_ALL = "SELECT process, wanted_per_s, share_per_s FROM telegram_senders"
_RENEW = """
INSERT INTO telegram_senders (process, wanted_per_s, share_per_s) VALUES (%s, %s, %s)
ON CONFLICT (process) DO UPDATE SET wanted_per_s = excluded.wanted_per_s,
    share_per_s = excluded.share_per_s, renewed_at = clock_timestamp()
"""


class PostgresSendingShares(PostgresRepository):
    """Implements `SendingShares`; a process that is silent for `lease_s` counts no more."""

    def __init__(
        self, pool: Pool, *, total_per_s: float = TOTAL_PER_S, lease_s: float = SHARE_LEASE_S
    ) -> None:
        super().__init__(pool)
        self._total_per_s = total_per_s
        self._lease_s = lease_s

    async def renew(self, process: UUID, wanted_per_s: float) -> float:
        async with checkout(self._pool) as connection, connection.transaction():
            await connection.execute(_LOCK)
            await connection.execute(_DROP_SILENT, (self._lease_s,))
            rows = await (await connection.execute(_ALL)).fetchall()
            given = {row["process"]: Share(row["wanted_per_s"], row["share_per_s"]) for row in rows}
            is_new = given.pop(process, None) is None
            others = tuple(given.values())
            share_per_s = share_of(self._total_per_s, wanted_per_s, others, is_new=is_new)
            await connection.execute(_RENEW, (process, wanted_per_s, share_per_s))
        return share_per_s

    async def release(self, process: UUID) -> None:
        await self._run("DELETE FROM telegram_senders WHERE process = %s", (process,))
