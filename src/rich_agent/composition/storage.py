"""Opens the databases of the settings; loads neither the graph nor a model client."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

from rich_agent.errors import SchemaError
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.database.schema import check_schema
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import working


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """The addresses of both databases; `embedded` ones are ours to migrate at start."""

    app: str
    rag: str
    embedded: bool


def has_database(settings: Settings) -> bool:
    """Whether there is a database to open; the embedded one is created when it is needed first."""
    return bool(settings.storage.database_url) or EmbeddedPostgres.is_in(settings.storage.data_dir)


@contextmanager
def locate_databases(settings: Settings) -> Iterator[DatabaseUrls]:
    """The configured server, or the embedded PostgreSQL held running while the context is open.

    Raises: DatabaseUnavailableError, SettingsError.
    """
    if settings.storage.database_url:
        yield DatabaseUrls(
            settings.storage.database_url,
            settings.storage.rag_database_url or settings.storage.database_url,
            embedded=False,
        )
        return
    with ExitStack() as stack:
        with working("Starting the database…"):
            server = stack.enter_context(EmbeddedPostgres(settings.storage.data_dir))
        yield DatabaseUrls(server.url(), server.url(), embedded=True)


@asynccontextmanager
async def open_databases(
    settings: Settings, *, read_only: bool = False
) -> AsyncIterator[Databases]:
    """Pools on databases whose tables fit this program; embedded ones are migrated when needed.

    With `read_only` PostgreSQL itself refuses every write through them.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    with locate_databases(settings) as urls:
        size = settings.storage.database_pool_size
        async with open_pools(urls.app, urls.rag, size, read_only=read_only) as databases:
            try:
                await check_schema(databases)
            except SchemaError:
                if not urls.embedded:
                    raise
                # Alembic costs half a second and 40 MB that serving does not need.
                from rich_agent.repositories.database.migration import migrate  # noqa: PLC0415

                with working("Creating the tables…"):
                    await asyncio.to_thread(migrate, urls.app, urls.rag)
                await check_schema(databases)
            yield databases
