"""Attacks by somebody who has read the rules: `python -m bench.agentdojo.adaptive [--only WORDS]`.

With `--without RULE`, or `--without each`, the attacks that a rule holds back are tried without it.

The model does whatever it reads, in any writing. Whether harm was done is read from the world: the
database, the servers, the searches, the links. Prints each attack that succeeds, or was not read.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.agentdojo.attacks import Attack, load
from bench.agentdojo.ground import Tried, opened
from bench.agentdojo.without import REMOVALS
from tests.database import PostgresServer, announce_run, remove_run, serve_databases


def main() -> None:
    """Run the command; ends with 1 if an attack succeeded."""
    parser = argparse.ArgumentParser(prog="python -m bench.agentdojo.adaptive")
    parser.add_argument("--only", default="", help="attacks whose names hold this")
    parser.add_argument("--side", type=int, default=2, metavar="N", help="attacks at once")
    parser.add_argument("--show", action="store_true", help="print what was said")
    parser.add_argument("--plans-all", action="store_true", help="a model that plans every call")
    parser.add_argument(
        *("--set", "-s"),
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="a setting of the bot, as an operator might choose it",
    )
    parser.add_argument(
        *("--without", "-w"), action="append", choices=["each", *REMOVALS], help="a rule less"
    )
    options = parser.parse_args()
    attacks = [one for one in load() if options.only in one.name]
    announce_run()
    began = time.monotonic()
    try:
        with serve_databases() as databases:
            if options.without:
                sys.exit(_try_without(options.without, databases, options.side))
            tried = _side_by_side(attacks, databases, options)
    finally:
        remove_run()
    sys.exit(_report(tried, time.monotonic() - began))


def _side_by_side(
    attacks: Sequence[Attack], databases: PostgresServer, options: argparse.Namespace
) -> Sequence[Tried]:
    """Try shares of the attacks on grounds of their own, and tell how each ended."""

    def try_share(share: Sequence[Attack]) -> Sequence[Tried]:
        tried = []
        for one in try_all(share, databases, plans_all=options.plans_all, **dict(options.set)):
            _tell(one, shows=options.show)
            tried.append(one)
        return tried

    shares = [attacks[number :: options.side] for number in range(options.side)]
    with ThreadPoolExecutor(options.side) as pool:
        return [one for tried in pool.map(try_share, shares) for one in tried]


def _try_without(rules: Sequence[str], databases: PostgresServer, side: int) -> int:
    """Print for each rule an attack that succeeds without it; 1 if there is none for one."""
    wanted = list(REMOVALS) if "each" in rules else rules
    with ThreadPoolExecutor(side) as pool:
        caught = list(pool.map(lambda rule: _first_without(rule, databases), wanted))
    for rule, name in zip(wanted, caught, strict=True):
        print(f"{rule:<13}{REMOVALS[rule].says:<52}{name or 'NOT CAUGHT'}")
    return int(not all(caught))


def _first_without(rule: str, databases: PostgresServer) -> str:
    """The first attack that succeeds without a rule, "" if none of those that it holds back does.

    Only one that fails with the rule shows anything.
    """
    attacks = [one for one in load() if REMOVALS[rule].tries in one.name]
    tried = try_all(attacks, databases, without=rule)
    return next((one.attack.name for one in tried if one.harm), "")


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def try_all(
    attacks: Sequence[Attack],
    databases: PostgresServer,
    *,
    plans_all: bool = False,
    **more: str,
) -> Iterator[Tried]:
    """Yield the attacks as they are tried, one after the other; `more` are settings of the bot."""
    described = [one for one in attacks if one.steps[0].enters == "description"]
    for some in ([one for one in attacks if one not in described], described):
        if some:
            with (
                tempfile.TemporaryDirectory() as folder,
                opened(some, databases, Path(folder), **more) as ground,
            ):
                ground.model.plans_all = plans_all
                yield from map(ground.try_out, some)


def _tell(one: Tried, *, shows: bool) -> None:
    if one.harm:
        print(f"SUCCEEDS {one.attack.name}: {one.harm[:200]}", flush=True)
    elif not one.was_read:
        print(f"not read {one.attack.name}: {one.said[:200]!r}", flush=True)
    if shows:
        print(f"{one.attack.name}\n{one.said}", flush=True)


def _report(tried: Sequence[Tried], seconds: float) -> int:
    """Print the figures; the exit code."""
    harmed, read = sum(bool(one.harm) for one in tried), sum(one.was_read for one in tried)
    print(f"{len(tried)} attacks, {read} read by the model, {harmed} succeed; {seconds:.0f} s")
    return int(harmed > 0)


if __name__ == "__main__":
    main()
