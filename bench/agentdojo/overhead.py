"""Processor time of the rules in a turn without tools: `python -m bench.agentdojo.overhead`.

Turns of one conversation, each with six passages of strangers, an answer of 2,000 characters that
quotes two of their sentences, and the product's own tools, in one process with models that cost
nothing. The same turns are run with the rules and without them, one after the other; ends with 1 if
the rules take more than 2 ms.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from statistics import median
from unittest.mock import patch

from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.rules import RULES, Ruling
from rich_agent.ports.tools import Asker
from rich_agent.tools.tool import Arguments, Outcome, Tool
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import run, turns_with
from tests.twins.tools import InMemoryToolExecutions

MOST_MS = 2.0
_TURNS, _ROUNDS = 12, 15
_LETTERS, _WORDS = "abcdefghiklmnoprstuvw", 12


def main() -> None:
    """Run the command."""
    asyncio.run(_measure(is_guarded=True))
    found: dict[bool, list[tuple[float, int]]] = {True: [], False: []}
    for _ in range(_ROUNDS):
        for is_guarded, some in found.items():
            some.append(asyncio.run(_measure(is_guarded=is_guarded)))
    (with_ms, calls), (without_ms, others) = (
        (median(ms for ms, _ in some), some[0][1]) for some in found.values()
    )
    for name, ms, number in (("with", with_ms, calls), ("without", without_ms, others)):
        print(
            f"{_TURNS} turns without tools, {name:<7} rules: {ms:.2f} ms each, {number} model calls"
        )
    print(f"the rules take {with_ms - without_ms:.2f} ms (at most {MOST_MS:g})")
    sys.exit(with_ms - without_ms > MOST_MS or calls != others)


async def _measure(*, is_guarded: bool) -> tuple[float, int]:
    """Milliseconds of processor for a turn of a new conversation, and the model calls of all."""
    with _rules(is_guarded=is_guarded):
        made = _cast()
        turns = turns_with(made)
        gc.collect()
        began = time.process_time()
        for number in range(_TURNS):
            await run(turns, f"When does ferry {number} leave?", request_id=f"r{number}")
        spent = time.process_time() - began
    calls = len(made.chat.prompts) + len(made.planner.prompts)
    return spent / _TURNS * 1000, calls


async def _keep(_: Arguments, __: Asker) -> Outcome:
    return Outcome({})


def _prose(chance: Random) -> str:
    """About 2,400 characters in sentences of twelve words that nobody else uses."""
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(2, 9))) for _ in range(360)]
    return ". ".join(" ".join(words[at : at + _WORDS]) for at in range(0, len(words), _WORDS))


def _cast() -> make.Fakes:
    texts = [_prose(Random(number)) for number in range(7)]  # noqa: S311 - no secrets
    passages = [make.passage(number, content=texts[number]) for number in range(1, 7)]
    quoted = ". ".join(texts[1].split(". ")[:2])
    answer = f"{texts[0][:1800]}. {quoted}"
    # None is called: they are for turns that act.
    tools = [Tool(name, "Keeps.", Arguments, _keep, "change") for name in RULES]
    tools += [Tool(f"get_{number}", "Reads.", Arguments, _keep) for number in range(20)]
    return make.Fakes(
        chat=ScriptedChat((f"{answer} [1].",)),
        planner=ScriptedPlanner(Routing("general_question", "rag", "r", "ferry")),
        passages=ScriptedPassages(passages),
        tools=make.own_tools(tools, InMemoryToolExecutions()),
    )


@contextmanager
def _rules(*, is_guarded: bool) -> Iterator[None]:
    """The rules and the origins, or what there would be in their place."""
    if is_guarded:
        yield
        return
    marks = "rich_agent.graph.origins"
    with (
        patch(f"{marks}._of_this_turn", lambda _: iter(())),
        patch(f"{marks}._of_earlier_turns", lambda _: iter(())),
        patch("rich_agent.tools.toolbox.decide", lambda *_: Ruling("auto")),
    ):
        yield


if __name__ == "__main__":
    main()
