"""Connections and hooks of sources, with the key and the folder of the settings."""

from functools import partial
from typing import TYPE_CHECKING

from rich_agent.composition.seals import make_seal
from rich_agent.documents.connectors.connections import (
    Connecting,
    PostgresConnections,
    ServiceConnection,
)
from rich_agent.documents.connectors.hooks import HOOK_PATH, SourceHooks
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


def make_source_hooks(settings: Settings, databases: Databases) -> SourceHooks:
    """Make what reads and writes hooks; without a key, it knows none."""
    return SourceHooks(databases, partial(make_seal, settings))


def hook_address(settings: Settings, source_id: str) -> str:
    """The address at which a service posts events, only its path if the bot knows no public one."""
    return f"{settings.web.public_address or ''}{HOOK_PATH}/{source_id}"
