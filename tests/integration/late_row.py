"""An upgrade of the core's tables while a program of before writes."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import psycopg

from rich_agent.repositories.database.migration import upgrade
from rich_agent.repositories.database.schema import APP
from tests.integration.catalogue import read

_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
_DEADLINE_S = 30


def upgrade_during(url: str, statement: str) -> None:
    """Upgrade while a statement's transaction is open; it ends once the upgrade waits for it."""
    with ThreadPoolExecutor(1) as threads, psycopg.connect(url) as connection:
        connection.execute(statement)
        upgrading = threads.submit(upgrade, url, APP)
        end = monotonic() + _DEADLINE_S
        while read(url, _WAITING) == {(0,)}:
            assert monotonic() < end, "the upgrade does not wait"
            sleep(0.02)
        connection.commit()
        upgrading.result(_DEADLINE_S)
