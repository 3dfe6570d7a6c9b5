"""Another order of what a search found, before passages are chosen from it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from rich_agent.domain.retrieval.candidate import Candidate
from rich_agent.domain.retrieval.passage import Passage


@dataclass(frozen=True, slots=True)
class Reordering:
    """A second opinion on the order of the best `candidates` of a search.

    `order` is given their texts, and returns their indexes, best first; it may leave some out.
    """

    candidates: int
    order: Callable[[Sequence[str]], Awaitable[Sequence[int]]]

    async def of(self, ranking: Sequence[Candidate]) -> list[Candidate]:
        """All candidates, the best ones in their new order."""
        texts = [readable(one.passage) for one in ranking[: self.candidates]]
        return reorder(ranking, await self.order(texts))


def readable(passage: Passage) -> str:
    """The text that is judged: the place of the passage, then its words."""
    return f"{passage.label}\n{passage.content}"


def reorder(ranking: Sequence[Candidate], order: Sequence[int]) -> list[Candidate]:
    """The candidates in the order of these indexes, before those that it leaves out.

    Scores stay with the ranks: the best one tells how strong the evidence for the question is,
    whichever passage comes first.
    """
    places = dict.fromkeys([*order, *range(len(ranking))])
    return [
        replace(ranking[place], passage=replace(ranking[place].passage, score=ranks.passage.score))
        for place, ranks in zip(places, ranking, strict=True)
    ]
