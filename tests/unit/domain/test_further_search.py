"""Further rounds: which signs begin them, and which passages they leave."""

import pytest

from rich_agent.domain.retrieval.further_search import Gap, gap_in, join_rounds, passages_by_number
from rich_agent.domain.retrieval.passage import Passage
from tests import make

NEAR, FAR = make.passage(1, score=0.8), make.passage(2, score=0.1)
READ = [make.passage(number) for number in range(1, 7)]
NEW = [make.passage(number) for number in range(11, 17)]


@pytest.mark.parametrize(
    ("found", "described", "gap"),
    [
        ([[NEAR]], "", None),
        ([[FAR]], "", None),
        ([[NEAR]], "the network of the wallet", "described"),
        ([[NEAR], [FAR]], "", "one_side"),
        ([[NEAR], []], "", "one_side"),
        ([[FAR], []], "", None),
        ([[NEAR], [NEAR]], "", None),
    ],
)
def test_gap_is_what_is_described_or_a_side_without_evidence(
    found: list[list[Passage]], described: str, gap: Gap | None
) -> None:
    """Weak evidence alone is none: most questions of that kind stand in no document."""
    assert gap_in(found, described, 0.3) == gap


def test_chosen_passages_are_those_that_there_are() -> None:
    """A model may name a number twice, or one that there is not."""
    assert passages_by_number([2, 2, 0, -1, 99, 1], READ) == [READ[1], READ[0]]


def test_joined_passages_begin_with_the_useful_ones() -> None:
    """New ones follow, then the rest; no more than before, none twice."""
    found = join_rounds(READ, [READ[3]], [NEW[:2], [*READ[:1], NEW[2]]], 6)
    assert found == [READ[3], NEW[0], READ[0], NEW[1], NEW[2], READ[1]]


def test_joined_passages_leave_half_of_the_places_to_what_was_found() -> None:
    """However much is called useful."""
    assert join_rounds(READ, READ, [NEW], 6) == [*READ[:3], *NEW[:3]]


def test_joined_passages_alternate_where_none_is_useful() -> None:
    """The best of the first round stays first."""
    assert join_rounds(READ, [], [NEW], 4) == [READ[0], NEW[0], READ[1], NEW[1]]
