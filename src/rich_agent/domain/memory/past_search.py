"""Ranks earlier turns of a conversation by words and meaning, as documents are ranked.

Two things differ. The length of a turn does not count, or empty talk would come first; and a turn
with those next to it is what a document is to its chunks: of whom it speaks was often said before.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.domain.retrieval.candidate import Whole
from rich_agent.domain.retrieval.fusion import Background, WordQuery, score

_LEAST_SCORE = 0.25


@dataclass(frozen=True, slots=True)
class TurnScores:
    """The scores of a turn, as `Candidate` has them; `whole` is the turn with its neighbours."""

    id: int
    words: float
    vector: float | None
    matched: frozenset[int]
    whole: Whole | None = None


def beside(words: Sequence[float], vectors: Sequence[float]) -> Whole:
    """A turn with the one before and the one after, from the scores of all three."""
    return Whole(
        len(words), sum(words) / len(words), sum(vectors) / len(vectors) if vectors else None
    )


def nearest(
    turns: Sequence[TurnScores], words: WordQuery, background: Background | None, limit: int
) -> list[int]:
    """The ids of the turns nearest to what is asked, best first, the newer of equals.

    None if the best is farther than something that was said would be. Only the meaning tells: what
    is asked comes with other words for it, which may stand nowhere.
    """
    scores = zip(score(turns, words, background), turns, strict=False)
    ranking = sorted(scores, key=lambda pair: (-pair[0], -pair[1].id))
    least = _LEAST_SCORE * background.trust if background else 0.0
    if not ranking or ranking[0][0] < least:
        return []
    return [one.id for own, one in ranking[:limit] if own > 0]
