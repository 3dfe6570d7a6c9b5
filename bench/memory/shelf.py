"""The product's archive with a conversation in it, and the rankings that are compared."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from bench.memory.talks import Conversation
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import question_terms
from rich_agent.domain.routing.plan import PastQuestion, PastTurn
from rich_agent.graph.memory.archive_vectors import embed_turns
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.turns import Meaning, TurnRecord
from rich_agent.repositories.database.pools import Pool, checkout
from rich_agent.repositories.turns.archive import PostgresArchive

BEST = 10
_AT_ONCE = 64
_TIMEOUT_S = 300.0
_MOST_TURNS = 100_000
_DATE = "UPDATE turn_archive SET asked_at = %s WHERE user_id = %s AND request_id = %s"
# The ranking before meaning counted: by the rarity of shared words, the newest first.
_BEFORE = """
WITH theirs AS (
    SELECT id, request_id, terms FROM turn_archive
    WHERE user_id = %(user_id)s AND terms && %(terms)s::int[]
), hit AS (
    SELECT id, request_id, term FROM theirs, unnest(terms) AS term
    WHERE term = ANY(%(terms)s::int[])
), weight AS (
    SELECT term, ln(1 + (SELECT count(*) FROM theirs)::float / count(*)) AS weight
    FROM hit GROUP BY term
)
SELECT request_id FROM hit JOIN weight USING (term)
GROUP BY id, request_id ORDER BY sum(weight) DESC, id DESC LIMIT %(limit)s
"""


@dataclass(slots=True)
class ServedEmbeddings:
    """Implements `EmbeddingModel` with a server of `bench.minilm_server`."""

    address: str
    name: str = "all-MiniLM-L6-v2"
    dimensions: int = 384
    known: dict[str, list[float]] = field(default_factory=dict)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            async with httpx.AsyncClient(timeout=_TIMEOUT_S) as http:
                body = {"input": list(some)}
                found = (await http.post(f"{self.address}/v1/embeddings", json=body)).json()
            vectors = [one["embedding"] for one in found["data"]]
            self.known.update(zip(some, vectors, strict=True))
        return [self.known[text] for text in texts]

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`; this model takes both alike."""
        return self

    def in_space(self, space: VectorSpace) -> EmbeddingModel:  # noqa: ARG002 - of the interface
        """See `EmbeddingModel.in_space`; there is one."""
        return self


@dataclass(frozen=True, slots=True)
class Shelf:
    """The archive of one user; turns are named by their number in the conversation."""

    pool: Pool
    user_id: int
    embeddings: ServedEmbeddings | None = None

    @property
    def archive(self) -> PostgresArchive:
        """The product's archive."""
        return PostgresArchive(self.pool)

    async def fill(self, conversation: Conversation, vectors_of: int | None = None) -> None:
        """Archive the turns at their times, and embed them if there is a model.

        With `vectors_of`, that many turns are embedded; the others take vectors of these.
        """
        thread = f"tg:{self.user_id}"
        await self.archive.keep(
            [
                TurnRecord(self.user_id, thread, str(number), turn.question, turn.answer, {})
                for number, turn in enumerate(conversation.turns)
            ]
        )
        async with checkout(self.pool) as connection, connection.cursor() as cursor:
            dates = [(t.at, self.user_id, str(n)) for n, t in enumerate(conversation.turns)]
            await cursor.executemany(_DATE, dates)
        if self.embeddings and vectors_of:
            await self._borrow_vectors(self.embeddings, vectors_of)
        while self.embeddings and await embed_turns(self.user_id, self.archive, self.embeddings):
            pass

    async def _borrow_vectors(self, model: ServedEmbeddings, count: int) -> None:
        space = VectorSpace(model.name, model.dimensions)
        missing = await self.archive.without_vector(self.user_id, space, _MOST_TURNS)
        vectors = await model.embed(list(missing.values())[:count])
        borrowed = {turn: vectors[n % len(vectors)] for n, turn in enumerate(missing)}
        await self.archive.add_vectors(self.user_id, space, borrowed)

    async def time(self, question: str) -> float:
        """The seconds that a search takes, its vector apart."""
        began = time.perf_counter()
        await self.found(question, by_meaning=True)
        return time.perf_counter() - began

    async def found(self, question: str, *, by_meaning: bool) -> list[PastTurn]:
        """The turns that the product puts into the prompt."""
        meaning = None
        if by_meaning and self.embeddings:
            (vector,) = await self.embeddings.embed([question])
            space = VectorSpace(self.embeddings.name, self.embeddings.dimensions)
            meaning = Meaning(vector, space)
        wanted = PastQuestion(question)
        return await self.archive.search(self.user_id, wanted, BEST, meaning)

    async def found_before(self, question: str) -> list[int]:
        """The turns that share the rarest words."""
        values = {"user_id": self.user_id, "terms": question_terms(question), "limit": BEST}
        async with checkout(self.pool) as connection:
            rows = await (await connection.execute(_BEFORE, values)).fetchall()
        return [int(row["request_id"]) for row in rows]
