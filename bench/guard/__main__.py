"""Compares what a turn costs with committed figures: `python -m bench.guard [--accept]`.

It runs `bench.turn_cost` with the bare graph and `bench.prompts`, and takes ratios and counts
only, which depend little on the machine. It exits with 1 if a figure is more than 15 % worse than
in `figures.toml`, is missing there, or was not measured. `--accept` writes that file instead.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.guard.figures import Figures, regressions, rounded
from bench.prompts.conversation import hold_conversation
from bench.prompts.sharing import figures, sharing_of
from bench.tokens.counting import Estimate
from bench.turn_cost import BARE_NAME, STREAMED_NAME, Cost, turn_costs

_TURNS_AND_IDLE_S = 3, 24.0
"""What an idle bot does is taken off each turn: six seconds of it said too little."""
_COMMITTED = Path(__file__).with_name("figures.toml")


def main() -> None:
    """Measure, print each figure next to the committed one, and compare."""
    parser = argparse.ArgumentParser(prog="python -m bench.guard")
    parser.add_argument("--accept", action="store_true", help="commit the figures of this run")
    options = parser.parse_args()
    current = _prompt_figures() | turn_figures(dict(turn_costs(*_TURNS_AND_IDLE_S)))
    committed = Figures.read(_COMMITTED)
    old = committed.by_name
    for name, value in current.by_name.items():
        before = rounded(old[name]) if name in old else ""
        print(f"{name:60}{rounded(value):>12}{before:>12}")
    if options.accept:
        current.write(_COMMITTED)
        return
    problems = sorted(regressions(committed, current))
    for problem in problems:
        print(f"WORSE {problem}")
    sys.exit(bool(problems))


def _prompt_figures() -> Figures:
    """Tokens by the estimate, which is the same on every machine, and shared prefixes."""
    return Figures(*figures(sharing_of(hold_conversation(), Estimate())))


def turn_figures(costs: Mapping[str, Cost]) -> Figures:
    """Counts of each plan, and the processor time of a streamed turn for each of the bare graph."""
    small = dict[str, float]()
    for name, cost in costs.items():
        if name != BARE_NAME:
            small[f"{name}: statements"] = cost.statements
            small[f"{name}: commits"] = cost.commits
            small[f"{name}: WAL in KB"] = cost.wal_kb
    bare, streamed = costs[BARE_NAME], costs[STREAMED_NAME]
    small["processor of bot and PostgreSQL compared with the bare graph"] = (
        streamed.processor_ms / bare.processor_ms
    )
    return Figures(small)


if __name__ == "__main__":
    main()
