"""Merges two rankings, by words (BM25) and by meaning (vectors), with weights for each question.

Both halves are measured in the same unit, how surprising their best chunk is among all chunks:
for words, its score above the mean, which is a sum of logarithms of odds; for vectors, half the
square of its distance from the mean in standard deviations. A model that does not know the
language, or a question in words of everyday use, shows in its half and takes weight from it.
The words may have all of the weight, and keep a quarter of it at least: of chunks about the same
thing, the one that names it comes first. The constants were fitted on four collections;
`docs/benchmarks.md` shows what they give.

The best of many chunks is high by chance more easily than the best of a few. So a chunk is ranked
by its own score and that of its whole document, which counts the less the longer it is.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rich_agent.domain.retrieval.candidate import Candidate, Whole
from rich_agent.domain.retrieval.passage import Passage

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


_MOST_IMPACTS = 8_000


def impacts(counts: Mapping[int, int]) -> dict[int, float]:
    """The impact of each term of a text whose length does not matter; see `slowness`.

    Of a very long text, those of its 8,000 commonest terms.
    """
    common = sorted(counts, key=lambda term: (-counts[term], term))[:_MOST_IMPACTS]
    return {term: impact(float(counts[term]), K1) for term in common}


def rarity(chunks_with_term: int, chunks: int) -> float:
    """The inverse document frequency of a term, above 0; `chunks` is the number of all chunks."""
    others = max(chunks - chunks_with_term, 0)
    return log(1 + (others + 0.5) / (chunks_with_term + 0.5))


@dataclass(frozen=True, slots=True)
class Pair:
    """Chunks that hold one of a word's terms and one of those of some other words."""

    word: frozenset[int]
    others: frozenset[int]


_MOST_PAIRS = 5


@dataclass(frozen=True, slots=True)
class WordQuery:
    """A question's terms with their weights, the heaviest first.

    `words` are the same by word: a word has a term for each language it may be in; words of one
    weight come with the rarest first. `shares` says
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
        weights = (weight for word, weight in self.words.items() if not word.isdisjoint(terms))
        return sum(weights) / total if total else 0.0

    def choose(self, most_chunks: int, least_score: float = 0.0) -> frozenset[int]:
        """The terms to look for: those of as many words as stand in so many chunks together.

        At least one word was measured, if any was: others may stand nowhere. With `least_score`,
        no more than are needed to miss no chunk with a higher one.
        Source: Turtle and Flood, Query evaluation: strategies and optimizations, 1995 (MaxScore).
        """
        terms: frozenset[int] = frozenset()
        expected_chunks = 0.0
        for word in self.words:
            expected_chunks += self._expected_chunks(word)
            is_enough = expected_chunks > most_chunks or self.bound_without(terms) <= least_score
            if is_enough and not self.measured.isdisjoint(terms):
                break
            terms |= word
        return terms

    def rare(self, most_chunks: int) -> frozenset[int]:
        """The terms of the rarest words that stand in so many chunks together; maybe none."""
        terms: frozenset[int] = frozenset()
        for word in self.words:
            most_chunks -= int(self._expected_chunks(word))
            if most_chunks < 0:
                break
            terms |= word
        return terms

    def pairs(self, rare: Collection[int], most_chunks: int) -> list[Pair]:
        """Of the other words, the heaviest with others, found in about so many chunks together.

        The two heaviest may be found in four times as many, and in any number where nothing is
        rare. The estimate takes words for independent.
        """
        others = [word for word in self.words if not word <= frozenset(rare)]
        rest = most_chunks
        most_for_pair = 4.0 * most_chunks if rare else inf
        pairs: list[Pair] = []
        for at, word in enumerate(others[:_MOST_PAIRS]):
            partners: frozenset[int] = frozenset()
            for other in others[at + 1 :]:
                both = (
                    self._expected_chunks(word) * self._expected_chunks(other) / max(self.chunks, 1)
                )
                if both > most_for_pair:
                    break
                rest -= int(both)
                most_for_pair = rest
                partners |= other
            if partners:
                pairs.append(Pair(word, partners))
        return pairs

    def bound_beside(self, rare: Collection[int], pairs: Iterable[Pair]) -> float:
        """Return an upper bound of the score of a chunk with no rare word and none of the pairs."""
        partners = {pair.word: pair.others for pair in pairs}
        others = [word for word in self.words if not word <= frozenset(rare)]
        bounds = [0.0]
        for at, word in enumerate(others):
            partner_terms = partners.get(word, frozenset())
            alone = (self.words[one] for one in others[at:] if not one <= partner_terms)
            bounds.append(GREATEST_IMPACT * sum(alone))
        return max(bounds)

    def _expected_chunks(self, word: Collection[int]) -> float:
        return self.chunks * sum(self.shares[term] for term in word)

    def bound_without(self, terms: Collection[int]) -> float:
        """Return an upper bound of the score of a chunk that holds none of these terms.

        A chunk holds a word in one language.
        """
        own_terms = frozenset(terms)
        return GREATEST_IMPACT * sum(w for word, w in self.words.items() if not word <= own_terms)


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
    rarest_first = sorted(by_word, key=lambda word: (-by_word[word], counts[word], min(word)))
    counts_by_term = {term: chunks_with.get(term, 1) for term in heaviest_first}
    return WordQuery(
        weights={term: weights[term] for term in heaviest_first},
        words={word: by_word[word] for word in rarest_first},
        shares={term: number / max(chunks, number) for term, number in counts_by_term.items()},
        chunks=chunks,
        measured=frozenset(counts_by_term.keys() & chunks_with.keys()),
    )


_TRUST_IN_VECTORS = 2.5
_SHARPNESS = 1.5
_MOST_FOR_VECTORS = 0.75
_LEAST = 1e-6
_USUAL_COUNT, _USUAL_MEAN, _USUAL_DEVIATION = 16, 0.1, 0.12


@dataclass(frozen=True, slots=True)
class Background:
    """The similarity of the question's vector to those of chunks at large.

    `trust` (0..1) says how well the model knows the question's language.
    """

    mean: float
    deviation: float
    trust: float = 1.0

    @classmethod
    def of_sample(cls, count: int, mean: float, deviation: float) -> "Background":
        """From a sample of chunks; a small one is filled up with what models commonly give."""
        share = count / (count + _USUAL_COUNT)
        centre = share * mean + (1 - share) * _USUAL_MEAN
        squares = share * (deviation**2 + mean**2)
        squares += (1 - share) * (_USUAL_DEVIATION**2 + _USUAL_MEAN**2)
        return cls(centre, sqrt(max(squares - centre**2, 0.0)))


class Scored(Protocol):
    """A text with its scores in both halves; see `Candidate`."""

    @property
    def words(self) -> float:
        """The BM25 score."""

    @property
    def vector(self) -> float | None:
        """The cosine similarity, None without a vector."""

    @property
    def matched(self) -> frozenset[int]:
        """The terms of the question that it holds."""

    @property
    def whole(self) -> Whole | None:
        """The text that it is a part of, if that matters."""


def rank(
    candidates: Sequence[Candidate], words: WordQuery, background: Background | None
) -> list[Candidate]:
    """The candidates, best first, with scores 0..1; see `rank_lazily`."""
    return list(rank_lazily(candidates, words, background))


def rank_lazily(
    candidates: Sequence[Candidate], words: WordQuery, background: Background | None
) -> Iterator[Candidate]:
    """The candidates, best first, with scores 0..1, as far as they are asked for; see `score`."""
    pairs = zip(score(candidates, words, background), candidates, strict=False)
    for own, one in sorted(pairs, key=lambda pair: (-pair[0], pair[1].passage.id)):
        yield replace(one, passage=replace(one.passage, score=_within(own)))


def score(
    candidates: Sequence[Scored], words: WordQuery, background: Background | None
) -> list[float]:
    """The score of each candidate, at most 1; none if no candidate speaks of the question.

    The best has the strength of the evidence as its score: how much of the question's weight of
    words its passages hold, and how far its similarity lies above the background, blended as the
    halves are trusted. Without a background, words alone rank.
    """
    if not candidates:
        return []
    by_words = _Half.of_words(candidates, words)
    by_vectors = _Half.of_vectors(candidates, background)
    trust = _trust_in_vectors(by_words, by_vectors)
    weight = min(trust, _MOST_FOR_VECTORS)

    def fuse(one: Scored | Whole) -> float:
        return (1 - weight) * by_words.share(one.words) + weight * by_vectors.share(one.vector)

    blend = [_with_whole(fuse(one), one.whole, fuse) for one in candidates]
    best = max(blend)
    # Where the vectors' model knows the language badly, the words' evidence counts for more.
    weight_of_vectors = trust * background.trust if background else 0.0
    evidence = (1 - weight_of_vectors) * by_words.evidence + trust * by_vectors.evidence
    return [min(evidence, 1.0) * own / best for own in blend] if best > 0 else []


def _with_whole(own: float, whole: Whole | None, fuse: Callable[[Whole], float]) -> float:
    """The score of a chunk; of a document of n chunks, the whole counts for one n-th of it."""
    return own + (max(fuse(whole), 0.0) - own) / whole.chunks if whole else own


@dataclass(frozen=True, slots=True)
class _Half:
    """One ranking: the mean of all chunks, the score of the best, how surprising that is.

    `evidence` says how much the best speaks of the question, 0..1. What a model that does not know
    the language finds near is neither surprising nor evidence.
    """

    mean: float
    best: float
    surprise: float
    evidence: float

    @classmethod
    def of_words(cls, candidates: Sequence[Scored], words: WordQuery) -> "_Half":
        best = max(candidates, key=lambda one: one.words)
        # Words that nearly every chunk holds tell little, and still more than nothing.
        mean = min(words.mean, best.words / 2)
        return cls(mean, best.words, best.words - mean, words.coverage(best.matched))

    @classmethod
    def of_vectors(cls, candidates: Sequence[Scored], background: Background | None) -> "_Half":
        near = [one.vector for one in candidates if one.vector is not None]
        if background is None or not near:
            return cls(0.0, 0.0, 0.0, 0.0)
        above = max(near) - background.mean
        surprise = (above / max(background.deviation, _LEAST)) ** 2 / 2 if above > 0 else 0.0
        evidence = above / max(1 - background.mean, _LEAST)
        trust = background.trust
        return cls(background.mean, max(near), trust * surprise, trust * evidence)

    def share(self, score: float | None) -> float:
        """A score between the mean (0) and the best (1); 0 for a chunk without one."""
        if score is None or self.best <= self.mean:
            return 0.0
        return (score - self.mean) / (self.best - self.mean)


def _trust_in_vectors(words: _Half, vectors: _Half) -> float:
    """The weight of the vectors, 0..1; the words have the rest."""
    if vectors.surprise <= 0:
        return 0.0
    if words.surprise <= 0:
        return 1.0
    odds: float = (_TRUST_IN_VECTORS * vectors.surprise / words.surprise) ** _SHARPNESS
    return odds / (1 + odds)


def _within(score: float) -> float:
    return min(max(score, 0.0), 1.0)


def select(rank_lazily: Iterable[Candidate], limit: int) -> list[Passage]:
    """At most `limit` passages, from at most as many chunks of one document; no text twice.

    Neighbours under one heading become one passage in the order of the text, with the id, the link
    and the score of the better one.
    """
    groups: list[list[Candidate]] = []
    of_document: Counter[int] = Counter()
    texts: set[str] = set()
    for one in rank_lazily:
        if one.passage.content in texts or of_document[one.document] == limit:
            continue
        group = next((group for group in groups if _adjoins(group, one)), None)
        if group is not None:
            group.append(one)
        elif len(groups) < limit:
            groups.append([one])
        else:
            break
        texts.add(one.passage.content)
        of_document[one.document] += 1
    return [_merge_neighbours(group) for group in groups]


def _adjoins(group: Sequence[Candidate], one: Candidate) -> bool:
    return any(
        other.document == one.document
        and other.passage.section == one.passage.section
        and abs(other.position - one.position) == 1
        for other in group
    )


def _merge_neighbours(group: Sequence[Candidate]) -> Passage:
    in_order = sorted(group, key=lambda one: one.position)
    content = "\n\n".join(one.passage.content for one in in_order)
    return replace(group[0].passage, content=content)
