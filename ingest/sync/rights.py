"""Stores who may read the documents of connected sources, by their services."""

from collections.abc import Sequence

from ingest.sync.connected import open_connector, read_rights
from ingest.sync.report import SyncReport
from rich_agent.documents.connectors.connections import Connecting, PostgresConnections
from rich_agent.documents.registry.source_clocks import PostgresClocks
from rich_agent.documents.source import Source
from rich_agent.domain.text import counted
from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.places import PostgresPlaces


class RightsSync:
    """Stores the rights of sources, one after the other. After a failure, stored rights stay."""

    def __init__(self, databases: Databases, connecting: Connecting) -> None:
        self._pool = databases.rag
        self._clocks = PostgresClocks(databases)
        self._connecting = connecting

    async def run(self, sources: Sequence[Source], report: SyncReport | None = None) -> SyncReport:
        """Store the rights of the sources whose services know rights; return the extended report.

        Raises: DatabaseUnavailableError.
        """
        report = report or SyncReport()
        connections = await PostgresConnections(self._pool).all()
        source_ids = {connection.source_id for connection in connections if connection.has_rights}
        for source in sources:
            if source.id in source_ids:
                await self._store(source, report)
        return report

    async def _store(self, source: Source, report: SyncReport) -> None:
        failure = None
        began = await self._clocks.begin()
        try:
            report.notes.append(f"{source.name}: {await self._read(source)}")
        except DatabaseUnavailableError:
            raise
        except RichAgentError as error:
            report.fail(source.root_url, error.explain())
            failure = error
        await self._clocks.note(source.id, "rights", began, failure)

    async def _read(self, source: Source) -> str:
        async with open_connector(self._pool, self._connecting, source.id) as connector:
            accesses, groups = await read_rights(connector)
        await PostgresPlaces(self._pool).store(source.id, accesses, groups, is_whole=True)
        return f"rights of {counted(len(accesses), 'place')}, {counted(len(groups), 'group')}"
