"""Interface to guided sessions: conversations with a purpose, which features lead."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypedDict


class SessionState(TypedDict, total=False):
    """The guided session that a message belongs to, in the graph's state."""

    id: int
    """Its number among the user's sessions."""
    template: str
    """Its kind."""
    is_new: bool
    """Whether the message began it."""
    refusal: str
    """The sentence for a message beyond its limit."""
    end_notice: str
    """The notice that the message left it; then all other keys are missing."""


@dataclass(frozen=True, slots=True)
class SessionGuide:
    """Instructions by which a model leads sessions of one kind."""

    instructions: str
    titles: Mapping[str, str]
    """The titles by locale, English always among them; prompts have the English one."""
    tools: frozenset[str] = field(default_factory=frozenset)
    """The tools that may be called in it, all if none is named."""
    end_tool: str = ""
    """The tool whose successful call ends it."""
    leave_command: str = ""
    """The chat command that ends it, followed by the session's number."""


class SessionLead(Protocol):
    """A feature's sessions. May raise DatabaseUnavailableError."""

    @property
    def templates(self) -> Collection[str]:
        """The names of the kinds of sessions."""
        ...

    def guide(self, template: str) -> SessionGuide:
        """The guide of one of the kinds."""
        ...

    async def join(self, user_id: int, request_id: str, locale: str) -> SessionState:
        """Count the message into the user's open session, once; {} without one."""
        ...

    async def leave(self, user_id: int, locale: str) -> str:
        """End the user's open session; return a sentence that says so."""
        ...
