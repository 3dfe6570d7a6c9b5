import json

import pytest

from rich_agent_sandbox.model.planning.plan import plan_answer
from rich_agent_sandbox.model.prompt import Domain, Prompt, Turn

SOLANA = Domain(
    "domain_solana_defi_trade",
    "Solana, Drift, trading, DeFi and blockchain. Examples: “What is the funding rate on Drift?”, "
    "“How do I open a perp position?”, “SOL price today”, 「ソラナの価格は？」「清算とは？」",
)


@pytest.mark.parametrize(
    ("question", "intent", "plan"),
    [
        ("hi", "smalltalk_or_short", "direct"),
        ("Thank you so much!", "smalltalk_or_short", "direct"),
        ("やあ", "smalltalk_or_short", "direct"),
        ("what are your sources?", "about_this_bot", "rag"),
        ("What can you do?", "about_this_bot", "rag"),
        ("あなたは何ができますか", "about_this_bot", "rag"),
        ("How is funding paid on Drift?", "domain_solana_defi_trade", "rag"),
        ("what is a blockchain", "domain_solana_defi_trade", "rag"),
        ("清算とは何ですか", "domain_solana_defi_trade", "rag"),
        ("SOL price today", "domain_solana_defi_trade", "rag+web"),
        ("今日のソラナはどうですか", "domain_solana_defi_trade", "rag+web"),
        ("According to the documents, how long is the warranty?", "docs_required", "rag"),
        ("資料によると保証は何年ですか", "docs_required", "rag"),
        ("what is the latest release of PostgreSQL?", "general_question", "web"),
        ("Weather in Paris?", "general_question", "web"),
        ("write a summary of the latest news", "general_question", "web"),
        ("write a haiku about today", "general_question", "direct"),
        ("translate 'good night' to French", "general_question", "direct"),
        ("My name is Ana", "general_question", "direct"),
        ("私はどこに住んでいますか？", "general_question", "direct"),
        ("私のタスクは？", "general_question", "direct"),
        ("I feel sad today", "general_question", "direct"),
        ("I lost money on Drift", "domain_solana_defi_trade", "rag"),
        ("Remind me on Friday to call Bo", "general_question", "direct"),
        ("can you set an alarm?", "about_this_bot", "rag"),
        ("where do I live?", "general_question", "direct"),
        ("What did I ask you first?", "general_question", "direct"),
        ("How do I open a bank account?", "general_question", "rag"),
        ("How tall is a solarium?", "general_question", "rag"),
        ("What do you know about gravity?", "general_question", "rag"),
    ],
)
def test_plan_answer_follows_the_rules(question: str, intent: str, plan: str) -> None:
    """Labelled utterances get their intent and plan."""
    planned = plan_answer(Prompt(question, domains=(SOLANA,)))
    assert (planned.intent, planned.plan) == (intent, plan)
    assert planned.reason.endswith(".")


def test_plan_answer_knows_no_domain_that_is_not_configured() -> None:
    """Without a domain tag its words are ordinary words."""
    assert plan_answer(Prompt("How is funding paid on Drift?")).intent == "general_question"


def test_plan_answer_looks_nothing_up_for_what_came_unread() -> None:
    """“What does it say?” with a file is about the file."""
    assert plan_answer(Prompt("What does it say?", unread="document")).plan == "direct"
    assert plan_answer(Prompt("What does it say?")).plan == "rag"


def test_plan_answer_answers_a_question_on_the_picture_directly() -> None:
    """A picture that was described needs no document."""
    prompt = Prompt("What is in this picture?", image_summaries=("orange and navy",))
    assert plan_answer(prompt).plan == "direct"


def test_standalone_query_takes_the_words_of_the_image() -> None:
    """A word that is only in the image reaches the query, from JSON or from text."""
    summary = json.dumps({"summary": "a label", "entities": ["Kestrel-9", {"name": "pump"}]})
    asked = Prompt("What does the manual say about this?", image_summaries=(summary,))
    assert plan_answer(asked).query.endswith("about this? kestrel-9 pump")
    plain = Prompt("Is this safe?", image_summaries=("a Kestrel label",))
    assert "kestrel" in plan_answer(plain).query


@pytest.mark.parametrize(
    "asked", ["What about its fees?", "and its fee?", "手数料は？", "fees?", "And the fee?"]
)
def test_standalone_query_leans_on_the_question_before(asked: str) -> None:
    """A follow-up takes the words of what was asked before; a full question does not."""
    turns = (Turn("user", "How does staking on Marinade work?"), Turn("assistant", "So."))
    assert "marinade" in plan_answer(Prompt(asked, turns=turns)).query
    assert plan_answer(Prompt(asked)).query == asked
    full = "What is the capital of Norway, Oslo or Bergen?"
    assert plan_answer(Prompt(full, turns=turns)).query == full


def test_standalone_query_keeps_its_subject_over_several_follow_ups() -> None:
    """The subject stands two questions back, or in the answer about a picture."""
    turns = (
        Turn("user", "How does staking on Marinade work?"),
        Turn("assistant", "So."),
        Turn("user", "and its fee?"),
        Turn("assistant", "5 %."),
    )
    assert "marinade" in plan_answer(Prompt("and the minimum?", turns=turns)).query
    seen = (Turn("user", "What is this?"), Turn("assistant", "About the picture: a zebra."))
    assert "zebra" in plan_answer(Prompt("And its price?", turns=seen)).query


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("What is a validator?", ()),
        (
            "What is a validator, and how does it differ from a node?",
            ("What is a validator", "how does it differ from a node? validator"),
        ),
        (
            "What is staking? What is slashing?",
            ("What is staking?", "What is slashing?"),
        ),
        ("清算とは？担保とは？", ("清算とは？", "担保とは？")),
        ("What is bread and butter?", ()),
    ],
)
def test_searches_has_a_query_for_each_part(question: str, queries: tuple[str, ...]) -> None:
    """Each stands alone: a part that leans on the first takes its subject along."""
    assert plan_answer(Prompt(question)).queries == queries
