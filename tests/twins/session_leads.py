"""Guided sessions that a feature leads, in memory: one for each user."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rich_agent.ports.session_leads import SessionGuide, SessionState

PLANNING = SessionGuide(
    "Plan it.", {"en": "Planning"}, end_tool="end_planning", leave_command="cancel"
)


@dataclass(slots=True)
class InMemoryLead:
    """Implements `SessionLead`."""

    guides: Mapping[str, SessionGuide] = field(default_factory=lambda: {"plan": PLANNING})
    open: dict[int, SessionState] = field(default_factory=dict)

    @property
    def templates(self) -> Collection[str]:
        return self.guides.keys()

    def guide(self, template: str) -> SessionGuide:
        return self.guides[template]

    async def join(self, user_id: int, request_id: str, locale: str) -> SessionState:
        assert request_id
        assert locale
        return self.open.get(user_id, {})

    async def leave(self, user_id: int, locale: str) -> str:
        assert locale
        title = self.guides[self.open.pop(user_id)["template"]].titles["en"]
        return f"{title} is cancelled."
