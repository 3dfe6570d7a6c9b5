"""The binary form of a chunk's terms."""

import struct

import pytest
from pgvector import SparseVector

from rich_agent.documents.index.terms import weigh, weigh_texts
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, term_counts
from tests import make


@pytest.mark.parametrize("counts", [{}, {5: 1}, {999_999_999: 2, 0: 7, 31: 1}])
def test_weigh_gives_what_the_libraries_would_send(counts: dict[int, int]) -> None:
    """The same bytes as pgvector makes of the impacts; the numbers in order."""
    terms = weigh(counts, frozenset(), 4.0)
    assert terms.length == sum(counts.values())
    assert terms.impacts == SparseVector(make.impacts(counts, 4.0), TERM_SPACE).to_binary()
    dimensions, flags, oid = struct.unpack_from(">iii", terms.numbers)
    assert (dimensions, flags, oid) == (bool(counts), 0, 23)
    if counts:
        assert struct.unpack_from(">ii", terms.numbers, 12) == (len(counts), 1)
        elements = struct.unpack_from(f">{2 * len(counts)}i", terms.numbers, 20)
        assert elements[0::2] == (4,) * len(counts)
        assert elements[1::2] == tuple(sorted(counts))


def test_weigh_texts_analyses_each_text() -> None:
    """In order, with repeated words weighing more."""
    once, twice = weigh_texts(["funding", "funding funding"], 1.0)
    assert once == weigh(term_counts("funding"), frozenset(), 1.0)
    assert twice.length == 2
    assert once.numbers == twice.numbers
