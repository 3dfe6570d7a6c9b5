"""Vectors of archived turns, and when the model that makes them is judged."""

import dataclasses
from collections.abc import Sequence

from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.graph.memory.archive_vectors import embed_turns
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.turns import TurnRecord
from rich_agent_sandbox.model.embedding import embed
from tests.twins.archive import InMemoryArchive
from tests.twins.memories import InMemoryMemories

SPACE = VectorSpace("m", 1_536)


class _Embeddings:
    """Implements `EmbeddingModel` with the stand-in's vectors, and remembers what it was asked."""

    def __init__(self) -> None:
        self.name, self.dimensions = SPACE.model, SPACE.dimensions
        self.asked: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        self.asked.append(list(texts))
        return [[float(one) for one in embed(text, self.dimensions)] for text in texts]

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`."""
        return self

    def in_space(self, space: VectorSpace) -> EmbeddingModel:  # noqa: ARG002 - of the interface
        """See `EmbeddingModel.in_space`."""
        return self


async def _keep(archive: InMemoryArchive, first: int, last: int) -> None:
    questions = (f"Where is the box with the number {n} that we had?" for n in range(first, last))
    await archive.keep(
        [
            TurnRecord(42, "tg:42", f"r{n}", text, "", {})
            for n, text in enumerate(questions, start=first)
        ]
    )


async def test_model_is_judged_when_there_are_twice_as_many_turns() -> None:
    """Not for 19 turns, for 20 of a language, and not again for one more."""
    archive, model = InMemoryArchive(InMemoryMemories()), _Embeddings()
    await _keep(archive, 0, 19)
    assert await embed_turns(42, archive, model) == 19
    assert await archive.trusts(SPACE) == ()
    await _keep(archive, 19, 20)
    await embed_turns(42, archive, model)
    (learned,) = await archive.trusts(SPACE)
    assert (learned.name, learned.chunks, len(model.asked[-1])) == ("english", 20, 20)
    asked = len(model.asked)
    await _keep(archive, 20, 21)
    await embed_turns(42, archive, model)
    assert len(model.asked) == asked + 1
    assert await embed_turns(42, archive, model) == 0


async def test_language_that_was_judged_by_more_turns_stays() -> None:
    """Nothing is asked that another user taught already; other languages are kept."""
    archive, model = InMemoryArchive(InMemoryMemories()), _Embeddings()
    known = LanguageTrust("english", "LATIN", 900, 60, 60, 60, 1.0)
    german = dataclasses.replace(known, name="german", share=0.1)
    await archive.note_trusts(SPACE, [known, german])
    await _keep(archive, 0, 30)
    await embed_turns(42, archive, model)
    assert await archive.trusts(SPACE) == [known, german]
    assert len(model.asked) == 1
