"""The loop that does due work of all kinds in a process.

The loop claims a row under a lease, counts the try, does the work in a separate task, and records
the result. If the process is killed, another process claims the row within seconds.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

import structlog

from rich_agent.errors import DatabaseUnavailableError, RichAgentError
from rich_agent.ports.due_work import DueRow, DueWork, DueWorkLostError, DueWorkQueue, NextRun
from rich_agent.ports.operations import Attempts, SetAsideError, Work
from rich_agent.runtime.concurrency import alongside, repeat, survived, task_group, unless
from rich_agent.runtime.reach import log_failure

_RENEWALS = 3
"""Renewals within the time of one lease."""
_GIVE_BACK_S = 2.0
_log = structlog.get_logger()


@dataclass(slots=True)
class DueWorkLoop:
    """Does due work in one worker; any number of workers share the rows. Times in seconds.

    - `look_s`: between two claims when no news arrives.
    - `pause_s`: after a failed claim.

    Work that runs when the process stops may go on for the `grace_s` of its kind; after that it is
    cancelled, and its row is given back.
    """

    queue: DueWorkQueue
    kinds: Mapping[str, DueWork]
    attempts: Attempts
    look_s: float = 30.0
    pause_s: float = 1.0
    _running: Counter[str] = field(default_factory=Counter)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, stop: asyncio.Event) -> None:
        """Do due work until `stop` is set."""
        async with task_group() as group:
            grace_by_task: dict[asyncio.Task[None], float] = {}

            async def hand_out() -> None:
                if row := await self._next(stop):
                    self._running[row.kind] += 1
                    task = group.create_task(self._serve(row))
                    grace_by_task[task] = self.kinds[row.kind].grace_s
                    task.add_done_callback(grace_by_task.pop)

            await repeat("due_work", hand_out, stop, 0.0)
            await _end(grace_by_task)

    async def _next(self, stop: asyncio.Event) -> DueRow | None:
        """Claim the next row; None after a wait for news. Raises: RichAgentError, after a pause."""
        self._ended.clear()
        running_counts = self._running
        kind_by_name = {
            name: kind
            for name, kind in self.kinds.items()
            if running_counts[name] < kind.most_at_once
        }
        try:
            # Never cancelled: a row whose reply is lost would stay held for its lease.
            row = await self.queue.claim(kind_by_name) if kind_by_name else None
            if row is None:
                await unless(stop, unless(self._ended, self.queue.wait(self.look_s, kind_by_name)))
        except RichAgentError:
            await unless(stop, asyncio.sleep(self.pause_s))
            raise
        return row

    async def _serve(self, row: DueRow) -> None:
        """Do the work of a row; no error in here ends the loop."""
        try:
            with survived("due_work.not_settled", RichAgentError, level="warning"):
                await self._do(row)
        except asyncio.CancelledError:
            with survived("due_work.not_given_back", RichAgentError, TimeoutError, level="warning"):
                async with asyncio.timeout(_GIVE_BACK_S):
                    await self.queue.release(row)
            raise
        finally:
            self._running[row.kind] -= 1
            self._ended.set()

    async def _do(self, row: DueRow) -> None:
        """Do the work of a row, and store the result."""
        kind = self.kinds[row.kind]
        try:
            async with self._count_try(row, kind), alongside(self._hold(row, kind.lease_s)):
                next_run = await kind.do(row)
        except SetAsideError as error:
            await self._give_up(row, error)
            return
        except DueWorkLostError:
            _log.warning("due_work.lost", kind=row.kind, id=row.id)
            return
        except DatabaseUnavailableError:
            next_run = NextRun(kind.first_retry_s)  # an outage is no failure of the work
        except Exception as error:  # noqa: BLE001 - whatever it does, it is tried again
            failure = f"{type(error).__name__}: {error}"
            if isinstance(error, RichAgentError):
                log_failure("due_work.failed", error, kind=row.kind, id=row.id, tries=row.tries)
            else:
                _log.exception("due_work.failed", kind=row.kind, id=row.id, tries=row.tries)
            if kind.most_tries is not None and row.tries >= kind.most_tries:
                await self.queue.set_aside(row, failure)
                return
            next_run = NextRun(kind.retry_s(row.tries), failure)
        await self.queue.finish(row, next_run)

    async def _give_up(self, row: DueRow, error: SetAsideError) -> None:
        """Set the row aside if the error is final; else leave it to another process."""
        if error.is_final:
            await self.queue.set_aside(row, str(error))
        else:
            await self.queue.release(row)

    @asynccontextmanager
    async def _count_try(self, row: DueRow, kind: DueWork) -> AsyncIterator[None]:
        """Count the try before it begins, in case it ends the process. Raises: SetAsideError."""
        if not kind.is_counted:
            yield
            return
        async with self.attempts.count_attempt(Work(row.kind, row.id, row.user_id or 0)):
            yield

    async def _hold(self, row: DueRow, lease_s: float) -> None:
        """Renew the lease until cancelled. Raises: DueWorkLostError if it was lost."""
        while True:
            await asyncio.sleep(lease_s / _RENEWALS)
            with survived("due_work.not_renewed", DatabaseUnavailableError, level="warning"):
                await self.queue.renew(row, lease_s)


async def _end(graces: Mapping[asyncio.Task[None], float]) -> None:
    """Cancel the tasks that do not end within their seconds of grace, each at its own time."""
    clock = asyncio.get_running_loop().time
    start_s = clock()
    for grace_s, group in groupby(sorted(graces.items(), key=itemgetter(1)), itemgetter(1)):
        tasks = [task for task, _ in group]
        _, late_tasks = await asyncio.wait(tasks, timeout=max(start_s + grace_s - clock(), 0.0))
        for task in late_tasks:
            task.cancel()
