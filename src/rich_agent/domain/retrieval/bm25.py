"""BM25: how much the words of a question speak for a chunk.

A chunk's part (impact) is stored with it and a question's part (rarity) is found when it is asked,
so that the score is their inner product.
Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import log
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", float, NDArray[np.float64])

K1 = 1.2
B = 0.75
GREATEST_IMPACT = K1 + 1


def slowness(length: int, average_length: float) -> float:
    """Return the slowness with which repetition counts in a text of this length, in terms.

    The longer the text, the slower.
    """
    return K1 * (1 - B + B * length / max(average_length, 1.0))


def impact(count: Number, slowness: float) -> Number:
    """The impact of a term that stands so often in a text, 0..K1 + 1; of arrays, of each."""
    return count * (K1 + 1) / (count + slowness)


def rarity(chunks_with_term: int, chunks: int) -> float:
    """The inverse document frequency of a term, above 0; `chunks` is the number of all chunks."""
    others = max(chunks - chunks_with_term, 0)
    return log(1 + (others + 0.5) / (chunks_with_term + 0.5))


@dataclass(frozen=True, slots=True)
class WordQuery:
    """A question's terms with their weights, the heaviest first.

    `words` are the same by word: a word has a term for each language it may be in. `shares` says
    which share of the `chunks` hold a term. Terms that are not `measured` were not there when the
    corpus was last looked through.
    """

    weights: Mapping[int, float]
    words: Mapping[frozenset[int], float]
    shares: Mapping[int, float]
    chunks: int
    measured: frozenset[int]

    @property
    def mean(self) -> float:
        """About the score that a chunk has on average."""
        return sum(weight * self.shares[term] for term, weight in self.weights.items())

    def coverage(self, terms: Collection[int]) -> float:
        """The share of the question's weight that these terms have, 0..1."""
        total = sum(self.words.values())
        held = (weight for word, weight in self.words.items() if not word.isdisjoint(terms))
        return sum(held) / total if total else 0.0

    def choose(self, most_chunks: int, least_score: float = 0.0) -> frozenset[int]:
        """The terms to look for: as many as stand in so many chunks together.

        At least one is a measured one, if there is any: others may stand nowhere. With
        `least_score`, no more than are needed to miss no chunk with a higher one.
        Source: Turtle and Flood, Query evaluation: strategies and optimizations, 1995 (MaxScore).
        """
        chosen: set[int] = set()
        found = 0.0
        for term in self.weights:
            found += self.shares[term] * self.chunks
            is_enough = found > most_chunks or self.bound_without(chosen) <= least_score
            if is_enough and not self.measured.isdisjoint(chosen):
                break
            chosen.add(term)
        return frozenset(chosen)

    def bound_without(self, terms: Collection[int]) -> float:
        """Return an upper bound of the score of a chunk that holds none of these terms.

        A chunk holds a word in one language.
        """
        known = frozenset(terms)
        return GREATEST_IMPACT * sum(w for word, w in self.words.items() if not word <= known)


def word_query(
    words: Mapping[frozenset[int], int], chunks_with: Mapping[int, int], chunks: int
) -> WordQuery:
    """The query of a question's words; `chunks_with` says how many chunks hold a term.

    A word is as rare as its terms are together, and counts as standing in one chunk if none of them
    was measured.
    Source: Pirkola, The effects of query structure and dictionary setups, 1998.
    """
    counts = {word: sum(chunks_with.get(term, 0) for term in word) or 1 for word in words}
    by_word = {word: n * rarity(counts[word], chunks) for word, n in words.items()}
    weights: defaultdict[int, float] = defaultdict(float)
    for word, weight in by_word.items():
        for term in word:
            weights[term] += weight
    heaviest_first = sorted(weights, key=lambda term: (-weights[term], term))
    found = {term: chunks_with.get(term, 1) for term in heaviest_first}
    return WordQuery(
        weights={term: weights[term] for term in heaviest_first},
        words=by_word,
        shares={term: number / max(chunks, number) for term, number in found.items()},
        chunks=chunks,
        measured=frozenset(found.keys() & chunks_with.keys()),
    )
