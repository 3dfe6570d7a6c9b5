"""The least score that counts as evidence."""

from ingest.evaluate.calibration import Calibration, divide


def test_divide_finds_the_middle_of_the_gap() -> None:
    """A gap without overlap leaves no question on the wrong side."""
    assert divide([0.6, 0.8], [0.1, 0.2]) == 0.4


def test_divide_leaves_the_fewest_on_the_wrong_side() -> None:
    """One odd score of either kind does not move it far."""
    assert 0.3 < divide([0.05, 0.5, 0.6, 0.7], [0.1, 0.2, 0.3, 0.9]) < 0.5


def test_lines_show_both_distributions() -> None:
    """The setting as it is written, and how many of each kind would be weak."""
    first, answered, unanswered = Calibration(0.4, [0.6, 0.8], [0.1, 0.5]).lines()
    assert first == "RETRIEVAL_MIN_SCORE=0.40"
    assert answered.endswith("weak evidence for 0%")
    assert unanswered.endswith("weak evidence for 50%")
