"""Has connections synchronised when they are due."""

import asyncio
from dataclasses import dataclass

from rich_agent.errors import RichAgentError
from rich_agent.ports.operations import Attempts, Work
from rich_agent.ports.task_lists import TaskListConnections
from rich_agent.runtime.concurrency import repeat, task_group, unless
from rich_agent.task_lists.syncing import TaskListSync


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
