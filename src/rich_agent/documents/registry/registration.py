"""Adds, changes and removes sources, and sets when workers read them.

A source is known by its target: what is added twice is registered once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich_agent.documents.clocks import SOURCE_WORK, reconcile_work
from rich_agent.documents.connectors.connections import Connecting, PostgresConnections
from rich_agent.documents.connectors.hooks import HOOK_PATH, SourceHooks
from rich_agent.documents.fetch.local import moves
from rich_agent.documents.registry.source_change import NewHook, SourceChange
from rich_agent.documents.registry.source_clocks import Clock, PostgresClocks, parse_every
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.source import Source, SourceError, SourceJob, local_path
from rich_agent.domain.secrets import HOOK, make_secret
from rich_agent.errors import SettingsError
from rich_agent.repositories.database.pools import Databases, execute, one_transaction
from rich_agent.repositories.due_work import prompt_due

_TRY_AGAIN = "UPDATE rag_entries SET problem = NULL WHERE source_id = %s AND problem IS NOT NULL"


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """A change of a source's clocks; None changes nothing.

    `every`, `rights_every`: how often its documents and its rights are read, as `parse_every` takes
    it.
    `watch`: whether a folder is read as soon as a file changes.
    `hook`: whether its service may post events; with True, it gets a new secret.
    """

    every: str | None = None
    rights_every: str | None = None
    watch: bool | None = None
    hook: bool | None = None


@dataclass(frozen=True, slots=True)
class SourceRegistration:
    """The changes of sources that the command `ingest` and pages make.

    `public_address`: the address of the bot, None if it knows no public one.
    """

    databases: Databases
    connecting: Connecting
    hooks: SourceHooks
    public_address: str | None = None

    @property
    def sources(self) -> PostgresSources:
        """The stored sources."""
        return PostgresSources(self.databases.rag)

    @property
    def clocks(self) -> PostgresClocks:
        """The clocks of the sources."""
        return PostgresClocks(self.databases)

    async def add(
        self, sources: Sequence[Source], options: Mapping[str, Any], every: str | None = None
    ) -> list[SourceChange]:
        """Register sources, or change registered ones.

        `options` are the arguments of `make_source` that were given: those that are missing keep
        their values in a registered source.

        Raises: SourceError.
        """
        if every is not None:
            parse_every(every)
        changes = [await self._register(source, options) for source in sources]
        if every is None:
            return changes
        return [
            replace(change, clocks=await self.set_interval(change.source, every))
            for change in changes
        ]

    async def remove(self, source: Source) -> SourceChange:
        """Remove a source and everything read from it."""
        await self.sources.remove(source.id)
        await reconcile_work(self.databases)
        self.connecting.forget(source.id)
        return SourceChange("removed", source)

    async def set_status(
        self, source: Source, status: Literal["active", "inactive"]
    ) -> SourceChange:
        """Include a source in sync and retrieval, or exclude it."""
        await self.sources.set_status(source.id, status)
        await reconcile_work(self.databases)
        return SourceChange(status, replace(source, status=status))

    async def read_now(self, source: Source) -> None:
        """Have a worker read a source as soon as one is free, failed documents too."""
        await execute(self.databases.rag, _TRY_AGAIN, (source.id,))
        await self._ensure_content(source)
        async with one_transaction(self.databases.app) as connection:
            await prompt_due(connection, SOURCE_WORK["content"], source.id, after_failure=True)

    async def schedule(self, source: Source, change: ScheduleChange) -> SourceChange:
        """Set the clocks of a source.

        With a `hook`, the source gets a new secret, which is shown only in this result.

        Raises: SourceError, SettingsError without a key.
        """
        new_hook = None
        if change.watch is not None:
            await self._watch(source, is_wanted=change.watch)
        if change.every is not None:
            await self._set(source, "content", change.every)
        if change.rights_every is not None:
            connection = await PostgresConnections(self.databases.rag).get(source.id)
            if connection is None or not connection.has_rights:
                raise SourceError(f"{source.name} has no rights of its own", hint="Use a space.")
            await self._set(source, "rights", change.rights_every)
        if change.hook:
            new_hook = await self._open_hook(source)
            await self._ensure_content(source)
        elif change.hook is not None:
            await self.hooks.remove(source.id)
        summary = f"{source.name}: takes no events" if change.hook is False else ""
        return SourceChange("scheduled", source, await self.clocks_of(source), summary, new_hook)

    async def set_interval(self, source: Source, interval: str) -> tuple[Clock, ...]:
        """Set how often a source is read; return its clocks. Raises: SourceError."""
        await self._set(source, "content", interval)
        return await self.clocks_of(source)

    async def clocks_of(self, source: Source) -> tuple[Clock, ...]:
        """The clocks of a source."""
        return tuple(await self.clocks.all([source.id]))

    async def _register(self, source: Source, options: Mapping[str, Any]) -> SourceChange:
        known_source = await self.sources.get(source.id)
        if known_source is None:
            await self.sources.save(source)
            return SourceChange("added", source)
        updated_source = replace(known_source, **{name: getattr(source, name) for name in options})
        if updated_source == known_source:
            return SourceChange("unchanged", known_source)
        await self.sources.save(updated_source, moves(known_source, updated_source))
        return SourceChange("updated", updated_source)

    async def _watch(self, source: Source, *, is_wanted: bool) -> None:
        if source.type not in {"file", "folder"} or local_path(source.root_url) is None:
            raise SourceError(
                f"{source.name} is no folder", hint="Give it an interval: --every 15m."
            )
        if is_wanted:
            await self.clocks.set(source.id, "watch", "")
            await self._ensure_content(source)
        else:
            await self.clocks.remove(source.id, "watch")

    async def _ensure_content(self, source: Source) -> None:
        """Give a source without a content clock one without an interval, for events to use."""
        if "content" not in {clock.job for clock in await self.clocks_of(source)}:
            await self.clocks.set(source.id, "content", "")

    async def _set(self, source: Source, job: SourceJob, every: str) -> None:
        interval = parse_every(every)
        if interval or job == "rights":
            await self.clocks.set(source.id, job, interval)
        else:
            await self.clocks.remove(source.id, job)

    async def _open_hook(self, source: Source) -> NewHook:
        """Give a source a new secret for events. Raises: SettingsError without a key."""
        secret = make_secret(HOOK)
        if not await self.hooks.save(source.id, secret):
            hint = "Set it as docs/how-to/connect-sources.md shows; secrets are encrypted with it."
            raise SettingsError("CREDENTIALS_KEY", "it is not set", hint=hint)
        address = f"{self.public_address or ''}{HOOK_PATH}/{source.id}"
        return NewHook(address, secret, needs_public_url=self.public_address is None)
