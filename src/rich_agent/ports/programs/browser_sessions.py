"""Interface to the sessions of the web chat.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from rich_agent.domain.tokens.browser_sessions import BrowserSession
from rich_agent.ports.programs.api_tokens import TokenHolder


class BrowserSessions(Protocol):
    """Sessions and login codes by their hashes; what has expired opens nothing."""

    async def offer_code(self, user_id: int) -> str:
        """A code that begins one session of the user within CODE_LASTS_S; an earlier one ends."""

    async def take_code(self, code: str) -> int | None:
        """Whose code it is, None if it is unknown, expired or used; it is used now."""

    async def begin(self, user_id: int, lasts: timedelta) -> str:
        """The secret of a new session; the user's oldest ends if there are MOST_SESSIONS."""

    async def holder(self, secret: str) -> TokenHolder | None:
        """Whose session it is, in one query; noted as used at most once a minute."""

    async def listed(self, user_id: int) -> Sequence[BrowserSession]:
        """The user's sessions that are open, newest first."""

    async def end(self, session_id: int, user_id: int) -> bool:
        """End a session of the user; False if there is none."""

    async def end_by_secret(self, secret: str) -> None:
        """End a session, if there is one."""
