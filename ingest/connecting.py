"""Commands that connect services, and that set when sources are synced."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ingest.app import Ingest, open_ingest
from ingest.clocks import Clock, PostgresClocks, parse_every
from ingest.hooks import close_hook, open_hook
from ingest.source_change import Outcome, SourceChange
from ingest.sync.connected import with_deadline
from rich_agent.composition.connections import make_source_connecting
from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.connections import Connecting, PostgresConnections
from rich_agent.documents.connectors.kinds import ConnectorKind, installed_kinds, options_in
from rich_agent.documents.connectors.port import Connector, PlaceReaders
from rich_agent.documents.fetch.outcomes import Skipped
from rich_agent.documents.source import Source, SourceError, SourceJob, connected_source, local_path
from rich_agent.domain.text import counted

_EVERY = "15m"
_RIGHTS_EVERY = "4m"


@dataclass(frozen=True, slots=True)
class ConnectionRequest:
    """A connection that the operator asks for. None stands for the stored value or the default."""

    kind: ConnectorKind
    name: str | None
    options: Sequence[str]
    every: str | None
    rights_every: str | None
    space: str | None
    secret: str


def all_kinds() -> list["KindOverview"]:
    """The kinds of services with their options."""
    return [KindOverview.of(kind) for kind in installed_kinds().declarations.values()]


@dataclass(frozen=True, slots=True)
class KindOverview:
    """A kind of service.

    `asks_for`: what its secret is called, "" if it has none.
    `options`: for each its description, and whether it is required.
    `problem`: why it cannot be used here, "" if it can.
    """

    name: str
    asks_for: str
    options: Mapping[str, tuple[str, bool]]
    problem: str = ""

    @classmethod
    def of(cls, kind: ConnectorKind) -> "KindOverview":
        """The kind of a declaration."""
        try:
            fields = kind.config.model_fields
        except SourceError as error:
            return cls(kind.name, kind.asks_for, {}, str(error))
        options = {
            name: (field.description or "", field.is_required()) for name, field in fields.items()
        }
        return cls(kind.name, kind.asks_for, options)

    def to_json(self) -> dict[str, Any]:
        """The kind as `ingest connect --json` prints it."""
        options = [
            {"name": name, "description": description, "required": is_required}
            for name, (description, is_required) in self.options.items()
        ]
        return {**asdict(self), "options": options}

    def in_words(self) -> str:
        """A line for the kind, followed by one for each option."""
        lines = [f"{self.name} (asks for: {self.asks_for})" if self.asks_for else self.name]
        lines += [f"  {self.problem}"] if self.problem else []
        lines += [
            f"  {name}{', required' if is_required else ''}: {description}"
            for name, (description, is_required) in self.options.items()
        ]
        return "\n".join(lines)


async def connect(request: ConnectionRequest) -> SourceChange:
    """Connect a service, or change a connection.

    Raises: SourceError, ConnectorError if the service refuses, SettingsError without a key.
    """
    async with open_ingest() as ingest:
        setup = await _ConnectionSetup.of(request, ingest)
        connector = setup.open(request)
        try:
            summary = await connector.check()
        finally:
            await connector.aclose()
        secret = setup.connecting.close(setup.source.id, request.secret)
        await ingest.sources.save(setup.source)
        connections = PostgresConnections(ingest.pool)
        await connections.save(setup.source.id, request.kind, setup.config, secret)
        await _set_clocks(request, setup, PostgresClocks(ingest.databases))
    outcome: Outcome = "reconnected" if setup.is_known else "connected"
    return SourceChange(outcome, setup.source, summary=summary)


async def try_out(request: ConnectionRequest) -> "ConnectionTrial":
    """Look at the documents and rights that a connection would read; store nothing.

    Raises: SourceError, ConnectorError.
    """
    async with open_ingest() as ingest:
        setup = await _ConnectionSetup.of(request, ingest)
        connector = setup.open(request)
        try:
            return await _look(connector)
        finally:
            await connector.aclose()


async def schedule(
    word: str,
    every: str | None = None,
    rights_every: str | None = None,
    *,
    watch: bool | None = None,
    hook: bool | None = None,
) -> SourceChange:
    """Set the clocks of a source; None changes nothing.

    With a `hook`, the source gets a new secret, which is shown only in this result.

    Raises: SourceError, SettingsError without a key.
    """
    new_hook = None
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        clocks = PostgresClocks(ingest.databases)
        if watch is not None:
            await _watch(source, clocks, is_wanted=watch)
        if every is not None:
            await _set(clocks, source, "content", every)
        if rights_every is not None:
            connection = await PostgresConnections(ingest.pool).get(source.id)
            if connection is None or not connection.has_rights:
                raise SourceError(f"{source.name} has no rights of its own", hint="Use a space.")
            await _set(clocks, source, "rights", rights_every)
        if hook:
            new_hook = await open_hook(source, ingest)
            await _ensure_content(source, clocks)
        elif hook is not None:
            await close_hook(source, ingest)
        source_clocks = await _clocks_of(source, clocks)
    summary = f"{source.name}: takes no events" if hook is False else ""
    return SourceChange("scheduled", source, source_clocks, summary, new_hook)


async def set_interval(source: Source, interval: str, ingest: Ingest) -> tuple[Clock, ...]:
    """Set how often a source is read; return its clocks. Raises: SourceError."""
    clocks = PostgresClocks(ingest.databases)
    await _set(clocks, source, "content", interval)
    return await _clocks_of(source, clocks)


async def _clocks_of(source: Source, clocks: PostgresClocks) -> tuple[Clock, ...]:
    return tuple(clock for clock in await clocks.all() if clock.source_id == source.id)


@dataclass(frozen=True, slots=True)
class _ConnectionSetup:
    """The source and the configuration of a requested connection."""

    source: Source
    config: ServiceConfig
    connecting: Connecting
    secret: str
    is_known: bool

    @classmethod
    async def of(cls, request: ConnectionRequest, ingest: Ingest) -> "_ConnectionSetup":
        config = request.kind.parse(options_in(request.kind, request.options))
        name = request.name or _name_of(config)
        source = connected_source(name, f"{request.kind.name}:{name}", space=request.space or "")
        connecting = make_source_connecting(ingest.settings)
        connection = await PostgresConnections(ingest.pool).get(source.id)
        known_source = await ingest.sources.get(source.id)
        if connection is None or known_source is None:
            return cls(source, config, connecting, request.secret, is_known=False)
        if connection.kind != request.kind.name:
            hint = "Give the new one another name."
            raise SourceError(f"{name} is a connection with {connection.kind}", hint=hint)
        if request.space is None:
            source = known_source
        secret = request.secret or connecting.secret_of(connection)
        return cls(source, config, connecting, secret, is_known=True)

    def open(self, request: ConnectionRequest) -> Connector:
        source = (self.source.id, self.source.name)
        return self.connecting.connector(request.kind, self.config, self.secret, source)


@dataclass(frozen=True, slots=True)
class ConnectionTrial:
    """A look at the documents and rights that a connection would read.

    `summary`: what its service says.
    `skipped`: what would be left out, "" for nothing.
    """

    summary: str
    documents: int
    skipped: str
    places: int

    def to_json(self) -> dict[str, Any]:
        """The trial as `ingest connect --dry-run --json` prints it."""
        return asdict(self)

    def in_words(self) -> str:
        """A line for each fact."""
        lines = [self.summary, f"would read {counted(self.documents, 'document')}"]
        if self.skipped:
            lines.append(f"would skip {self.skipped}")
        if self.places:
            lines.append(f"knows the rights of {counted(self.places, 'place')}")
        return "\n".join(lines)


async def _look(connector: Connector) -> ConnectionTrial:
    document_count, skips = 0, Skipped()
    async for changes in with_deadline(connector.list("")):
        document_count += len(changes.entries)
        skips.include(changes.skipped)
    places = [
        item async for item in with_deadline(connector.rights()) if isinstance(item, PlaceReaders)
    ]
    skipped = skips.in_words() if skips.total else ""
    return ConnectionTrial(await connector.check(), document_count, skipped, len(places))


async def _set_clocks(
    request: ConnectionRequest, setup: _ConnectionSetup, clocks: PostgresClocks
) -> None:
    intervals = {
        clock.job: clock.every for clock in await clocks.all() if clock.source_id == setup.source.id
    }
    jobs: list[tuple[SourceJob, str | None, str]] = [("content", request.every, _EVERY)]
    if request.kind.knows_rights(setup.config):
        jobs.append(("rights", request.rights_every, _RIGHTS_EVERY))
    else:
        await clocks.remove(setup.source.id, "rights")
    for job, interval, default in jobs:
        present_interval = intervals.get(job, parse_every(default))
        every = present_interval if interval is None else parse_every(interval)
        await clocks.set(setup.source.id, job, every)


async def _watch(source: Source, clocks: PostgresClocks, *, is_wanted: bool) -> None:
    if source.type not in {"file", "folder"} or local_path(source.root_url) is None:
        raise SourceError(f"{source.name} is no folder", hint="Give it an interval: --every 15m.")
    if is_wanted:
        await clocks.set(source.id, "watch", "")
        await _ensure_content(source, clocks)
    else:
        await clocks.remove(source.id, "watch")


async def _ensure_content(source: Source, clocks: PostgresClocks) -> None:
    """Give a source without a content clock such a clock without an interval, for events to use."""
    jobs = {clock.job for clock in await clocks.all() if clock.source_id == source.id}
    if "content" not in jobs:
        await clocks.set(source.id, "content", "")


async def _set(clocks: PostgresClocks, source: Source, job: SourceJob, every: str) -> None:
    interval = parse_every(every)
    if interval or job == "rights":
        await clocks.set(source.id, job, interval)
    else:
        await clocks.remove(source.id, job)


def _name_of(config: ServiceConfig) -> str:
    """A name from the last part of the first option, such as the name of a repository."""
    first_option = str(getattr(config, next(iter(type(config).model_fields))))
    return Path(first_option.rstrip("/")).name.removesuffix(".git")
