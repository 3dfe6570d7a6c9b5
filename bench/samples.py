"""A world with the sample documents, for what is asked of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.database.migration import migrate
from tests.acceptance.world import ROOT, World, environment, ingest_samples, running_sandbox
from tests.database import temporary_data_dir


@contextmanager
def with_samples(*own: str) -> Iterator[World]:
    """The stand-ins and a database in which the samples are; no bot runs yet.

    `own` are options for the source of the bot's own documents.
    """
    with (
        temporary_data_dir() as data,
        EmbeddedPostgres(data) as database,
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
    ):
        url = database.url()
        migrate(url, url)
        settings = environment(sandbox.url, url, LOG_LEVEL="error")
        ingest_samples(sandbox, settings, *own)
        yield World(sandbox, settings, url)
