"""Measures of a ranking, against values worked out by hand."""

from math import log2

import pytest

from ingest.evaluate.evaluation import Quality, judge, mean


def test_judge_gives_the_ideal_ranking_one() -> None:
    """Best grades first."""
    assert judge(["a", "b"], {"a": 3, "b": 1}) == Quality(1, 1, 1, 1)


def test_judge_discounts_by_rank_and_grade() -> None:
    """The second place is worth 1 / log2(3); grades are gains."""
    found = judge(["x", "a", "b"], {"a": 1, "b": 4})
    ideal = 4 + 1 / log2(3)
    assert found.ndcg == pytest.approx((1 / log2(3) + 4 / log2(4)) / ideal)
    assert found.mrr == 0.5
    assert found.recall_5 == 1


def test_judge_counts_what_is_missing() -> None:
    """Recall is of all that answer; beyond the tenth place nothing counts."""
    ranking = [*"abcdefghij", "late"]
    grades = {"a": 1.0, "g": 1.0, "late": 1.0, "never": 1.0}
    found = judge(ranking, grades)
    assert found.recall_5 == 0.25
    assert found.recall_10 == 0.5
    assert judge(["x"], grades) == Quality(0, 0, 0, 0)
    assert judge([], grades) == Quality(0, 0, 0, 0)


def test_judge_of_many_answers_takes_ten_as_ideal() -> None:
    """No ranking of ten can hold more."""
    ranking = list("abcdefghij")
    assert judge(ranking, dict.fromkeys("abcdefghijklmno", 1.0)).ndcg == pytest.approx(1)


def test_mean_is_of_each_measure() -> None:
    """Questions count alike."""
    assert mean([Quality(1, 1, 1, 1), Quality(0, 0.5, 0, 0)]) == Quality(0.5, 0.75, 0.5, 0.5)
