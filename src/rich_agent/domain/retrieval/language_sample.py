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
    without_sentence,
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
        return [inner_sentence(text) for text in self._asked_texts(language)]

    def rests(self, language: TextLanguage) -> dict[int, str]:
        """By place, these texts without their sentences, to be embedded as passages are.

        A text of one sentence is not among them: it is compared as it is, with its own vector.
        """
        texts = {place: self.texts[place] for place in self.asked_places(language)}
        rests = {at: without_sentence(text, inner_sentence(text)) for at, text in texts.items()}
        return {place: rest for place, rest in rests.items() if rest != texts[place]}

    def judge(
        self,
        language: TextLanguage,
        sentences: NDArray[np.float32],
        rests: Mapping[int, NDArray[np.float32]],
    ) -> LanguageTrust:
        """Return what the vectors of `sentences`, in rows, and of `rests` tell about the model."""
        places = self.asked_places(language)
        vectors = np.stack([rests.get(place, self.vectors[place]) for place in places])
        sample = HeldOut(places, sentences, vectors)
        return weigh_language(language, len(self.places[language]), sample, self.vectors)

    def asked_places(self, language: TextLanguage) -> Sequence[int]:
        """The places of the texts that sentences are taken out of."""
        return self.places[language][:_ASKED]

    def _asked_texts(self, language: TextLanguage) -> list[str]:
        return [self.texts[place] for place in self.asked_places(language)]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Sentences, and the rests of the texts at `places` that they were taken out of, in rows."""

    places: Sequence[int]
    sentences: NDArray[np.float32]
    rests: NDArray[np.float32]


def weigh_language(
    language: TextLanguage, chunks: int, sample: HeldOut, vectors: NDArray[np.float32]
) -> LanguageTrust:
    """Judge a language by sentences that are compared with the rests of their texts and all others.

    All vectors have length 1. The surprise of a chunk is half the square of its distance from the
    mean, as in the fusion; negative distances are none.
    """
    similarity = sample.sentences @ vectors.T
    rows = np.arange(len(sample.places))
    own = np.einsum("ij,ij->i", sample.sentences, sample.rests)
    similarity[rows, sample.places] = own
    means = similarity.mean(axis=1)
    best = np.maximum(similarity.max(axis=1) - means, _LEAST)
    true = np.clip(own - means, 0.0, best)
    return LanguageTrust(
        language.name,
        language.script,
        chunks,
        asked=len(rows),
        found=int((true >= best - _LEAST).sum()),
        winners=len(np.unique(similarity.argmax(axis=1))),
        share=round(fmean((true / best) ** 2), 3),
    )
