"""Whether users can connect their task lists, and whether stored passwords can be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich_agent.feature import Finding
from rich_agent.feature.errors import RichAgentError, extra_hint
from rich_agent.feature.secrets import Seal, SealError
from rich_agent.feature.text import counted
from rich_agent.features.calendars.task_lists.ports import TaskListConnections

_KEY_HINT: Final = "Set CREDENTIALS_KEY to the key that they were encrypted with."


@dataclass(frozen=True, slots=True)
class ListCheck:
    """Checks whether users can connect, and whether stored passwords can be read.

    `missing` names the obstacle to connecting.
    """

    connections: TaskListConnections
    seal: Seal | None
    missing: str
    keys: Sequence[str]

    async def look(self) -> Finding:
        """The outcome; it is a fault only if some are connected, or should be."""
        try:
            passwords = await self.connections.passwords()
        except RichAgentError as error:
            return Finding(str(error), error.hint, is_well=False, is_failure=True)
        if self.seal is None:
            return self._lack(is_needed=bool(passwords or self.keys))
        unreadable = sum(not _opens(self.seal, *one) for one in passwords)
        detail = f"{counted(len(passwords), 'user')} with a connected task list"
        if unreadable:
            hint = "Add the earlier key to CREDENTIALS_KEY, or let these users send /connect again."
            detail = f"{detail}; {unreadable} passwords cannot be read"
            return Finding(detail, hint, is_well=False)
        return Finding(detail)

    def _lack(self, *, is_needed: bool) -> Finding:
        lack = "no CREDENTIALS_KEY" if self.missing == "key" else "the extra `calendar` is missing"
        if not is_needed:
            return Finding(f"{lack}: users cannot connect task lists")
        hint = _KEY_HINT if self.missing == "key" else extra_hint("calendar")
        return Finding(f"{lack}, but task lists need it", hint, is_well=False, is_failure=True)


def _opens(seal: Seal, user_id: int, password: bytes) -> bool:
    try:
        seal.open(user_id, password)
    except SealError:
        return False
    return True
