"""Interface to guided sessions. May raise DatabaseUnavailableError."""

from collections.abc import Mapping
from typing import Any, Protocol

from rich_agent.domain.sessions import GuidedSession, SessionEnd


class Sessions(Protocol):
    """At most one open session for each user."""

    async def active(self, user_id: int) -> GuidedSession | None:
        """The user's open session, None without one."""

    async def begin(self, user_id: int, template: str) -> GuidedSession | None:
        """Open a session; None while another one is open."""

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        """The open session with this message in it, which counts once; None without one."""

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        """Keep a result of the open session; False without one."""

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        """Close the open session; None if none was open."""

    async def reopen(self, user_id: int, session_id: int) -> bool:
        """Open a completed session again; False while another one is open."""
