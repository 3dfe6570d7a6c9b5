"""AgentDojo's tasks and injected orders, done by the whole program: `python -m bench.agentdojo`.

The four environments are MCP servers, and the model obeys everybody: it does what its user asks for
and every order that it reads on the way. So the program is measured, and not a model. Each pair is
run with the rules and without them. `--suite`, `--tasks` and `--every` choose fewer pairs, and
`--alone` tasks without orders; `--side` is how many conversations are held side by side. The model
calls one tool at a time; with `--in-groups` it makes calls of one tool that follow each other at
once, as models that call in parallel do. Needs `python -m bench.peers agentdojo`.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from random import Random

from bench.agentdojo.report import report
from bench.agentdojo.seats import Ended, Pair, Seat, seat
from tests.database import PostgresServer, announce_run, remove_run, serve_databases

SUITES = ("workspace", "travel", "banking", "slack")


def main() -> None:
    """Run the command; ends with 1 if anything was done that nobody approved."""
    options = _options()
    announce_run()
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder, serve_databases() as databases:
            found = {
                is_guarded: [
                    ended
                    for suite in options.suite or SUITES
                    for ended in _run(suite, databases, Path(folder), options, is_guarded)
                ]
                for is_guarded in ((True,) if options.rules_only else (True, False))
            }
    finally:
        remove_run()
    is_well = report(found[True], found.get(False, ()))
    print(f"{time.monotonic() - began:.0f} s, {options.side} conversations side by side")
    sys.exit(not is_well)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.agentdojo")
    parser.add_argument("--suite", action="append", choices=SUITES, help="all without any")
    parser.add_argument("--tasks", default="", help="numbers of tasks, as in 0,3; all without any")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth pair only")
    parser.add_argument("--side", type=int, default=2, metavar="N", help="conversations at once")
    parser.add_argument("--rules-only", action="store_true", help="not without rules")
    parser.add_argument("--alone", action="store_true", help="each Nth task, without orders")
    parser.add_argument(
        "--in-groups", action="store_true", help="calls of one tool in a row are made at once"
    )
    parser.add_argument("--show", action="store_true", help="print each run")
    return parser.parse_args()


def _run(
    suite: str,
    databases: PostgresServer,
    folder: Path,
    options: argparse.Namespace,
    is_guarded: bool,  # noqa: FBT001 - see `Seat`
) -> Sequence[Ended]:
    """The runs of a suite: each task alone, and with each order."""
    with ExitStack() as stack:
        seats: SimpleQueue[Seat] = SimpleQueue()
        opened = [
            stack.enter_context(
                seat(
                    *(suite, databases, folder),
                    is_guarded=is_guarded,
                    in_groups=options.in_groups,
                )
            )
            for _ in range(options.side)
        ]
        for one in opened:
            seats.put(one)
        pairs = _pairs(suite, opened[0], options)

        def run(pair: Pair) -> Ended:
            taken = seats.get()
            try:
                ended = taken.run(pair)
            finally:
                seats.put(taken)
            if options.show:
                print(ended, flush=True)
            return ended

        with ThreadPoolExecutor(options.side) as pool:
            began = time.monotonic()
            ended = list(pool.map(run, pairs))
        rules = "with" if is_guarded else "without"
        took = time.monotonic() - began
        print(f"{suite}, {rules} rules: {len(ended)} runs in {took:.0f} s", flush=True)
        return ended


def _pairs(suite: str, seat: Seat, options: argparse.Namespace) -> list[Pair]:
    """The pairs that are wanted; each task that is among them comes alone too."""
    known = seat.tasks()
    numbers = {f"user_task_{number}" for number in options.tasks.split(",") if number}
    tasks = [one for one in known["tasks"] if not numbers or one in numbers]
    if options.alone:
        return [Pair(suite, task) for task in tasks[:: options.every]]
    attacked = [Pair(suite, task, order) for task in tasks for order in known["injections"]]
    # In order, the same few orders would meet every task.
    Random(0).shuffle(attacked)  # noqa: S311 - a sample, no secret
    chosen = sorted(attacked[:: options.every], key=lambda one: tasks.index(one.task))
    return [*(Pair(suite, task) for task in dict.fromkeys(one.task for one in chosen)), *chosen]


if __name__ == "__main__":
    main()
