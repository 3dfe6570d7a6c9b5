"""A sample of texts with their vectors, by which an embedding model is judged in each language."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rich_agent.domain.retrieval.language_trust import (
    LanguageTrust,
    TextLanguage,
    inner_sentence,
    main_language,
)

SAMPLED = 1_600
"""Texts that a question is compared with."""
_ASKED = 60
_FEWEST = 20
_MOST_LANGUAGES = 12
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class LanguageSample:
    """Texts and vectors, one in each row, and the places of those of each common language."""

    texts: Sequence[str]
    vectors: NDArray[np.float32]
    places: Mapping[TextLanguage, Sequence[int]]

    @classmethod
    def of(cls, texts: Sequence[str], vectors: Sequence[NDArray[np.float32]]) -> Self:
        """The texts by language, the commonest first; takes up to a second."""
        by_language: defaultdict[TextLanguage, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            by_language[main_language(text)].append(place)
        by_language.pop(TextLanguage("", ""), None)
        common = sorted(by_language.items(), key=lambda one: -len(one[1]))[:_MOST_LANGUAGES]
        return cls(
            texts=texts,
            vectors=np.stack(vectors) if vectors else np.zeros((0, 0), np.float32),
            places={language: places for language, places in common if len(places) >= _FEWEST},
        )

    def sentences(self, language: TextLanguage) -> list[str]:
        """A sentence of each of at most 60 texts of a language, to be embedded as questions are."""
        return [inner_sentence(self.texts[place]) for place in self.places[language][:_ASKED]]

    def judge(self, language: TextLanguage, vectors: NDArray[np.float32]) -> LanguageTrust:
        """Return what these vectors of `sentences`, one in each row, tell about the model."""
        places = self.places[language]
        return weigh_language(language, len(places), vectors, places[:_ASKED], self.vectors)


def weigh_language(
    language: TextLanguage,
    chunks: int,
    sentences: NDArray[np.float32],
    own: Sequence[int],
    vectors: NDArray[np.float32],
) -> LanguageTrust:
    """Judge a language by sentences (one in each row) whose chunks are the rows `own` of `vectors`.

    All vectors have length 1. The surprise of a chunk is half the square of its distance from the
    mean, as in the fusion; negative distances are none.
    """
    similarity = sentences @ vectors.T
    means = similarity.mean(axis=1)
    best = np.maximum(similarity.max(axis=1) - means, _LEAST)
    true = np.clip(similarity[np.arange(len(own)), own] - means, 0.0, best)
    return LanguageTrust(
        language.name,
        language.script,
        chunks,
        asked=len(own),
        found=int((true >= best - _LEAST).sum()),
        winners=len(np.unique(similarity.argmax(axis=1))),
        share=round(fmean((true / best) ** 2), 3),
    )
