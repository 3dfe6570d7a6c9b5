"""The embedding model as one turn has it: no text is embedded twice."""

from collections.abc import Sequence

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.models import EmbeddingModel

Vectors = dict[tuple[VectorSpace, str], list[float]]


class TurnEmbeddings:
    """Implements `EmbeddingModel` with another one, whose vectors it keeps for the turn.

    Memories, earlier turns and documents are often searched for the same words.
    """

    def __init__(self, model: EmbeddingModel, known: Vectors | None = None) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self._model = model
        self._known: Vectors = {} if known is None else known

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        space = VectorSpace(self.name, self.dimensions)
        new = [text for text in dict.fromkeys(texts) if (space, text) not in self._known]
        if new:
            vectors = await self._model.embed(new)
            self._known.update(zip([(space, text) for text in new], vectors, strict=True))
        return [self._known[space, text] for text in texts]

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`; these are embedded once anyway."""
        return self._model.of_passages()

    def in_space(self, space: VectorSpace) -> "TurnEmbeddings":
        """See `EmbeddingModel.in_space`."""
        return TurnEmbeddings(self._model.in_space(space), self._known)


def for_one_turn(model: EmbeddingModel | None) -> EmbeddingModel | None:
    """The model for one turn, None without one."""
    return TurnEmbeddings(model) if model else None
