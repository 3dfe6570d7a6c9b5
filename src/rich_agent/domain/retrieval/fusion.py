"""Merges two rankings, by words (BM25) and by meaning (vectors), with weights for each question.

Each ranking is weighted by how surprising its best chunk is among all chunks. For words, that is
its score above the mean, a sum of logarithms of odds. For vectors, it is half the square of its
distance from the mean in standard deviations. So a ranking has less weight if its model does not
know the language, or if the question has everyday words only.

Words have between a quarter and all of the weight: of chunks about one thing, the chunk that names
it comes first. The constants were fitted on four collections; `docs/benchmarks.md` shows the
results.

The best of many chunks has a high score by chance more easily than the best of a few. So a chunk is
ranked by its own score and that of its whole document, which counts less the longer it is.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, prod, sqrt
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rich_agent.domain.retrieval.candidate import Candidate, Whole
from rich_agent.domain.retrieval.local_models import OF_MOST_MODELS, Usual
from rich_agent.domain.retrieval.passage import Passage

Number = TypeVar("Number", float, NDArray[np.float64])

K1 = 1.2
B = 0.75
GREATEST_IMPACT = K1 + 1


def slowness(length: int, average_length: float) -> float:
    """The slowness with which repetition counts in a text of this length (terms).

    The longer the text, the slower.
    """
    return K1 * (1 - B + B * length / max(average_length, 1.0))


def impact(count: Number, slowness: float) -> Number:
    """The impact of a term that occurs `count` times in a text, 0..K1 + 1; of arrays, of each."""
    return count * (K1 + 1) / (count + slowness)


_MOST_IMPACTS = 8_000


def impacts(counts: Mapping[int, int]) -> dict[int, float]:
    """The impact of each term of a text whose length does not matter; see `slowness`.

    A very long text has those of its 8,000 most common terms.
    """
    commonest_terms = sorted(counts, key=lambda term: (-counts[term], term))[:_MOST_IMPACTS]
    return {term: impact(float(counts[term]), K1) for term in commonest_terms}


def rarity(chunks_with_term: int, chunks: int) -> float:
    """The inverse document frequency of a term, above 0; `chunks` is the number of all chunks."""
    chunks_without = max(chunks - chunks_with_term, 0)
    return log(1 + (chunks_without + 0.5) / (chunks_with_term + 0.5))


@dataclass(frozen=True, slots=True)
class Pair:
    """A condition on chunks: a term of one word, and a term of some other words.

    If there are terms in `further`, one of these as well.
    """

    word: frozenset[int]
    others: frozenset[int]
    further: frozenset[int] = frozenset()


_MOST_PAIRS = 5


@dataclass(frozen=True, slots=True)
class WordQuery:
    """The terms of a question with their weights."""

    weights: Mapping[int, float]
    """The weight of each term, the heaviest first."""
    words: Mapping[frozenset[int], float]
    """The weight of each word; a word has a term for each language it may be in.

    The heaviest come first, and the rarest first among equals.
    """
    shares: Mapping[int, float]
    """The share of chunks that hold a term."""
    chunks: int
    """The number of all chunks."""
    measured: frozenset[int]
    """The terms that the corpus had when it was last counted."""

    @property
    def mean(self) -> float:
        """The approximate mean score of a chunk."""
        return sum(weight * self.shares[term] for term, weight in self.weights.items())

    def coverage(self, terms: Collection[int]) -> float:
        """The share of the question's weight that these terms have, 0..1."""
        total = sum(self.words.values())
        weights = (weight for word, weight in self.words.items() if not word.isdisjoint(terms))
        return sum(weights) / total if total else 0.0

    def choose(self, most_chunks: int, least_score: float = 0.0) -> frozenset[int]:
        """The terms of the rarest words that occur in up to `most_chunks` chunks, to search for.

        At least one word was counted in the corpus, if any was: others may not occur at all. With
        `least_score`, the terms suffice to find every chunk with a higher score.

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
        """The terms of the rarest words that occur in up to `most_chunks` chunks; maybe none."""
        terms: frozenset[int] = frozenset()
        for word in self.words:
            most_chunks -= int(self._expected_chunks(word))
            if most_chunks < 0:
                break
            terms |= word
        return terms

    def pairs(self, rare: Collection[int], most_chunks: int) -> list[Pair]:
        """Pairs of the other words, the heaviest first, in up to `most_chunks` chunks together.

        If no pair is in so few, the heaviest is sought with a third word. If there is no third
        word, it is sought as it is, unless the question has rare words. The estimates assume that
        words are independent.
        """
        other_words = [word for word in self.words if not word <= frozenset(rare)]
        remaining_chunks = most_chunks
        pairs: list[Pair] = []
        for index, word in enumerate(other_words[:_MOST_PAIRS]):
            partners: frozenset[int] = frozenset()
            for partner in other_words[index + 1 :]:
                expected_chunks = self._expected_chunks(word, partner)
                if expected_chunks > remaining_chunks:
                    break
                remaining_chunks -= int(expected_chunks)
                partners |= partner
            if partners:
                pairs.append(Pair(word, partners))
        if pairs or len(other_words) < 2:
            return pairs
        pair = self._with_third_word(other_words, most_chunks)
        return [pair] if pair.further or not rare else []

    def _with_third_word(self, words: Sequence[frozenset[int]], most_chunks: int) -> Pair:
        """The first two words with one of the next, of which as many as fit are named."""
        word, partner, *third_words = words
        remaining_chunks = float(most_chunks)
        further: frozenset[int] = frozenset()
        for third_word in third_words:
            remaining_chunks -= self._expected_chunks(word, partner, third_word)
            if further and remaining_chunks < 0:
                break
            further |= third_word
        return Pair(word, partner, further)

    def bound_beside(self, rare: Collection[int], pairs: Iterable[Pair]) -> float:
        """An upper bound of the score of a chunk without rare words and without these pairs."""
        partners_by_word = {pair.word: pair.others for pair in pairs if not pair.further}
        other_words = [word for word in self.words if not word <= frozenset(rare)]
        bounds = [0.0]
        for index, word in enumerate(other_words):
            partner_terms = partners_by_word.get(word, frozenset())
            single_weights = (
                self.words[other_word]
                for other_word in other_words[index:]
                if not other_word <= partner_terms
            )
            bounds.append(GREATEST_IMPACT * sum(single_weights))
        return max(bounds)

    def _expected_chunks(self, *words: Collection[int]) -> float:
        """The expected number of chunks with a term of each of the words."""
        return self.chunks * prod(sum(self.shares[term] for term in word) for word in words)

    def bound_without(self, terms: Collection[int]) -> float:
        """An upper bound of the score of a chunk that holds none of these terms.

        A chunk holds a word in one language.
        """
        excluded_terms = frozenset(terms)
        return GREATEST_IMPACT * sum(
            weight for word, weight in self.words.items() if not word <= excluded_terms
        )


def word_query(
    words: Mapping[frozenset[int], int], chunks_with: Mapping[int, int], chunks: int
) -> WordQuery:
    """The query of a question's words; `chunks_with` is the number of chunks by term.

    A word is as rare as its terms together. It counts as one chunk if none of its terms was
    counted.

    Source: Pirkola, The effects of query structure and dictionary setups, 1998.
    """
    chunks_by_word = {word: sum(chunks_with.get(term, 0) for term in word) or 1 for word in words}
    weight_by_word = {
        word: occurrences * rarity(chunks_by_word[word], chunks)
        for word, occurrences in words.items()
    }
    weights: defaultdict[int, float] = defaultdict(float)
    for word, weight in weight_by_word.items():
        for term in word:
            weights[term] += weight
    heaviest_first = sorted(weights, key=lambda term: (-weights[term], term))
    rarest_first = sorted(
        weight_by_word, key=lambda word: (-weight_by_word[word], chunks_by_word[word], min(word))
    )
    counts_by_term = {term: chunks_with.get(term, 1) for term in heaviest_first}
    return WordQuery(
        weights={term: weights[term] for term in heaviest_first},
        words={word: weight_by_word[word] for word in rarest_first},
        shares={
            term: chunk_count / max(chunks, chunk_count)
            for term, chunk_count in counts_by_term.items()
        },
        chunks=chunks,
        measured=frozenset(counts_by_term.keys() & chunks_with.keys()),
    )


_TRUST_IN_VECTORS = 2.5
_SHARPNESS = 1.5
_MOST_FOR_VECTORS = 0.75
_LEAST = 1e-6
_USUAL_COUNT = 16


@dataclass(frozen=True, slots=True)
class Background:
    """The similarity of the question's vector to chunks in general.

    `trust` (0..1) is how well the model knows the question's language.
    """

    mean: float
    deviation: float
    trust: float = 1.0

    @classmethod
    def of_sample(
        cls, count: int, mean: float, deviation: float, usual: Usual = OF_MOST_MODELS
    ) -> "Background":
        """The background from a sample of chunks; usual values complete a small sample.

        They count less the more the sample contradicts them: models differ widely in how similar
        all of their vectors are, and a mean between two models fits neither.
        """
        difference = (mean - usual.mean) / usual.deviation
        usual_count = _USUAL_COUNT / (1 + (difference * count / _USUAL_COUNT) ** 2)
        sample_share = count / (count + usual_count)
        blended_mean = sample_share * mean + (1 - sample_share) * usual.mean
        mean_square = sample_share * (deviation**2 + mean**2)
        mean_square += (1 - sample_share) * (usual.deviation**2 + usual.mean**2)
        return cls(blended_mean, sqrt(max(mean_square - blended_mean**2, 0.0)))


class Scored(Protocol):
    """A text with its scores by words and by vectors; see `Candidate`."""

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
    """The candidates, best first, with scores 0..1, one by one; see `score`."""
    scored_candidates = zip(score(candidates, words, background), candidates, strict=False)
    for own_score, candidate in sorted(
        scored_candidates, key=lambda pair: (-pair[0], pair[1].passage.id)
    ):
        yield replace(candidate, passage=replace(candidate.passage, score=_within(own_score)))


def score(
    candidates: Sequence[Scored], words: WordQuery, background: Background | None
) -> list[float]:
    """The score of each candidate, at most 1; [] if none has anything to do with the question.

    The best score is the strength of the evidence: how much of the question's weight the words
    cover, and how far the similarity lies above the background, blended by the weights of the two
    rankings. Without a background, only words rank.
    """
    if not candidates:
        return []
    word_half = _Half.of_words(candidates, words)
    vector_half = _Half.of_vectors(candidates, background)
    trust = _trust_in_vectors(word_half, vector_half)
    vector_weight = min(trust, _MOST_FOR_VECTORS)

    def fuse(candidate: Scored | Whole) -> float:
        by_words = word_half.share(candidate.words)
        if candidate.vector is None:
            # It waits for its vector, which is no evidence against it.
            return by_words
        return (1 - vector_weight) * by_words + vector_weight * vector_half.share(candidate.vector)

    blended_scores = [
        _with_whole(fuse(candidate), candidate.whole, fuse) for candidate in candidates
    ]
    best_score = max(blended_scores)
    # If the model knows the language badly, the evidence of words counts more.
    weight_of_vectors = trust * background.trust if background else 0.0
    evidence = (1 - weight_of_vectors) * word_half.evidence + trust * vector_half.evidence
    return (
        [min(evidence, 1.0) * blended_score / best_score for blended_score in blended_scores]
        if best_score > 0
        else []
    )


def _with_whole(own_score: float, whole: Whole | None, fuse: Callable[[Whole], float]) -> float:
    """The score of a chunk; in a document of n chunks, the document's score counts 1/n."""
    return own_score + (max(fuse(whole), 0.0) - own_score) / whole.chunks if whole else own_score


@dataclass(frozen=True, slots=True)
class _Half:
    """One ranking: the mean of all chunks, the best score, and its surprise.

    `evidence` (0..1) is how much the best chunk has to do with the question. If the model does not
    know the language, both surprise and evidence are small.
    """

    mean: float
    best: float
    surprise: float
    evidence: float

    @classmethod
    def of_words(cls, candidates: Sequence[Scored], words: WordQuery) -> "_Half":
        """The ranking by words."""
        best_candidate = max(candidates, key=lambda candidate: candidate.words)
        # Words that nearly every chunk holds still have some weight.
        mean = min(words.mean, best_candidate.words / 2)
        return cls(
            mean,
            best_candidate.words,
            best_candidate.words - mean,
            words.coverage(best_candidate.matched),
        )

    @classmethod
    def of_vectors(cls, candidates: Sequence[Scored], background: Background | None) -> "_Half":
        """The ranking by vectors."""
        similarities = [
            candidate.vector for candidate in candidates if candidate.vector is not None
        ]
        if background is None or not similarities:
            return cls(0.0, 0.0, 0.0, 0.0)
        best_distance = max(similarities) - background.mean
        surprise = (
            (best_distance / max(background.deviation, _LEAST)) ** 2 / 2
            if best_distance > 0
            else 0.0
        )
        evidence = best_distance / max(1 - background.mean, _LEAST)
        trust = background.trust
        return cls(background.mean, max(similarities), trust * surprise, trust * evidence)

    def share(self, score: float | None) -> float:
        """The score on a scale from the mean (0) to the best (1); 0 for a chunk without a score."""
        if score is None or self.best <= self.mean:
            return 0.0
        return (score - self.mean) / (self.best - self.mean)


def _trust_in_vectors(words: _Half, vectors: _Half) -> float:
    """The weight of the vectors, 0..1; words have the rest."""
    if vectors.surprise <= 0:
        return 0.0
    if words.surprise <= 0:
        return 1.0
    odds: float = (_TRUST_IN_VECTORS * vectors.surprise / words.surprise) ** _SHARPNESS
    return odds / (1 + odds)


def _within(score: float) -> float:
    """The score, limited to 0..1."""
    return min(max(score, 0.0), 1.0)


def select(rank_lazily: Iterable[Candidate], limit: int) -> list[Passage]:
    """At most `limit` passages, with up to `limit` chunks of each document; no text twice.

    Neighbours under one heading become one passage, in the order of the text. It has the id, link
    and score of the better one.
    """
    groups: list[list[Candidate]] = []
    chunks_by_document: Counter[int] = Counter()
    texts: set[str] = set()
    for candidate in rank_lazily:
        if candidate.passage.content in texts or chunks_by_document[candidate.document] == limit:
            continue
        group = next((group for group in groups if _adjoins(group, candidate)), None)
        if group is not None:
            group.append(candidate)
        elif len(groups) < limit:
            groups.append([candidate])
        else:
            break
        texts.add(candidate.passage.content)
        chunks_by_document[candidate.document] += 1
    return [_merge_neighbours(group) for group in groups]


def _adjoins(group: Sequence[Candidate], candidate: Candidate) -> bool:
    """Whether the candidate is next to a candidate of the group, under the same heading."""
    return any(
        member.document == candidate.document
        and member.passage.section == candidate.passage.section
        and abs(member.position - candidate.position) == 1
        for member in group
    )


def _merge_neighbours(group: Sequence[Candidate]) -> Passage:
    """The passage of neighbouring chunks."""
    in_order = sorted(group, key=lambda candidate: candidate.position)
    content = "\n\n".join(candidate.passage.content for candidate in in_order)
    return replace(group[0].passage, content=content)
