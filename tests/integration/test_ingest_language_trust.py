"""A sync learns which languages the embedding model knows, and searches trust it accordingly."""

import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from ingest.sync.report import SyncReport
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from tests.integration.ingest_support import Library, Renamed, open_library
from tests.sandbox_server import RunningSandbox

CHUNKS = 24
SUBJECTS = [
    "bears",
    "otters",
    "owls",
    "eels",
    "mice",
    "cats",
    "dogs",
    "hens",
    "pigs",
    "goats",
    "bees",
    "ants",
]
ARABIC = ["دب", "بوم", "قط", "كلب", "بقرة", "خنزير", "نحلة", "نملة", "حصان", "جمل", "أرنب", "غزال"]

NEW = "# Neu\n\nDie Otter werden von dem Wärter gefüttert."


class KnowsEnglish(Renamed):
    """A model that tells apart what is in ASCII; `is_away` for questions."""

    def __init__(self, model: EmbeddingModel, *, is_away: bool = False) -> None:
        super().__init__(model, model.name)
        self._is_away = is_away
        self._asks = True

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Of another script, every text is near to the one that happens to fit its length."""
        if self._asks and self._is_away:
            raise UpstreamUnavailableError("embeddings", "cannot be reached")
        known = await super().embed(texts)
        return [v if t.isascii() else self._guess(t) for t, v in zip(texts, known, strict=True)]

    def _guess(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        vector[0], vector[zlib.crc32(text.encode()) % 7 + 1] = 1.0, 0.5
        return vector

    @override
    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`."""
        model = KnowsEnglish(self._model)
        model._asks = False
        return model

    @override
    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        """See `EmbeddingModel.in_space`."""
        return self


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """Documents in English and Arabic, not yet synchronised."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


def write(folder: Path) -> None:
    """As many short documents in each language, each about its own subject."""
    folder.mkdir()
    for number in range(CHUNKS):
        name, word = SUBJECTS[number % 12], ARABIC[number % 12]
        english = f"The {name} of valley {number} are fed by the keeper at noon."
        arabic = f"يعيش ال{word} في الوادي {number} من السنة التي كان هو فيها على الجبل."
        (folder / f"en{number}.md").write_text(f"# {name}\n\n{english}", "utf-8")
        (folder / f"ar{number}.md").write_text(f"# {word}\n\n{arabic}", "utf-8")


async def sync(library: Library, *, is_away: bool = False) -> SyncReport:
    """Sync with a model that knows English only."""
    model = KnowsEnglish(library.model, is_away=is_away)
    return await replace(library, model=model).sync()


async def test_sync_learns_which_languages_the_model_knows(
    library: Library, databases: Databases, tmp_path: Path
) -> None:
    """It is stored with the space, not learned twice, and counts for questions in the language."""
    write(tmp_path / "docs")
    await library.add(tmp_path / "docs")
    await sync(library)
    catalogue = PostgresSourceCatalogue(databases.rag)
    learned = {one.name: one for one in await catalogue.language_trust()}
    assert set(learned) == {"english", "arabic"}
    assert learned["arabic"].is_unknown
    assert learned["english"].weight > 0.5
    assert (await sync(library)).embedding_calls == 0
    passages = PostgresPassages(databases.rag)
    vector = (await KnowsEnglish(library.model).embed(["?"]))[0]
    for question, trust in (
        ("أين يعيش الجمل في الوادي", learned["arabic"].weight),
        ("Where are the otters of the valley?", learned["english"].weight),
        ("Где живут выдры в долине", 1.0),
    ):
        found = await passages.find(PassageQuery(question, vector))
        assert found.background is not None
        assert found.background.trust == pytest.approx(trust)


async def test_sync_learns_again_when_a_language_is_added(library: Library, tmp_path: Path) -> None:
    """Also if few documents are in it: more than a twentieth need not have changed."""
    write(tmp_path / "docs")
    await library.add(tmp_path / "docs")
    await sync(library)
    stored = "SELECT trusted_at FROM rag_vector_spaces"
    before = await library.rows(stored)
    (tmp_path / "docs" / "de.md").write_text(NEW, "utf-8")
    await sync(library)
    assert await library.rows(stored) != before


async def test_sync_goes_on_when_the_model_fails_at_the_end(
    library: Library, databases: Databases, tmp_path: Path
) -> None:
    """The documents are stored, vectors count as before, and the next sync learns it."""
    write(tmp_path / "docs")
    await library.add(tmp_path / "docs")
    report = await sync(library, is_away=True)
    assert not report.is_failure
    assert any("could not be measured" in note for note in report.notes)
    catalogue = PostgresSourceCatalogue(databases.rag)
    assert await catalogue.language_trust() == ()
    await sync(library)
    assert len(await catalogue.language_trust()) == 2
