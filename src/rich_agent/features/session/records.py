"""The interface to guided sessions. Methods may raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.features.session.sessions import GuidedSession, SessionEnd


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A stored session: its state, its stored results, and the ids of its requests."""

    session: GuidedSession
    status: Literal["active"] | SessionEnd
    outputs: Sequence[Mapping[str, Any]]
    requests: Sequence[str]


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message of a session.

    `answered_by`: the request that answered the question of its turn, "" without such a request.
    """

    request_id: str
    role: Literal["user", "assistant"]
    content: str
    said_at: datetime
    answered_by: str = ""


class Sessions(Protocol):
    """At most one open session for each user."""

    async def active(self, user_id: int) -> GuidedSession | None:
        """The user's open session, None without one."""

    async def begin(self, user_id: int, template: str) -> GuidedSession | None:
        """Open a session and return it; None while another session is open."""

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        """Count a message in the open session once; return the session, None without one."""

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        """Store a result of the open session; return False without an open session."""

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        """Close the open session and return it; None if none was open."""

    async def reopen(self, user_id: int, session_id: int) -> bool:
        """Reopen a completed session; return False while another session is open."""


class SessionRecords(Protocol):
    """Open and closed sessions of users. Sessions of other users are not found."""

    async def find(self, user_id: int, session_id: int | None) -> SessionRecord | None:
        """The user's session with this number, or the open session if the number is None."""

    async def messages(self, user_id: int, record: SessionRecord) -> Sequence[SessionMessage]:
        """The messages of a session, oldest first, without replaced turns."""
