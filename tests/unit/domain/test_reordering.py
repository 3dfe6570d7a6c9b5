"""Another order of what a search found."""

from collections.abc import Sequence

from rich_agent.domain.retrieval.candidate import Candidate
from rich_agent.domain.retrieval.fusion import select
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.reordering import Reordering, reorder


def ranked(count: int) -> list[Candidate]:
    """So many chunks of one document, best first, with falling scores."""
    return [
        Candidate(
            Passage(f"p{n}", "document", f"text {n}", "u", "Title", "S > T", score=0.9 - n / 10),
            words=1.0,
            vector=None,
            matched=frozenset(),
            document=n,
            position=0,
        )
        for n in range(count)
    ]


def test_reordered_keeps_scores_with_the_ranks() -> None:
    """Candidates that the order leaves out follow as before; none is lost."""
    found = [one.passage for one in reorder(ranked(4), [2, 0, 2])]
    assert [one.id for one in found] == ["p2", "p0", "p1", "p3"]
    assert [round(one.score, 1) for one in found] == [0.9, 0.8, 0.7, 0.6]


async def test_reordering_reads_the_best_candidates_with_their_places() -> None:
    """The others are behind them, and the new first comes first among the passages."""
    read: list[str] = []

    async def order(texts: Sequence[str]) -> list[int]:
        read.extend(texts)
        return [1, 0]

    found = await Reordering(2, order).of(ranked(3))
    assert read == ["Title › S › T\ntext 0", "Title › S › T\ntext 1"]
    assert [one.id for one in select(found, 2)] == ["p1", "p0"]
