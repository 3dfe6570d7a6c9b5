"""Embeds text as a signed, hashed bag of words, so that texts with common words are similar."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise, takewhile

import numpy as np
from numpy.typing import NDArray

from rich_agent_sandbox.model.language.text import (
    STOP_WORDS,
    cjk_bigrams,
    cjk_runs,
    is_hiragana,
    normalise,
    stem,
    words,
)

DEFAULT_DIMENSIONS = 1536  # of text-embedding-3-small
_PLACES = 8  # of each feature; more places make a chance collision weigh less
_DAMPING = 0.75  # exponent of a feature's count
_OPENING_LINES = 2
_LONGEST_OPENING_LINE = 120  # characters
_OPENING_COUNTS = 4
_FUNCTION_PAIR_WEIGHT = 0.4
_MIXED_PAIR_WEIGHT = 0.4
_CHARACTER_WEIGHT = 0.3
_FIGURE_WEIGHT = 0.3
_WITH_HIRAGANA = re.compile(r"[\u3041-\u3096]")


def embed(text: str, dimensions: int = DEFAULT_DIMENSIONS) -> NDArray[np.float32]:
    """A vector of length 1 in `dimensions`; equal texts always give equal vectors.

    Words of the opening (title, heading, or a short question) count 4 times. Function words count
    only as pairs in the opening, where they distinguish "Who are you?" from "What can you do?".
    Sources: feature hashing with signs, Weinberger et al. 2009, https://arxiv.org/abs/0902.2206;
    several places for a feature, Kane and Nelson 2014, https://arxiv.org/abs/1012.1577.
    """
    counts, weights = _counted(text)
    vector = np.zeros(dimensions, dtype=np.float64)
    for feature, count in counts.items():
        hashes = _hashes(feature)
        signs = np.where(hashes & 1, 1.0, -1.0)
        np.add.at(vector, (hashes >> 1) % dimensions, signs * weights[feature] * count**_DAMPING)
    length = float(np.linalg.norm(vector))
    if length == 0:
        vector[_hashes(normalise(text))[0] % dimensions] = length = 1.0
    return (vector / length).astype(np.float32)


def _counted(text: str) -> tuple[Counter[str], dict[str, float]]:
    """The count and the weight of each feature."""
    counts: Counter[str] = Counter()
    weights: dict[str, float] = {}
    opening, body = _split_opening(text)
    opening_features = [*_content_features(opening), *_function_pairs(opening)]
    for features, times in ((opening_features, _OPENING_COUNTS), (_content_features(body), 1)):
        for feature, weight in features:
            counts[feature] += times
            weights[feature] = weight
    return counts, weights


def _split_opening(text: str) -> tuple[str, str]:
    """The first short lines (at most 2), and the rest."""
    lines = [line for line in text.splitlines() if line.strip()]
    opening_lines = list(
        takewhile(lambda line: len(line) <= _LONGEST_OPENING_LINE, lines[:_OPENING_LINES])
    )
    return "\n".join(opening_lines), "\n".join(lines[len(opening_lines) :])


def _content_features(text: str) -> Iterator[tuple[str, float]]:
    """Words by stem ("w:"), CJK pairs ("b:") and characters ("c:"), without function words."""
    for word in words(text):
        if word not in STOP_WORDS:
            yield f"w:{stem(word)}", _FIGURE_WEIGHT if word.isdecimal() else 1.0
    for pair in cjk_bigrams(text):
        if not is_hiragana(pair):
            # A pair with one kana mostly belongs to a word's ending.
            yield f"b:{pair}", _MIXED_PAIR_WEIGHT if _WITH_HIRAGANA.search(pair) else 1.0
    for character in "".join(cjk_runs(text)):
        if not is_hiragana(character):
            yield f"c:{character}", _CHARACTER_WEIGHT


def _function_pairs(text: str) -> Iterator[tuple[str, float]]:
    """Neighbouring function words, and pairs of hiragana ("p:")."""
    for word, next_word in pairwise(words(text)):
        if word in STOP_WORDS and next_word in STOP_WORDS:
            yield f"p:{word} {next_word}", _FUNCTION_PAIR_WEIGHT
    for pair in cjk_bigrams(text):
        if is_hiragana(pair):
            yield f"p:{pair}", _FUNCTION_PAIR_WEIGHT


@lru_cache(maxsize=65_536)
def _hashes(feature: str) -> NDArray[np.int64]:
    digest = blake2b(feature.encode(), digest_size=4 * _PLACES).digest()
    return np.frombuffer(digest, dtype="<u4").astype(np.int64)
