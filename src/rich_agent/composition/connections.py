"""Opens the connections of sources with the key and the folder of the settings."""

from typing import TYPE_CHECKING

from rich_agent.composition.hooks import make_source_seal
from rich_agent.documents.connectors.connections import (
    Connecting,
    PostgresConnections,
    ServiceConnection,
)
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.composition.repositories import Repositories


async def stored_connections(repositories: "Repositories") -> list[ServiceConnection]:
    """Every stored connection. Raises: DatabaseUnavailableError."""
    return await PostgresConnections(repositories.databases.rag).all()


def make_source_connecting(settings: Settings) -> Connecting:
    """Make what opens connections; without a key or the library, those without a secret."""
    folder = settings.storage.data_dir / "connected"
    return Connecting(make_source_seal(settings), folder, settings.documents.intranet)
