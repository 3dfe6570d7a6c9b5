"""Routing rules: what needs no model, and what is done without a plan."""

import pytest

from rich_agent.domain.routing.plan import GENERAL, SMALLTALK
from rich_agent.graph.planning import route_by_rule, route_without_plan


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    "text",
    ["hi", "Hi!", "yo", "HELLO", "やあ", "こんにちは！", "good morning", "Hey there", "👋 hi"],
)
def test_route_by_rule_answers_a_greeting_directly(text: str) -> None:
    """A greeting is direct, whatever its case and punctuation."""
    routing = route_by_rule(text)
    assert routing is not None
    assert (routing.intent, routing.plan) == (SMALLTALK, "direct")


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("text", ["thanks", "merci", "haha", "ありがとう", "👍", "..."])
def test_route_by_rule_answers_what_asks_for_nothing_directly(text: str) -> None:
    """Thanks, laughter, emoji and marks need no planning call."""
    routing = route_by_rule(text)
    assert routing is not None
    assert (routing.intent, routing.plan) == (SMALLTALK, "direct")


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    "text",
    ["Solana?", "what is staking", "手数料はいくらですか", "hi, what is a validator?", "ok", "ja"],
)
def test_route_by_rule_leaves_what_is_not_certain_to_the_planner(text: str) -> None:
    """A question, also when it begins with a greeting, and words that may answer or ask."""
    assert route_by_rule(text) is None


@pytest.mark.parametrize("text", ["I have diabetes", "What is SOL worth today?", "今日の天気は"])
def test_route_without_plan_asks_the_documents_alone(text: str) -> None:
    """Nobody has judged what the text is, so it goes nowhere else."""
    routing = route_without_plan(f" {text} ")
    assert (routing.intent, routing.plan, routing.query) == (GENERAL, "rag", text)
    assert not routing.may_widen


@pytest.mark.parametrize("text", ["2", "👍"])
def test_route_by_rule_leaves_an_answer_to_the_planner(text: str) -> None:
    """Words after a question of the bot may answer it; a word of thanks does not."""
    assert route_by_rule(text, was_asked=True) is None
    assert route_by_rule(text) is not None
    assert route_by_rule("thanks", was_asked=True) is not None


def test_route_by_rule_answers_a_sum_directly() -> None:
    """A calculation is no small talk, and nothing is looked up for it."""
    routing = route_by_rule("12 * (7 + 1) = ?")
    assert routing is not None
    assert (routing.intent, routing.plan) == (GENERAL, "direct")
