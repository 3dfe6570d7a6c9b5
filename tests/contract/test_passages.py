"""Retrieval over real PostgreSQL, from documents that ingestion wrote."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rich_agent.documents.chunk.chunking import cut_sections
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.markdown import markdown_sections
from rich_agent.documents.index.documents import Fingerprint, Version
from rich_agent.documents.index.search_index import refresh_search
from rich_agent.documents.index.storing import store_versions
from rich_agent.documents.index.vector_spaces import open_space
from rich_agent.documents.index.vectors import NewVectors, unit_vectors
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.fusion import word_query
from rich_agent.domain.retrieval.passage import Passage, VectorSpace
from rich_agent.domain.retrieval.reordering import Reordering
from rich_agent.domain.retrieval.search_terms import question_words
from rich_agent.domain.rights import ANYBODY
from rich_agent.ports.knowledge import DocumentTitles, PassageQuery
from rich_agent.repositories.database.pools import Databases, Pool
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.search_scope import Scope
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.knowledge.word_search import search_words

SPACE = VectorSpace("model", 8)
GUIDE = """\
# Guide

## Funding

Funding rates are paid every hour by the traders whose side is crowded.

## Staking

Validators are staked with tokens, and they are paid for running.

## Slippage

The price of a large order slips while it is being filled by traders.
"""
JAPANESE = """\
# 手引き

## 資金調達率

資金調達率は一時間ごとに支払われます。

## ステーキング

バリデータにトークンを預けて報酬を得ます。
"""
FINGERPRINT = Fingerprint("raw", "content", 1, None, None)


def vector(*numbers: float) -> list[float]:
    """A vector of the space that begins with these numbers."""
    return [*numbers, *[0.0] * (SPACE.dimensions - len(numbers))]


class Shelf:
    """Writes documents as a sync does."""

    def __init__(self, pool: Pool) -> None:
        self.sources = PostgresSources(pool)
        self._pool = pool

    async def add_source(self, name: str, *, internal: bool = False, space: str = "") -> Source:
        """Register a source."""
        source = Source(
            f"src_{name}", "page", f"https://{name}.example/", name, internal=internal, space=space
        )
        await self.sources.save(source)
        return source

    async def put(
        self,
        source: Source,
        path: str,
        markdown: str,
        vectors: Sequence[Sequence[float]] = (),
        space: VectorSpace = SPACE,
    ) -> list[str]:
        """Store a document with the vectors of its chunks, in order; the ids of its chunks."""
        url = f"{source.root_url}{path}"
        page = DocumentRef(url, url, path)
        chunks = make_chunks(page, cut_sections(markdown_sections(markdown, slugs=True), path))
        hashes = [chunk.content_hash for chunk in chunks[: len(vectors)]]
        by_hash = dict(zip(hashes, unit_vectors(vectors), strict=True)) if hashes else {}
        fingerprint = replace(FINGERPRINT, raw_hash=markdown)
        version = Version(source.id, page, markdown, fingerprint, datetime.now(UTC), chunks)
        async with self._pool.connection() as connection, connection.transaction():
            opened = await open_space(connection, space)
            await store_versions(connection, [version], NewVectors(opened, by_hash))
        return [chunk.id for chunk in chunks]


@pytest.fixture
def shelf(databases: Databases) -> Shelf:
    """Nothing is stored."""
    return Shelf(databases.rag)


@pytest.fixture
def passages(databases: Databases) -> PostgresPassages:
    """Retrieval by vectors of the model, and by words without."""
    return PostgresPassages(databases.rag)


def sections(found: Sequence[Passage]) -> list[str]:
    """The innermost headings."""
    return [passage.section.rpartition(" > ")[2] for passage in found]


async def test_search_finds_nothing_where_nothing_is_stored(passages: PostgresPassages) -> None:
    """Neither by vector nor by words, and no source has a title."""
    assert await passages.search(PassageQuery("funding", vector(1))) == []
    assert await passages.search(PassageQuery("funding")) == []
    assert (await passages.names(ANYBODY)).sources == ()


@pytest.mark.req("ROUTE-2")
async def test_hold_word_tells_what_stands_in_a_document(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """In any form and case, in a heading too; a part of a compound in Japanese as well."""
    assert not await passages.hold_word("staking", ANYBODY)
    await shelf.put(await shelf.add_source("guide"), "docs", GUIDE)
    await shelf.put(await shelf.add_source("tebiki"), "docs", JAPANESE)
    held = ["Staking", "stake", "FEES", "slippage", "資金調達率", "ステーキング", "trader", "調達"]
    found = {
        word: await passages.hold_word(word, ANYBODY)
        for word in [*held, "the", "wallet", "有給休暇"]
    }
    assert found == {**dict.fromkeys(found, True), "FEES": False, **dict.fromkeys(
        ["the", "wallet", "有給休暇"], False)}  # fmt: skip


@pytest.mark.req("ROUTE-2")
async def test_hold_word_looks_at_the_bots_own_documents_only_without_others(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """They are made of everyday words; and what is inactive is not looked at."""
    await shelf.put(await shelf.add_source("about", internal=True), "docs", GUIDE)
    assert await passages.hold_word("order", ANYBODY)
    other = await shelf.add_source("tebiki")
    await shelf.put(other, "docs", JAPANESE)
    assert not await passages.hold_word("order", ANYBODY)
    await shelf.sources.set_status(other.id, "inactive")
    assert await passages.hold_word("order", ANYBODY)
    assert not await passages.hold_word("資金調達率", ANYBODY)


@pytest.mark.req("RAG-3", "RAG-4")
async def test_search_gives_all_that_a_citation_needs(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """Chunk id, address, title, heading path, link to the section, content."""
    source = await shelf.add_source("guide", internal=True)
    ids = await shelf.put(source, "docs", GUIDE)
    (found,) = await passages.search(PassageQuery("crowded"))
    assert found == Passage(
        id=ids[0],
        kind="document",
        content="Funding rates are paid every hour by the traders whose side is crowded.",
        source_url="https://guide.example/docs",
        title="docs",
        section="Guide > Funding",
        link="https://guide.example/docs#funding",
        score=found.score,
        internal=True,
    )
    assert 0 < found.score <= 1


@pytest.mark.req("RAG-4")
async def test_search_by_vector_gives_the_nearest_first(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """The same direction scores 1, the opposite one never below 0."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "docs", GUIDE, [vector(1, 1), vector(0, -1), vector(1, 0.1)])
    found = await passages.search(PassageQuery("whatever", vector(2, 0.2)))
    assert sections(found) == ["Slippage", "Funding", "Staking"]
    assert found[0].score == pytest.approx(1, abs=0.01)
    assert 0.5 < found[1].score < 1
    assert found[2].score == 0
    (opposite,) = await passages.search(PassageQuery("", vector(0, -2), limit=1))
    assert sections([opposite]) == ["Staking"]


@pytest.mark.parametrize("question", ["", "Are traders paid a funding rate every hour?"])
async def test_search_prefers_a_document_that_is_about_the_question_as_a_whole(
    passages: PostgresPassages, shelf: Shelf, question: str
) -> None:
    """A chunk among others that say nothing of it comes after one that is nearly as good."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "docs", GUIDE, [vector(1, 0.1), vector(0, 1), vector(0, 0, 1)])
    await shelf.put(source, "short", GUIDE.partition("## Staking")[0], [vector(1, 0.2)])
    for number in range(5):
        await shelf.put(source, f"{number}", f"Case {number}.", [vector(0, 0, 0, 1)])
    found = await passages.rank(PassageQuery(question, vector(1)))
    assert [one.passage.title for one in found[:2]] == ["short", "docs"]


async def test_search_chooses_passages_in_the_order_that_it_is_given(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """As many candidates as wanted are looked for and shown; the strength of the evidence stays."""
    source = await shelf.add_source("guide")
    for number in range(70):
        # Each is longer than the one before, so that its one word counts for less.
        text = f"Number{number:03} has slippage. {'More. ' * number}"
        await shelf.put(source, f"{number}", text)
    read: list[str] = []

    async def last_first(texts: Sequence[str]) -> list[int]:
        read.extend(texts)
        return [len(texts) - 1]

    usual = await passages.search(PassageQuery("slippage", limit=2))
    reordering = Reordering(60, last_first)
    found = await passages.search(PassageQuery("slippage", limit=2, reordering=reordering))
    assert len(read) == 60
    assert found[0].content in read[-1]
    assert found[1].content in read[0]
    assert found[0].score == usual[0].score


@pytest.mark.req("RAG-5")
async def test_search_compares_vectors_of_the_active_space_only(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """Vectors of another model or length are passed over, and a query of another length too."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "mine", "The vector that is meant.", [vector(0.5, 0.5)])
    await shelf.put(source, "other", "Another model.", [vector(1)], VectorSpace("other", 8))
    await shelf.put(source, "short", "Another length.", [[1.0, 0.0]], VectorSpace("model", 2))
    assert await passages.space() == SPACE
    found = await passages.search(PassageQuery("", vector(1)))
    assert [passage.content for passage in found] == ["The vector that is meant."]
    assert await passages.search(PassageQuery("", [1.0, 0.0])) == []


async def test_search_finds_chunks_that_have_no_vector_yet(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """By their words, while a new space is built or the model is away."""
    source = await shelf.add_source("guide")
    for number in range(9):
        await shelf.put(source, f"{number}", f"Tokens of case {number}.", [vector(1, number / 9)])
    await shelf.put(source, "bare", "Liquidation without a vector.")
    found = await passages.search(PassageQuery("liquidation", vector(0.1, -1)))
    assert found[0].content == "Liquidation without a vector."


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("How is a trader funded, and at which rate?", "Funding"),
        ("stake with a validator", "Staking"),
        ("orders slipping", "Slippage"),
        ("資金調達率はいつ支払われますか", "資金調達率"),
        ("バリデータの報酬", "ステーキング"),
        ("ｽﾃｰｷﾝｸﾞ", "ステーキング"),
        ("Solana の資金調達率", "資金調達率"),
    ],
)
async def test_search_by_words_finds_other_forms(
    passages: PostgresPassages, shelf: Shelf, query: str, section: str
) -> None:
    """English words by their stems, Japanese without spaces, also in half width."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "en", GUIDE)
    await shelf.put(source, "ja", JAPANESE)
    found = await passages.search(PassageQuery(query))
    assert sections(found)[0] == section


async def test_search_without_a_vector_is_by_words(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """EMBEDDING_MODEL=none, or a model that is away."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "docs", GUIDE, [vector(1), vector(1), vector(1)])
    assert sections(await passages.search(PassageQuery("slips"))) == ["Slippage"]


@pytest.mark.parametrize(
    "query",
    [
        *("'", "&", "|", "!", ":*", "(", ")", "<->", "\\", "'&|!:*()<->\\", "a & ! b:*", "''''"),
        *("", " ", "\0", "\ud800", "the of and", "%s %(words)s %", "🙂", "a" * 10_000, "資 '&率"),
        "'); DROP TABLE rag_chunks; --",
    ],
    ids=repr,
)
async def test_search_by_words_takes_any_query(
    passages: PostgresPassages, shelf: Shelf, query: str
) -> None:
    """Search operators are plain text, and a query without words finds nothing."""
    source = await shelf.add_source("guide")
    await shelf.put(source, "docs", GUIDE)
    before = await passages.search(PassageQuery("slippage"))
    assert len(before) == 1
    for passage in await passages.search(PassageQuery(query)):
        assert 0 <= passage.score <= 1
    mixed = await passages.search(PassageQuery(f"{query} slippage"))
    assert before[0].id in {passage.id for passage in mixed}


async def test_search_by_words_takes_quoted_words(passages: PostgresPassages, shelf: Shelf) -> None:
    """A word that holds operators is found by itself."""
    source = await shelf.add_source("guide")
    await shelf.put(
        source, "code", "# Code\n\nCall rock'n'roll::start(x) of C:\\tmp\\file.txt then."
    )
    for query in ("rock'n'roll", "C:\\tmp\\file.txt", "start(x)", "roll::start"):
        assert len(await passages.search(PassageQuery(query))) == 1


async def test_search_by_words_takes_terms_of_small_numbers(databases: Databases) -> None:
    """Their numbers are hashes, and one that fits into two bytes is sent to PostgreSQL as such."""
    often = {7: 60_000, 9: 70_000}
    words = word_query({frozenset({term}): 1 for term in often}, often, 100_000)
    for few in (words, word_query({frozenset({7}): 1}, {7: 1}, 100_000)):
        assert await search_words(databases.rag, Scope([], 0, None, few), 5) == []


async def test_search_by_words_wants_a_third_word_where_many_chunks_have_two(
    databases: Databases, shelf: Shelf
) -> None:
    """Of words in a tenth of a million chunks, two are not enough if ten chunks have three."""
    source = await shelf.add_source("guide")
    two = await shelf.put(source, "two", "The lease of a garden.")
    texts = [f"The lease of garden {number} with a fence." for number in range(10)]
    three: list[str] = []
    for text in texts:
        three += await shelf.put(source, text[13:22], text)
    counts = {term: 100_000 for word in question_words("lease garden", None) for term in word}
    counts |= {term: 150_000 for word in question_words("fence", None) for term in word}
    for question, expected in (("lease garden fence", three), ("lease garden", [*two, *three])):
        words = word_query(question_words(question, None), counts, 1_000_000)
        found = await search_words(databases.rag, Scope([source.id], 11, None, words), 20)
        assert sorted(found) == sorted(expected), question


async def test_search_by_words_weighs_a_rare_word_more(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """One word that few passages hold beats one that most hold; all words give 1."""
    source = await shelf.add_source("guide")
    for number in range(12):
        await shelf.put(source, f"common-{number}", f"The market of case {number} is a market.")
    await shelf.put(source, "rare", "Liquidation comes without a warning.")
    found = await passages.search(PassageQuery("liquidation on a market", limit=3))
    assert found[0].content.startswith("Liquidation")
    assert found[0].score > 0.5 > found[1].score
    both = await passages.search(PassageQuery("case 7 market", limit=1))
    assert both[0].content.startswith("The market of case 7")
    assert both[0].score == pytest.approx(1)


@pytest.mark.req("RAG-1")
async def test_search_leaves_inactive_sources_out(passages: PostgresPassages, shelf: Shelf) -> None:
    """By vector and by words, and they have no title."""
    for name in ("one", "two"):
        source = await shelf.add_source(name)
        await shelf.put(source, "docs", f"# {name}\n\nFunding of {name}.", [vector(1)])
    await shelf.sources.set_status("src_one", "inactive")
    for query in (PassageQuery("funding"), PassageQuery("funding", vector(1))):
        assert [found.title for found in await passages.search(query)] == ["docs"]
        assert [found.content for found in await passages.search(query)] == ["Funding of two."]
    assert (await passages.names(ANYBODY)).sources == ("two",)
    await shelf.sources.set_status("src_one", "active")
    assert len(await passages.search(PassageQuery("funding"))) == 2


async def test_search_finds_a_word_that_came_after_the_corpus_was_measured(
    passages: PostgresPassages, shelf: Shelf, databases: Databases
) -> None:
    """Rarity of words is measured now and then; a new word is found at once."""
    source = await shelf.add_source("guide")
    for number in range(40):
        await shelf.put(source, f"{number}", f"Funding of case {number}.")
    await refresh_search(databases.rag)
    await shelf.put(source, "new", "A zyzzyva is a weevil.")
    for query in ("zyzzyva", "funding of a zyzzyva"):
        assert (await passages.search(PassageQuery(query)))[0].title == "new"
    found = await passages.search(PassageQuery("funding of a quagga", limit=1))
    assert found[0].content.startswith("Funding")


async def test_usual_similarity_is_measured_again_with_the_corpus(
    passages: PostgresPassages, shelf: Shelf, databases: Databases
) -> None:
    """A process keeps a sample of the vectors until then; before the first time it reads them."""
    source = await shelf.add_source("guide")
    query = PassageQuery("", vector(1))
    found = []
    for number in range(4):
        await shelf.put(source, f"{number}", f"Case {number}.", [vector(1, number)])
        if number in {1, 3}:
            await refresh_search(databases.rag)
        found.append((await passages.find(query)).background)
    assert found[0] != found[1] == found[2] != found[3]


@pytest.mark.parametrize("embedding", [None, vector(1)], ids=["words", "vector"])
async def test_search_keeps_to_the_sources_that_are_wanted(
    passages: PostgresPassages, shelf: Shelf, embedding: list[float] | None
) -> None:
    """However well others fit: by name, or the bot's own."""
    one = await shelf.add_source("one")
    for number in range(60):
        await shelf.put(one, f"{number}", f"# Funding\n\nFunding, funding {number}.", [vector(1)])
    own = await shelf.add_source("own", internal=True)
    await shelf.put(own, "docs", "Funding, among other things.", [vector(0.1, 1)])
    by_id = PassageQuery("funding", embedding, source_ids=(own.id,))
    for query in (by_id, PassageQuery("funding", embedding, internal=True)):
        assert [found.title for found in await passages.search(query)] == ["docs"]
    nowhere = PassageQuery("funding", embedding, internal=False, source_ids=(own.id,))
    assert await passages.search(nowhere) == []


@pytest.mark.req("RAG-5")
async def test_search_forgets_a_removed_source(passages: PostgresPassages, shelf: Shelf) -> None:
    """With its documents, chunks and vectors."""
    source = await shelf.add_source("one")
    await shelf.put(source, "docs", GUIDE, [vector(1)])
    await shelf.sources.remove(source.id)
    assert await passages.search(PassageQuery("funding")) == []
    assert await passages.search(PassageQuery("funding", vector(1))) == []


@pytest.mark.req("ROUTE-3")
@pytest.mark.parametrize("embedding", [None, vector(1)], ids=["words", "vector"])
async def test_search_tells_internal_documents_from_others(
    passages: PostgresPassages, shelf: Shelf, embedding: list[float] | None
) -> None:
    """Only the bot's own, only the others, or all."""
    for name, internal in (("bot", True), ("world", False)):
        source = await shelf.add_source(name, internal=internal)
        await shelf.put(source, "docs", f"# {name}\n\nFunding of {name}.", [vector(1)])
    found = {
        wanted: {
            (passage.content, passage.internal)
            for passage in await passages.search(PassageQuery("funding", embedding, 6, wanted))
        }
        for wanted in (True, False, None)
    }
    bot, world = ("Funding of bot.", True), ("Funding of world.", False)
    assert found == {True: {bot}, False: {world}, None: {bot, world}}


@pytest.mark.parametrize("embedding", [None, vector(1)], ids=["words", "vector"])
async def test_search_gives_no_text_twice(
    passages: PostgresPassages, shelf: Shelf, embedding: list[float] | None
) -> None:
    """As many as were asked for in all, of a long document too; a copy of a passage is left out."""
    source = await shelf.add_source("guide")
    long = "\n\n".join(f"## Part {n}\n\nFunding in case {n}." for n in range(8))
    await shelf.put(source, "long", long, [vector(1)] * 8)
    await shelf.put(source, "copy", "## Part 0\n\nFunding in case 0.", [vector(1)])
    for n in range(3):
        await shelf.put(source, f"short-{n}", f"Funding, short {n}.", [vector(1, 0.5)])
    found = await passages.search(PassageQuery("funding", embedding, limit=5))
    assert len(found) == 5
    assert any(passage.source_url.endswith("/long") for passage in found)
    assert len({passage.content for passage in found}) == 5
    assert len(await passages.search(PassageQuery("funding", embedding, limit=2))) == 2


async def test_source_titles_are_at_most_fifty_names(
    passages: PostgresPassages, shelf: Shelf
) -> None:
    """By name, also of sources that were not synced yet."""
    for number in reversed(range(60)):
        await shelf.add_source(f"name-{number:02}")
    names = (await passages.names(ANYBODY)).sources
    assert list(names) == [f"name-{number:02}" for number in range(50)]


async def test_titles_are_those_with_the_words_of_the_query_first(
    databases: Databases, shelf: Shelf
) -> None:
    """Best first, each once; then the longest of the others, those about the bot last."""
    one, own = await shelf.add_source("one"), await shelf.add_source("own", internal=True)
    gone = await shelf.add_source("gone")
    await shelf.put(own, "About me", "# Me\n\n## A\n\nI answer.\n\n## B\n\nI cite.")
    await shelf.put(one, "Guide", GUIDE)
    await shelf.put(one, "Shorter", "# Notes\n\nThe price is right.")
    await shelf.put(one, "On hats", "# Hats\n\nA hat is worn.")
    await shelf.put(gone, "Old", "# Old\n\nStaking was so.")
    await shelf.sources.set_status(gone.id, "inactive")
    catalogue = PostgresSourceCatalogue(databases.rag)
    found = await catalogue.titles("Which ones are about staking?", 9, ANYBODY)
    assert (found.matching[0], set(found.others)) == ("Guide", {"Shorter", "On hats", "About me"})
    assert found.others[-1] == "About me"
    assert await catalogue.titles("hats", 2, ANYBODY) == DocumentTitles(("On hats",), ("Guide",))
    assert (await catalogue.titles("", 1, ANYBODY)).others == ("Guide",)


async def test_titles_that_match_leave_a_third_to_the_others(
    databases: Databases, shelf: Shelf
) -> None:
    """If nearly all match, the longest of those that do not are named too."""
    own, one = await shelf.add_source("own", internal=True), await shelf.add_source("one")
    for number in range(5):
        await shelf.put(own, f"Hats {number}", f"# Hats {number}\n\nA hat is worn {number} times.")
    await shelf.put(one, "Guide", GUIDE)
    found = await PostgresSourceCatalogue(databases.rag).titles("hat", 3, ANYBODY)
    assert (len(found.matching), found.others) == (2, ("Guide",))
    found = await PostgresSourceCatalogue(databases.rag).titles("hat", 9, ANYBODY)
    assert (len(found.matching), found.others) == (5, ("Guide",))


async def test_outline_is_the_headings_in_order_of_an_active_document(
    databases: Databases, shelf: Shelf, passages: PostgresPassages
) -> None:
    """Each once, at most so many; nothing of a source that is not active, or of no chunk."""
    one = await shelf.add_source("one")
    await shelf.put(one, "Guide", GUIDE)
    catalogue = PostgresSourceCatalogue(databases.rag)
    (found, *_) = await passages.search(PassageQuery("slippage"))
    headings = ["Guide > Funding", "Guide > Staking", "Guide > Slippage"]
    assert await catalogue.outline(found.id, 9, ANYBODY) == headings
    assert await catalogue.outline(found.id, 2, ANYBODY) == headings[:2]
    assert await catalogue.outline("chk_none", 9, ANYBODY) == []
    await shelf.sources.set_status(one.id, "inactive")
    assert await catalogue.outline(found.id, 9, ANYBODY) == []
