"""A worker for updates that ended other workers; only another worker starts it."""

import sys

from rich_agent.commands.run import run_bot
from rich_agent.composition.bot import Roles
from rich_agent.composition.lone_processes import ORDERLY_FAILURE
from rich_agent.errors import RichAgentError
from rich_agent.runtime.lifetime import end_with
from rich_agent.terminal.console import err


def main() -> None:
    """Serve until nothing is left to do, or the parent has ended. Exits with 75 if it cannot."""
    launch, parent = map(int, sys.argv[1:3])
    end_with(parent)
    try:
        run_bot(Roles(receive=False, work=True, http=False, launch=launch), worker_concurrency=1)
    except RichAgentError as error:
        err(f"rich-agent: {error.explain()}")
        sys.exit(ORDERLY_FAILURE)
