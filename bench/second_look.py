"""Rate and cost of second looks at an answer: `python -m bench.second_look [LIMIT]`.

The bot runs beside the sandbox with the sample documents, as in the acceptance tests. It is asked
the utterances of `bench.routing` that documents answer, each by a user of its own, with the model
as it is and then with an answer that names a person whom no passage names.
"""

import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.routing.utterances import load
from bench.samples import with_samples
from rich_agent.domain.text import most_tokens
from tests.acceptance.world import World, running_bot

LIMIT = 60
USERS = itertools.count(3_000_000)


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer: how many passages it cites, and the calls for a second look."""

    citations: int
    looks: Sequence[dict[str, Any]]


def ask(world: World, text: str, fault: str = "") -> Asked | None:
    """The answer to a new user's question; None for one that no document was read for."""
    user, before = next(USERS), world.sandbox.mark()
    if fault:
        world.sandbox.fail("openai", fault, containing='"stream":true')
    world.ask(user, text)
    world.sandbox.recover()
    decisions = world.decisions(user)
    if not decisions or not decisions[-1]["retrieved"]:
        return None
    looks = [
        call
        for call in world.sandbox.calls("openai", before)
        if '"unsupported"' in json.dumps(call["body"].get("response_format"))
    ]
    return Asked(decisions[-1]["citations_count"], looks)


def report(name: str, asked: Sequence[Asked]) -> None:
    """Print the share of the answers, and the time and tokens of a look."""
    looked = [one for one in asked if one.looks]
    calls = [call for one in looked for call in one.looks]
    took = [1000 * (call["ended_at"] - call["started_at"]) for call in calls]
    tokens = [most_tokens(json.dumps(call["body"], ensure_ascii=False)) for call in calls]
    share = 100 * len(looked) / max(1, len(asked))
    print(f"{name:24} {len(asked):4} answers, {len(looked):3} with a second look ({share:.0f} %)")
    if calls:
        print(
            f"{'':24} {sum(took) / len(calls):4.0f} ms and at most {sum(tokens) / len(calls):.0f}"
            f" tokens each; most for one answer: {max(len(one.looks) for one in looked)}"
        )


def main() -> None:
    """Run the bot and ask."""
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else LIMIT
    alone = [one.text for one in load() if one.plans[0] != "direct" and not one.history]
    texts = alone[:: max(1, len(alone) // limit)]
    with with_samples() as world, running_bot(world.environment):
        for name, fault in (("as it is", ""), ("with an invented name", "misnamed")):
            asked = [found for text in texts if (found := ask(world, text, fault))]
            report(f"{name}, cited", [one for one in asked if one.citations])
            report(f"{name}, uncited", [one for one in asked if not one.citations])


if __name__ == "__main__":
    main()
