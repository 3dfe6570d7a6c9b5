"""The database of a bench, which ends after everything that uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.programs import unwinding_on_sigterm
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from tests.database import temporary_data_dir


@dataclass(frozen=True, slots=True)
class Database:
    """A migrated database on a server of its own, whose files are in `folder`."""

    server: EmbeddedPostgres
    folder: Path

    @property
    def url(self) -> str:
        """The address of the bot's database."""
        return self.server.url()


@contextmanager
def running_database() -> Iterator[Database]:
    """A new database, until the block ends, be it by SIGTERM."""
    with (
        unwinding_on_sigterm(),
        temporary_data_dir() as folder,
        EmbeddedPostgres(folder) as server,
    ):
        migrate(server.url(), server.url())
        yield Database(server, folder)
