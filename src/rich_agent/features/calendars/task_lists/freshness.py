"""Has tasks made fresh before they are read."""

import asyncio
from dataclasses import dataclass

from rich_agent.feature.concurrency import survived
from rich_agent.feature.errors import RichAgentError
from rich_agent.features.calendars.task_lists.ports import TaskListConnections

FRESH_S = 5.0
"""Tasks that were synchronised within these seconds are fresh."""
_LONGEST_WAIT_S = 2.5
_LOOK_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class ListFreshness:
    """Brings tasks up to date with their list: the loop of any process does the work."""

    connections: TaskListConnections

    async def freshen(self, user_id: int) -> None:
        """Wait for a sync, for a short while; a server that is away is not waited for."""
        with survived("task_lists.not_fresh", RichAgentError, TimeoutError):
            if not await self.connections.freshen(user_id, FRESH_S):
                return
            async with asyncio.timeout(_LONGEST_WAIT_S):
                # Another process may do it.
                while not await self.connections.is_fresh(user_id, FRESH_S):  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_EVERY_S)
