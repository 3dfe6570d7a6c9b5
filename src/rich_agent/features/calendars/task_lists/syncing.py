"""Synchronises a user's tasks with their list: first the list's changes, then the bot's.

Every write names the version that it replaces, so that doing it twice does no harm. After a refusal
the entry is read again; whether the user has to be asked is decided where it is merged.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from rich_agent.feature import DueRow, DueWork, NextRun
from rich_agent.feature.secrets import Seal, SealError
from rich_agent.features.calendars.task_lists.entries import TaskEntry, changed_fields
from rich_agent.features.calendars.task_lists.ports import (
    PASSING,
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
from rich_agent.features.calendars.task_lists.vtodo import edited_entry, new_entry, read_entry

_log = structlog.get_logger()
_LONGEST_S = 80.0
_LONGEST_PUSHING_S = 30.0
_FIRST_RETRY_S = 15.0
_LONGEST_RETRY_S = 900.0
_AFTER_REFUSAL_S = 3_600.0
_MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class TaskListSync:
    """Synchronises connections, each again after `interval_s`; `at_once` of them together."""

    connections: TaskListConnections
    servers: TaskListServers
    seal: Seal
    interval_s: float
    now: Callable[[], datetime]
    at_once: int = 4

    @property
    def kind(self) -> DueWork:
        """The kind of due work; after an unexpected error, it is tried again and again."""
        return DueWork(
            self.sync,
            most_at_once=self.at_once,
            first_retry_s=_FIRST_RETRY_S,
            longest_retry_s=_LONGEST_RETRY_S,
            most_tries=None,
        )

    async def sync(self, row: DueRow) -> NextRun | None:
        """Synchronise a connection, and record the result; None if the connection was ended.

        Raises: DatabaseUnavailableError, DueWorkLostError.
        """
        holding = await self.connections.hold(row)
        if holding is None:
            return None
        is_over, problem = True, "away"
        try:
            async with asyncio.timeout(_LONGEST_S):
                is_over, problem = await self._run(holding)
        except TaskListError as error:
            problem = error.problem
            _log.warning("task_lists.failed", problem=problem, error=str(error))
        except SealError as error:
            problem = "key"
            _log.warning("task_lists.failed", problem=problem, error=str(error))
        except TimeoutError:
            _log.warning("task_lists.failed", problem=problem, error=f"not within {_LONGEST_S:g} s")
        await self.connections.note(holding, problem)
        if not (is_over or problem):
            return NextRun(0.0)
        return NextRun(self._pause_s(row, problem), problem)

    def _pause_s(self, row: DueRow, problem: str) -> float:
        if not problem:
            return self.interval_s
        if problem not in PASSING:
            return _AFTER_REFUSAL_S  # servers lock out who tries a wrong password too often
        first_s = min(self.interval_s, _FIRST_RETRY_S)
        return min(first_s * 2.0 ** min(row.tries - 1, 10), _LONGEST_RETRY_S)

    async def _run(self, holding: HeldConnection) -> tuple[bool, str]:
        """Whether everything was pushed, and the problem."""
        password = self.seal.open(holding.user_id, holding.password)
        login = TaskListLogin(holding.url, holding.username, password)
        async with self.servers.open(login) as session:
            merge_result = await self._pull(session, holding)
            problem, clock = "", asyncio.get_running_loop()
            ends_at = clock.time() + _LONGEST_PUSHING_S
            for push in merge_result.pushes:
                if clock.time() > ends_at:
                    return False, problem
                problem = await self._push(_Lists(session, holding), push) or problem
        return True, problem

    async def _pull(self, session: TaskListClient, holding: HeldConnection) -> Merged:
        listing = await session.listing(holding.tag)
        if listing is None:
            return await self.connections.merge(holding, EntryNews())
        known_etag_by_path = holding.etags
        changed_paths = [
            path for path, etag in listing.etags.items() if known_etag_by_path.get(path) != etag
        ]
        removed_paths = tuple(path for path in known_etag_by_path if path not in listing.etags)
        entry_texts = await session.read(changed_paths)
        entries = await asyncio.to_thread(_read_all, entry_texts, holding.time_zone)
        return await self.connections.merge(holding, EntryNews(entries, removed_paths, listing.tag))

    async def _push(self, at: "_Lists", push: PendingPush) -> str:
        """Push a task; return the problem, "" for none. A refused entry stops no other task."""
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
            await self.connections.note_removal(at.holding, push)
            return
        now, zone = self.now(), at.holding.time_zone
        if push.etag:
            text = (await at.read(push)).text
            field_names = changed_fields(push.ours, push.task)
            text = edited_entry(text, push, field_names, now, zone)
        else:
            text = new_entry(push, now)
        etag = await at.session.write(push.href, text, push.etag)
        entry = EntryText(push.href, etag, text)
        if not etag:
            entry = await at.read(replace(push, etag=""))
        await self.connections.note_push(at.holding, push, read_entry(entry, zone))

    async def _read_again(self, at: "_Lists", push: PendingPush) -> PendingPush | None:
        """Read the task's entry again; return the push that is still needed, None for none."""
        texts = await at.session.read([push.href])
        entries = _read_all(texts, at.holding.time_zone)
        removed_paths = () if entries else (push.href,)
        merge_result = await self.connections.merge(at.holding, EntryNews(entries, removed_paths))
        return next((one for one in merge_result.pushes if one.id == push.id), None)


@dataclass(frozen=True, slots=True)
class _Lists:
    """A session, and the connection that it is for."""

    session: TaskListClient
    holding: HeldConnection

    async def read(self, push: PendingPush) -> EntryText:
        """The entry, if it has the ETag of the push or that has none. Raises: EntryChangedError."""
        texts = await self.session.read([push.href])
        if not texts or push.etag not in {"", texts[0].etag}:
            raise EntryChangedError
        return texts[0]


def _read_all(texts: Sequence[EntryText], time_zone: str) -> Sequence[TaskEntry]:
    return [read_entry(one, time_zone) for one in texts]
