"""Grouping of questions into subjects: `python -m bench.features.operator_pages DIRECTORY...`.

Each directory is a test collection (what `bench.collections` makes). Its questions come one by one,
in an order drawn with a fixed seed, as they do on the operator's page Quality, and join a subject
by the same rules: by vectors of the model on this machine, and by words. For each way it prints the
number of subjects, and their purity against the documents that answer the questions (by title):
the share of questions whose subject has mostly questions of the same title. `joined` is the share
of pairs of questions with the same title that are in one subject. Several directories are also
grouped together, as if one bot had been asked in all their languages.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.beir import read_collection
from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.features.operator_pages.quality.grouping import Similarities, subject_by_words
from rich_agent.upstreams.local_embeddings.computing import TextBatch, compute

_SEED, _AT_ONCE = 7, 64


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with the title of the document that answers it."""

    text: str
    title: str


def read_questions(directory: Path) -> list[LabelledQuestion]:
    """The questions of a collection; titles of another language are other titles."""
    collection = read_collection(directory)
    titles = {one.id: one.title or one.id for one in collection.documents}
    return [
        LabelledQuestion(text, titles[next(iter(collection.relevant[key]))])
        for key, text in collection.queries.items()
        if collection.relevant.get(key)
    ]


def vectors_of(texts: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of questions by the model on this machine, of length 1."""
    model = MODELS[LOCAL]
    batches = [tuple(texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)]
    parts = [
        np.frombuffer(compute(TextBatch(model.package, batch, are_questions=True)), "<f4")
        for batch in batches
    ]
    vectors = np.concatenate(parts).reshape(-1, model.dimensions)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / lengths, np.float32)


def by_vectors(vectors: NDArray[np.float32]) -> Callable[[int, Sequence[int]], int | None]:
    """The choice of a subject by vectors, as the statement of the repository makes it."""
    usual = MODELS[LOCAL].usual

    def choose(at: int, subjects: Sequence[int]) -> int | None:
        if not subjects:
            return None
        similarities = vectors[:at] @ vectors[at]
        of_subject: dict[int, list[float]] = defaultdict(list)
        for subject, similarity in zip(subjects, similarities, strict=True):
            of_subject[subject].append(float(similarity))
        likeness = {
            one: (max(all_) + sum(all_) / len(all_)) / 2 for one, all_ in of_subject.items()
        }
        nearest = max(likeness, key=lambda one: (likeness[one], -one))
        mean, variance = float(similarities.mean()), float(similarities.var())
        found = Similarities(at, mean, variance, nearest, likeness[nearest])
        return found.subject(usual.mean, usual.deviation)

    return choose


def by_words(texts: Sequence[str]) -> Callable[[int, Sequence[int]], int | None]:
    """The choice of a subject by words."""
    terms = [frozenset(term_counts(text)) for text in texts]

    def choose(at: int, subjects: Sequence[int]) -> int | None:
        return subject_by_words(terms[at], list(zip(subjects, terms[:at], strict=True)))

    return choose


def group(count: int, choose: Callable[[int, Sequence[int]], int | None]) -> list[int]:
    """The subject of each question, numbered from 1."""
    subjects: list[int] = []
    for at in range(count):
        subject = choose(at, subjects)
        subjects.append(max(subjects, default=0) + 1 if subject is None else subject)
    return subjects


def report(name: str, subjects: Sequence[int], titles: Sequence[str]) -> None:
    """Print the measures of a grouping."""
    of_subject: dict[int, Counter[str]] = defaultdict(Counter)
    for subject, title in zip(subjects, titles, strict=True):
        of_subject[subject][title] += 1
    purity = sum(max(one.values()) for one in of_subject.values()) / len(titles)
    pairs = sum(n * (n - 1) for n in Counter(titles).values())
    joined = sum(n * (n - 1) for one in of_subject.values() for n in one.values())
    share = joined / pairs if pairs else 0.0
    print(f"{name:24}{len(of_subject):5} subjects  purity {purity:.3f}  joined {share:.3f}")


def main() -> None:
    """Group each collection, and all of them together."""
    collections = {path.name: read_questions(path) for path in map(Path, sys.argv[1:])}
    if not collections:
        raise SystemExit(__doc__)
    if len(collections) > 1:
        collections["together"] = [one for each in collections.values() for one in each]
    for name, questions in collections.items():
        random.Random(_SEED).shuffle(questions)  # noqa: S311 - a sample, no secret
        texts = [one.text for one in questions]
        titles = [one.title for one in questions]
        print(f"{name}: {len(texts)} questions on {len({*titles})} titles")
        report("  by vectors", group(len(texts), by_vectors(vectors_of(texts))), titles)
        report("  by words", group(len(texts), by_words(texts)), titles)


if __name__ == "__main__":
    main()
