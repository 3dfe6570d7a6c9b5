"""Comparison of two runs of a turn."""

from dataclasses import replace

from rich_agent.features.operator.difference import ListChange, compare
from rich_agent.turns.replay import TurnResult

FIRST = TurnResult(
    intent="general_question",
    plan="rag",
    reason="r",
    query="q",
    answer="Staking locks tokens. It earns rewards [1].",
    read=(("c1", "Staking › What"), ("c2", "Fees")),
    cited=(("c1", "Staking › What"),),
)


def test_runs_that_are_the_same_have_no_difference() -> None:
    """Then the comparison is false."""
    assert not compare(FIRST, FIRST)


def test_difference_names_each_field_of_the_decision_with_both_values() -> None:
    """Fields that are the same are left out."""
    difference = compare(FIRST, replace(FIRST, plan="rag+web", query="q now"))
    assert difference
    assert difference.decision == {"plan": ("rag", "rag+web"), "query": ("q", "q now")}


def test_difference_tells_what_came_and_went() -> None:
    """By key; the label may have changed."""
    read = (("c1", "Staking › What it is"), ("c3", "Rewards"))
    assert compare(FIRST, replace(FIRST, read=read)).read == ListChange(("Rewards",), ("Fees",), 1)


def test_difference_of_answers_goes_by_sentences() -> None:
    """In both languages; what stayed is shown between."""
    changed = compare(FIRST, replace(FIRST, answer="Staking locks tokens. It earns nothing."))
    assert changed.answer == (
        "  Staking locks tokens.",
        "- It earns rewards [1].",
        "+ It earns nothing.",
    )
    japanese = replace(FIRST, answer="預けます。報酬があります。")
    changed = compare(japanese, replace(japanese, answer="預けます。報酬はありません。"))
    assert changed.answer == ("  預けます。", "- 報酬があります。", "+ 報酬はありません。")
