"""Embeddings within one turn: no text is embedded twice.

The user's own words are embedded while the planner works, since most searches use them. Vectors are
kept in memory only; a process that resumes a turn embeds them again.
"""

from collections.abc import Sequence

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import has_same_terms
from rich_agent.domain.routing.plan import Routing
from rich_agent.errors import RichAgentError
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import images_of, words_of
from rich_agent.ports.models import EmbeddingModel

LONGEST_WORDS = 500
"""The most characters to embed in advance; longer texts are rarely searched for as they stand."""
Vectors = dict[tuple[VectorSpace, str], list[float]]


class TurnEmbeddings:
    """Implements `EmbeddingModel` with another model, whose vectors it keeps for the turn.

    Memories, earlier turns and documents are often searched for the same words.
    """

    def __init__(self, model: EmbeddingModel, vectors: Vectors | None = None) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self._model = model
        self._known: Vectors = {} if vectors is None else vectors

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        space = VectorSpace(self.name, self.dimensions)
        missing_texts = [text for text in dict.fromkeys(texts) if (space, text) not in self._known]
        if missing_texts:
            vectors = await self._model.embed(missing_texts)
            self._known.update(zip([(space, text) for text in missing_texts], vectors, strict=True))
        return [self._known[space, text] for text in texts]

    def kept(self, text: str) -> tuple[VectorSpace, list[float]] | None:
        """The vector that the turn has of a text already, with its space; None without one."""
        vectors = (
            (space, vector) for (space, words), vector in self._known.items() if words == text
        )
        return next(vectors, None)

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`; vectors of passages are not kept."""
        return self._model.of_passages()

    def in_space(self, space: VectorSpace) -> "TurnEmbeddings":
        """See `EmbeddingModel.in_space`."""
        return TurnEmbeddings(self._model.in_space(space), self._known)


def for_one_turn(model: EmbeddingModel | None) -> EmbeddingModel | None:
    """The model for one turn, None without one."""
    return TurnEmbeddings(model) if model else None


def is_searched_as_asked(routing: Routing, state: TurnState) -> bool:
    """Whether the documents will be searched for the user's own words."""
    if routing.plan not in {"rag", "rag+web"} or routing.queries or routing.clarification:
        return False
    return has_same_terms(routing.query, words_of(state))


def embedding_text(query: str, user_text: str) -> str:
    """The user's text if it has the same terms as the query, else the query."""
    return user_text if has_same_terms(query, user_text) else query


def kept_vector(
    query: str, user_text: str, model: EmbeddingModel | None
) -> tuple[VectorSpace, list[float]] | None:
    """The vector of a query that the turn has already, with its space; nothing is embedded."""
    if not (query and isinstance(model, TurnEmbeddings)):
        return None
    return model.kept(embedding_text(query, user_text))


async def read_ahead(state: TurnState, services: Services) -> None:
    """Embed the user's words in advance.

    A failure is ignored here: the search reports it if it lasts.
    """
    words = words_of(state)
    if services.embeddings is None or images_of(state) or not 0 < len(words) <= LONGEST_WORDS:
        return
    try:
        if space := await services.passages.space():
            await services.embeddings.in_space(space).embed([words])
    except RichAgentError:
        return
