"""Commands that connect services, and that set when sources are synced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.app import Ingest, open_ingest
from ingest.clocks import PostgresClocks, parse_every
from ingest.hooks import close_hook, open_hook
from ingest.sync.connected import unsilenced
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
class Wanted:
    """A connection as it was asked for; None keeps what is stored, or the default."""

    kind: ConnectorKind
    name: str | None
    options: Sequence[str]
    every: str | None
    rights_every: str | None
    space: str | None
    secret: str


def describe_kinds() -> str:
    """The kinds of services with their options."""
    return "\n".join(
        line for kind in installed_kinds().declarations.values() for line in _describe(kind)
    )


def _describe(kind: ConnectorKind) -> Iterator[str]:
    secret = f" (asks for: {kind.asks_for})" if kind.asks_for else ""
    yield f"{kind.name}{secret}"
    try:
        options = kind.config.model_fields
    except SourceError as error:
        yield f"  {error}"
        return
    for name, about in options.items():
        need = ", required" if about.is_required() else ""
        yield f"  {name}{need}: {about.description or ''}"


async def connect(wanted: Wanted) -> str:
    """Connect a service, or change a connection; returns a message.

    Raises: SourceError, ConnectorError if the service refuses, SettingsError without a key.
    """
    async with open_ingest() as ingest:
        made = await _Made.of(wanted, ingest)
        connector = made.open(wanted)
        try:
            words = await connector.check()
        finally:
            await connector.aclose()
        sealed = made.connecting.close(made.source.id, wanted.secret)
        await ingest.sources.save(made.source)
        stored = PostgresConnections(ingest.pool)
        await stored.save(made.source.id, wanted.kind, made.config, sealed)
        await _set_clocks(wanted, made, PostgresClocks(ingest.pool))
    done = "already connected, updated" if made.is_known else "connected"
    return f"{done}: {made.source.name} ({wanted.kind.name}, {made.source.id})\n{words}"


async def try_out(wanted: Wanted) -> str:
    """Tell what a connection would read, and whether it knows rights; stores nothing.

    Raises: SourceError, ConnectorError.
    """
    async with open_ingest() as ingest:
        made = await _Made.of(wanted, ingest)
        connector = made.open(wanted)
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
) -> str:
    """Set the clocks of a source, and tell them; None changes nothing.

    With a `hook`, the source gets a new secret, which is told this once.
    Raises: SourceError, SettingsError without a key.
    """
    told = []
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        clocks = PostgresClocks(ingest.pool)
        if watch is not None:
            await _watch(source, clocks, is_wanted=watch)
        if every is not None:
            await _set(clocks, source, "content", every)
        if rights_every is not None:
            found = await PostgresConnections(ingest.pool).get(source.id)
            if found is None or not found.has_rights:
                raise SourceError(f"{source.name} has no rights of its own", hint="Use a space.")
            await _set(clocks, source, "rights", rights_every)
        if hook is not None:
            told.append(await (open_hook if hook else close_hook)(source, ingest))
        if hook:
            await _ensure_content(source, clocks)
        known = [one for one in await clocks.all() if one.source_id == source.id]
    told += [f"{source.name}: {one.in_words()}" for one in known]
    return "\n".join(told) or f"{source.name}: only by `ingest sync`"


@dataclass(frozen=True, slots=True)
class _Made:
    """The source and configuration of a connection that was asked for."""

    source: Source
    config: ServiceConfig
    connecting: Connecting
    secret: str
    is_known: bool

    @classmethod
    async def of(cls, wanted: Wanted, ingest: Ingest) -> "_Made":
        config = wanted.kind.parse(options_in(wanted.kind, wanted.options))
        name = wanted.name or _name_of(config)
        source = connected_source(name, f"{wanted.kind.name}:{name}", space=wanted.space or "")
        connecting = make_source_connecting(ingest.settings)
        stored = await PostgresConnections(ingest.pool).get(source.id)
        registered = await ingest.sources.get(source.id)
        if stored is None or registered is None:
            return cls(source, config, connecting, wanted.secret, is_known=False)
        if stored.kind != wanted.kind.name:
            hint = "Give the new one another name."
            raise SourceError(f"{name} is a connection with {stored.kind}", hint=hint)
        if wanted.space is None:
            source = registered
        secret = wanted.secret or connecting.secret_of(stored)
        return cls(source, config, connecting, secret, is_known=True)

    def open(self, wanted: Wanted) -> Connector:
        source = (self.source.id, self.source.name)
        return self.connecting.connector(wanted.kind, self.config, self.secret, source)


async def _look(connector: Connector) -> str:
    found, skipped = 0, Skipped()
    async for changes in unsilenced(connector.list("")):
        found += len(changes.entries)
        skipped.include(changes.skipped)
    places = [one async for one in unsilenced(connector.rights()) if isinstance(one, PlaceReaders)]
    lines = [await connector.check(), f"would read {counted(found, 'document')}"]
    if skipped.total:
        lines.append(f"would skip {skipped.in_words()}")
    if places:
        lines.append(f"knows the rights of {counted(len(places), 'place')}")
    return "\n".join(lines)


async def _set_clocks(wanted: Wanted, made: _Made, clocks: PostgresClocks) -> None:
    known = {one.job: one.every for one in await clocks.all() if one.source_id == made.source.id}
    jobs: list[tuple[SourceJob, str | None, str]] = [("content", wanted.every, _EVERY)]
    if wanted.kind.knows_rights(made.config):
        jobs.append(("rights", wanted.rights_every, _RIGHTS_EVERY))
    else:
        await clocks.remove(made.source.id, "rights")
    for job, asked, default in jobs:
        before = known.get(job, parse_every(default))
        every = before if asked is None else parse_every(asked)
        await clocks.set(made.source.id, job, every)


async def _watch(source: Source, clocks: PostgresClocks, *, is_wanted: bool) -> None:
    if source.type not in {"file", "folder"} or local_path(source.root_url) is None:
        raise SourceError(f"{source.name} is no folder", hint="Give it an interval: --every 15m.")
    if is_wanted:
        await clocks.set(source.id, "watch", "")
        await _ensure_content(source, clocks)
    else:
        await clocks.remove(source.id, "watch")


async def _ensure_content(source: Source, clocks: PostgresClocks) -> None:
    """Give a source whose documents only an event makes due a clock without an interval."""
    known = {one.job for one in await clocks.all() if one.source_id == source.id}
    if "content" not in known:
        await clocks.set(source.id, "content", "")


async def _set(clocks: PostgresClocks, source: Source, job: SourceJob, every: str) -> None:
    parsed = parse_every(every)
    if parsed or job == "rights":
        await clocks.set(source.id, job, parsed)
    else:
        await clocks.remove(source.id, job)


def _name_of(config: ServiceConfig) -> str:
    """A name from the end of the address, such as that of a repository."""
    first = str(getattr(config, next(iter(type(config).model_fields))))
    return Path(first.rstrip("/")).name.removesuffix(".git")
