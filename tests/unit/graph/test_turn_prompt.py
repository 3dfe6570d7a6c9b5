"""The common parts of the prompts of a turn, and of one turn and the next."""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from rich_agent.domain.budget import PromptBudget
from rich_agent.domain.text import estimate_tokens
from rich_agent.graph.services import Limits
from rich_agent.graph.turn_prompt import (
    cut_to_shares,
    tokens_by_turn,
    turn_prompt_of,
    window_tokens,
)
from rich_agent.graph.views import entry_of, messages_before
from rich_agent.ports.knowledge import DocumentTitles
from rich_agent.ports.models import Prompt
from rich_agent.prompts import disarm
from tests import make
from tests.golden_prompts.files import FOLDER
from tests.golden_prompts.situations import ANSWER, PLAN
from tests.scripted import ScriptedCatalogue
from tests.turns_in_memory import cast_for, run, turns_with

SITUATIONS = sorted(
    {path.name for path in (FOLDER / PLAN).iterdir()}
    & {path.name for path in (FOLDER / ANSWER).iterdir()}
)
MESSAGE_ALONE = (
    *("documents", "conversation", "reply_with_quote", "forwarded_alone", "image", "file", "past"),
    *("forwarded_with_a_question", "file_with_the_message", "tables", "asked_back", "session"),
    *("not_readable", "zone_not_known", "acting", "web_and_documents", "past_without_a_trace"),
)
"""Situations that differ in their message alone, or in what is found for it."""


class Sent(NamedTuple):
    """The messages of a prompt: instructions, conversation, and the user's last message."""

    system: str
    history: tuple[str, ...]
    user: str


def sent(path: Path) -> Sent:
    """The messages of a golden prompt, without calls and their results."""
    _, *parts = path.read_text("utf-8").split("======== ")
    system, *said = [part for part in parts if part.startswith(("system", "user", "assistant"))]
    last = max(number for number, part in enumerate(said) if "<question>" in part)
    return Sent(system, tuple(said[:last]), said[last])


@pytest.mark.parametrize("situation", SITUATIONS)
def test_plan_and_answer_of_a_turn_begin_alike(situation: str) -> None:
    """The instructions, the conversation, and all that is known of the message."""
    plan, answer = (sent(FOLDER / prompt / situation) for prompt in (PLAN, ANSWER))
    assert plan.system == answer.system
    assert plan.history == answer.history
    common, present, _ = plan.user.partition("It is now ")
    assert present
    assert answer.user.startswith(f"{common}{present}")


def test_nothing_that_changes_with_the_message_stands_before_the_conversation() -> None:
    """Whatever came and whatever was found, the instructions are the same."""
    paths = [FOLDER / prompt / f"{name}.txt" for prompt in (PLAN, ANSWER) for name in MESSAGE_ALONE]
    assert len({sent(path).system for path in paths if path.exists()}) == 1


@pytest.mark.parametrize("situation", SITUATIONS)
def test_task_of_a_call_stands_at_its_end(situation: str) -> None:
    """After all material, so that a model knows what to do."""
    for prompt in (PLAN, ANSWER):
        user = sent(FOLDER / prompt / situation).user
        _, is_task, task = user.rpartition("\n\nPlan " if prompt == PLAN else "\n\nAnswer ")
        assert is_task
        assert "</" not in task


TURNS = 9


async def conversation(turn_count: int) -> list[list[Prompt]]:
    """The prompts of the plans, and of the answers, of a long conversation.

    The titles nearest to a message differ each time; some messages and answers are very long.
    """
    cast = cast_for("rag")
    cast.limits = Limits(recent_turns=4, max_context_tokens=4_000)
    turns = turns_with(cast)
    for number in range(turn_count):
        titles = [f"Title {number}.{place}" for place in range(number % 4)]
        assert isinstance(cast.catalogue, ScriptedCatalogue)
        cast.catalogue.listed = DocumentTitles(tuple(titles), ("Another",))
        words = " at length" * (150 if number % 4 == 3 else 1)
        await run(turns, f"What is staking in {number}?{words}", request_id=f"r{number}")
    return [cast.planner.prompts, cast.chat.prompts]


async def test_conversation_is_never_rewritten() -> None:
    """Each prompt goes on from the one before; now and then the oldest turns leave together."""
    for prompts in await conversation(TURNS):
        gone_turns = []
        for before, after in pairwise(prompts):
            kept = next(
                kept
                for kept in range(len(before.history), -1, -1)
                if before.history[len(before.history) - kept :] == after.history[:kept]
            )
            is_moved = kept < len(before.history)
            assert is_moved or before.system == after.system
            gone_turns += [(len(before.history) - kept) // 2] if is_moved else []
        assert 0 < len(gone_turns) <= TURNS / 2
        assert min(gone_turns) >= 2


@pytest.mark.parametrize("text", ["word " * 9_000, "<s> " * 9_000, "<" * 9_000, "a" * 50_000])
@pytest.mark.parametrize("own_text", ["", "Is it true?", "long " * 9_000])
def test_long_question_and_its_answer_fit_into_the_window(text: str, own_text: str) -> None:
    """Together, also with a forwarded text, and with what stands around and within the texts."""
    services = make.Fakes().services()
    forwarded = {"text": text, "author": "Eve of the long name"}
    marks = {"forwarded": forwarded, "files": ["one.pdf"] * 3, "photos": 2}
    for question in (
        HumanMessage(own_text, id="r0:user", additional_kwargs=marks),
        HumanMessage(text, id="r0:user", additional_kwargs={"files": ["one.pdf"]}),
    ):
        turn = [question, AIMessage(text, id="r0:assistant")]
        assert tokens_by_turn(turn, services)["r0"] <= window_tokens(services)


async def test_short_words_about_a_long_forwarded_text_stay_whole() -> None:
    """The forwarded text is cut, and stays in its tag."""
    forwarded = {"text": "word " * 9_000, "author": "Eve"}
    question = HumanMessage("Is it true?", id="r0:user", additional_kwargs={"forwarded": forwarded})
    state = make.state("And this?", messages=[question])
    turn_prompt = await turn_prompt_of(state, make.Fakes().context())
    ((_, entry),) = turn_prompt.history
    assert entry.startswith('Is it true?\n<forwarded author="Eve">word ')
    assert entry.endswith("</forwarded>")
    assert len(entry) < len(entry_of(messages_before(state)[0])[1])


@pytest.mark.parametrize("shift", range(3))
async def test_cut_of_a_long_message_makes_no_tag(shift: int) -> None:
    """A name that begins like a tag may be cut to it."""
    text = " " * shift + "<s_" * 20_000
    state = make.state("And now?", messages=[HumanMessage(text, id="r0:user")])
    turn_prompt = await turn_prompt_of(state, make.Fakes().context())
    ((_, entry),) = turn_prompt.history
    assert disarm(entry) == entry


def test_slots_without_a_share_of_their_own_are_cut_in_their_order() -> None:
    """Each process leaves the same prompt, however it orders a set."""
    slots = {f"slot_{number}": "word " * 40 for number in range(12)}
    assert list(cut_to_shares(slots, PromptBudget(1_000, estimate_tokens, 300))) == [*slots]
