"""`kill -9` at random moments of syncs of connected services, with and without rights."""

from pathlib import Path
from random import Random

import pytest

from bench.rights.killing import Killings, library
from bench.rights.services import SERVICES
from tests.database import PostgresServer

DOCUMENTS, KILLS = 25, 4


@pytest.mark.soak
@pytest.mark.req("DUR-2", "RAG-5")
@pytest.mark.parametrize("kind", SERVICES)
def test_killed_syncs_of_a_service_leave_what_one_sync_leaves(
    database_server: PostgresServer, database_template: str, tmp_path: Path, kind: str
) -> None:
    """The same documents, chunks, places and readers; nobody finds too much in between.

    `python -m bench.rights.killing` kills more of them.
    """
    with SERVICES[kind](tmp_path / kind) as service:
        killings = Killings(service, Random(3), DOCUMENTS, KILLS)  # noqa: S311 - the same each time
        with (
            library(database_server, database_template, tmp_path / "one", service) as disturbed,
            library(database_server, database_template, tmp_path / "other", service) as undisturbed,
        ):
            killings.disturb(disturbed, undisturbed)
        assert killings.wrong == []
