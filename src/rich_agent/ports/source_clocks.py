"""Interface of the clocks by which sources are read again, each job by one worker at a time.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

SourceJob = Literal["content", "rights", "watch"]
"""Reading documents, reading who may read them, and watching a folder."""
SourceWork = SourceJob | Literal["news"]
"""A job, or telling the operator what came of some."""


@dataclass(frozen=True, slots=True)
class HeldClock:
    """The clock of a job that this process does, under a lease."""

    source_id: str
    job: SourceJob
    root_url: str
    fence: int


@dataclass(frozen=True, slots=True)
class SourceNews:
    """A source that cannot be read, and why; or one that can be read again, with problem ""."""

    source: str
    problem: str


class SourceClocks(Protocol):
    """The clocks of all sources, shared by all workers."""

    async def due(self) -> frozenset[SourceWork]:
        """Return the kinds of work of which there is some now."""
        ...

    async def claim(self, jobs: Collection[SourceJob]) -> HeldClock | None:
        """Take a job that is due, or whose worker is gone; None if there is none."""
        ...

    async def renew(self, held: HeldClock) -> bool:
        """Prolong the lease; False if another worker has the job now."""
        ...

    async def release(self, held: HeldClock, problem: str = "", *, again: bool = False) -> None:
        """Give a job back; with a problem it is tried later, `again` at once."""
        ...

    async def hasten(self, source_id: str) -> None:
        """Let the documents of a source be read as soon as a worker can."""
        ...

    async def take_news(self) -> SourceNews | None:
        """News that the operator has not been told; they are handed out once."""
        ...
