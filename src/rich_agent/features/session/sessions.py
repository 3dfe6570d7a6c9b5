"""Guided sessions: a conversation with a purpose, led by the instructions of a template."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MOST_MESSAGES = 50
"""Messages of one session; the next one is refused without a model call."""
SessionEnd = Literal["completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class SessionTemplate:
    """A kind of session: its instructions, titles, openings and tools.

    `titles` and `openings` are by locale, English always among them; an opening is what the user is
    taken to say first. `tools` may be called in it, all where it names none.
    """

    name: str
    instructions: str
    titles: Mapping[str, str]
    openings: Mapping[str, str]
    tools: frozenset[str] = field(default_factory=frozenset)

    def title(self, locale: str) -> str:
        """Its name for people."""
        return self.titles.get(locale, self.titles["en"])

    def opening(self, locale: str) -> str:
        """The words that the user is taken to say first."""
        return self.openings.get(locale, self.openings["en"])


@dataclass(frozen=True, slots=True)
class GuidedSession:
    """A user's open session, and how many messages it had, with the present one."""

    id: int
    template: str
    messages: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the present message is one too many."""
        return self.messages > MOST_MESSAGES
