"""Routing: what becomes of a model's proposal."""

import pytest

from rich_agent.domain.plan import (
    ABOUT_BOT,
    DOCS_REQUIRED,
    GENERAL,
    MOST_QUERIES,
    SMALLTALK,
    Domain,
    Plan,
    Routing,
    complete_routing,
)

DOMAIN = Domain("solana_defi_trade", "Solana and DeFi", (), ("solana", "drift", "staking"))


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


@pytest.mark.req("ROUTE-4", "ROUTE-5")
@pytest.mark.parametrize(
    ("text", "intent", "proposed", "plan"),
    [
        ("What is the latest release of PostgreSQL?", GENERAL, "direct", "web"),
        ("最新のPostgreSQLは？", GENERAL, "direct", "web"),
        ("What is the latest release of PostgreSQL?", GENERAL, "rag", "rag+web"),
        ("What is the latest release of PostgreSQL?", GENERAL, "web", "web"),
        ("What is the latest on this?", DOCS_REQUIRED, "rag", "rag"),
        ("Write a haiku about today", GENERAL, "direct", "direct"),
        ("What did I say today?", GENERAL, "direct", "direct"),
        ("How are you today?", SMALLTALK, "direct", "direct"),
        ("今日は何をすればいい？私の予定は", GENERAL, "direct", "direct"),
        ("What is a current account?", GENERAL, "direct", "direct"),
    ],
)
def test_complete_routing_sends_questions_about_now_to_the_web(
    text: str, intent: str, proposed: Plan, plan: Plan
) -> None:
    """The rule is stronger than the model, and leaves tasks and the user's own affairs alone."""
    completed = complete_routing(Routing(intent, proposed, "It seems so.", "q"), text, DOMAIN)
    assert completed.plan == plan
    assert ("about now" in completed.reason) == (plan != proposed)


@pytest.mark.req("ROUTE-4")
def test_complete_routing_reads_time_from_the_standalone_query() -> None:
    """After a question about today, "and Drift?" is about today, too."""
    proposed = Routing("domain_solana_defi_trade", "rag", "r", "Drift funding rate today")
    assert complete_routing(proposed, "And Drift?", DOMAIN).plan == "rag+web"


@pytest.mark.parametrize(
    ("proposed", "kept"),
    [
        ((), ()),
        (("one",), ()),
        (("a", " A ", "a"), ()),
        (("a", "", "b"), ("a", "b")),
        (tuple("abcde"), tuple("abcde"[:MOST_QUERIES])),
        (("what\nis", "that  one"), ("what is", "that one")),
    ],
)
def test_complete_routing_keeps_a_few_different_queries(
    proposed: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """One part is no compound question, and no part is searched for twice."""
    routing = Routing(GENERAL, "rag", "r", "a and b", proposed)
    assert complete_routing(routing, "text", DOMAIN).queries == kept
