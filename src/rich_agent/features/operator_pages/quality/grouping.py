"""Choice of the subject of a question, and of the question that names a subject.

Questions come one by one. Each joins the subject that is most like it, if one is like it enough,
so subjects keep their numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

LEAST_DEVIATIONS: Final = 3.0
"""How far above the usual similarity of questions a subject has to be, in standard deviations.
Source: `python -m bench.features.operator_pages`."""
LEAST_SHARED: Final = 0.3
"""Least similarity by words, from 0 to 1. Source: the same."""
_PRIOR_QUESTIONS: Final = 30
"""Questions that the usual similarity in a space of vectors stands for, until there are more."""
_AMONG_QUESTIONS: Final = 1.5
"""Deviations by which questions to one bot are more like each other than like passages."""

Terms = frozenset[int]


@dataclass(frozen=True, slots=True)
class Similarities:
    """Similarities of a question to earlier ones: their count, mean and variance.

    `subject_id` is the subject that is most like it, `nearest` its similarity; 0 without questions.
    """

    count: int = 0
    mean: float = 0.0
    variance: float = 0.0
    subject_id: int = 0
    nearest: float = 0.0

    def subject(self, usual_mean: float, usual_deviation: float) -> int | None:
        """The subject of the question, None for a new one.

        `usual_mean` and `usual_deviation` are those between questions and passages of the space.
        """
        if not self.subject_id:
            return None
        prior_mean = usual_mean + _AMONG_QUESTIONS * usual_deviation
        count = self.count + _PRIOR_QUESTIONS
        mean = (self.count * self.mean + _PRIOR_QUESTIONS * prior_mean) / count
        squares = self.count * (self.variance + (self.mean - mean) ** 2)
        prior_squares = _PRIOR_QUESTIONS * (usual_deviation**2 + (prior_mean - mean) ** 2)
        threshold = mean + LEAST_DEVIATIONS * sqrt((squares + prior_squares) / count)
        return self.subject_id if self.nearest >= threshold else None


def subject_by_words(terms: Terms, earlier: Sequence[tuple[int, Terms]]) -> int | None:
    """The subject whose questions share the most words with these, rare ones counting more.

    None if none shares enough. `earlier` has subject and terms of each question; the work grows
    with their number only.
    """
    counts = Counter(term for _, others in earlier for term in others)

    def weight(term: int) -> float:
        """The square of the word's rarity as in BM25."""
        count = counts[term]
        return log(1 + (len(earlier) - count + 0.5) / (count + 0.5)) ** 2

    weights = {term: weight(term) for term in {*counts, *terms}}
    own_length = sqrt(sum(weights[term] for term in terms))
    by_subject: dict[int, list[float]] = defaultdict(list)
    for subject_id, others in earlier:
        shared = sum(weights[term] for term in terms & others)
        lengths = own_length * sqrt(sum(weights[term] for term in others))
        by_subject[subject_id].append(shared / lengths if lengths else 0.0)
    likeness = {subject: _likeness(values) for subject, values in by_subject.items()}
    best = max(likeness, key=lambda subject: (likeness[subject], -subject), default=None)
    return best if best is not None and likeness[best] >= LEAST_SHARED else None


def _likeness(similarities: Collection[float]) -> float:
    """The mean of the nearest question's similarity and of the average: one link is not enough."""
    return (max(similarities) + sum(similarities) / len(similarities)) / 2


def name_of(questions: Mapping[str, Terms]) -> str:
    """The question that names a subject: the one whose words most of the others have, too.

    Of several, the shortest. The name is a user's question as it was looked up, nothing is made up.
    """
    counts = Counter(term for terms in questions.values() for term in terms)

    def centrality(question: str) -> float:
        terms = questions[question]
        return sum(counts[term] for term in terms) / len(terms) if terms else 0.0

    return min(
        questions, key=lambda question: (-centrality(question), len(question), question), default=""
    )
