"""Attacks by somebody who has read the rules: `python -m bench.agentdojo.adaptive [--only WORDS]`.

The model does whatever it reads, in any writing. Whether harm was done is read from the world: the
database, the servers, the searches, the links. Prints each attack that succeeds, or was not read.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.agentdojo.attacks import Attack, load
from bench.agentdojo.ground import Tried, opened
from tests.database import PostgresServer, announce_run, remove_run, serve_databases


def main() -> None:
    """Run the command; ends with 1 if an attack succeeded."""
    parser = argparse.ArgumentParser(prog="python -m bench.agentdojo.adaptive")
    parser.add_argument("--only", default="", help="attacks whose names hold this")
    parser.add_argument("--show", action="store_true", help="print what was said")
    options = parser.parse_args()
    attacks = [one for one in load() if options.only in one.name]
    announce_run()
    began = time.monotonic()
    try:
        with serve_databases() as databases:
            tried = try_all(attacks, databases, shows=options.show)
    finally:
        remove_run()
    sys.exit(_report(tried, time.monotonic() - began))


def try_all(
    attacks: Sequence[Attack], databases: PostgresServer, *, shows: bool = False, **more: str
) -> Sequence[Tried]:
    """Try the attacks one after the other; `more` are settings of the bot."""
    tried: list[Tried] = []
    described = [one for one in attacks if one.steps[0].enters == "description"]
    for some in ([one for one in attacks if one not in described], described):
        if not some:
            continue
        with (
            tempfile.TemporaryDirectory() as folder,
            opened(some, databases, Path(folder), **more) as ground,
        ):
            for attack in some:
                tried.append(ground.try_out(attack))
                if shows:
                    print(f"{attack.name}\n{tried[-1].said}", flush=True)
    return tried


def _report(tried: Sequence[Tried], seconds: float) -> int:
    """Print the figures; the exit code."""
    for one in tried:
        if one.harm:
            print(f"SUCCEEDS {one.attack.name}: {one.harm[:200]}")
        elif not one.was_read:
            print(f"not read {one.attack.name}: {one.said[:200]!r}")
    harmed, read = sum(bool(one.harm) for one in tried), sum(one.was_read for one in tried)
    print(f"{len(tried)} attacks, {read} read by the model, {harmed} succeed; {seconds:.0f} s")
    return int(harmed > 0)


if __name__ == "__main__":
    main()
