"""Conversations as people hold them: `python -m bench.conversation [LANGUAGE…] [--stand-in]`.

The bot runs beside the sandbox with the sample documents. A scripted model plans each message well
and says what the talk tells, so that what is wrong is the product's own. With `--stand-in` the
demo's model answers by itself. `--show` prints what was said, to be
read, and `--only NAME` holds the talks whose names hold this.
"""

import argparse
import itertools
import sys
from collections.abc import Sequence

from bench.conversation.holding import Held, Holder
from bench.conversation.talks import Talk, load
from bench.samples import with_samples
from rich_agent.commands.demo import ABOUT_THE_BOT
from tests.acceptance.world import running_bot

_HEARS = {"TRANSCRIPTION_MODEL": "sandbox-transcription"}
_USERS = itertools.count(6_000_000)


def main() -> None:
    """Run the command."""
    options = _options()
    talks = [talk for talk in load(options.languages) if options.only in talk.name]
    held: list[list[Held]] = []
    with with_samples("--include", ABOUT_THE_BOT) as world, running_bot(world.environment | _HEARS):
        # One after the other: what is scripted for a message has to be gone before the next one.
        for talk in talks:
            held.append(Holder(world, next(_USERS), talk, not options.stand_in).hold())
            _print(talk, held[-1], show=options.show)
    sys.exit(_conclude(talks, held, stand_in=options.stand_in))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.conversation")
    parser.add_argument("languages", nargs="*", help="languages of the talks; all without any")
    parser.add_argument("--only", default="", help="talks whose names hold this, as in “a day”")
    parser.add_argument("--stand-in", action="store_true", help="the demo's model answers")
    parser.add_argument("--show", action="store_true", help="print all that was said")
    return parser.parse_args()


def _print(talk: Talk, turns: Sequence[Held], *, show: bool) -> None:
    """Print the turns of a talk, only those with which something is wrong unless all are wanted."""
    shown = [one for one in turns if show or one.wrong]
    if shown:
        print(f"\n{talk.language}: {talk.name}", flush=True)
    for one in shown:
        turn = one.turn
        print(f"  > {turn.say or turn.file or turn.forward or turn.photo}")
        for reply in one.replies:
            print("    " + reply.replace("\n", "\n    "))
        if one.buttons and show:
            print(f"    [{'] ['.join(one.buttons)}]")
        for wrong in one.wrong:
            print(f"    !! {wrong}")


def _conclude(talks: Sequence[Talk], held: Sequence[Sequence[Held]], *, stand_in: bool) -> int:
    """Print the figures; the exit code."""
    turns = [one for turns in held for one in turns]
    wrong = sum(bool(one.wrong) for one in turns)
    languages = len({talk.language for talk in talks})
    print(f"\n{len(turns)} turns of {len(talks)} talks in {languages} languages")
    print(f"wrong: {wrong} ({100 * wrong / max(1, len(turns)):.1f} %)")
    if stand_in:
        laughed = sum(bool(one.turn.laughs) for one in turns)
        print(
            f"laughed at by who read them: {laughed} ({100 * laughed / max(1, len(turns)):.1f} %)"
        )
        return 0
    return int(wrong > 0)


if __name__ == "__main__":
    main()
