"""The personas in effect: those of the database, and of the file where there is none."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from rich_agent.feature.errors import DatabaseUnavailableError
from rich_agent.feature.personas import Persona, Personas
from rich_agent.features.persona.repository import PersonaVersions
from rich_agent.features.persona.versions import PersonaVersion

_HOLDS_S = 1.0
"""The time for which what was read is used: a change is in effect everywhere after it."""


@dataclass(slots=True, eq=False)
class PersonasInEffect:
    """Reads the personas; as long as nothing changes, a second costs one row at most."""

    versions: PersonaVersions
    of_file: Mapping[str, Persona]
    """The personas of the file by space, "" for the bot's own."""
    _personas: Personas | None = None
    _change: int = -1
    _read_at: float = -inf
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def find(self) -> Personas:
        """See `FindPersonas`. While the database is away, the last ones are used."""
        if time.monotonic() - self._read_at > _HOLDS_S:
            async with self._reading:
                await self._read()
        return self._personas or _joined((), self.of_file)

    async def _read(self) -> None:
        if time.monotonic() - self._read_at <= _HOLDS_S:
            return  # another turn has read them meanwhile
        try:
            change = await self.versions.newest_change()
            if change != self._change:
                self._personas = _joined(await self.versions.in_effect(), self.of_file)
                self._change = change
        except DatabaseUnavailableError:
            if self._personas is None:
                raise
        self._read_at = time.monotonic()


def _joined(versions: Sequence[PersonaVersion], of_file: Mapping[str, Persona]) -> Personas:
    """The personas; for each place, what was put into effect comes before the file."""
    by_space = {space.lower(): persona for space, persona in of_file.items()}
    by_space |= {version.space: version.persona for version in versions}
    of_bot = by_space.pop("", None)
    return Personas(of_bot, by_space)
