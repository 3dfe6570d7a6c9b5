"""The bot under a steady load: `python -m bench.soak [--minutes N] [--quick]`.

One turn a second, for 4 minutes by default, from 60 users in conversation; the upstreams and the
models are those of `bench.load`. Shown are the memory of each process and the size of the database
over time, and what each table grew by in the second half. `--quick`: a few seconds.
"""

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import psutil
import psycopg

from bench.load.__main__ import MODELS, QUICK
from bench.load.crowd import Crowd
from bench.load.metering import processor_s
from bench.load.stage import Actors, Stage, open_stage

_USERS = 60
_ROWS = 8
_SIZES = """
SELECT relname AS name, pg_total_relation_size(oid) AS size FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A moment: resident MB of receiver, worker and PostgreSQL, processor seconds, bytes of tables.

    PostgreSQL's processes share most of their memory, so each counts with its own share.
    """

    at_s: float
    serve_mb: float
    worker_mb: float
    postgres_mb: float
    cpu_s: float
    tables: dict[str, int]

    @property
    def tables_mb(self) -> float:
        """Their sum."""
        return sum(self.tables.values()) / 1e6


@dataclass(slots=True)
class Samples:
    """All samples, in order."""

    taken: list[Sample] = field(default_factory=list)

    @property
    def second_half(self) -> tuple[Sample, Sample]:
        """Its first and last moment."""
        return self.taken[len(self.taken) // 2], self.taken[-1]


@contextmanager
def sampled(stage: Stage, actors: Actors, every_s: float) -> Iterator[Samples]:
    """Take samples while the block runs, one at its end too."""
    samples, over, began = Samples(), threading.Event(), time.monotonic()

    def watch() -> None:
        with psycopg.connect(stage.url, autocommit=True) as connection:
            is_over = False
            while not is_over:
                is_over = over.is_set()
                sizes: dict[str, int] = dict(connection.execute(_SIZES).fetchall())
                samples.taken.append(_sample(time.monotonic() - began, stage, actors, sizes))
                over.wait(every_s)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield samples
    finally:
        over.set()
        watching.join()


def _sample(at_s: float, stage: Stage, actors: Actors, sizes: dict[str, int]) -> Sample:
    serve, worker = (one.memory_info().rss / 1e6 for one in actors.processes)
    postgres = _own_mb([stage.postmaster, *stage.postmaster.children()])
    return Sample(at_s, serve, worker, postgres, processor_s(actors.processes), sizes)


def _own_mb(processes: Sequence[psutil.Process]) -> float:
    total = 0.0
    for process in processes:
        try:
            total += process.memory_full_info().pss / 1e6
        except psutil.NoSuchProcess:  # a connection that was closed meanwhile
            continue
    return total


def main() -> None:
    """Print the samples, and what grew."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--quick", action="store_true", help="a few seconds, short answers")
    options = parser.parse_args()
    users, turns, every_s = _USERS, max(1, round(options.minutes * 60 / _USERS)), 20.0
    models = MODELS
    if options.quick:
        users, turns, every_s, models = 4, 2, 1.0, QUICK
    with open_stage(models) as stage, stage.bot(workers=1) as actors:
        crowd = Crowd(actors.webhook, users, turns, plan="rag", rate=1.0, first_user=1_000_000)
        with sampled(stage, actors, every_s) as samples:
            seen = stage.let_live(crowd)
        failed = users * turns - sum(one["done"] > 0 for one in seen.asked)
        print(f"{users * turns} turns, 1 a second, {failed} without an answer")
        report(samples, rate=1.0)


def report(samples: Samples, rate: float) -> None:
    """Print a line for each sample, and the growth in the second half."""
    print(f"{'s':>5}{'serve MB':>10}{'worker MB':>11}{'PostgreSQL MB':>15}{'tables MB':>11}")
    for one in samples.taken:
        memory = f"{one.serve_mb:10.1f}{one.worker_mb:11.1f}{one.postgres_mb:15.1f}"
        print(f"{one.at_s:5.0f}{memory}{one.tables_mb:11.1f}")
    half, end = samples.second_half
    turns = max(1.0, (end.at_s - half.at_s) * rate)
    print(f"in the second half, for each turn ({turns:.0f} turns):")
    for name, before, now in (
        ("memory of serve", half.serve_mb, end.serve_mb),
        ("memory of the worker", half.worker_mb, end.worker_mb),
        ("memory of PostgreSQL", half.postgres_mb, end.postgres_mb),
    ):
        print(f"  {name:34}{(now - before) * 1000 / turns:+9.2f} KB")
    grown = {name: size - half.tables.get(name, 0) for name, size in end.tables.items()}
    for name, size in sorted(grown.items(), key=lambda item: -item[1])[:_ROWS]:
        print(f"  table {name:28}{size / 1000 / turns:+9.2f} KB")
    print(f"  processor of the bot {'':13}{(end.cpu_s - half.cpu_s) * 1000 / turns:9.0f} ms")


if __name__ == "__main__":
    main()
