"""Further rounds: which signs begin them, and which passages they leave."""

import pytest

from rich_agent.domain.budget import leave_out
from rich_agent.domain.retrieval.further_search import (
    Gap,
    gap_in,
    join_rounds,
    passages_by_number,
)
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


def test_joined_passages_keep_the_order_in_which_they_were_read() -> None:
    """New ones follow, each once; a text that was read is not new."""
    repeated = make.passage(20, content=READ[0].content)
    passages = join_rounds(READ, [READ[3]], [NEW[:2], [*READ[:1], NEW[2], repeated]], 6)
    assert passages == [*READ, NEW[0], NEW[1], NEW[2]]


@pytest.mark.parametrize(("useful", "places"), [(0, 6), (1, 5), (3, 3), (6, 3)])
def test_joined_passages_have_places_for_new_ones(useful: int, places: int) -> None:
    """Half of them, however much is called useful; all, if nothing is."""
    assert join_rounds(READ, READ[:useful], [NEW], 6) == [*READ, *NEW[:places]]


@pytest.mark.parametrize(("excess", "left"), [(0, 6), (1, 5), (10, 5), (11, 4), (99, 4)])
def test_passages_are_left_out_from_the_end_of_those_that_may_go(excess: int, left: int) -> None:
    """As few as the budget requires, and no others."""
    removable = [READ[2], READ[4]]
    remaining = leave_out(READ, removable, excess, lambda _: 10)
    gone = {5: [READ[4]], 4: removable}.get(left, [])
    assert remaining == [passage for passage in READ if passage not in gone]
