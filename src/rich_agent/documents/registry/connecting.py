"""Connects services from which documents are read, and tries a connection without storing it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.connections import Connecting, PostgresConnections
from rich_agent.documents.connectors.deadlines import with_deadline
from rich_agent.documents.connectors.kinds import ConnectorKind, installed_kinds, options_in
from rich_agent.documents.connectors.port import Connector, PlaceReaders
from rich_agent.documents.fetch.outcomes import Skipped
from rich_agent.documents.registry.registration import SourceRegistration
from rich_agent.documents.registry.source_change import Outcome, SourceChange
from rich_agent.documents.registry.source_clocks import parse_every
from rich_agent.documents.source import Source, SourceError, SourceJob, connected_source
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


async def connect(request: ConnectionRequest, registration: SourceRegistration) -> SourceChange:
    """Connect a service, or change a connection.

    Raises: SourceError, ConnectorError if the service refuses, SettingsError without a key.
    """
    setup = await _ConnectionSetup.of(request, registration)
    connector = setup.open(request)
    try:
        summary = await connector.check()
    finally:
        await connector.aclose()
    secret = setup.connecting.close(setup.source.id, request.secret)
    await registration.sources.save(setup.source)
    connections = PostgresConnections(registration.databases.rag)
    await connections.save(setup.source.id, request.kind, setup.config, secret)
    await _set_clocks(request, setup, registration)
    outcome: Outcome = "reconnected" if setup.is_known else "connected"
    return SourceChange(outcome, setup.source, summary=summary)


async def try_out(
    request: ConnectionRequest, registration: SourceRegistration
) -> "ConnectionTrial":
    """Look at the documents and rights that a connection would read; store nothing.

    Raises: SourceError, ConnectorError.
    """
    setup = await _ConnectionSetup.of(request, registration)
    connector = setup.open(request)
    try:
        return await _look(connector)
    finally:
        await connector.aclose()


@dataclass(frozen=True, slots=True)
class _ConnectionSetup:
    """The source and the configuration of a requested connection."""

    source: Source
    config: ServiceConfig
    connecting: Connecting
    secret: str
    is_known: bool

    @classmethod
    async def of(
        cls, request: ConnectionRequest, registration: SourceRegistration
    ) -> "_ConnectionSetup":
        config = request.kind.parse(options_in(request.kind, request.options))
        name = request.name or _name_of(config)
        source = connected_source(name, f"{request.kind.name}:{name}", space=request.space or "")
        connecting = registration.connecting
        connection = await PostgresConnections(registration.databases.rag).get(source.id)
        known_source = await registration.sources.get(source.id)
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
    request: ConnectionRequest, setup: _ConnectionSetup, registration: SourceRegistration
) -> None:
    clocks = registration.clocks
    intervals = {clock.job: clock.every for clock in await registration.clocks_of(setup.source)}
    jobs: list[tuple[SourceJob, str | None, str]] = [("content", request.every, _EVERY)]
    if request.kind.knows_rights(setup.config):
        jobs.append(("rights", request.rights_every, _RIGHTS_EVERY))
    else:
        await clocks.remove(setup.source.id, "rights")
    for job, interval, default in jobs:
        present_interval = intervals.get(job, parse_every(default))
        every = present_interval if interval is None else parse_every(interval)
        await clocks.set(setup.source.id, job, every)


def _name_of(config: ServiceConfig) -> str:
    """A name from the last part of the first option, such as the name of a repository."""
    first_option = str(getattr(config, next(iter(type(config).model_fields))))
    return Path(first_option.rstrip("/")).name.removesuffix(".git")
