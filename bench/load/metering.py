"""Measures what processes use while a crowd talks: processor time, memory, connections."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil
import psycopg

from bench.load.stage import Actors, Stage

_LOOK_S = 1.0
_CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"


@dataclass(slots=True)
class Used:
    """Processor seconds of the actors and of PostgreSQL, most resident MB, most connections."""

    actors_s: float = 0.0
    postgres_s: float = 0.0
    peak_mb: float = 0.0
    connections: int = 0


@contextmanager
def metered(stage: Stage, actors: Actors) -> Iterator[Used]:
    """Measure the block; the figures are there when it ends."""
    used, over = Used(), threading.Event()
    watching = threading.Thread(target=_watch, args=(stage.url, actors.processes, used, over))
    before = processor_s(actors.processes), processor_s([stage.postmaster])
    watching.start()
    try:
        yield used
    finally:
        used.actors_s = processor_s(actors.processes) - before[0]
        used.postgres_s = processor_s([stage.postmaster]) - before[1]
        over.set()
        watching.join()


def processor_s(processes: Sequence[psutil.Process]) -> float:
    """The processor seconds that they and their children used, also those that have ended."""
    living = [one for process in processes for one in (process, *process.children(recursive=True))]
    total = 0.0
    for one in living:
        # One that ended meanwhile counts with its parent.
        with suppress(psutil.NoSuchProcess):
            total += sum(one.cpu_times()[:4])
    return total


def _watch(
    url: str, processes: Sequence[psutil.Process], used: Used, over: threading.Event
) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        while not over.wait(_LOOK_S):
            found = connection.execute(_CONNECTIONS).fetchone()
            assert found
            used.connections = max(used.connections, found[0] - 1)
            resident = sum(process.memory_info().rss for process in processes)
            used.peak_mb = max(used.peak_mb, resident / 1e6)
