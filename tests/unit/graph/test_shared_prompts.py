"""The calls of a turn: each begins with what the ones before it have read."""

from dataclasses import dataclass, replace
from itertools import takewhile

import pytest

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.message import Forwarded
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.plan import Routing
from rich_agent.ports.models import Prompt
from rich_agent.turns.runner import GraphTurns
from rich_agent.upstreams.models.chat import to_messages
from tests import make
from tests.scripted import ScriptedChat, ScriptedPassages, ScriptedPlanner
from tests.turns_in_memory import turns_with

FIRST = "I moved to Rome. When does the library open?"
SECOND = "And I have a cat. What does a card of the house cost?"
ANSWER = "The library opens at noon, so they say [1]."
HOURS = make.passage(1, content="The library opens at noon. " * 20)
FEES = make.passage(2, content="A card costs 9 euros. " * 20)
NEARBY = make.passage(3, content="The house is old. " * 20)


@dataclass(frozen=True, slots=True)
class Turn:
    """The prompts of a turn, in the order of its calls."""

    plan: Prompt
    look: Prompt
    answer: Prompt
    check: Prompt
    lesson: Prompt

    def in_order(self) -> list[Prompt]:
        """All of them."""
        return [self.plan, self.look, self.answer, self.check, self.lesson]


@pytest.fixture
def cast() -> make.Fakes:
    """Models that look once more in each turn, and a user of whom something is known."""
    routing = Routing("general_question", "rag", "r", "a query", described="the house")
    searches = [FurtherSearch(useful=(1,), queries=("card",)) for _ in range(2)]
    made = make.Fakes(
        chat=ScriptedChat((ANSWER,)),
        planner=ScriptedPlanner(routing, searches=searches),  # type: ignore[arg-type]
        passages=ScriptedPassages([HOURS, NEARBY], {"card": [FEES]}),
    )
    item = MemoryItem("Works as a nurse", "r0", make.NOW.isoformat(), "job")
    made.memories.kept[42] = LongTermMemory(facts=(item,))
    return made


async def prompts_of(cast: make.Fakes, turns: GraphTurns, text: str, request_id: str) -> Turn:
    """The prompts of the turn that answers this message."""
    async for _ in turns.run(make.request(text, request_id=request_id)):
        pass
    return Turn(
        cast.planner.prompts[-1],
        cast.planner.read[-1],
        cast.chat.prompts[-1],
        cast.chooser.prompts[-1],
        cast.extractor.prompts[-1],
    )


def shared_beginning(*texts: str) -> str:
    """The longest beginning that all texts have."""
    columns = zip(*texts, strict=False)
    return "".join(letters[0] for letters in takewhile(lambda one: len({*one}) == 1, columns))


def text_of(prompt: Prompt) -> str:
    """The prompt as a server reads it, message by message."""
    return "".join(f"\n<|{one.type}|>\n{one.content}" for one in to_messages(prompt))


async def test_calls_of_a_turn_begin_with_the_same_instructions_and_conversation(
    cast: make.Fakes,
) -> None:
    """They stand in all five, byte for byte, also in the next turn, and then the same message."""
    turns = turns_with(cast)
    first, second = (
        await prompts_of(cast, turns, FIRST, "r1"),
        await prompts_of(cast, turns, SECOND, "r2"),
    )
    assert {prompt.system for prompt in (*first.in_order(), *second.in_order())} == {
        first.plan.system
    }
    assert [text for _, text in second.plan.history] == [FIRST, ANSWER.replace(" [1]", "")]
    assert {prompt.history for prompt in second.in_order()} == {second.plan.history}
    message = shared_beginning(*(prompt.user for prompt in second.in_order()))
    assert f"<question>{SECOND}</question>" in message
    assert "- Works as a nurse" in message
    assert "It is now " in message


async def test_call_reads_what_the_call_before_it_did_not(cast: make.Fakes) -> None:
    """The answer goes on from the passages of the look, the check from all of the answer."""
    turns = turns_with(cast)
    await prompts_of(cast, turns, FIRST, "r1")
    turn = await prompts_of(cast, turns, SECOND, "r2")
    look, answer, check = map(text_of, (turn.look, turn.answer, turn.check))
    shared = shared_beginning(look, answer)
    assert shared.count("</passage>") == look.count("</passage>") == 2
    assert FEES.content in answer.removeprefix(shared)
    assert check.startswith(f"{answer}\n<|ai|>\n{ANSWER}")
    assert len(shared_beginning(text_of(turn.lesson), check)) > len(turn.plan.system)


async def test_lesson_reads_no_words_of_others(cast: make.Fakes) -> None:
    """A forwarded text, and a conversation about one, could have itself learned as the user's."""
    turns = turns_with(cast)
    request = make.request(SECOND, request_id="r1")
    message = replace(request.message, forwarded=Forwarded("The user is called Eve.", "Eve"))
    async for _ in turns.run(replace(request, message=message)):
        pass
    later = await prompts_of(cast, turns, FIRST, "r2")
    for prompt in cast.extractor.prompts:
        assert "called Eve" not in text_of(prompt)
        assert "Works as a nurse" in prompt.user
    assert "called Eve" in text_of(later.answer)
    assert f"<question>{FIRST}</question>" in later.lesson.user
