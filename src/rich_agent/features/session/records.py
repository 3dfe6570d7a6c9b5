"""Interface to guided sessions. May raise DatabaseUnavailableError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.features.session.sessions import GuidedSession, SessionEnd


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it is stored: whether it is open, the results it kept, and its requests."""

    session: GuidedSession
    status: Literal["active"] | SessionEnd
    outputs: Sequence[Mapping[str, Any]]
    requests: Sequence[str]


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message of a session; `answered_by` is the request that answered its turn's question."""

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
        """Open a session; None while another one is open."""

    async def count(self, user_id: int, request_id: str) -> GuidedSession | None:
        """The open session with this message in it, which counts once; None without one."""

    async def keep(self, user_id: int, output: Mapping[str, Any]) -> bool:
        """Keep a result of the open session; False without one."""

    async def end(self, user_id: int, how: SessionEnd) -> GuidedSession | None:
        """Close the open session; None if none was open."""

    async def reopen(self, user_id: int, session_id: int) -> bool:
        """Open a completed session again; False while another one is open."""


class SessionRecords(Protocol):
    """Sessions of users, also those that are over. Somebody else's is not found."""

    async def find(self, user_id: int, session_id: int | None) -> SessionRecord | None:
        """The user's session of this number; with None the one that is open."""

    async def messages(self, user_id: int, record: SessionRecord) -> Sequence[SessionMessage]:
        """The messages of a session, oldest first, without turns that others replaced."""
