"""`ingest sync` in a process that is killed: begun from one that has loaded everything before."""

import multiprocessing
import os
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess

from ingest import cli, sync_session
from rich_agent.composition import app

_LOADED = (cli.__name__, sync_session.__name__, app.__name__)


def start_sync(environment: Mapping[str, str]) -> ForkServerProcess:
    """A sync of everything in this environment."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *_LOADED])
    process = context.Process(target=_sync, args=(dict(environment),), daemon=True)
    process.start()
    return process


def _sync(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    with open(os.devnull, "w") as silence:  # noqa: PTH123 - its number is needed
        os.dup2(silence.fileno(), 1)
        os.dup2(silence.fileno(), 2)
    cli.app(["sync"], standalone_mode=False)
