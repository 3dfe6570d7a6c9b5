"""Interface of the settings that operators change while the bot runs.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A change of a setting.

    `value` is None if the setting has the value of the environment again; `changed_by` is None at
    the shell.
    """

    name: str
    value: str | None
    changed_by: int | None
    changed_at: datetime


class SettingChanges(Protocol):
    """The changes, and the values that are in effect by them."""

    async def version(self) -> int:
        """A number that is greater after each change."""

    async def present(self) -> Mapping[str, SettingChange]:
        """The last change of each setting that has another value than in the environment."""

    async def change(
        self,
        name: str,
        value: str | None,
        changed_by: int | None,
        check: Callable[[Mapping[str, str]], None],
    ) -> str | None:
        """Store a value, None for the environment's; return the value that was stored before.

        `check` is called with all values as they are then; nothing is stored if it raises. Changes
        are made one after the other, across all processes, and all of these are told.
        """

    async def history(self, name: str, limit: int) -> Sequence[SettingChange]:
        """The last changes of a setting, the newest first."""
