"""Connections and registration of sources, with the key and the folder of the settings."""

from functools import partial
from typing import TYPE_CHECKING

from rich_agent.composition.seals import make_seal
from rich_agent.documents.connectors.connections import (
    Connecting,
    PostgresConnections,
    ServiceConnection,
)
from rich_agent.documents.connectors.hooks import SourceHooks
from rich_agent.documents.registry.registration import SourceRegistration
from rich_agent.repositories.database.pools import Databases
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.composition.repositories import Repositories


async def stored_connections(repositories: "Repositories") -> list[ServiceConnection]:
    """Every stored connection. Raises: DatabaseUnavailableError."""
    return await PostgresConnections(repositories.databases.rag).all()


def make_source_connecting(settings: Settings) -> Connecting:
    """Make what opens connections; without a key or the library, those without a secret."""
    folder = settings.storage.data_dir / "connected"
    return Connecting(make_seal(settings), folder, settings.documents.intranet)


def make_source_registration(settings: Settings, databases: Databases) -> SourceRegistration:
    """Make the registration of sources, with the key and the folder of the settings."""
    connecting = make_source_connecting(settings)
    hooks = SourceHooks(databases, partial(make_seal, settings))
    return SourceRegistration(databases, connecting, hooks, settings.web.public_address)
