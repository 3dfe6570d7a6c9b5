"""Further rounds of a search: the reason for one, its requests, and the passages in the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from rich_agent.domain.retrieval.passage import Passage, interleave, is_weak

Gap = Literal["described", "one_side"]
"""A sign that something is missing.

"described": the question describes a thing that the first passages name. "one_side": only some
parts of the question have passages.
"""
MOST_QUERIES = 2
"""The most queries of one round."""


class RoundState(TypedDict):
    """A round after the first: its queries, and the tokens of the prompt that requested it."""

    queries: list[str]
    tokens: int


class OutlineState(TypedDict):
    """The headings of a document, in order."""

    title: str
    sections: list[str]


@dataclass(frozen=True, slots=True)
class FurtherSearch:
    """The requests of a model that has read the passages so far."""

    useful: tuple[int, ...] = ()
    """The numbers (from 1) of the passages that the answer needs."""
    queries: tuple[str, ...] = ()
    """The queries to search for."""
    around: tuple[int, ...] = ()
    """The numbers of the passages whose neighbours it wants to read."""
    outlines: tuple[int, ...] = ()
    """The numbers of the passages whose documents' headings it wants to read."""
    goes_on: bool = False
    """Whether another round has to follow."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is requested."""
        return not (self.queries or self.around or self.outlines)


def gap_in(rankings: Sequence[Sequence[Passage]], description: str, min_score: float) -> Gap | None:
    """The sign that the passages of the queries lack something, None without one.

    `description` is the thing that the question describes instead of naming. The share of words
    that passages cover is no sign: questions in everyday words or another language have as little.
    """
    weak_flags = [is_weak(passages, min_score) for passages in rankings]
    if description:
        return "described"
    return "one_side" if any(weak_flags) and not all(weak_flags) else None


def passages_by_number(numbers: Sequence[int], passages: Sequence[Passage]) -> list[Passage]:
    """The passages with these numbers, each once, without nonexistent numbers."""
    return [
        passages[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(passages)
    ]


def join_rounds(
    read: Sequence[Passage],
    useful: Sequence[Passage],
    new_rankings: Sequence[Sequence[Passage]],
    limit: int,
) -> list[Passage]:
    """The passages read before, in their order, and behind them those found now, each once.

    A server that has read the first ones reads only the new ones. At most `limit` are new or
    useful; useful ones take up to half of the places.
    """
    places = limit - min(len(useful), limit // 2)
    new_passages = [
        passage
        for passage in interleave(new_rankings, len(read) + limit)
        if not any(passage.id == known.id or passage.content in known.content for known in read)
    ]
    return [*read, *new_passages[:places]]
