"""Due work of a made-up kind in a process that ends, by SIGKILL, in the middle of it.

Run as `python -m tests.integration.dying_work DATABASE_URL FILE`. The tries are appended to the
file; each but the third ends the process. It exits with 0 once nothing is left to do.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.runtime.due_work import DueWorkLoop

MORTAL_TRIES = 1


async def work(url: str, journal: Path) -> None:
    """Do what is due, until the work was done."""
    stop = asyncio.Event()

    async def polish(row: DueRow) -> NextRun | None:
        with journal.open("a") as file:
            file.write(f"{row.key} {row.payload['shade']} {row.tries}\n")
        if row.tries <= MORTAL_TRIES:
            os.kill(os.getpid(), signal.SIGKILL)
        stop.set()
        return None

    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        # A lease that outlasts the test: it is not the lease that frees the row.
        kinds = {"polish": DueWork(polish, lease_s=900)}
        await DueWorkLoop(PostgresDueWork(pool, inbox), kinds, inbox.attempts).run(stop)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2])))
