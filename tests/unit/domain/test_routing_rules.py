"""Routing rules: what needs no model, and what serves when the model gives no plan."""

import pytest

from rich_agent.domain.plan import ABOUT_BOT, DOCS_REQUIRED, GENERAL, SMALLTALK, Domain
from rich_agent.domain.routing_rules import (
    leans_on_conversation,
    route_by_rule,
    route_without_model,
)

DOMAIN = Domain("solana_defi_trade", "Solana and DeFi", (), ("solana", "drift", "staking"))


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    "text",
    ["hi", "Hi!", "yo", "HELLO", "やあ", "こんにちは！", "good morning", "Hey there", "👋 hi"],
)
def test_route_by_rule_answers_a_greeting_directly(text: str) -> None:
    """A greeting is direct, whatever its case and punctuation."""
    routing = route_by_rule(text, has_image=False)
    assert routing is not None
    assert (routing.intent, routing.plan) == (SMALLTALK, "direct")


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("text", ["thanks", "ok", "Solana", "cool", "ありがとう", "👍", "了解"])
def test_route_by_rule_answers_a_single_word_directly(text: str) -> None:
    """A single word needs no planning call."""
    routing = route_by_rule(text, has_image=False)
    assert routing is not None
    assert routing.plan == "direct"


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    "text", ["Solana?", "what is staking", "手数料はいくらですか", "hi, what is a validator?"]
)
def test_route_by_rule_leaves_questions_to_the_planner(text: str) -> None:
    """A question is planned by a model, also when it begins with a greeting."""
    assert route_by_rule(text, has_image=False) is None


@pytest.mark.req("ROUTE-2")
def test_route_by_rule_leaves_images_to_the_planner() -> None:
    """One word under an image is a question on the image."""
    assert route_by_rule("who", has_image=True) is None


@pytest.mark.req("ROUTE-1")
@pytest.mark.parametrize(
    ("text", "intent", "plan"),
    [
        ("What is Solana?", "domain_solana_defi_trade", "rag"),
        ("How does staking work?", "domain_solana_defi_trade", "rag"),
        ("What is the price of SOL on Drift today?", "domain_solana_defi_trade", "rag+web"),
        ("What can you do?", ABOUT_BOT, "rag"),
        ("what are your sources?", ABOUT_BOT, "rag"),
        ("情報源は何ですか", ABOUT_BOT, "rag"),
        ("According to the documents, who signs?", DOCS_REQUIRED, "rag"),
        ("What is the latest release of PostgreSQL?", GENERAL, "web"),
        ("Who was Ada Lovelace?", GENERAL, "rag"),
    ],
)
def test_route_without_model_labels_utterances(text: str, intent: str, plan: str) -> None:
    """Without a planner the rules still find intent and plan."""
    routing = route_without_model(text, DOMAIN)
    assert (routing.intent, routing.plan) == (intent, plan)


@pytest.mark.parametrize("text", ["Rome", "2", "👍"])
def test_route_by_rule_leaves_an_answer_to_the_planner(text: str) -> None:
    """What follows a question of the bot may answer it; a greeting does not."""
    assert route_by_rule(text, has_image=False, was_asked=True) is None
    assert route_by_rule(text, has_image=False) is not None
    assert route_by_rule("thanks", has_image=False, was_asked=True) is not None


def test_route_by_rule_answers_a_sum_directly() -> None:
    """A calculation is no small talk, and nothing is looked up for it."""
    routing = route_by_rule("12 * (7 + 1) = ?", has_image=False)
    assert routing is not None
    assert (routing.intent, routing.plan) == (GENERAL, "direct")


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("and its fee?", True),
        ("手数料は？", True),
        ("それはいくら？", True),
        ("What about Drift?", True),
        ("How is funding paid on Drift perpetuals?", False),
        ("清算とは何ですか", False),
    ],
)
def test_leans_on_conversation_tells_follow_ups(text: str, leans: bool) -> None:  # noqa: FBT001 - a table
    """A short question without a subject of its own."""
    assert leans_on_conversation(text) is leans


def test_route_without_model_takes_the_subject_from_the_question_before() -> None:
    """Also without a planner the query stands alone, and its subject decides the intent."""
    routing = route_without_model("and its fee?", DOMAIN, "How does staking work?")
    assert routing.query == "How does staking work? and its fee?"
    assert routing.intent == DOMAIN.intent
    assert route_without_model("What is a bank?", DOMAIN, "How?").query == "What is a bank?"
