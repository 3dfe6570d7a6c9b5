"""Messages that are about the last answer come back to the question before it."""

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.last_answer import resolved
from rich_agent_sandbox.model.planning.plan import plan_answer
from rich_agent_sandbox.model.prompt import Passage, Prompt, Turn

FIRST, SECOND = "Staking locks tokens for a validator.", "Staking pays rewards each epoch."
STAKING = Passage(1, "document", "Staking", "What is staking", "", f"{FIRST} {SECOND}")


def after_staking(text: str, *more: Turn) -> Prompt:
    """A message after a question on staking and its answer."""
    turns = (Turn("user", "What is staking?"), Turn("assistant", FIRST), *more)
    return resolved(Prompt(text, turns=turns, passages=(STAKING,)))


@pytest.mark.parametrize(
    "text",
    ["shorter please", "warum?", "¿y el segundo?", "もっと短く", "لماذا؟", "neden?"],
)
def test_resolved_takes_the_question_before(text: str) -> None:
    """In any of its languages; the plan is that of the question."""
    prompt = after_staking(text)
    assert prompt.question == "What is staking?"
    assert plan_answer(prompt).plan == "rag"


def test_resolved_goes_past_other_such_messages() -> None:
    """A "why?" after "shorter" is still about staking, and thanks are no question."""
    more = Turn("user", "shorter"), Turn("assistant", FIRST), Turn("user", "thanks")
    assert after_staking("why?", *more).question == "What is staking?"


def test_resolved_leaves_a_first_message_alone() -> None:
    """There is nothing to come back to."""
    assert resolved(Prompt("why?")) == Prompt("why?")


def test_resolved_takes_what_was_meant() -> None:
    """The subject that is named, and no other."""
    assert after_staking("nein, ich meinte bei Liquidity Pools").question == "Liquidity Pools"


def test_shorter_is_one_sentence_and_more_is_another() -> None:
    """A quote is not repeated; when nothing is left, the passage is named."""
    assert answer(after_staking("shorter")) == f"{FIRST} [1]"
    assert FIRST not in answer(after_staking("tell me more"))
    everything = Turn("assistant", f"{FIRST} {SECOND}")
    told = answer(after_staking("what else?", everything))
    assert told == f"{say('fallback', 'en')}\n\n{say('given', 'en')} [1]"


def test_other_language_is_that_of_the_answer() -> None:
    """Also where the question is in English."""
    assert language_wanted(after_staking("auf deutsch bitte")) == "de"


def test_stop_is_small_talk() -> None:
    """It looks nothing up."""
    prompt = after_staking("basta")
    assert plan_answer(prompt).intent == "smalltalk_or_short"
    assert answer(prompt)
