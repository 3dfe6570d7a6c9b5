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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from statistics import fmean
from unittest.mock import patch

from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.rules import Ruling
from rich_agent.ports.tools import Asker
from rich_agent.tools.tool import Arguments, Outcome, Tool
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import run, turns_with
from tests.twins.tools import InMemoryToolExecutions

MOST_MS = 2.0
_TURNS, _ROUNDS = 12, 20
_LETTERS, _WORDS = "abcdefghiklmnoprstuvw", 12


@dataclass(frozen=True, slots=True)
class Measured:
    """Milliseconds of processor for each turn of a conversation, and the model calls of all."""

    turns_ms: tuple[float, ...]
    model_calls: int


def main() -> None:
    """Run the command."""
    asyncio.run(_measure(is_guarded=True))
    found: dict[bool, list[Measured]] = {True: [], False: []}
    for number in range(_ROUNDS):
        for is_guarded in (number % 2 == 0, number % 2 == 1):
            found[is_guarded].append(asyncio.run(_measure(is_guarded=is_guarded)))
    guarded, unguarded = (_least(some) for some in found.values())
    for name, one in (("with", guarded), ("without", unguarded)):
        each = f"{fmean(one.turns_ms):.2f} ms each, {one.model_calls} model calls"
        print(f"{_TURNS} turns without tools, {name:<7} rules: {each}")
    more_ms = fmean(guarded.turns_ms) - fmean(unguarded.turns_ms)
    print(f"the rules take {more_ms:.2f} ms (at most {MOST_MS:g})")
    sys.exit(more_ms > MOST_MS or guarded.model_calls != unguarded.model_calls)


def _least(rounds: Sequence[Measured]) -> Measured:
    """The least that each turn took: what is above it, other programs had a part in."""
    turns = zip(*(one.turns_ms for one in rounds), strict=True)
    return Measured(tuple(map(min, turns)), rounds[0].model_calls)


async def _measure(*, is_guarded: bool) -> Measured:
    """The turns of a new conversation."""
    with _rules(is_guarded=is_guarded):
        made = _cast()
        turns, spent = turns_with(made), []
        gc.collect()
        # As `timeit` does: a collection goes through what all of the program has made.
        gc.disable()
        for number in range(_TURNS):
            began = time.process_time()
            await run(turns, f"When does ferry {number} leave?", request_id=f"r{number}")
            spent.append((time.process_time() - began) * 1000)
        gc.enable()
    return Measured(tuple(spent), len(made.chat.prompts) + len(made.planner.prompts))


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
    tools = [Tool(f"keep_{number}", "Keeps.", Arguments, _keep, "change") for number in range(13)]
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
        patch(f"{marks}._words_of_turn", lambda _: iter(())),
        patch(f"{marks}._words_of_earlier_turns", lambda _: iter(())),
        patch("rich_agent.tools.toolbox.decide", lambda *_: Ruling("auto")),
    ):
        yield


if __name__ == "__main__":
    main()
