"""Vectors with neighbourhoods like those of real text, without a model: hashed, weighted words.

Each word has 8 places with signs, weighed by how rare it is; a little noise makes the vectors as
dense as a model's. The same text has the same vector anywhere.
Source: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, 2009.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 1536
_WORD = re.compile(r"[^\W_]+")
_PLACES = 8
_NOISE = 0.3  # length of the noise beside a vector of length 1
_REMEMBERED = 500_000


class HashedVectors:
    """Embeds texts by their words; rare are the words that few of `texts` hold."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts_with: Counter[str] = Counter()
        self._texts = 0
        for text in texts:
            self._texts += 1
            self._texts_with.update(set(_words(text)))

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See `bench.embedding_server.Embed`."""
        return [self.vector(text).astype("<f4").tobytes() for text in texts]

    def vector(self, text: str) -> NDArray[np.float64]:
        """A vector of length 1."""
        counts = Counter(_words(text))
        places = [np.zeros(0, dtype=np.int64), *(_places(word)[0] for word in counts)]
        weights = [np.zeros(0), *(_places(word)[1] * self._weight(word, counts) for word in counts)]
        vector = np.zeros(DIMENSIONS)
        np.add.at(vector, np.concatenate(places), np.concatenate(weights))
        vector /= np.linalg.norm(vector) or 1.0
        seed = int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())
        noise = np.random.default_rng(seed).standard_normal(DIMENSIONS)
        vector += _NOISE * noise / np.linalg.norm(noise)
        normalised: NDArray[np.float64] = vector / np.linalg.norm(vector)
        return normalised

    def _weight(self, word: str, counts: Counter[str]) -> float:
        rarity = math.log((self._texts + 1) / (self._texts_with[word] + 1))
        return (1 + math.log(counts[word])) * rarity


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


@lru_cache(maxsize=_REMEMBERED)
def _places(word: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the places where a word counts, and its signs."""
    digest = blake2b(word.encode("utf-8", "replace"), digest_size=4 * _PLACES).digest()
    hashed = np.frombuffer(digest, "<u4").astype(np.int64)
    return (hashed >> 1) % DIMENSIONS, np.where(hashed & 1, 1.0, -1.0)
