"""Capabilities of the models of each server, as they were learned, in PostgreSQL."""

from collections.abc import Mapping
from dataclasses import asdict

from psycopg.types.json import Jsonb

from rich_agent.domain.model_role import Capabilities
from rich_agent.ports.models import CAPABILITIES_KEPT_DAYS
from rich_agent.repositories.database.repository import PostgresRepository

_LOAD = """
SELECT server, model, step, refused, demanded, most_tokens, marks_ends,
    answers_whole, thinks
FROM model_capabilities
WHERE (%(server)s::text IS NULL OR (server, model) = (%(server)s, %(model)s))
    AND learned_at > clock_timestamp() - make_interval(days => %(days)s)
ORDER BY server, model
"""
_SAVE = """
INSERT INTO model_capabilities (
    server, model, step, refused, demanded, most_tokens, marks_ends, answers_whole, thinks
)
VALUES (
    %(server)s, %(model)s, %(step)s, %(refused)s,
    %(demanded)s, %(most_tokens)s, %(marks_ends)s, %(answers_whole)s, %(thinks)s
)
ON CONFLICT (server, model) DO UPDATE
SET step = excluded.step, refused = excluded.refused, demanded = excluded.demanded,
    most_tokens = excluded.most_tokens, marks_ends = excluded.marks_ends,
    answers_whole = excluded.answers_whole, thinks = excluded.thinks,
    learned_at = excluded.learned_at
"""


class PostgresCapabilities(PostgresRepository):
    """Implements `CapabilityStore`."""

    async def load(self, server: str, model: str) -> Capabilities | None:
        return (await self._load(server, model)).get((server, model))

    async def save(self, server: str, model: str, capabilities: Capabilities) -> None:
        columns = {**asdict(capabilities), "refused": sorted(capabilities.refused)}
        demands = Jsonb(dict(capabilities.demanded))
        await self._run(_SAVE, {**columns, "server": server, "model": model, "demanded": demands})

    async def load_all(self) -> Mapping[tuple[str, str], Capabilities]:
        return await self._load(None, None)

    async def forget_all(self) -> None:
        await self._run("DELETE FROM model_capabilities")

    async def _load(
        self, server: str | None, model: str | None
    ) -> Mapping[tuple[str, str], Capabilities]:
        values = {"server": server, "model": model, "days": CAPABILITIES_KEPT_DAYS}
        rows = await self._rows(_LOAD, values)
        return {
            (row.pop("server"), row.pop("model")): Capabilities(
                **{**row, "refused": frozenset(row["refused"])}
            )
            for row in map(dict, rows)
        }
