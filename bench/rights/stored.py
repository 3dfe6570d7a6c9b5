"""A team in the database: changed as `ingest` and a connector change it, and read by every way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

import numpy as np

from bench.rights.team import CHATS, LISTS, SPACE, Folder, Page, Team
from rich_agent.documents.chunk.chunking import ChunkText
from rich_agent.documents.chunk.chunks import DocumentRef, digest, make_chunks
from rich_agent.documents.index.documents import Fingerprint, Version
from rich_agent.documents.index.storing import store_versions
from rich_agent.documents.index.vector_spaces import open_space
from rich_agent.documents.index.vectors import NewVectors, unit_vectors
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.rights import group_of
from rich_agent.repositories.database.pools import Pool, one_transaction
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.repositories.knowledge.places import PostgresPlaces
from rich_agent.repositories.knowledge.spaces import PostgresSpaces

KINDS = 16
_SPACE = VectorSpace("fuzz", 8)
_AT_ONCE = 250


@dataclass(slots=True)
class Stored:
    """The team's documents and rights in PostgreSQL; `ids` and `chunks` by number of a page."""

    team: Team
    pool: Pool
    ids: dict[int, int] = field(default_factory=dict)
    chunks: dict[int, str] = field(default_factory=dict)

    async def fill(self) -> None:
        """Store everything; the first rights come before the first document."""
        registry, sources = PostgresSpaceRegistry(self.pool), PostgresSources(self.pool)
        await registry.add(SPACE)
        for name in self.team.SOURCES:
            space = SPACE if name == "drive" else ""
            await sources.save(Source(name, "page", f"https://{name}.example/", name, space=space))
        for source in self.team.SOURCES[1:]:
            await self.tell(source)
        for person in range(1, self.team.people + 1):
            await registry.change_accounts(person, sorted(self.team.accounts[person]))
        await self.put(self.team.pages.values())
        for source in self.team.SOURCES:
            await self.assign(p for p in self.team.pages.values() if p.source == source)

    async def tell(self, source: str, folders: Iterable[Folder] | None = None) -> None:
        """Store what the service says of rights: all, or what it says of some folders."""
        accesses, groups = self.team.accesses(source), self.team.groups(source)
        some = None if folders is None else {one.place for one in folders}
        wanted = [one for one in accesses if some is None or one.place in some]
        await PostgresPlaces(self.pool).store(source, wanted, groups, is_whole=some is None)

    async def assign(self, pages: Iterable[Page]) -> None:
        """Store in which folder documents of one source are."""
        places = list(pages)
        for at in range(0, len(places), _AT_ONCE):
            some = places[at : at + _AT_ONCE]
            given = {page.url: page.folder.place if page.folder else "" for page in some}
            await PostgresPlaces(self.pool).assign(some[0].source, given)

    async def put(self, pages: Iterable[Page]) -> None:
        """Store documents, each with its vector."""
        by_source: dict[str, list[Page]] = {}
        for page in pages:
            by_source.setdefault(page.source, []).append(page)
        for some in by_source.values():
            for at in range(0, len(some), _AT_ONCE):
                await self._put(some[at : at + _AT_ONCE])

    async def _put(self, pages: Sequence[Page]) -> None:
        versions = [_version(page) for page in pages]
        rows = [[1.0, *np.random.default_rng(page.number).random(7)] for page in pages]
        hashes = [version.chunks[0].content_hash for version in versions]
        async with one_transaction(self.pool) as connection:
            space = await open_space(connection, _SPACE)
            vectors = dict(zip(hashes, unit_vectors(rows), strict=True))
            await store_versions(connection, versions, NewVectors(space, vectors))
            query = "SELECT id, url FROM rag_documents WHERE url = ANY(%s)"
            stored = await fetch_all(connection, query, ([page.url for page in pages],))
        ids = {row["url"]: row["id"] for row in stored}
        for page, version in zip(pages, versions, strict=True):
            self.ids[page.number] = ids[page.url]
            self.chunks[page.number] = version.chunks[0].id

    async def remove(self, page: Page) -> None:
        """Delete a document."""
        async with one_transaction(self.pool) as connection:
            query = "DELETE FROM rag_documents WHERE id = %s"
            await connection.execute(query, (self.ids.pop(page.number),))
        del self.chunks[page.number]


def _version(page: Page) -> Version:
    """A document of one chunk, with a word of its own and one that a few hundred share."""
    words = f"The word is zebra{page.number} of kind{page.number % KINDS}, edit {page.edits}."
    ref = DocumentRef(page.url, page.url, page.title)
    chunks = make_chunks(ref, [ChunkText(page.title, "", words)])
    mark = Fingerprint(digest(words), digest(words), 0, None, None)
    return Version(page.source, ref, words, mark, datetime.now(UTC), chunks)


class Changes:
    """Random changes of a team, each also in the database."""

    def __init__(self, stored: Stored) -> None:
        self._stored, self._team = stored, stored.team
        self._random: Random = stored.team.random
        self._registry = PostgresSpaceRegistry(stored.pool)
        self._kinds = (
            *(self._change_grant, self._change_grant, self._change_tree, self._lose_folder),
            *(self._change_group, self._change_group, self._change_account, self._change_joined),
            *(self._add_page, self._move_page, self._move_page, self._delete_page, self._edit_page),
            *(self._change_board, self._switch),
        )

    async def make(self) -> str:
        """Make one; returns its name."""
        change = self._random.choice(self._kinds)
        await change()
        return change.__name__.strip("_")

    def _source(self) -> str:
        return self._random.choice(self._team.SOURCES[1:])

    def _folder(self) -> Folder:
        return self._random.choice(self._team.folders)

    async def _change_grant(self) -> None:
        folder = self._folder()
        if folder.grants and self._random.random() < 0.5:
            folder.grants.remove(self._random.choice(sorted(folder.grants)))
        else:
            folder.grants.add(self._team.principal(folder.source))
        below = [one for one in self._team.folders if _is_below(one, folder)]
        await self._stored.tell(folder.source, below if self._random.random() < 0.7 else None)

    async def _change_tree(self) -> None:
        folder = self._folder()
        if self._random.random() < 0.5:
            folder.is_apart = not folder.is_apart
        else:
            older = (f for f in self._team.folders if f.number < folder.number)
            same = [one for one in older if one.source == folder.source]
            folder.parent = self._random.choice([None, *same])
        await self._stored.tell(folder.source)

    async def _lose_folder(self) -> None:
        folder = self._folder()
        folder.named = not folder.named
        await self._stored.tell(folder.source)

    async def _change_group(self) -> None:
        group = self._random.choice(sorted(self._team.members))
        members = self._team.members[group]
        if members and self._random.random() < 0.5:
            members.remove(self._random.choice(sorted(members)))
        else:
            self._team.nest(group)
        await self._stored.tell(group.split(":")[1], [])

    async def _change_account(self) -> None:
        person = self._random.randint(1, self._team.people)
        name = f"external:{self._source()}:p{person}"
        mine = self._team.accounts[person]
        (mine.discard if name in mine else mine.add)(name)
        added, removed = ([name], []) if name in mine else ([], [name])
        await self._registry.change_accounts(person, added, removed)

    async def _change_joined(self) -> None:
        name, person = (
            self._random.choice(LISTS + CHATS),
            self._random.randint(1, self._team.people),
        )
        joined = self._team.joined[name]
        (joined.discard if person in joined else joined.add)(person)
        group = group_of(name)
        if group is not None:
            await PostgresSpaces(self._stored.pool).note_members(person, {group: person in joined})
            return
        added, removed = ([person], []) if person in joined else ([], [person])
        await self._registry.change_members(name.partition(":")[2], added, removed)

    async def _change_board(self) -> None:
        person = f"user:{self._random.randint(1, self._team.people)}"
        who = self._random.choice(["everybody", person, *LISTS, *CHATS])
        board = self._team.board
        (board.discard if who in board else board.add)(who)
        granted, revoked = ([who], []) if who in board else ([], [who])
        await self._registry.add(SPACE, granted, revoked)

    async def _switch(self) -> None:
        self._team.is_off = not self._team.is_off
        sources = PostgresSources(self._stored.pool)
        await sources.set_status("share", "inactive" if self._team.is_off else "active")

    async def _add_page(self) -> None:
        page = self._team.add_page()
        folder, page.folder = page.folder, None
        await self._stored.put([page])
        if self._random.random() < 0.7:
            page.folder = folder
            await self._stored.assign([page])

    def _page(self) -> Page:
        return self._team.pages[self._random.choice(sorted(self._team.pages))]

    async def _move_page(self) -> None:
        page = self._page()
        page.folder = self._team.folder_of(page.source)
        await self._stored.assign([page])

    async def _delete_page(self) -> None:
        page = self._page()
        del self._team.pages[page.number]
        await self._stored.remove(page)

    async def _edit_page(self) -> None:
        page = self._page()
        page.edits += 1
        await self._stored.put([page])


def _is_below(folder: Folder, top: Folder) -> bool:
    above: Folder | None = folder
    while above is not None and above is not top:
        above = above.parent
    return above is top
