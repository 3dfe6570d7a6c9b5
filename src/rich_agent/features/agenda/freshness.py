"""Has the mirrors of tasks bring these up to date before they are read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from rich_agent.feature.database import Pool
from rich_agent.feature.errors import LaneLostError
from rich_agent.features.agenda.mirrors import TaskMirror

LONGEST_S: Final = 3.0
"""Most seconds that one mirror may take, because the user waits for the list."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FreshTasks:
    """Implements `TaskFreshness`: asks all mirrors at once; logs one that fails or is late."""

    pool: Pool
    mirrors: Sequence[TaskMirror] = ()

    async def freshen(self, user_id: int) -> None:
        """See `TaskFreshness.freshen`."""
        await asyncio.gather(*(_refresh(mirror, self.pool, user_id) for mirror in self.mirrors))


async def _refresh(mirror: TaskMirror, pool: Pool, user_id: int) -> None:
    """Have a mirror update the tasks; log an error, or that it takes too long."""
    try:
        async with asyncio.timeout(LONGEST_S):
            await mirror.refresh(pool, user_id)
    except LaneLostError:
        raise
    except Exception as error:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.warning("tasks.not_fresh", error=f"{type(error).__name__}: {error}")
