"""A world with the sample documents, for what is asked of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from bench.database import running_database
from tests.acceptance.world import ROOT, World, environment, ingest_samples, running_sandbox


@contextmanager
def with_samples(*own: str) -> Iterator[World]:
    """The stand-ins and a database in which the samples are; no bot runs yet.

    `own` are options for the source of the bot's own documents.
    """
    with (
        running_database() as database,
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
    ):
        settings = environment(sandbox.url, database.url, LOG_LEVEL="error")
        ingest_samples(sandbox, settings, *own)
        yield World(sandbox, settings, database.url)
