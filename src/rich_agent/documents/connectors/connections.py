"""Connections of sources with services, in PostgreSQL. Secrets are stored encrypted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.kinds import ConnectorKind, Opening, find_kind
from rich_agent.documents.connectors.port import Connector, ConnectorError
from rich_agent.domain.intranet import Intranet
from rich_agent.errors import SettingsError
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.runtime.seals import Seal, SealError

_SAVE = """
INSERT INTO rag_connections AS stored (source_id, kind, config, secret)
VALUES (%(source_id)s, %(kind)s, %(config)s, %(secret)s)
ON CONFLICT (source_id) DO UPDATE SET config = excluded.config,
    secret = coalesce(excluded.secret, stored.secret),
    cursor = CASE WHEN stored.config = excluded.config THEN stored.cursor ELSE '' END
"""
_GUARD = "UPDATE rag_sources SET has_rights = %(has_rights)s WHERE id = %(source_id)s"
_COLUMNS = """
connected.source_id, source.name, source.has_rights, connected.kind, connected.config,
connected.secret
"""
_ALL = f"""
SELECT {_COLUMNS} FROM rag_connections AS connected
JOIN rag_sources AS source ON source.id = connected.source_id ORDER BY source.name
"""
_GET = f"""
SELECT {_COLUMNS} FROM rag_connections AS connected
JOIN rag_sources AS source ON source.id = connected.source_id WHERE connected.source_id = %s
"""


@dataclass(frozen=True, slots=True)
class ServiceConnection:
    """A stored connection."""

    source_id: str
    name: str
    """Name of the source."""
    has_rights: bool
    """Whether the service tells who may read each document of the source."""
    kind: str
    config: Mapping[str, Any]
    secret: bytes | None
    """Encrypted secret, None if the service needs none."""


class PostgresConnections(PostgresRepository):
    """Reads and writes `rag_connections`."""

    async def save(
        self, source_id: str, kind: ConnectorKind, config: ServiceConfig, secret: bytes | None
    ) -> None:
        """Store a connection. With `secret` None, a stored secret is kept.

        After a change of the configuration, all documents are listed again. If documents have
        rights, nobody may read a document until its rights are known.
        """
        configuration = Jsonb(config.model_dump(mode="json"))
        parameters = {
            "source_id": source_id,
            "kind": kind.name,
            "config": configuration,
            "secret": secret,
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_SAVE, parameters)
            has_rights = kind.knows_rights(config)
            await connection.execute(_GUARD, {**parameters, "has_rights": has_rights})

    async def all(self) -> list[ServiceConnection]:
        """All connections, ordered by the name of the source."""
        return [ServiceConnection(**row) for row in await self._rows(_ALL)]

    async def get(self, source_id: str) -> ServiceConnection | None:
        """The connection of a source, None without one."""
        row = await self._row(_GET, (source_id,))
        return ServiceConnection(**row) if row else None


@dataclass(frozen=True, slots=True)
class Connecting:
    """Opens connections."""

    seal: Seal | None
    """Encryption of secrets, None without CREDENTIALS_KEY."""
    folder: Path
    """Folder for the files of connectors."""
    intranet: Intranet = field(default_factory=Intranet)
    """Hosts outside the public internet that connectors may reach."""

    def close(self, source_id: str, secret: str) -> bytes | None:
        """The encrypted secret, None for "". Raises: SettingsError without CREDENTIALS_KEY."""
        if not secret:
            return None
        if self.seal is None:
            hint = "Set it as docs/how-to/connect-sources.md shows; secrets are encrypted with it."
            raise SettingsError("CREDENTIALS_KEY", "it is not set", hint=hint)
        return self.seal.close(source_id, secret)

    def open(self, connection: ServiceConnection) -> Connector:
        """Open the connector of a stored connection. Raises: ConnectorError, SourceError."""
        kind = find_kind(connection.kind)
        source = (connection.source_id, connection.name)
        return self.connector(
            kind, kind.parse(connection.config), self.secret_of(connection), source
        )

    def connector(
        self, kind: ConnectorKind, config: ServiceConfig, secret: str, source: tuple[str, str]
    ) -> Connector:
        """Open a connector for a `source`, a pair of id and name. Raises: SourceError."""
        source_id, name = source
        return kind.open(config, Opening(secret, name, self.folder / source_id, self.intranet))

    def forget(self, source_id: str) -> None:
        """Delete the connector's files for a source."""
        rmtree(self.folder / source_id, ignore_errors=True)

    def secret_of(self, connection: ServiceConnection) -> str:
        """The decrypted secret of a connection. Raises: ConnectorError if it cannot be read."""
        if connection.secret is None:
            return ""
        if self.seal is None:
            raise ConnectorError("CREDENTIALS_KEY is not set", hint="Set it.", is_refused=True)
        try:
            return self.seal.open(connection.source_id, connection.secret)
        except SealError as error:
            raise ConnectorError(str(error), hint=error.hint, is_refused=True) from error
