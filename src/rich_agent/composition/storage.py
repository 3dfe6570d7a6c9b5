"""Opens the databases of the settings; loads neither the graph nor a model client."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from psycopg.pq import Ping

from rich_agent.errors import DatabaseUnavailableError, SchemaError
from rich_agent.installed import leave_out
from rich_agent.repositories.database import embedded
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.embedded_guard import LINGER_S
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.database.replica import Replica
from rich_agent.repositories.database.schema import check_schema, unfit_features
from rich_agent.repositories.database.servers import ping
from rich_agent.repositories.database.writes import check_writes
from rich_agent.runtime.concurrency import alongside
from rich_agent.runtime.reach import log_failure
from rich_agent.settings.settings import Settings
from rich_agent.settings.storage import users_data_dir
from rich_agent.terminal.console import err, working

T = TypeVar("T")
_PAUSE_S = 2.0
_MOST_SILENCES = 5
"""In a row, ten seconds: a server that restarts is silent for seconds, a wrong address forever."""


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """The addresses of both databases; `embedded` ones are ours to migrate at start.

    `direct` leads to the first one past any pooler.
    """

    app: str
    rag: str
    direct: str
    is_embedded: bool

    def migrate(self) -> list[str]:
        """Bring the tables of both up to date; the names of what was applied.

        Raises: DatabaseUnavailableError, SchemaError.
        """
        # Alembic costs half a second and 40 MB that serving does not need.
        from rich_agent.repositories.database.migration import migrate  # noqa: PLC0415

        return migrate(self.direct, self.direct if self.rag == self.app else self.rag)


def has_database(settings: Settings) -> bool:
    """Whether there is a database to open; the embedded one is created when it is needed first."""
    return bool(settings.storage.database_url) or EmbeddedPostgres.is_in(settings.storage.data_dir)


def check_place(settings: Settings) -> None:
    """Try whether DATA_DIR could keep a new database, and leave everything as it was.

    Raises: SettingsError.
    """
    embedded.check_place(settings.storage.data_dir)


def stop_lingering(settings: Settings) -> None:
    """Have an embedded server that waits for the next command stop at once."""
    if not settings.storage.database_url:
        EmbeddedPostgres.stop_lingering(settings.storage.data_dir)


async def check_storing(databases: Databases) -> None:
    """Check that rows can be stored, by a write that is undone.

    Raises: DatabaseUnavailableError, SchemaError.
    """
    await check_writes(databases.app)


@contextmanager
def locate_databases(settings: Settings, *, lingers: bool = True) -> Iterator[DatabaseUrls]:
    """The configured server, or the embedded PostgreSQL held running while the context is open.

    With `lingers`, the embedded one then waits some seconds for the next command.

    Raises: DatabaseUnavailableError, SettingsError.
    """
    if settings.storage.database_url:
        url = settings.storage.database_url
        yield DatabaseUrls(
            url,
            settings.storage.rag_database_url or url,
            settings.storage.database_direct_url or url,
            is_embedded=False,
        )
        return
    place = settings.storage.data_dir
    if place == users_data_dir() and not EmbeddedPostgres.is_in(place):
        err(f"The data are kept in {place}; DATA_DIR chooses another folder.")
    with ExitStack() as stack:
        with working("Starting the database…"):
            server = stack.enter_context(
                EmbeddedPostgres(place, linger_s=LINGER_S if lingers else 0)
            )
        yield DatabaseUrls(server.url(), server.url(), server.url(), is_embedded=True)


@asynccontextmanager
async def open_databases(
    settings: Settings, *, read_only: bool = False, lingers: bool = True
) -> AsyncIterator[Databases]:
    """Pools on databases whose tables fit this program; embedded ones are migrated when needed.

    Features whose tables do not fit are left out, so nothing of them may be open yet.
    With `read_only` PostgreSQL itself refuses every write through them. `lingers` is for
    `locate_databases`.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    with locate_databases(settings, lingers=lingers) as urls:
        async with open_pools(
            urls.app, urls.rag, settings.pool_size, direct_url=urls.direct, read_only=read_only
        ) as databases:
            if urls.is_embedded and not await _are_current(databases):
                with working("Creating the tables…"):
                    await asyncio.to_thread(urls.migrate)
            await check_schema(databases)
            for name, reason in (await unfit_features(databases)).items():
                leave_out(name, f"{reason}; run `rich-agent migrate`")
            yield databases


async def _are_current(databases: Databases) -> bool:
    """Whether the tables of the core and of every feature are those of this program."""
    try:
        await check_schema(databases)
    except SchemaError:
        return False
    return not await unfit_features(databases)


async def once_database_answers(settings: Settings, work: Callable[[], Awaitable[T]]) -> T:
    """The result of the work, repeated while a configured server is down, starts or recovers.

    For processes that serve. They wait as long as a server says that it starts or recovers, and
    for seconds where none answers. What one refuses twice, such as a wrong password, is raised.

    Raises: DatabaseUnavailableError.
    """
    has_answered, silences = False, 0
    while True:
        try:
            return await work()
        except DatabaseUnavailableError as error:
            answers = await _answers_of_servers(settings)
            is_silent = Ping.NO_RESPONSE in answers and Ping.REJECT not in answers
            is_away = is_silent or Ping.REJECT in answers
            silences = silences + 1 if is_silent else 0
            if silences > _MOST_SILENCES or (has_answered and not is_away):
                raise
            has_answered = not is_away
            if is_away:
                log_failure("database_away", error, do=error.hint)
                await asyncio.sleep(_PAUSE_S)


async def _answers_of_servers(settings: Settings) -> set[Ping]:
    storage = settings.storage
    urls = {storage.database_url, storage.rag_database_url, storage.database_direct_url}
    return {await ping(url) for url in urls if url}


@asynccontextmanager
async def watch_replica(settings: Settings, databases: Databases) -> AsyncIterator[Replica | None]:
    """The replica on which documents are searched, if the settings name one."""
    if not settings.storage.rag_read_url:
        yield None
        return
    replica = Replica(
        settings.storage.rag_read_url, databases.rag, most_lag_s=settings.storage.rag_read_lag_s
    )
    async with alongside(replica.watch()):
        yield replica
