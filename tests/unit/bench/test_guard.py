"""The guard of what a turn costs: what is worse, missing or new."""

from collections import Counter
from pathlib import Path

import pytest

from bench.guard.__main__ import turn_figures
from bench.guard.figures import Figures, regressions
from bench.turn_cost import BARE_NAME, STREAMED_NAME, Cost

COMMITTED = Figures({"statements": 80, "calls": 0}, {"shared": 0.8})


def test_regressions_has_nothing_against_figures_as_committed() -> None:
    """Also if they differ by what runs differ by, or are better."""
    assert [*regressions(COMMITTED, COMMITTED)] == []
    assert [*regressions(COMMITTED, Figures({"statements": 90, "calls": 0}, {"shared": 0.7}))] == []
    assert [*regressions(COMMITTED, Figures({"statements": 8, "calls": 0}, {"shared": 1.0}))] == []


@pytest.mark.parametrize(
    ("small", "large", "problem"),
    [
        ({"statements": 93, "calls": 0}, {"shared": 0.8}, "statements: 93, committed 80"),
        ({"statements": 80, "calls": 1}, {"shared": 0.8}, "calls: 1, committed 0"),
        ({"statements": 80, "calls": 0}, {"shared": 0.67}, "shared: 0.67, committed 0.8"),
        ({"statements": 80, "calls": 0}, {}, "shared: was not measured"),
        ({"calls": 0}, {"shared": 0.8}, "statements: was not measured"),
        (
            {"statements": 80, "calls": 0, "commits": 9},
            {"shared": 0.8},
            "commits: has no committed figure",
        ),
    ],
    ids=["large", "none before", "small share", "no share", "no count", "new"],
)
def test_regressions_names_a_figure_that_is_worse_missing_or_new(
    small: dict[str, float], large: dict[str, float], problem: str
) -> None:
    """Each by its name, in the direction in which it gets worse."""
    assert [*regressions(COMMITTED, Figures(small, large))] == [problem]


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Rounded; and a file that is not there has none."""
    path = tmp_path / "figures.toml"
    assert Figures.read(path) == Figures()
    Figures({'a "b"': 1234.5, "c": 0.12345}, {"d": 0.8}).write(path)
    assert Figures.read(path) == Figures({'a "b"': 1234, "c": 0.123}, {"d": 0.8})


def test_turn_figures_compares_processor_time_with_the_bare_graph_only() -> None:
    """Milliseconds are those of a machine; the ratio and the counts are the program's."""
    costs = {
        STREAMED_NAME: Cost(80, 60, 50.0, 150.0, 50.0, Counter()),
        BARE_NAME: Cost(30, 20, 20.0, 90.0, 10.0, Counter()),
    }
    assert turn_figures(costs).small == {
        f"{STREAMED_NAME}: statements": 80,
        f"{STREAMED_NAME}: commits": 60,
        f"{STREAMED_NAME}: WAL in KB": 50.0,
        "processor of bot and PostgreSQL compared with the bare graph": 2.0,
    }
