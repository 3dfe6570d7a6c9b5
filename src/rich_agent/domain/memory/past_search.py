"""Ranks earlier turns of a conversation by words and meaning, as documents are ranked.

There are two differences. The length of a turn does not count, else empty talk would come first.
The neighbours of a turn count as its document, because they often name the subject.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.domain.retrieval.candidate import Whole
from rich_agent.domain.retrieval.fusion import Background, WordQuery, score

_LEAST_SCORE = 0.25


@dataclass(frozen=True, slots=True)
class TurnScores:
    """The scores of a turn, as in `Candidate`; `whole` is the turn with its neighbours."""

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
    """The ids of the turns nearest to a question, best first, newer ones first among equals.

    The list is empty if even the best is too far away. Only the meaning can tell that: the words of
    a question may occur nowhere.
    """
    scores = zip(score(turns, words, background), turns, strict=False)
    ranking = sorted(scores, key=lambda pair: (-pair[0], -pair[1].id))
    least_score = _LEAST_SCORE * background.trust if background else 0.0
    if not ranking or ranking[0][0] < least_score:
        return []
    return [turn.id for turn_score, turn in ranking[:limit] if turn_score > 0]
