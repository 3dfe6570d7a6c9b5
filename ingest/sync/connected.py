"""Lists and reads a source through its connector; entries are stored while they are listed."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import structlog

from ingest.sync.inspection import REMOVED_STATES, DocumentChange
from rich_agent.documents.connectors.connections import Connecting, PostgresConnections
from rich_agent.documents.connectors.deadlines import with_deadline
from rich_agent.documents.connectors.port import (
    Connector,
    ConnectorError,
    CursorExpiredError,
    Entry,
    PlaceReaders,
    ServiceGroup,
)
from rich_agent.documents.fetch.outcomes import (
    Listing,
    NotModified,
    Outcome,
    RawDocument,
    Skipped,
    Unreadable,
    Validators,
)
from rich_agent.documents.index.entries import PostgresEntries
from rich_agent.documents.source import Source
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.places import PostgresPlaces

_WHOLE_EVERY_S = 86_400.0
"""Seconds after which all documents are listed again, in case a service left out a change."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The largest size of a document, and the time after which a failed document is tried again."""

    most_bytes: int
    retry_after_s: float = 0.0


class ConnectedReader:
    """Implements `DocumentReader` for one source that a connector reads.

    Documents that could not be read are tried again after `retry_after_s`, or in a new version.
    Those at `due_urls` are read again.
    `trouble`: the last failure of the service, None without one.
    `unchanged`: the number of documents that do not have to be read.
    """

    def __init__(
        self,
        pool: Pool,
        source_id: str,
        connector: Connector,
        limits: ReadingLimits,
        due_urls: AbstractSet[str] = frozenset(),
    ) -> None:
        self.trouble: ConnectorError | None = None
        self.unchanged = 0
        self._refusal: ConnectorError | None = None
        self._pending: Mapping[str, Entry] = {}
        self._entries = PostgresEntries(pool, source_id)
        self._places = PostgresPlaces(pool)
        self._source_id = source_id
        self._connector = connector
        self._limits = limits
        self._due_urls = due_urls

    async def list_documents(self, source: Source) -> Listing:
        """The documents to read; after a failure, only those that were listed before it."""
        skips = Skipped()
        try:
            await self._list(skips)
        except ConnectorError as error:
            self.trouble = error
        except Exception as error:  # noqa: BLE001 - one bad source must not stop others
            _log.exception("listing_failed", source=source.root_url)
            self.trouble = ConnectorError(f"it cannot be listed: {error!r}")
        pending = await self._entries.pending(self._limits.retry_after_s, self._due_urls)
        self._pending, urls = pending, list(pending)
        if self.trouble and (self.trouble.is_refused or self.trouble.after_s):
            urls = []  # the service would refuse to be read, too
        if self.trouble is None:
            self.unchanged = await self._entries.count() - len(urls)
        problem = self.trouble.explain() if self.trouble else ""
        return Listing(tuple(urls), not problem, skips, problem)

    async def read(self, _source: Source, url: str, validators: Validators) -> Outcome:
        """Read a listed document; its ETag is the version of its entry."""
        if self._refusal is not None:
            return Unreadable(url, self._refusal.explain())
        entry = self._pending.get(url) or (await self._entries.at([url])).get(url)
        if entry is None:
            return Unreadable(url, "it is gone", is_gone=True)
        if validators.etag == entry.version:
            return NotModified(url)
        try:
            outcome = await self._connector.read(entry, self._limits.most_bytes)
        except ConnectorError as error:
            self.trouble = self._refusal = error
            return Unreadable(url, error.explain())
        if isinstance(outcome, RawDocument):
            return replace(outcome, url=url, etag=entry.version, last_modified=None)
        return outcome

    async def account_for(self, changes: Iterable[DocumentChange]) -> None:
        """Record documents that cannot be read in their present version, and unchanged ones."""
        unchanged_urls = [
            change.url for change in changes if change.state in {"unchanged", "refreshed"}
        ]
        if unchanged_urls:
            await self.settle(unchanged_urls)
        if self._refusal is None:
            problems = {
                change.url: change.reason
                for change in changes
                if change.state == "failed" or change.state in REMOVED_STATES
            }
            await self._entries.note_problems(problems)

    async def settle(self, urls: Sequence[str]) -> None:
        """Record that documents are stored, and assign their places."""
        entries = await self._entries.at(urls)
        await self._entries.note_read(urls)
        if entries:
            place_by_url = {url: entry.place for url, entry in entries.items()}
            await self._places.assign(self._source_id, place_by_url)

    async def _list(self, skips: Skipped) -> None:
        state = await self._entries.state(_WHOLE_EVERY_S)
        is_whole = not state.cursor or (state.is_old and not state.is_whole)
        try:
            await self._list_from("" if is_whole else state.cursor, skips)
        except CursorExpiredError:
            await self._list_from("", skips)

    async def _list_from(self, cursor: str, skips: Skipped) -> None:
        if not cursor:
            await self._entries.begin_whole()
        state = await self._entries.state(_WHOLE_EVERY_S)
        async for changes in with_deadline(self._connector.list(cursor)):
            await self._entries.store(changes, state.listing)
            skips.include(changes.skipped)
        if state.is_whole:
            await self._entries.end_whole()


class UnstoredReader:
    """Implements `DocumentReader` for a dry run: lists all documents, and stores nothing."""

    def __init__(self, connector: Connector, most_bytes: int) -> None:
        self.connector = connector
        self._most_bytes = most_bytes
        self._entries: dict[str, Entry] = {}

    @property
    def places(self) -> Mapping[str, str]:
        """The place of each listed document, by address."""
        return {url: entry.place for url, entry in self._entries.items()}

    async def list_documents(self, _source: Source) -> Listing:
        """All documents; after a failure, only those that were listed before it."""
        skips, problem = Skipped(), ""
        try:
            async for changes in with_deadline(self.connector.list("")):
                self._entries |= {entry.url: entry for entry in changes.entries}
                skips.include(changes.skipped)
        except ConnectorError as error:
            problem = error.explain()
        return Listing(tuple(self._entries), not problem, skips, problem)

    async def read(self, _source: Source, url: str, validators: Validators) -> Outcome:
        """Read a listed document; its ETag is the version of its entry."""
        entry = self._entries[url]
        if validators.etag == entry.version:
            return NotModified(url)
        try:
            return await self.connector.read(entry, self._most_bytes)
        except ConnectorError as error:
            return Unreadable(url, error.explain())


@asynccontextmanager
async def open_connector(
    pool: Pool, connecting: Connecting, source_id: str
) -> AsyncIterator[Connector]:
    """Open the connector of a source. Raises: ConnectorError, SourceError."""
    connection = await PostgresConnections(pool).get(source_id)
    if connection is None:
        raise ConnectorError("the source is not connected", is_refused=True)
    connector = connecting.open(connection)
    try:
        yield connector
    finally:
        await connector.aclose()


async def read_rights(connector: Connector) -> tuple[list[PlaceReaders], list[ServiceGroup]]:
    """The readers of all places, and the members of groups. Raises: ConnectorError."""
    accesses: list[PlaceReaders] = []
    groups: list[ServiceGroup] = []
    async for item in with_deadline(connector.rights()):
        if isinstance(item, PlaceReaders):
            accesses.append(item)
        else:
            groups.append(item)
    return accesses, groups
