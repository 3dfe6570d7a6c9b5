"""One search of the registered documents: by words and meaning, or by words alone."""

from datetime import UTC, datetime

import pytest

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.errors import DailyLimitError, UpstreamTimeoutError
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.runtime.document_search import DocumentSearch
from tests import make
from tests.scripted import ScriptedEmbeddings, ScriptedPassages


async def test_document_search_embeds_the_query_in_the_space_of_the_documents() -> None:
    """Which may be another one than the model's own."""
    passages = ScriptedPassages([make.passage()], complete=VectorSpace("other", 3))
    model = ScriptedEmbeddings()
    found = await DocumentSearch(passages, model).search("moon", 4, Reader(7), internal=False)
    assert [one.id for one in found] == [make.passage().id]
    assert passages.queries == [
        PassageQuery("moon", [1.0, 0.0], 4, internal=False, reader=Reader(7))
    ]
    assert (model.name, model.texts) == ("other", ["moon"])


@pytest.mark.parametrize(
    ("model", "space"),
    [
        (None, VectorSpace("scripted", 2)),
        (ScriptedEmbeddings(), None),
        (ScriptedEmbeddings(failure=UpstreamTimeoutError("embeddings", 4)), VectorSpace("m", 2)),
    ],
    ids=["no-model", "no-vectors", "away"],
)
async def test_document_search_goes_on_with_words(
    model: ScriptedEmbeddings | None, space: VectorSpace | None
) -> None:
    """Without a model, without vectors, and while the model is away."""
    passages = ScriptedPassages([make.passage()], complete=space)
    assert await DocumentSearch(passages, model).search("moon", 4, ANYBODY)
    assert passages.queries == [PassageQuery("moon", None, 4)]


async def test_document_search_ends_at_the_daily_limit() -> None:
    """A text that a user may not embed is not searched by words behind their back."""
    failure = DailyLimitError("tokens", 9, datetime(2026, 3, 2, tzinfo=UTC), 60)
    passages = ScriptedPassages([make.passage()])
    with pytest.raises(DailyLimitError):
        await DocumentSearch(passages, ScriptedEmbeddings(failure=failure)).search(
            "moon", 4, ANYBODY
        )
    assert passages.queries == []
