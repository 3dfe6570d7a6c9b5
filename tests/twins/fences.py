"""Fences without a database: what `repositories/database/fences.py` does, for the twins."""

from dataclasses import dataclass

from rich_agent.errors import LaneLostError
from rich_agent.runtime.fencing import current_fence
from tests.twins.inbox import InMemoryInbox


@dataclass(frozen=True, slots=True)
class Fences:
    """Knows which lanes are held; without an inbox nobody competes for one."""

    inbox: InMemoryInbox | None = None

    def is_held(self, fence: int | None) -> bool:
        """Whether a lane is held under this fence."""
        return self.inbox is not None and fence is not None and self.inbox.is_held(fence)

    def check(self) -> None:
        """Raises: LaneLostError when this task's lane was taken over."""
        fence = current_fence()
        if self.inbox and fence is not None and not self.inbox.is_held(fence):
            raise LaneLostError(f"lane of fence {fence}")
