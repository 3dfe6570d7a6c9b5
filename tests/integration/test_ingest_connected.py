"""Sources that are read through a connector: moves, rights, gaps in listings, and failures."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typing_extensions import override

from ingest.sync.dry_run import DryRun
from ingest.sync.report import SyncReport
from ingest.sync.rights import RightsSync
from ingest.sync.scans import PageReading
from ingest.sync.sync import Sync, SyncTools
from rich_agent.documents.clocks import next_time
from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.connections import (
    Connecting,
    PostgresConnections,
    ServiceConnection,
)
from rich_agent.documents.connectors.kinds import ConnectorKind
from rich_agent.documents.connectors.kinds import Service as ServiceKind
from rich_agent.documents.connectors.port import (
    Changes,
    Connector,
    ConnectorError,
    CursorExpiredError,
    Entry,
    PlaceReaders,
    ServiceGroup,
)
from rich_agent.documents.fetch.outcomes import Outcome, RawDocument, Unreadable
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.index.entries import PostgresEntries
from rich_agent.documents.registry.source_clocks import PostgresClocks, parse_every
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.source import Source, SourceError, connected_source
from rich_agent.repositories.database.pools import Databases
from tests.integration.ingest_support import (
    FETCHING,
    MODEL,
    Library,
    Renamed,
    Silent,
    open_library,
)
from tests.sandbox_server import RunningSandbox
from tests.scripted import ScriptedVision
from tests.unit.documents.documents import Pdf


@dataclass
class Service:
    """Implements `Connector` over documents by key: address, text, and place.

    A listing comes in portions of two; with `fails_after`, it fails after so many portions.
    """

    documents: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    accesses: Sequence[PlaceReaders | ServiceGroup] = ()
    fails_after: int | None = None
    is_expired: bool = False
    refusal: ConnectorError | None = None
    cursors: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)

    def put(self, key: str, url: str = "", text: str = "", place: str = "") -> None:
        """Have a document."""
        url = f"https://service.example/{url or key}"
        self.documents[key] = (url, text or f"# {key}\n\nWords of {key}.", place)

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`."""
        self.cursors.append(cursor)
        if cursor and self.is_expired:
            self.is_expired = False
            raise CursorExpiredError("too old")
        entries = [
            Entry(key, url, str(hash(text)), place)
            for key, (url, text, place) in sorted(self.documents.items())
        ]
        for at in range(int(cursor or 0), len(entries), 2):
            if self.fails_after is not None and at >= 2 * self.fails_after:
                raise ConnectorError("away")
            yield Changes(tuple(entries[at : at + 2]), str(at + 2))
        yield Changes((), "")

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        self.reads.append(entry.key)
        if self.refusal:
            raise self.refusal
        text = self.documents[entry.key][1]
        if text == "bad":
            return Unreadable(entry.url, "it is bad")
        if text.startswith("%PDF"):
            return RawDocument(entry.url, text.encode("latin-1"), "application/pdf")
        return RawDocument(entry.url, text.encode()[:most_bytes], "text/markdown")

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`."""
        for one in self.accesses:
            yield one

    async def check(self) -> str:
        """See `Connector.check`."""
        return "reads"

    async def aclose(self) -> None:
        """See `Connector.aclose`."""


@dataclass(frozen=True, slots=True)
class OnlyService(Connecting):
    """Opens one service for all connections."""

    service: Service = field(default_factory=Service)

    @override
    def open(self, stored: ServiceConnection) -> Connector:
        """See `Connecting.open`."""
        return self.service


class NoOptions(ServiceConfig):
    """The configuration of a service without options."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A source that reads a service, and its library."""

    library: Library
    service: Service
    source: Source

    @property
    def _connecting(self) -> Connecting:
        return OnlyService(None, Path("/nowhere"), service=self.service)

    async def sync(
        self,
        *,
        force: bool = False,
        retry_after_s: float = 0.0,
        pages: PageReading | None = None,
    ) -> SyncReport:
        """Sync the source; `pages` are the means to read pages without text."""
        self.service.cursors.clear()
        self.service.reads.clear()
        async with SourceReader(FETCHING) as reader:
            tools = SyncTools(
                databases=self.library.databases,
                reader=reader,
                model=Renamed(self.library.model, MODEL),
                most_bytes=FETCHING.max_bytes,
                connecting=self._connecting,
                retry_after_s=retry_after_s,
                pages=pages or PageReading(),
            )
            return await Sync(tools, Silent(), force=force).run([self.source])

    async def plan(self) -> SyncReport:
        """Tell what a sync would do."""
        async with SourceReader(FETCHING) as reader:
            dry_run = DryRun(self.library.pool, reader, None, Silent(), self._connecting)
            return await dry_run.run([self.source], FETCHING.max_bytes)

    async def store_rights(self) -> SyncReport:
        """Store the rights of the source."""
        return await RightsSync(self.library.databases, self._connecting).run([self.source])

    async def documents(self) -> dict[str, str]:
        """The texts of the stored documents by the end of their addresses."""
        rows = await self.library.rows("SELECT url, raw_text FROM rag_documents")
        return {row["url"].rpartition("/")[2]: row["raw_text"] for row in rows}

    async def places(self) -> dict[str, tuple[str | None, bool]]:
        """The place of each document, and whether somebody may read it."""
        rows = await self.library.rows(
            """SELECT url, key, audience_id IS NOT NULL AS is_open FROM rag_documents AS document
            LEFT JOIN rag_places AS place ON place.id = document.place_id"""
        )
        return {row["url"].rpartition("/")[2]: (row["key"], row["is_open"]) for row in rows}


def load_nothing() -> ServiceKind[NoOptions]:
    """A kind whose connector is opened by nobody."""
    raise NotImplementedError


@pytest.fixture
async def connected(databases: Databases, sandbox: RunningSandbox) -> AsyncIterator[Connected]:
    """A service without documents, whose documents have rights."""
    async with open_library(databases.rag, sandbox.url) as library:
        source = connected_source("service", "git:service")
        await PostgresSources(library.pool).save(source)
        kind = ConnectorKind(name="git", load=load_nothing, has_rights=True)
        await PostgresConnections(library.pool).save(source.id, kind, NoOptions(), None)
        await PostgresClocks(library.databases).set(source.id, "content", "900")
        yield Connected(library, Service(), source)


async def test_moved_documents_are_kept_with_their_vectors(connected: Connected) -> None:
    """A document is moved without being read again, also where two change places."""
    for key in ("a", "b", "c"):
        connected.service.put(key)
    await connected.sync()
    connected.service.put("a", "b", "# a\n\nWords of a.")
    connected.service.put("b", "a", "# b\n\nWords of b.")
    connected.service.put("c", "moved")
    report = await connected.sync()
    assert connected.service.reads == []
    assert report.chunks.embedded == report.documents.removed == 0
    found = await connected.documents()
    assert {name: text.split()[-1] for name, text in found.items()} == {
        "a": "b.",
        "b": "a.",
        "moved": "c.",
    }
    links = await connected.library.rows("SELECT content, link FROM rag_chunks ORDER BY link")
    ends = [(row["link"].rpartition("/")[2].partition("#")[0], row["content"]) for row in links]
    assert ends == [("a", "Words of b."), ("b", "Words of a."), ("moved", "Words of c.")]


async def test_new_document_at_an_old_address_never_shows_the_old_one(
    connected: Connected,
) -> None:
    """The text of a document is never shown to the readers of another one."""
    connected.service.put("secret", "page", "# Plan\n\nA secret plan.", place="closed")
    await connected.sync()
    del connected.service.documents["secret"]
    connected.service.put("open", "page", "# Menu\n\nThe menu of today.", place="open")
    connected.service.refusal = ConnectorError("busy")
    await connected.sync()
    assert await connected.documents() == {}
    connected.service.refusal = None
    await connected.sync()
    assert "menu" in (await connected.documents())["page"]


async def test_rights_are_nobodys_until_the_service_names_them(connected: Connected) -> None:
    """A place opens when it is named, and closes when it is named no more; moves count at once."""
    connected.service.put("a", place="team")
    connected.service.put("b", place="boss")
    await connected.sync()
    assert await connected.places() == {"a": ("team", False), "b": ("boss", False)}
    connected.service.accesses = [PlaceReaders("team", frozenset({"everybody"}))]
    report = await connected.store_rights()
    assert report.notes == ["service: rights of 1 place, 0 groups"]
    assert await connected.places() == {"a": ("team", True), "b": ("boss", False)}
    connected.service.put("a", place="boss")
    await connected.sync()
    assert connected.service.reads == []
    assert await connected.places() == {"a": ("boss", False), "b": ("boss", False)}


async def test_dry_run_tells_whose_rights_would_change(connected: Connected) -> None:
    """Places, and documents that more or fewer people could read; nothing is stored."""
    anna, bert, staff = (f"external:service:{name}" for name in ("anna", "bert", "staff"))
    connected.service.put("a", place="team")
    connected.service.put("b", place="boss")
    connected.service.put("c", place="boss")
    connected.service.accesses = [
        PlaceReaders("team", frozenset({staff})),
        PlaceReaders("boss", frozenset({anna})),
        ServiceGroup(staff, frozenset({anna, bert})),
    ]
    await connected.sync()
    await connected.store_rights()
    report = await connected.plan()
    assert report.notes == ["service: nobody would read more or less than now"]
    before = await connected.places()
    connected.service.put("c", place="team")
    connected.service.put("new", place="team")
    connected.service.accesses = [
        PlaceReaders("team", frozenset({staff})),
        PlaceReaders("boss", frozenset({anna})),
        ServiceGroup(staff, frozenset({anna})),
    ]
    report = await connected.plan()
    (note,) = report.notes
    assert note.startswith("service: 1 place would have other readers; 0 documents would be open")
    assert note.endswith(" to more people, 1 document to fewer")
    assert report.planned is not None
    assert [url.rpartition("/")[2] for url in report.planned.closed] == ["a"]
    connected.service.accesses = [PlaceReaders("team", frozenset({"everybody"}))]
    report = await connected.plan()
    assert report.planned is not None
    found = (report.planned.opened, report.planned.closed)
    assert [[url.rpartition("/")[2] for url in urls] for urls in found] == [["a", "c"], ["b"]]
    assert await connected.places() == before


async def test_place_of_a_document_is_never_older_than_its_address(connected: Connected) -> None:
    """Whatever happens after a portion of a listing is stored, its old readers are shut out."""
    connected.service.put("a", place="team")
    await connected.sync()
    entries = PostgresEntries(connected.library.pool, connected.source.id)
    moved = Entry("a", "https://service.example/hidden", "1", "boss")
    await entries.store(Changes((moved,), ""), listing=1)
    assert await connected.places() == {"hidden": ("boss", False)}


async def test_document_that_a_killed_sync_left_without_a_place_gets_it(
    connected: Connected,
) -> None:
    """It is neither listed nor read again for that."""
    connected.service.put("a", place="team")
    connected.service.put("b")
    await connected.sync()
    await connected.library.rows("UPDATE rag_documents SET place_id = NULL RETURNING id")
    connected.service.fails_after = 0
    await connected.sync()
    assert connected.service.reads == []
    assert await connected.places() == {"a": ("team", False), "b": (None, False)}


async def test_interrupted_listing_goes_on_where_it_was(connected: Connected) -> None:
    """Entries that were listed are read; the rest is listed from the cursor."""
    for number in range(10):
        connected.service.put(f"{number}")
    await connected.sync()
    connected.service.put("0", text="# 0\n\nOther words.")
    del connected.service.documents["1"]
    connected.service.put("11")
    connected.service.fails_after = 2
    report = await connected.sync()
    assert (report.documents.changed, report.documents.removed) == (1, 0)
    assert [one.reason for one in report.failures] == ["away"]
    (clock,) = await PostgresClocks(connected.library.databases).all()
    assert clock.problem == "away"
    connected.service.fails_after = None
    report = await connected.sync()
    assert connected.service.cursors == ["4"]
    assert report.documents.removed == 1
    assert (await connected.documents()).keys() == {*"023456789", "11"}


async def test_expired_cursor_lists_everything(connected: Connected) -> None:
    """A cursor that the service forgot costs one more listing."""
    for number in range(4):
        connected.service.put(f"{number}")
    connected.service.fails_after = 1
    await connected.sync()
    connected.service.fails_after, connected.service.is_expired = None, True
    report = await connected.sync()
    assert connected.service.cursors == ["2", ""]
    assert report.documents.new == 2
    assert report.failures == []


async def test_sudden_gap_waits_for_a_word(connected: Connected) -> None:
    """More than a quarter is only removed with --force; what comes back is not read again."""
    for number in range(10):
        connected.service.put(f"{number}")
    await connected.sync()
    kept, connected.service.documents = connected.service.documents, {}
    for _ in range(2):
        report = await connected.sync()
        assert "10 of 10 documents would be removed" in report.failures[0].reason
    assert len(await connected.documents()) == 10
    connected.service.documents = kept
    report = await connected.sync()
    assert (report.documents.unchanged, connected.service.reads) == (10, [])
    connected.service.documents = {}
    assert (await connected.sync(force=True)).documents.removed == 10


async def test_service_that_is_busy_is_left_alone(connected: Connected) -> None:
    """After a refusal nothing more is asked, and the next time is when the service wants."""
    for number in range(100):
        connected.service.put(f"{number:03}")
    connected.service.refusal = ConnectorError("busy", after_s=5_000)
    report = await connected.sync()
    assert report.documents.failed == 100
    assert len(connected.service.reads) <= 32
    (row,) = await connected.library.rows(
        "SELECT extract(epoch FROM due_at - now()) > 4900 AS waits FROM due_work"
    )
    assert row["waits"]
    connected.service.refusal = None
    assert (await connected.sync()).documents.new == 100


async def test_unreadable_document_is_not_read_every_time(connected: Connected) -> None:
    """A worker reads it again in a new version, or after a day; a person who asks, at once."""
    connected.service.put("bad", text="bad")
    assert (await connected.sync(retry_after_s=1_000)).documents.failed == 1
    await connected.sync(retry_after_s=1_000)
    assert connected.service.reads == []
    await connected.sync()
    assert connected.service.reads == ["bad"]
    connected.service.put("bad", text="# Good\n\nWords.")
    assert (await connected.sync(retry_after_s=1_000)).documents.new == 1


async def test_same_bytes_under_another_version_are_read_once(connected: Connected) -> None:
    """A new version with the old bytes is noted, and not read again."""
    connected.service.put("a")
    await connected.sync()
    await connected.library.rows("UPDATE rag_documents SET etag = 'other' RETURNING id")
    assert (await connected.sync()).documents.unchanged == 1
    assert connected.service.reads == ["a"]
    await connected.sync()
    assert connected.service.reads == []


@pytest.mark.parametrize(
    ("words", "parsed"), [("15m", "900"), (" 1d ", "86400"), ("0 3 * * *", "0 3 * * *"), ("", "")]
)
def test_intervals_are_parsed(words: str, parsed: str) -> None:
    """Intervals become seconds, and cron stays as it is."""
    assert parse_every(words) == parsed
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    found = next_time(parsed, now)
    assert (found is None) is (parsed == "")
    assert found is None or found > now


@pytest.mark.parametrize("words", ["5s", "soon", "99 3 * * *", "* * * *", "1m1m"])
def test_impossible_intervals_are_refused(words: str) -> None:
    """Words that are no interval are refused with an example."""
    with pytest.raises(SourceError):
        parse_every(words)


async def test_scan_of_a_service_is_read_when_a_model_can(connected: Connected) -> None:
    """Also in the version that is stored already, page by page; then it is left alone."""
    drawing = "".join(f"{n * 10} 100 m {n * 10} 300 l S " for n in range(9))
    connected.service.put("scan", text=Pdf([drawing, drawing]).data().decode("latin-1"))
    report = await connected.sync()
    assert (report.documents.new, report.pages.unread) == (1, 2)
    vision = ScriptedVision(answer="The ferry sails at noon.")
    reads: list[tuple[int, list[str]]] = []
    for _ in range(3):
        report = await connected.sync(pages=PageReading(vision, 1))
        reads.append((report.pages.read, connected.service.reads.copy()))
    assert reads == [(1, ["scan"]), (1, ["scan"]), (0, [])]
    assert len(vision.looks) == 2
    (text,) = (await connected.documents()).values()
    assert text.split("\n\n") == ["The ferry sails at noon."] * 2
