"""Attempts without a database: nothing outlives the process, so nothing is set aside."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich_agent.ports.operations import Progressed, Work


@dataclass(slots=True)
class InMemoryAttempts:
    """Implements `Attempts`; `begun` is what was counted."""

    begun: list[Work] = field(default_factory=list)

    @property
    def is_lone(self) -> bool:
        """There is only this process."""
        return False

    @asynccontextmanager
    async def count_attempt(self, work: Work) -> AsyncIterator[Progressed]:
        """Count an attempt."""
        self.begun.append(work)
        yield _progress

    async def retry(self, letter: int) -> bool:  # noqa: ARG002 - there are no letters
        """There are no letters."""
        return False

    async def user_of(self, letter: int) -> int | None:
        """There are no letters."""


async def _progress() -> None:
    """Nothing came before."""
