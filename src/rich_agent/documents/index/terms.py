"""The search terms of chunks in PostgreSQL's binary form."""

import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from rich_agent.domain.retrieval.fusion import impact, slowness
from rich_agent.domain.retrieval.search_terms import TERM_SPACE, Languages, analyse

_OID_OF_INTEGER = 23


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a chunk."""

    length: int
    """Number of words."""
    numbers: bytes
    """Distinct terms, as int4[]."""
    impacts: bytes
    """Weights of the terms, as sparsevec."""
    languages: Languages
    """Languages of the words."""


def weigh_texts(texts: Iterable[str], average_length: float) -> list[Terms]:
    """The terms of each text. 10,000 texts take about a second, so run it in a thread."""
    return [weigh(*analyse(text), average_length) for text in texts]


def count_languages(chunks: Iterable[Terms]) -> Counter[str]:
    """The number of these chunks in each language."""
    return Counter(language for terms in chunks for language in terms.languages)


def weigh(counts: Mapping[int, int], languages: Languages, average_length: float) -> Terms:
    """The terms of a text; `counts` is the number of occurrences of each term.

    Sources: PostgreSQL, array_send; pgvector, sparsevec_send.
    """
    terms = np.fromiter(counts.keys(), np.int32, len(counts))
    order = np.argsort(terms)
    numbers = terms[order].astype(">i4")
    occurrences = np.fromiter(counts.values(), np.float64, len(counts))[order]
    length = sum(counts.values())
    weights = impact(occurrences, slowness(length, average_length)).astype(">f4")
    elements = np.empty((len(numbers), 2), ">i4")
    elements[:, 0] = 4
    elements[:, 1] = numbers
    dimensions = struct.pack(">ii", len(numbers), 1) if counts else b""
    return Terms(
        length=length,
        numbers=struct.pack(">iii", bool(counts), 0, _OID_OF_INTEGER)
        + dimensions
        + elements.tobytes(),
        impacts=struct.pack(">iii", TERM_SPACE, len(numbers), 0)
        + numbers.tobytes()
        + weights.tobytes(),
        languages=languages,
    )
