"""Metrics of a ranking, by the documents that answer a question."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import Any

_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions, each 0..1: nDCG@10, recall@5, recall@10, reciprocal rank within 10."""

    ndcg: float
    recall_5: float
    recall_10: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Quality of one way of searching, and its latency in milliseconds without embedding."""

    quality: Quality
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class BotRetrieval:
    """The retrieval that the bot gets: at most `passages` a question, `characters` on average.

    `documents` is the share of answering documents among them, `answers` the share of wanted words,
    None if the collection names none.
    """

    passages: int
    documents: float
    answers: float | None
    characters: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results for each way of searching ("vectors", "BM25", "fused") and for the bot."""

    documents: int
    chunks: int
    questions: int
    model: str
    ways: Mapping[str, Measured]
    bot: BotRetrieval

    def to_json(self) -> dict[str, Any]:
        """The evaluation as `ingest eval --json` prints it."""
        return asdict(self)


def judge(ranking: Sequence[str], grades: Mapping[str, float]) -> Quality:
    """The quality of a ranking of distinct document ids, best first.

    Gains are the grades themselves, discounted by the logarithm of the rank.
    Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.
    """
    found = [grades.get(document, 0.0) for document in ranking[:_DEPTH]]
    ideal = sorted(grades.values(), reverse=True)[:_DEPTH]
    first = next((rank for rank, grade in enumerate(found, start=1) if grade > 0), None)
    return Quality(
        ndcg=_gain(found) / _gain(ideal),
        recall_5=sum(grade > 0 for grade in found[:5]) / len(grades),
        recall_10=sum(grade > 0 for grade in found) / len(grades),
        mrr=1 / first if first else 0.0,
    )


def mean(qualities: Sequence[Quality]) -> Quality:
    """The mean of at least one quality."""
    count = len(qualities)
    return Quality(
        ndcg=sum(one.ndcg for one in qualities) / count,
        recall_5=sum(one.recall_5 for one in qualities) / count,
        recall_10=sum(one.recall_10 for one in qualities) / count,
        mrr=sum(one.mrr for one in qualities) / count,
    )


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))
