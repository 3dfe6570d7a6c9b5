import pytest

from rich_agent_sandbox.model.planning.plan import plan_answer
from rich_agent_sandbox.model.prompt import Domain, Prompt, Turn

SOLANA = Domain(
    "domain_solana_defi_trade",
    "Solana, Drift, trading, DeFi and blockchain. Examples: “What is the funding rate on Drift?”, "
    "“How do I open a perp position?”, “SOL price today”, 「ソラナの価格は？」「清算とは？」",
)


def test_plan_answer_answers_a_question_on_the_picture_directly() -> None:
    """A picture that was described needs no document."""
    prompt = Prompt("What is in this picture?", image_summaries=("orange and navy",))
    assert plan_answer(prompt).plan == "direct"


def test_standalone_query_takes_the_words_of_the_image() -> None:
    """A word that is only in the image reaches the query, from its entities or its text."""
    summary = "a label\n\nSeen: Kestrel-9; pump"
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
