"""Hooks, by which services announce changes of a source. Their secrets are stored encrypted."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Final

import structlog

from rich_agent.documents.clocks import SOURCE_WORK
from rich_agent.documents.source import SourceJob
from rich_agent.repositories.database.pools import Databases, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.due_work import prompt_due
from rich_agent.runtime.seals import Seal, SealError

HOOK_PATH: Final = "/hooks"
"""The path to which services post events; the id of the source follows it."""
_ALL = "SELECT source_id, secret FROM rag_hooks"
_SAVE = """
INSERT INTO rag_hooks (source_id, secret) VALUES (%s, %s)
ON CONFLICT (source_id) DO UPDATE SET secret = excluded.secret, last_event_at = NULL
"""
_REMOVE = "DELETE FROM rag_hooks WHERE source_id = %s"
_NOTE_EVENT = """
WITH event AS (
    UPDATE rag_hooks SET last_event_at = clock_timestamp() WHERE source_id = %(source_id)s
        AND (last_event_at IS NULL OR last_event_at < clock_timestamp() - interval '1 s')
)
SELECT job FROM rag_clocks WHERE source_id = %(source_id)s AND job = ANY(%(jobs)s)
"""
_log = structlog.get_logger()


class SourceHooks(PostgresRepository):
    """The hooks of all sources. Methods may raise DatabaseUnavailableError.

    `make_seal` returns None without CREDENTIALS_KEY.
    """

    def __init__(self, databases: Databases, make_seal: Callable[[], Seal | None]) -> None:
        super().__init__(databases.rag)
        self._databases = databases
        self._make_seal = make_seal

    async def secrets(self) -> Mapping[str, str]:
        """The secret of each hook, by the id of its source. Unreadable secrets are left out."""
        secrets = {}
        for row in await self._rows(_ALL):
            try:
                if self._seal:
                    source_id = row["source_id"]
                    secrets[source_id] = self._seal.open(_owner(source_id), row["secret"])
            except SealError as error:
                _log.warning("hook.unreadable", source=row["source_id"], error=str(error))
        return secrets

    async def note_event(self, source_id: str, jobs: Collection[SourceJob]) -> None:
        """Have these jobs of a source done as soon as a worker is free.

        A job that failed last waits for its next attempt.
        """
        rows = await self._rows(_NOTE_EVENT, {"source_id": source_id, "jobs": list(jobs)})
        if rows:
            async with one_transaction(self._databases.app) as connection:
                for row in rows:
                    await prompt_due(connection, SOURCE_WORK[row["job"]], source_id)

    async def save(self, source_id: str, secret: str) -> bool:
        """Store or replace the hook of a source; False without CREDENTIALS_KEY."""
        if self._seal is None:
            return False
        await self._run(_SAVE, (source_id, self._seal.close(_owner(source_id), secret)))
        return True

    async def remove(self, source_id: str) -> None:
        """Delete the hook of a source. Its events are refused from then on."""
        await self._run(_REMOVE, (source_id,))

    @cached_property
    def _seal(self) -> Seal | None:
        return self._make_seal()


def _owner(source_id: str) -> str:
    """The owner of a hook's secret, who differs from the owner of the source's password."""
    return f"hook {source_id}"
