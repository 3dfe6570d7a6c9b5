"""Chunks that a search found, before passages are chosen from them."""

from dataclasses import dataclass

from rich_agent.domain.retrieval.passage import Passage


@dataclass(frozen=True, slots=True)
class Whole:
    """A document of so many chunks, and the means of their scores in each half."""

    chunks: int
    words: float
    vector: float | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that one half or both found.

    `words` is its BM25 score; `vector` its cosine similarity, None without a vector; `matched` the
    question's terms that it holds. `document` and `position` tell which chunks are neighbours;
    `whole` is None for a document of one chunk, or of too many to matter.
    """

    passage: Passage
    words: float
    vector: float | None
    matched: frozenset[int]
    document: int
    position: int
    whole: Whole | None = None
