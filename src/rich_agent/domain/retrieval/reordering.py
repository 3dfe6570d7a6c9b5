"""Another order of the candidates of a search, before passages are chosen from them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from rich_agent.domain.retrieval.candidate import Candidate
from rich_agent.domain.retrieval.passage import Passage


@dataclass(frozen=True, slots=True)
class Reordering:
    """A second opinion on the order of the best `candidates` of a search.

    `order` gets their texts and returns their indexes, best first; it may leave some out.
    """

    candidates: int
    order: Callable[[Sequence[str]], Awaitable[Sequence[int]]]

    async def of(self, ranking: Sequence[Candidate]) -> list[Candidate]:
        """All candidates, the best ones in their new order."""
        texts = [readable(candidate.passage) for candidate in ranking[: self.candidates]]
        return reorder(ranking, await self.order(texts))


def readable(passage: Passage) -> str:
    """The text to be judged: the place of the passage, then its content."""
    return f"{passage.label}\n{passage.content}"


def reorder(ranking: Sequence[Candidate], order: Sequence[int]) -> list[Candidate]:
    """The candidates in the order of these indexes, then the candidates that have no index here.

    Scores stay with the ranks: the best score is the strength of the evidence, whichever passage
    comes first.
    """
    indexes = dict.fromkeys([*order, *range(len(ranking))])
    return [
        replace(
            ranking[index],
            passage=replace(ranking[index].passage, score=ranked_candidate.passage.score),
        )
        for index, ranked_candidate in zip(indexes, ranking, strict=True)
    ]
