"""Further rounds of a search: why one is wanted, what it looks for, what is read in the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from rich_agent.domain.retrieval.passage import Passage, interleave, is_weak

Gap = Literal["described", "one_side"]
"""Signs that something is missing: the question describes a thing that the first passages name, or
there is something on one part of it only."""
MOST_QUERIES = 2
"""Of one round."""


class RoundState(TypedDict):
    """One round after the first: what it looked for, and the tokens of the prompt that asked."""

    queries: list[str]
    tokens: int


class OutlineState(TypedDict):
    """The headings of a document, in order."""

    title: str
    sections: list[str]


@dataclass(frozen=True, slots=True)
class FurtherSearch:
    """The wishes of a model that has read what was found so far.

    `useful`, `around` and `outlines` are numbers of passages, from 1: those that the answer needs,
    those whose neighbouring text is wanted, and those whose document's headings are. `queries` is
    what to search for; with `goes_on` another round has to follow once that is found.
    """

    useful: tuple[int, ...] = ()
    queries: tuple[str, ...] = ()
    around: tuple[int, ...] = ()
    outlines: tuple[int, ...] = ()
    goes_on: bool = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more is wanted."""
        return not (self.queries or self.around or self.outlines)


def gap_in(rankings: Sequence[Sequence[Passage]], description: str, min_score: float) -> Gap | None:
    """The sign that the passages found for each query leave something out, None without one.

    `description` is what the planner said is described instead of named. How well words are covered
    is no sign: questions in everyday words, or another language, cover theirs as badly.
    """
    weak = [is_weak(passages, min_score) for passages in rankings]
    if description:
        return "described"
    return "one_side" if any(weak) and not all(weak) else None


def passages_by_number(numbers: Sequence[int], passages: Sequence[Passage]) -> list[Passage]:
    """The passages with these numbers, each once; numbers that there are not are left out."""
    return [passages[n - 1] for n in dict.fromkeys(numbers) if 1 <= n <= len(passages)]


def join_rounds(
    read: Sequence[Passage],
    useful: Sequence[Passage],
    new_rankings: Sequence[Sequence[Passage]],
    limit: int,
) -> list[Passage]:
    """At most `limit` of the passages read before and those found now, each once.

    The useful ones come first and take half of the places at most. If none is, the others have
    their places among what was found.
    """
    best = list(useful)[: max(1, limit // 2)]
    others = [passage for passage in read if passage not in best]
    new = (
        [*interleave(new_rankings, limit), *others]
        if best
        else interleave([others, *new_rankings], limit)
    )
    return interleave([[*best, *new]], limit)
