"""Synchronises the tasks of a user with their list: first what changed there, then what did here.

Every write names the version that it replaces, so that doing it twice does no harm. After a refusal
the entry is read again; whether the user has to be asked is decided where it is merged.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from rich_agent.domain.agenda.entries import TaskEntry, changed_fields
from rich_agent.errors import RichAgentError
from rich_agent.ports.operations import Attempts, Work
from rich_agent.ports.task_lists import (
    PASSING,
    ConnectionLostError,
    EntryChangedError,
    EntryNews,
    EntryText,
    HeldConnection,
    Merged,
    PendingPush,
    TaskListClient,
    TaskListConnections,
    TaskListError,
    TaskListLogin,
    TaskListServers,
)
from rich_agent.runtime.concurrency import repeat, task_group, unless
from rich_agent.runtime.seals import Seal, SealError
from rich_agent.task_lists.vtodo import edited_entry, new_entry, read_entry

_log = structlog.get_logger()
_LONGEST_S = 80.0
_LONGEST_PUSHING_S = 30.0
_UNFINISHED = -1
"""A change number that no user has: what is left is pushed in the next turn."""
_FIRST_RETRY_S = 15.0
_LONGEST_RETRY_S = 900.0
_AFTER_REFUSAL_S = 3_600.0
_MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class TaskListSync:
    """Synchronises one connection at a time; every `interval_s` again."""

    connections: TaskListConnections
    servers: TaskListServers
    seal: Seal
    interval_s: float
    now: Callable[[], datetime]

    async def sync(self, held: HeldConnection) -> None:
        """Synchronise, and give the connection back with what became of it.

        Raises: DatabaseUnavailableError.
        """
        changes, problem = None, "away"
        try:
            async with asyncio.timeout(_LONGEST_S):
                changes, problem = await self._run(held)
        except TaskListError as error:
            problem = error.problem
            _log.warning("task_lists.failed", problem=problem, error=str(error))
        except SealError as error:
            problem = "key"
            _log.warning("task_lists.failed", problem=problem, error=str(error))
        except TimeoutError:
            _log.warning("task_lists.failed", problem=problem, error=f"not within {_LONGEST_S:g} s")
        except ConnectionLostError:
            _log.info("task_lists.connection_lost")
            return
        wait_s = self._pause_s(held, problem)
        await self.connections.finish(held, changes=changes, problem=problem, next_in_s=wait_s)

    def _pause_s(self, held: HeldConnection, problem: str) -> float:
        if not problem:
            return self.interval_s
        if problem not in PASSING:
            return _AFTER_REFUSAL_S  # servers lock out who tries a wrong password too often
        first_s = min(self.interval_s, _FIRST_RETRY_S)
        return min(first_s * 2.0 ** min(held.failures, 10), _LONGEST_RETRY_S)

    async def _run(self, held: HeldConnection) -> tuple[int, str]:
        password = self.seal.open(held.user_id, held.password)
        login = TaskListLogin(held.url, held.username, password)
        async with self.servers.open(login) as session:
            merged = await self._pull(session, held)
            problem, clock = "", asyncio.get_running_loop()
            ends_at = clock.time() + _LONGEST_PUSHING_S
            for push in merged.pushes:
                if clock.time() > ends_at:
                    return _UNFINISHED, problem
                problem = await self._push(_Lists(session, held), push) or problem
        return merged.changes, problem

    async def _pull(self, session: TaskListClient, held: HeldConnection) -> Merged:
        listing = await session.listing(held.tag)
        if listing is None:
            return await self.connections.merge(held, EntryNews())
        known = held.etags
        other = [href for href, etag in listing.etags.items() if known.get(href) != etag]
        gone = tuple(href for href in known if href not in listing.etags)
        found = await session.read(other)
        changed = await asyncio.to_thread(_read_all, found, held.time_zone)
        return await self.connections.merge(held, EntryNews(changed, gone, listing.tag))

    async def _push(self, at: "_Lists", push: PendingPush) -> str:
        """The problem, "" if there is none: one entry that is refused does not stop the others."""
        for _ in range(_MOST_TRIES):
            try:
                await self._write(at, push)
            except EntryChangedError:
                again = await self._read_again(at, push)
                if again is None:
                    return ""
                push = again
            except (TaskListError, ValueError) as error:
                if isinstance(error, TaskListError) and error.problem != "refused":
                    raise
                _log.warning("task_lists.entry_refused", entry=push.id, error=str(error))
                return "refused"
            else:
                return ""
        return "away"

    async def _write(self, at: "_Lists", push: PendingPush) -> None:
        if push.task.get("is_deleted"):
            if push.etag:
                await at.session.remove(push.href, push.etag)
            await self.connections.removed(at.held, push)
            return
        now, zone = self.now(), at.held.time_zone
        if push.etag:
            text = (await at.read(push)).text
            names = changed_fields(push.ours, push.task)
            text = edited_entry(text, push, names, now, zone)
        else:
            text = new_entry(push, now)
        etag = await at.session.write(push.href, text, push.etag)
        written = EntryText(push.href, etag, text)
        if not etag:
            written = await at.read(replace(push, etag=""))
        await self.connections.pushed(at.held, push, read_entry(written, zone))

    async def _read_again(self, at: "_Lists", push: PendingPush) -> PendingPush | None:
        """Read the task's entry again; return what is still to be pushed of it, if anything."""
        found = await at.session.read([push.href])
        changed = _read_all(found, at.held.time_zone)
        gone = () if changed else (push.href,)
        merged = await self.connections.merge(at.held, EntryNews(changed, gone))
        return next((one for one in merged.pushes if one.id == push.id), None)


@dataclass(frozen=True, slots=True)
class _Lists:
    """A session, and the connection that it is for."""

    session: TaskListClient
    held: HeldConnection

    async def read(self, push: PendingPush) -> EntryText:
        """The entry, if it has the ETag of the push or that has none. Raises: EntryChangedError."""
        found = await self.session.read([push.href])
        if not found or push.etag not in {"", found[0].etag}:
            raise EntryChangedError
        return found[0]


def _read_all(found: Sequence[EntryText], time_zone: str) -> Sequence[TaskEntry]:
    return [read_entry(one, time_zone) for one in found]


@dataclass(frozen=True, slots=True)
class TaskListSyncLoop:
    """A task of each worker; any number of them share the connections.

    `at_once` are synchronised together; without news the database is asked every `look_s`.
    """

    connections: TaskListConnections
    sync: TaskListSync
    attempts: Attempts
    at_once: int = 4
    look_s: float = 30.0
    pause_s: float = 1.0

    async def run(self, stop: asyncio.Event) -> None:
        """Synchronise until `stop` is set."""
        async with task_group() as group:
            for _ in range(self.at_once):
                group.create_task(repeat("task_lists", lambda: self._next(stop), stop, 0.0))

    async def _next(self, stop: asyncio.Event) -> None:
        try:
            held = await self.connections.claim()
            if held is None:
                await unless(stop, self.connections.wait(self.look_s))
            else:
                async with self.attempts.counted(Work("task_list", held.user_id, held.user_id)):
                    await self.sync.sync(held)
        except RichAgentError:
            await unless(stop, asyncio.sleep(self.pause_s))
            raise
