"""Interface of the hooks by which services tell that something of a source has changed.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Collection, Mapping
from typing import Final, Protocol

from rich_agent.ports.source_clocks import SourceJob

HOOK_PATH: Final = "/hooks"
"""The path of the bot at which events are posted, before the id of a source."""


class SourceHooks(Protocol):
    """The hooks of all sources, shared by all processes."""

    async def secrets(self) -> Mapping[str, str]:
        """The secret of each source that has a hook, by its id."""
        ...

    async def note_event(self, source_id: str, jobs: Collection[SourceJob]) -> None:
        """Let these jobs of a source be done as soon as a worker can.

        What failed last waits for its next attempt.
        """
        ...
