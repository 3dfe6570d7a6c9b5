"""Interfaces between the tasks of a user and features that keep them elsewhere, too."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from psycopg import AsyncConnection

OnTaskChange = Callable[["AsyncConnection[Any]", int], Awaitable[None]]
"""Takes note of a change of a user's tasks, in the transaction that made it."""
FreshenTasks = Callable[[int], Awaitable[None]]
"""Brings the tasks of a user up to date, for a short while."""


class TaskFreshness(Protocol):
    """Brings tasks up to date before they are read."""

    async def freshen(self, user_id: int) -> None:
        """Return once the user's tasks are fresh, or after a short while.

        Raises: LaneLostError, and nothing else.
        """
