"""Search in the registered documents, by words and by meaning at once."""

from dataclasses import dataclass

from rich_agent.domain.retrieval.passage import Passage, VectorSpace
from rich_agent.domain.rights import Reader
from rich_agent.errors import UpstreamError
from rich_agent.ports.knowledge import PassageQuery, Passages
from rich_agent.ports.models import EmbeddingModel
from rich_agent.runtime.reranking import Reranking


@dataclass(frozen=True, slots=True)
class DocumentSearch:
    """Searches the passages; without an embedding model, or while it fails, by words alone."""

    passages: Passages
    embeddings: EmbeddingModel | None
    reranking: Reranking | None = None

    async def search(
        self, query: str, limit: int, reader: Reader, *, internal: bool | None = None
    ) -> list[Passage]:
        """The best passages that the reader may read, best first; `internal` as in `PassageQuery`.

        Raises: DailyLimitError, DatabaseUnavailableError.
        """
        place = await self.vector_of(query)
        vector = place[1] if place else None
        reordering = self.reranking.of(query) if self.reranking else None
        passage_query = PassageQuery(
            query, vector, limit, internal, reordering=reordering, reader=reader
        )
        return await self.passages.search(passage_query)

    async def vector_of(self, query: str) -> tuple[VectorSpace, list[float]] | None:
        """The vector of a query with its space, None without a model or an index, or on failure."""
        space = await self.passages.space() if self.embeddings else None
        if self.embeddings is None or space is None:
            return None
        try:
            (vector,) = await self.embeddings.in_space(space).embed([query])
        except UpstreamError:
            return None
        return space, vector
