"""Lists of sources and documents for the people who look after them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.documents.registry.document_rights import PostgresDocumentRights
from rich_agent.documents.registry.listing import (
    DOCUMENT_STATES,
    DocumentChoice,
    KnowledgeListing,
    ListedDocument,
)
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.rights import OPERATOR, Reader
from rich_agent.repositories.database.pools import Databases
from tests.integration.ingest_support import Library, Site, document, open_library
from tests.sandbox_server import RunningSandbox

ANN, BEN = Reader(7), Reader(8)
HOSTILE = "<script>alert(1)</script> %_\\ \u202eevil"


@pytest.fixture
async def library(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Library]:
    """A library without sources."""
    async with open_library(databases.rag, sandbox.url) as library:
        yield library


async def add_pages(library: Library, site: Site, count: int, **options: object) -> str:
    """Register and read a URL list with this many pages; the id of the source."""
    urls = [site.publish(f"/page/{n:02}", document(f"Page {n:02}", 2)) for n in range(count)]
    listing = site.publish("/urls.txt", "\n".join(urls))
    source = await library.add(listing, kind="url-list", **options)
    await library.sync(model=None)
    return source.id


async def all_documents(
    listing: KnowledgeListing, source_id: str, reader: Reader, choice: DocumentChoice
) -> list[ListedDocument]:
    """The documents of all pages of the list."""
    documents: list[ListedDocument] = []
    while page := await listing.documents(source_id, reader, choice):
        documents += page
        choice = replace(choice, after=page[-1].url)
    return documents


async def test_sources_are_listed_page_by_page_and_found_by_name(library: Library) -> None:
    """Each once, by name without regard to case, also with equal names and hostile ones."""
    names = ["Zoo", "alpha", "Alpha", HOSTILE, "été", "beta 10%"]
    for number, name in enumerate(names):
        await library.add(f"https://site.example/{number}", name=name)
    listing, after, listed = KnowledgeListing(library.pool), "", []
    while page := await listing.sources(OPERATOR, after=after, limit=2):
        listed += [source.name for source in page]
        after = page[-1].position
    assert sorted(listed) == sorted(names)
    alphas = [place for place, name in enumerate(listed) if name.lower() == "alpha"]
    assert alphas[1] == alphas[0] + 1
    assert listed.index("beta 10%") < listed.index("Zoo")
    for words, expected in {"ALPHA": 2, "10%": 1, "%": 2, "_\\": 1, "example/3": 1}.items():
        assert len(await listing.sources(OPERATOR, words=words)) == expected, words
    assert (await listing.sums()).sources == len(names)
    assert await listing.source("src_nowhere\x00", OPERATOR) is None


async def test_documents_are_listed_once_and_only_to_their_readers(
    library: Library, site: Site
) -> None:
    """A user who may not read the source gets none of its documents and passages."""
    spaces = PostgresSpaceRegistry(library.pool)
    await spaces.add("Mill", ["user:7"])
    source_id = await add_pages(library, site, 5, space="Mill")
    listing, choice = KnowledgeListing(library.pool), DocumentChoice(limit=2)
    documents = await all_documents(listing, source_id, ANN, choice)
    assert [one.title for one in documents] == [f"Page {n:02}" for n in range(5)]
    assert await listing.documents(source_id, BEN, choice) == []
    first = documents[0]
    assert await listing.document(first.id, BEN) is None
    assert await listing.passages(first.id, BEN) == []
    passages = await listing.passages(first.id, ANN, limit=1)
    assert "Sentence 0" in passages[0].content
    rest = await listing.passages(first.id, OPERATOR, after=passages[0].number)
    assert len(rest) == first.passages - 1
    reasons = await listing.reasons([passages[0].id], ANN)
    reason = reasons[passages[0].id]
    assert (reason.space, reason.by, reason.document_id) == ("Mill", ("user:7",), first.id)
    assert await listing.reasons([passages[0].id], BEN) == {}
    seen = await listing.source(source_id, BEN)
    assert seen is not None
    assert (seen.is_readable, seen.readers, seen.documents) == (False, ("user:7",), 5)
    explained = await PostgresDocumentRights(library.pool).of(first.id)
    assert explained is not None
    assert (explained.space, explained.space_readers) == ("Mill", ("user:7",))


async def test_documents_are_found_by_what_is_wrong_with_them(library: Library, site: Site) -> None:
    """Each state has the documents that it names, and an index."""
    source_id = await add_pages(library, site, 4)
    states = {"failed": 0, "empty": 1, "unread": 2}
    for statement in (
        "UPDATE rag_documents SET last_error = 'it is away' WHERE url LIKE '%%/00'",
        "UPDATE rag_documents SET chunk_count = 0 WHERE url LIKE '%%/01'",
        """UPDATE rag_documents SET inventory = '{"picture": [3, 1]}' WHERE url LIKE '%%/02'""",
        """UPDATE rag_documents SET inventory = '{"hidden_row": [3, 0], "chart": [1, 1]}'
        WHERE url LIKE '%%/03'""",
    ):
        await library.rows(f"{statement} RETURNING id")
    listing = KnowledgeListing(library.pool)
    for state in DOCUMENT_STATES:
        (one,) = await listing.documents(source_id, OPERATOR, DocumentChoice(state))
        assert one.url.endswith(f"/0{states[state]}")
    assert one.unread == {"picture": 2}
    (one,) = await listing.documents(source_id, OPERATOR, DocumentChoice(words="page 03"))
    assert (one.title, one.unread, one.problem) == ("Page 03", {}, "")
    assert await listing.documents(source_id, OPERATOR, DocumentChoice(words="page_03")) == []
    indexes = await library.rows(
        "SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'rag_documents_%%' "
        "AND indexdef LIKE '%%WHERE%%'"
    )
    assert len(indexes) >= len(states)


async def test_source_without_an_outcome_has_its_documents_counted(
    library: Library, site: Site
) -> None:
    """As an older version left it."""
    source_id = await add_pages(library, site, 3)
    await library.rows("UPDATE rag_sources SET last_sync = '{}' RETURNING id")
    source = await KnowledgeListing(library.pool).source(source_id, OPERATOR)
    assert source is not None
    assert (source.outcome, source.documents) == (None, 3)
    assert await PostgresSources(library.pool).get(source_id) is not None
