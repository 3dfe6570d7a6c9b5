"""Interface to guided sessions: conversations with a purpose, which features lead."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypedDict


class SessionState(TypedDict, total=False):
    """The guided session that a message belongs to, as the graph's state keeps it.

    `id` is its number among the user's, `template` its kind. `is_new` when the message began it.
    `refusal` is the sentence for a message that it does not take any more. Once a message turned
    out to leave it, `end_notice` is all that is known.
    """

    id: int
    template: str
    is_new: bool
    refusal: str
    end_notice: str


@dataclass(frozen=True, slots=True)
class SessionGuide:
    """The way in which a model leads sessions of one kind.

    `titles` are by locale, English always among them; prompts have the English one. `tools` may be
    called in it, all where it names none. A successful call of `end_tool` ends it, and so does the
    chat command `leave_command` with the session's number.
    """

    instructions: str
    titles: Mapping[str, str]
    tools: frozenset[str] = field(default_factory=frozenset)
    end_tool: str = ""
    leave_command: str = ""


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
        """Give up the user's open session; a sentence that says so."""
        ...
