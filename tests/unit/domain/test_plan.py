"""Routing: what becomes of a model's proposal."""

import pytest

from rich_agent.domain.routing.plan import (
    ABOUT_BOT,
    DOCS_REQUIRED,
    GENERAL,
    MOST_QUERIES,
    SMALLTALK,
    Domain,
    Plan,
    Routing,
    WebUse,
    complete_routing,
)

DOMAIN = Domain("solana_defi_trade", "Solana and DeFi")


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


@pytest.mark.req("ROUTE-4", "ROUTE-5")
@pytest.mark.parametrize(
    ("intent", "proposed", "web", "plan", "rule"),
    [
        (DOMAIN.intent, "direct", None, "rag", "documents_may_say"),
        (DOMAIN.intent, "web", None, "rag+web", "documents_first"),
        (DOMAIN.intent, "rag", "now", "rag+web", "about_now"),
        (DOMAIN.intent, "rag", "if_needed", "rag", None),
        (GENERAL, "direct", "now", "web", "about_now"),
        (GENERAL, "rag", "now", "rag+web", "about_now"),
        (GENERAL, "web", "now", "web", None),
        (GENERAL, "direct", "if_needed", "direct", None),
        (GENERAL, "web", None, "web", None),
        (DOCS_REQUIRED, "rag", "now", "rag", None),
        (SMALLTALK, "direct", "now", "direct", None),
    ],
)
def test_complete_routing_searches_the_web_where_the_model_says_so(
    intent: str, proposed: Plan, web: WebUse | None, plan: Plan, rule: str | None
) -> None:
    """Documents come first for the domain; what depends on the present is searched for as well."""
    completed = complete_routing(Routing(intent, proposed, "r", "q", web=web), "text", DOMAIN)
    assert (completed.plan, completed.rule) == (plan, rule)


@pytest.mark.parametrize("proposed", ["web", "rag+web"])
@pytest.mark.parametrize("intent", [GENERAL, DOMAIN.intent, DOCS_REQUIRED])
def test_complete_routing_takes_never_at_its_word(intent: str, proposed: Plan) -> None:
    """A plan that contradicts itself sends nothing to the web."""
    completed = complete_routing(Routing(intent, proposed, "r", "q", web="never"), "t", DOMAIN)
    assert completed.plan == "rag"
    assert not completed.may_widen


@pytest.mark.parametrize(
    "text", ["What does SOL cost today?", "最新のPostgreSQLは？", "my salary this month is 4,000"]
)
def test_complete_routing_reads_nothing_into_words(text: str) -> None:
    """No word of a message brings the web in: that is for the model to judge."""
    for intent in (GENERAL, DOMAIN.intent):
        completed = complete_routing(Routing(intent, "rag", "r", text), text, DOMAIN)
        assert (completed.plan, completed.may_widen) == ("rag", False)


@pytest.mark.parametrize(
    ("intent", "proposed", "plan", "rule"),
    [
        (DOMAIN.intent, "rag", "rag", None),
        (DOMAIN.intent, "web", "rag", "no_web"),
        (GENERAL, "direct", "direct", None),
        (GENERAL, "web", "direct", "no_web"),
        (GENERAL, "rag+web", "rag", "no_web"),
    ],
)
def test_complete_routing_plans_no_web_search_where_there_is_none(
    intent: str, proposed: Plan, plan: Plan, rule: str | None
) -> None:
    """Without a key "What day is it today?" is answered from what the model knows."""
    about_now = Routing(intent, proposed, "r", "q", web="now")
    completed = complete_routing(about_now, "t", DOMAIN, can_search_web=False)
    assert (completed.plan, completed.rule) == (plan, rule)


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
