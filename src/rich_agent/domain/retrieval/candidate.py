"""Chunks that a search found, before passages are chosen from them."""

from dataclasses import dataclass

from rich_agent.domain.retrieval.passage import Passage


@dataclass(frozen=True, slots=True)
class Whole:
    """A document's number of chunks, and the means of their scores by words and by vectors."""

    chunks: int
    words: float
    vector: float | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that the search by words, by vectors or by both found."""

    passage: Passage
    words: float
    """Its BM25 score."""
    vector: float | None
    """Its cosine similarity, None without a vector."""
    matched: frozenset[int]
    """The terms of the question that it holds."""
    document: int
    """The id of its document."""
    position: int
    """Its position there, which shows neighbours."""
    whole: Whole | None = None
    """None for a document of one chunk, or of too many to matter."""
