"""Vectors in clusters within clusters, of which no search by index finds all neighbours at once.

A vector is a mixture of what its topic, its document and the chunk itself are about, in a few dozen
independent directions of unequal weight, as the vectors of models are, and of some noise. The
clusters overlap: the nearest chunks of a question are from several documents and topics.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
_DIRECTIONS = 64
_STEEPNESS = 0.35  # the n-th direction has the weight n^-0.35
_TOPIC, _DOCUMENT, _CHUNK, _QUESTION = 1.0, 0.7, 0.7, 0.5  # how much each of them spreads
_NOISE = 0.15  # length of the noise in every number beside a vector of length 1

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Makes the vectors of a document's chunks, and of questions about them."""

    directions: Matrix

    @classmethod
    def make(cls) -> "Vectors":
        """The same in each run."""
        numbers = np.random.default_rng(7)
        weights = np.arange(1, _DIRECTIONS + 1) ** -_STEEPNESS
        directions = numbers.standard_normal((_DIRECTIONS, DIMENSIONS))
        return cls((weights[:, None] * directions).astype(np.float32))

    def of_chunks(self, topic: int, document: int, count: int) -> Matrix:
        """A row for each chunk."""
        numbers = np.random.default_rng((2, document))
        return self._spread(self._meanings(topic, document, count), numbers)

    def of_question(self, topic: int, document: int, place: int) -> Matrix:
        """A vector near that of a chunk."""
        numbers = np.random.default_rng((3, document, place))
        meaning = self._meanings(topic, document, place + 1)[-1:]
        asked = meaning + _QUESTION * numbers.standard_normal((1, _DIRECTIONS))
        row: Matrix = self._spread(asked, numbers)[0]
        return row

    def _meanings(self, topic: int, document: int, count: int) -> NDArray[np.float64]:
        of_topic = _TOPIC * np.random.default_rng((0, topic)).standard_normal(_DIRECTIONS)
        numbers = np.random.default_rng((1, document))
        of_document = _DOCUMENT * numbers.standard_normal(_DIRECTIONS)
        chunks = _CHUNK * numbers.standard_normal((count, _DIRECTIONS))
        meanings: NDArray[np.float64] = of_topic + of_document + chunks
        return meanings

    def _spread(self, meanings: NDArray[np.float64], numbers: np.random.Generator) -> Matrix:
        vectors = meanings.astype(np.float32) @ self.directions
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        noise = numbers.standard_normal(vectors.shape, np.float32)
        vectors += _NOISE / np.sqrt(DIMENSIONS) * noise
        spread: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return spread
