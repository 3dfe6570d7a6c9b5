"""What was learned about the models of each server, in PostgreSQL."""

from collections.abc import Mapping

from rich_agent.domain.capabilities import Capabilities
from rich_agent.ports.models import CAPABILITIES_KEPT_DAYS
from rich_agent.repositories.database.repository import PostgresRepository

_LOAD = """
SELECT server, model, step, refused FROM model_capabilities
WHERE (%(server)s::text IS NULL OR (server, model) = (%(server)s, %(model)s))
    AND learned_at > clock_timestamp() - make_interval(days => %(days)s)
ORDER BY server, model
"""
_SAVE = """
INSERT INTO model_capabilities (server, model, step, refused)
VALUES (%s, %s, %s, %s)
ON CONFLICT (server, model) DO UPDATE
SET step = excluded.step, refused = excluded.refused, learned_at = excluded.learned_at
"""


class PostgresCapabilities(PostgresRepository):
    """Implements `CapabilityStore`."""

    async def load(self, server: str, model: str) -> Capabilities | None:
        return (await self._load(server, model)).get((server, model))

    async def save(self, server: str, model: str, learned: Capabilities) -> None:
        row = (server, model, learned.step, sorted(learned.refused))
        await self._run(_SAVE, row)

    async def load_all(self) -> Mapping[tuple[str, str], Capabilities]:
        return await self._load(None, None)

    async def forget_all(self) -> None:
        await self._run("DELETE FROM model_capabilities")

    async def _load(
        self, server: str | None, model: str | None
    ) -> Mapping[tuple[str, str], Capabilities]:
        wanted = {"server": server, "model": model, "days": CAPABILITIES_KEPT_DAYS}
        rows = await self._rows(_LOAD, wanted)
        return {
            (row["server"], row["model"]): Capabilities(row["step"], frozenset(row["refused"]))
            for row in rows
        }
