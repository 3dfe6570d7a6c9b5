"""Brings the tasks of a user up to date before they are read, as far as features do so."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from rich_agent.errors import LaneLostError
from rich_agent.ports.task_changes import FreshenTasks

LONGEST_S: Final = 3.0
"""Longest that one feature may take: the user waits for the list."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FreshTasks:
    """Implements `TaskFreshness`: all features at once; one that fails or is late ends its part."""

    features: Sequence[FreshenTasks] = ()

    async def freshen(self, user_id: int) -> None:
        """See `TaskFreshness.freshen`."""
        await asyncio.gather(*(_freshen(one, user_id) for one in self.features))


async def _freshen(freshen: FreshenTasks, user_id: int) -> None:
    try:
        async with asyncio.timeout(LONGEST_S):
            await freshen(user_id)
    except LaneLostError:
        raise
    except Exception as error:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.warning("tasks.not_fresh", error=f"{type(error).__name__}: {error}")
