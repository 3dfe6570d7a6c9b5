"""The foundation of the search by words: analysed, measured, weighed again when it has to be."""

from collections import Counter
from collections.abc import AsyncIterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from rich_agent.documents.chunk.chunks import text_to_embed
from rich_agent.documents.index.search_index import read_corpus, refresh_search
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION, TERM_SPACE, term_counts
from rich_agent.domain.rights import ANYBODY
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.passages import PostgresPassages
from tests import make
from tests.integration.ingest_support import Library, open_library, paragraph
from tests.sandbox_server import RunningSandbox


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources, over a model that has not been called."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


def write_note(folder: Path, number: int, words: str = "Words that all notes have") -> None:
    """A document of one chunk."""
    (folder / f"{number:04}.md").write_text(f"# Note {number}\n\n{words}, {number}.\n", "utf-8")


async def write_notes(library: Library, folder: Path, count: int) -> None:
    """Store so many documents of one chunk, without vectors."""
    for number in range(count):
        write_note(folder, number)
    await library.add(folder)
    await library.sync(model=None)


async def chunks(library: Library) -> list[dict[str, Any]]:
    """All chunks with their titles."""
    return await library.rows(
        "SELECT rag_chunks.id, title, section, content, analysis, length, terms, impacts "
        "FROM rag_chunks JOIN rag_documents ON rag_documents.id = document_id "
        "ORDER BY rag_chunks.id"
    )


async def corpus(library: Library) -> dict[str, Any]:
    """The measures."""
    (row,) = await library.rows("SELECT * FROM rag_corpus")
    return row


async def assert_weighed(library: Library) -> None:
    """Every chunk has the terms of its text, weighed for the average length of the corpus."""
    average = (await corpus(library))["average_length"]
    for row in await chunks(library):
        counts = term_counts(text_to_embed(row["title"], row["section"], row["content"]))
        weights = make.impacts(counts, average)
        assert (row["analysis"], row["length"]) == (ANALYSIS_VERSION, sum(counts.values()))
        assert row["terms"] == sorted(counts)
        assert row["impacts"].values() == pytest.approx([weights[term] for term in row["terms"]])


async def test_sync_measures_the_corpus(library: Library, tmp_path: Path) -> None:
    """The number of chunks, their average length, and in how many chunks each term stands."""
    await write_notes(library, tmp_path, 40)
    rows = await chunks(library)
    measured = await corpus(library)
    assert (measured["chunks"], measured["changes"], measured["weighed_to"]) == (40, 0, None)
    mean = sum(row["length"] for row in rows) / 40
    assert measured["average_length"] == pytest.approx(mean, rel=0.1)
    counted = Counter(term for row in rows for term in row["terms"])
    found = await library.rows("SELECT term, chunks FROM rag_terms")
    assert {row["term"]: row["chunks"] for row in found} == counted
    assert await library.rows("SELECT chunks FROM rag_sources") == [{"chunks": 40}]
    await assert_weighed(library)


async def test_sync_measures_again_after_many_changes(library: Library, tmp_path: Path) -> None:
    """One change in twenty is let pass; more, also removals, are not."""
    await write_notes(library, tmp_path, 40)
    first = await corpus(library)
    write_note(tmp_path, 40)
    write_note(tmp_path, 41)
    await library.sync(model=None)
    second = await corpus(library)
    assert second == {**first, "changes": 2, "language_chunks": {"english": 42}}
    (tmp_path / "0000.md").unlink()
    await library.sync(model=None)
    third = await corpus(library)
    assert third["measured_at"] > first["measured_at"]
    assert (third["chunks"], third["changes"]) == (41, 0)


async def test_sync_measures_after_a_source_was_removed(library: Library, tmp_path: Path) -> None:
    """A removal without a sync is seen by the count of the chunks."""
    await write_notes(library, tmp_path, 40)
    await library.rows("DELETE FROM rag_sources RETURNING id")
    await library.sync(model=None)
    emptied = await corpus(library)
    assert (emptied["chunks"], emptied["average_length"]) == (0, 0)
    assert await library.rows("SELECT FROM rag_terms") == []


async def test_chunks_of_older_rules_are_analysed_again(library: Library, tmp_path: Path) -> None:
    """Chunks that a migration, or an older program, left without terms get them."""
    await write_notes(library, tmp_path, 40)
    await library.rows(
        "UPDATE rag_chunks SET analysis = 0, length = 0, terms = '{}', "
        "impacts = '{}/1000000000' RETURNING id"
    )
    await library.rows("UPDATE rag_corpus SET average_length = 0, measured_at = NULL RETURNING 1")
    await library.sync(model=None)
    await assert_weighed(library)
    assert (await corpus(library))["chunks"] == 40


async def test_impacts_are_made_again_when_chunks_grow_longer(
    library: Library, tmp_path: Path
) -> None:
    """All with the new average length, so that old and new chunks compare."""
    await write_notes(library, tmp_path, 20)
    before = (await corpus(library))["average_length"]
    for number in range(20, 60):
        write_note(tmp_path, number, "Many more words in this one than in all others " * 5)
    await library.sync(model=None)
    assert (await corpus(library))["average_length"] > 1.5 * before
    await assert_weighed(library)


async def test_weighing_goes_on_after_a_crash(library: Library, tmp_path: Path) -> None:
    """From the last chunk that has its own; the ones before are left as they are."""
    await write_notes(library, tmp_path, 40)
    rows = await chunks(library)
    middle = rows[19]["id"]
    await library.rows("UPDATE rag_chunks SET impacts = '{}/1000000000' RETURNING id")
    await library.rows("UPDATE rag_corpus SET weighed_to = %s RETURNING 1", middle)
    async with library.pool.connection() as connection:
        assert (await read_corpus(connection)).weighed_to == middle
    await refresh_search(library.pool)
    done = [bool(row["impacts"].indices()) for row in await chunks(library)]
    assert done == [False] * 20 + [True] * 20
    assert (await corpus(library))["weighed_to"] is None


QUESTION = "ما هي عاصمة العراق؟"


async def write_letters(library: Library, folder: Path) -> None:
    """Store documents in Arabic, German and English, with vectors."""
    arabic = "بغداد هي عاصمة العراق، وفيها جسور على نهر دجلة من كل مكان."
    german = "Der Antrag auf die Erstattung ist bei der Behörde und nicht mit der Post zu stellen."
    for name, text in (("arabic", arabic), ("german", german), ("english", paragraph("funding"))):
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n", "utf-8")
    await library.add(folder)
    await library.sync()


async def forget_letters(library: Library) -> None:
    """Leave chunks as an older program did: other rules, and no languages noted.

    Punctuation was part of Arabic words then, and only English was stemmed.
    """
    terms = sorted(map(number_of, ("arabic", "عاصمة", "العراق،", "بغداد")))
    impacts = "{" + ",".join(f"{term + 1}:1" for term in terms) + "}/1000000000"
    await library.rows(
        "UPDATE rag_chunks SET analysis = 1, terms = %s, impacts = %s::text::sparsevec "
        "WHERE content LIKE '%%دجلة%%' RETURNING id",
        terms,
        impacts,
    )
    await library.rows("UPDATE rag_chunks SET analysis = 1 RETURNING id")
    await library.rows(
        "UPDATE rag_corpus SET languages = '{unstemmed}', "
        """language_chunks = '{"unstemmed": 1}' RETURNING 1"""
    )


def number_of(word: str) -> int:
    """The number of a word that is its own term."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest()) % TERM_SPACE


async def titles(library: Library, question: str) -> list[str]:
    """The titles that a question finds by words, best first."""
    found = await PostgresPassages(library.pool).search(PassageQuery(question))
    return [passage.title for passage in found]


@pytest.mark.req("RAG-5")
async def test_sync_notes_the_languages_of_the_chunks(library: Library, tmp_path: Path) -> None:
    """Words of a question are looked for in these, each in the form it has there."""
    await write_letters(library, tmp_path)
    assert (await corpus(library))["languages"] == ["arabic", "english", "german"]
    assert await titles(library, QUESTION) == ["Arabic"]
    assert await titles(library, "العراقي") == ["Arabic"]
    assert await titles(library, "Anträge") == ["German"]
    assert await PostgresPassages(library.pool).hold_word("Anträgen", ANYBODY)
    assert not await PostgresPassages(library.pool).hold_word("Anfragen", ANYBODY)


async def test_sync_counts_the_chunks_of_each_language(library: Library, tmp_path: Path) -> None:
    """Removed documents no longer count once the chunks are measured again."""
    await write_letters(library, tmp_path)
    assert (await corpus(library))["language_chunks"] == {"arabic": 1, "english": 1, "german": 1}
    (tmp_path / "german.md").unlink()
    await library.sync(force=True)
    assert (await corpus(library))["language_chunks"] == {"arabic": 1, "english": 1}


@pytest.mark.req("RAG-3", "RAG-5")
async def test_change_of_the_rules_analyses_words_and_embeds_nothing(
    library: Library, tmp_path: Path
) -> None:
    """Until the next sync, words are found as they stand; the chunks keep their ids."""
    await write_letters(library, tmp_path)
    before, ids = await chunks(library), await library.chunk_ids()
    await forget_letters(library)
    assert await titles(library, "عاصمة") == ["Arabic"]
    library.forget_calls()
    await library.sync()
    assert library.embedded_texts() == []
    assert await library.chunk_ids() == ids
    after = await chunks(library)
    assert [(row["analysis"], row["terms"]) for row in after] == [
        (ANALYSIS_VERSION, row["terms"]) for row in before
    ]
    assert {"arabic", "german"} < {*(await corpus(library))["languages"]}
    assert await titles(library, QUESTION) == ["Arabic"]
    assert await titles(library, "Anträge") == ["German"]
