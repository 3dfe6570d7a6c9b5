"""Facts found by their wording, intervals, and what changed between two evaluations."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rich_agent.features.evaluation.intervals import change_of, mean_of, share_of
from rich_agent.features.evaluation.marks import (
    CITES,
    AnswerEvaluation,
    AnswerMarks,
    difference,
)
from rich_agent.features.evaluation.questions import ExpectedAnswer

AT = datetime.fromtimestamp(0, UTC)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("5,000 lamports", "It is **5000 lamports** [1]."),
        ("5.000 Lamports", "Das sind 5 000 Lamports."),
        ("5,000", "手数料は５,０００ランポートです"),
        ("24", "24시간마다"),
        ("0.83", "about 0,83"),
        ("1,000.5", "1 000,5"),
        ("−5 °C", "It is -5 °C."),
        ("burned", "Half is *Burned*."),
        ("保存されません", "写真そのものは保存されません。 [1]"),
        ("2026年4月1日", "Drift は2026年4月1日に"),
        ("SHA-256", "with SHA-256 [2][3]"),
        ("Zürich", "in ZU\u0308RICH"),
    ],
)
def test_unstated_finds_a_fact_however_it_is_written(fact: str, answer: str) -> None:
    """Grouping, decimal signs, width, case, marks and markers make no difference."""
    assert ExpectedAnswer("?", ((fact,),)).missing_facts(answer) == []


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("5,000 lamports", "It is 15,000 lamports."),
        ("5", "It is −5."),
        ("83", "about 0.83"),
        ("12", "[12]"),
        ("4", "34 of them"),
        ("burn", "it is burned"),
        ("Oslo", "nothing"),
        ("24", "2400円"),
    ],
)
def test_unstated_names_a_fact_that_is_not_there(fact: str, answer: str) -> None:
    """A part of a number, of a word, or a marker is no fact."""
    assert ExpectedAnswer("?", ((fact,),)).missing_facts(answer) == [fact]


def test_unstated_takes_any_wording_and_names_the_first() -> None:
    """Both facts have several."""
    question = ExpectedAnswer("?", (("half", "50 %"), ("burned", "destroyed")))
    assert question.missing_facts("50 % is kept.") == ["burned"]


def test_share_of_is_wilsons_interval() -> None:
    """Known values; nothing has no share."""
    found = share_of([True] * 9 + [False])
    assert found is not None
    assert (found.value, round(found.low, 3), round(found.high, 3)) == (0.9, 0.596, 0.982)
    assert share_of([]) is None


def test_mean_of_is_the_same_each_time() -> None:
    """The interval holds the mean, and has no width without spread."""
    found = mean_of([1.0, 2.0, 3.0, 10.0])
    assert found == mean_of([1.0, 2.0, 3.0, 10.0])
    assert found is not None
    assert found.low < found.value == 4.0 < found.high
    flat = mean_of([2.0, 2.0])
    assert flat is not None
    assert (flat.low, flat.value, flat.high) == (2.0, 2.0, 2.0)


def test_change_of_counts_pairs_that_differ() -> None:
    """Nothing that changed leaves an interval around 0; ten losses of twenty do not."""
    same = change_of([(True, True)] * 20)
    assert same is not None
    assert same.value == 0.0
    assert same.low < 0 < same.high
    lost = change_of([(True, False)] * 10 + [(True, True)] * 10)
    assert lost is not None
    assert lost.value == -0.5
    assert lost.high < 0


def evaluation(*answers: AnswerMarks) -> AnswerEvaluation:
    """Of these answers."""
    return AnswerEvaluation("model", AT, answers)


def test_difference_names_what_was_lost_and_gained() -> None:
    """Per question; new questions and new expectations count for neither."""
    first = AnswerMarks("a", facts={"x": True, "y": False}, cites=True)
    then = evaluation(first, AnswerMarks("b", refuses=False), AnswerMarks("c", facts={"x": True}))
    now = evaluation(
        replace(first, facts={"x": True, "y": True, "z": False}, cites=False),
        AnswerMarks("b", refuses=True),
        AnswerMarks("c", facts={"x": True}),
        AnswerMarks("d", facts={"x": False}),
    )
    found = difference(then, now)
    assert [(one.ask, one.lost, one.gained) for one in found.worse] == [("a", (CITES,), ("“y”",))]
    assert [one.ask for one in found.better] == ["b"]
    assert found.right is not None
    assert found.right.count == 3


def test_measures_leave_failed_questions_out_of_the_means() -> None:
    """They count as wrong."""
    measures = evaluation(
        AnswerMarks("a", facts={"x": True}, tokens=100, seconds=2.0, cost_usd=0.5),
        AnswerMarks("b", facts={"x": False}, failure="away"),
    ).measures()
    assert measures["right"] is not None
    assert measures["tokens"] is not None
    assert (measures["right"].value, measures["tokens"].value) == (0.5, 100)
    assert measures["refusals"] is None
