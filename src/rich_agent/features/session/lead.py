"""Leads guided sessions by their templates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rich_agent.feature import SessionGuide, SessionState, say
from rich_agent.features.session.commands import LEAVE_COMMAND
from rich_agent.features.session.records import Sessions
from rich_agent.features.session.sessions import SessionTemplate
from rich_agent.features.session.tools import END_TOOL


@dataclass(frozen=True, slots=True)
class TemplateSessions:
    """Implements `SessionLead`."""

    sessions: Sessions
    by_name: Mapping[str, SessionTemplate]

    @property
    def templates(self) -> Collection[str]:
        """See `SessionLead.templates`."""
        return self.by_name.keys()

    def guide(self, template: str) -> SessionGuide:
        """See `SessionLead.guide`."""
        session_template = self.by_name[template]
        return SessionGuide(
            session_template.instructions,
            session_template.titles,
            session_template.tools,
            END_TOOL,
            LEAVE_COMMAND,
        )

    async def join(self, user_id: int, request_id: str, locale: str) -> SessionState:
        """See `SessionLead.join`."""
        session = await self.sessions.count(user_id, request_id)
        if session is None or session.template not in self.by_name:
            return {}
        return {
            "id": session.id,
            "template": session.template,
            "is_new": session.messages == 1,
            "refusal": say(locale, "session-full") if session.is_full else "",
        }

    async def leave(self, user_id: int, locale: str) -> str:
        """See `SessionLead.leave`."""
        session = await self.sessions.end(user_id, "cancelled")
        template = self.by_name.get(session.template) if session else None
        return say(locale, "session-cancelled", title=template.title(locale) if template else "")
