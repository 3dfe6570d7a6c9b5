"""Interface of what was learned about models, shared by all processes."""

from collections.abc import Mapping
from typing import Protocol

from rich_agent.domain.capabilities import Capabilities

KEPT_DAYS = 7
"""After so many days a model is tried anew: its server may have been upgraded."""


class CapabilityStore(Protocol):
    """Keeps what was learned of each model on each server (host, port and path)."""

    async def load(self, server: str, model: str) -> Capabilities | None:
        """What was learned in the last `KEPT_DAYS`, None if nothing was."""
        ...

    async def save(self, server: str, model: str, learned: Capabilities) -> None:
        """Replace what is known."""
        ...

    async def load_all(self) -> Mapping[tuple[str, str], Capabilities]:
        """What `load` gives, by server and model, in their order."""
        ...

    async def forget_all(self) -> None:
        """Have each model tried anew."""
        ...
