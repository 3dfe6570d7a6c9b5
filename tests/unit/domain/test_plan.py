"""Routing rules: what needs no model, and what a model's proposal becomes."""

import pytest

from rich_agent.domain.plan import (
    ABOUT_BOT,
    DOCS_REQUIRED,
    GENERAL,
    SMALLTALK,
    Domain,
    Plan,
    Routing,
    complete_routing,
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


@pytest.mark.req("ROUTE-1")
def test_complete_routing_turns_an_unknown_intent_into_a_general_question() -> None:
    """A label that nobody defined does not travel on."""
    completed = complete_routing(Routing("weather_forecast", "web", "r", "q"), "text", DOMAIN)
    assert completed.intent == GENERAL


@pytest.mark.req("ROUTE-3")
@pytest.mark.parametrize("plan", ["direct", "web"])
def test_complete_routing_answers_questions_about_the_bot_from_documents(plan: Plan) -> None:
    """The bot never speaks about itself from a model's memory."""
    completed = complete_routing(Routing(ABOUT_BOT, plan, "r", "q"), "who are you", DOMAIN)
    assert completed.plan == "rag"


@pytest.mark.req("ROUTE-4")
@pytest.mark.parametrize(
    ("text", "proposed", "plan"),
    [
        ("What is staking?", "direct", "rag"),
        ("What is staking?", "web", "rag+web"),
        ("What does SOL cost today?", "rag", "rag+web"),
        ("SOLの今日の価格は", "rag", "rag+web"),
    ],
)
def test_complete_routing_looks_into_documents_first_for_the_domain(
    text: str, proposed: Plan, plan: str
) -> None:
    """A domain question always reads the documents, and the web too when it is about now."""
    routing = Routing("domain_solana_defi_trade", proposed, "r", "")
    completed = complete_routing(routing, text, DOMAIN)
    assert (completed.plan, completed.query) == (plan, text)
