"""A sample of texts with vectors, by which an embedding model is judged in each language."""

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
"""The number of texts that a question is compared with."""
_ASKED = 60
_FEWEST = 20
_MOST_LANGUAGES = 12
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class LanguageSample:
    """Texts and their vectors, one in each row; `places` are the rows of each common language."""

    texts: Sequence[str]
    vectors: NDArray[np.float32]
    places: Mapping[TextLanguage, Sequence[int]]

    @classmethod
    def of(cls, texts: Sequence[str], vectors: Sequence[NDArray[np.float32]]) -> Self:
        """The sample of these texts, the most common language first; takes up to a second."""
        rows_by_language: defaultdict[TextLanguage, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            rows_by_language[main_language(text)].append(index)
        rows_by_language.pop(TextLanguage("", ""), None)
        commonest_languages = sorted(
            rows_by_language.items(), key=lambda language_rows: -len(language_rows[1])
        )[:_MOST_LANGUAGES]
        return cls(
            texts=texts,
            vectors=np.stack(vectors) if vectors else np.zeros((0, 0), np.float32),
            places={
                language: row_indexes
                for language, row_indexes in commonest_languages
                if len(row_indexes) >= _FEWEST
            },
        )

    def sentences(self, language: TextLanguage) -> list[str]:
        """A sentence from each of up to 60 texts in a language, to embed as questions."""
        return [inner_sentence(text) for text in self._asked_texts(language)]

    def rests(self, language: TextLanguage) -> dict[int, str]:
        """Texts without these sentences, by row, to embed as passages.

        A text of one sentence is left out; it is compared by its own vector.
        """
        text_by_row = {row: self.texts[row] for row in self.asked_places(language)}
        rest_by_row = {
            row: without_sentence(text, inner_sentence(text)) for row, text in text_by_row.items()
        }
        return {row: rest for row, rest in rest_by_row.items() if rest != text_by_row[row]}

    def judge(
        self,
        language: TextLanguage,
        sentences: NDArray[np.float32],
        rests: Mapping[int, NDArray[np.float32]],
    ) -> LanguageTrust:
        """The trust in the model by the vectors of `sentences` (rows) and of `rests`."""
        rows = self.asked_places(language)
        vectors = np.stack([rests.get(row, self.vectors[row]) for row in rows])
        sample = HeldOut(rows, sentences, vectors)
        return weigh_language(language, len(self.places[language]), sample, self.vectors)

    def asked_places(self, language: TextLanguage) -> Sequence[int]:
        """The rows of the texts that sentences are taken from."""
        return self.places[language][:_ASKED]

    def _asked_texts(self, language: TextLanguage) -> list[str]:
        """The texts that sentences are taken from."""
        return [self.texts[row] for row in self.asked_places(language)]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Sentences, and the rests of their texts, row by row; `places` are the rows of the texts."""

    places: Sequence[int]
    sentences: NDArray[np.float32]
    rests: NDArray[np.float32]


def weigh_language(
    language: TextLanguage, chunks: int, sample: HeldOut, vectors: NDArray[np.float32]
) -> LanguageTrust:
    """The trust in a language, by comparing sentences with the rests of their texts and all others.

    All vectors have length 1. The surprise of a chunk is half the square of its distance above the
    mean, as in the fusion.
    """
    similarity = sample.sentences @ vectors.T
    rows = np.arange(len(sample.places))
    own_similarity = np.einsum("ij,ij->i", sample.sentences, sample.rests)
    similarity[rows, sample.places] = own_similarity
    means = similarity.mean(axis=1)
    best_distance = np.maximum(similarity.max(axis=1) - means, _LEAST)
    own_distance = np.clip(own_similarity - means, 0.0, best_distance)
    return LanguageTrust(
        language.name,
        language.script,
        chunks,
        asked=len(rows),
        found=int((own_distance >= best_distance - _LEAST).sum()),
        winners=len(np.unique(similarity.argmax(axis=1))),
        share=round(fmean((own_distance / best_distance) ** 2), 3),
    )
