"""Guided sessions: a conversation with a purpose, led by the instructions of a template."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MOST_MESSAGES = 50
"""Most messages of one session. The next message is refused without a model call."""
SessionEnd = Literal["completed", "cancelled"]


@dataclass(frozen=True, slots=True)
class SessionTemplate:
    """A kind of session.

    `titles`: names for people, by locale; English is always among them.
    `openings`: the user's assumed first words, by locale; English is always among them.
    `tools`: the tools that may be called, all if it is empty.
    """

    name: str
    instructions: str
    titles: Mapping[str, str]
    openings: Mapping[str, str]
    tools: frozenset[str] = field(default_factory=frozenset)

    def title(self, locale: str) -> str:
        """The name for people."""
        return self.titles.get(locale, self.titles["en"])

    def opening(self, locale: str) -> str:
        """The user's assumed first words."""
        return self.openings.get(locale, self.openings["en"])


@dataclass(frozen=True, slots=True)
class GuidedSession:
    """A session of a user, with the number of its messages including the present one."""

    id: int
    template: str
    messages: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the present message is beyond the limit."""
        return self.messages > MOST_MESSAGES
