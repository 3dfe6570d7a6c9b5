"""Has features update the tasks of a user before these are read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from rich_agent.errors import LaneLostError
from rich_agent.ports.task_changes import FreshenTasks

LONGEST_S: Final = 3.0
"""Most seconds that one feature may take, because the user waits for the list."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FreshTasks:
    """Implements `TaskFreshness`: runs all features at once; logs one that fails or is late."""

    features: Sequence[FreshenTasks] = ()

    async def freshen(self, user_id: int) -> None:
        """See `TaskFreshness.freshen`."""
        await asyncio.gather(*(_freshen(feature, user_id) for feature in self.features))


async def _freshen(freshen: FreshenTasks, user_id: int) -> None:
    """Have a feature update the tasks; log an error, or that it takes too long."""
    try:
        async with asyncio.timeout(LONGEST_S):
            await freshen(user_id)
    except LaneLostError:
        raise
    except Exception as error:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.warning("tasks.not_fresh", error=f"{type(error).__name__}: {error}")
