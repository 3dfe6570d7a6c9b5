"""The prompts of a turn in a guided session of the product's own template, as models get them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rich_agent.features.session.lead import TemplateSessions
from rich_agent.features.session.sessions import GuidedSession
from rich_agent.features.session.templates import load_templates
from rich_agent.features.session.tools import SessionTools
from tests import make
from tests.golden_prompts.model_server import RecordingServer
from tests.golden_prompts.singles import Single
from tests.golden_prompts.situations import ANSWER, Situation
from tests.own_tools import every_tool
from tests.scripted import ScriptedWeb

BEGINNINGS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class PlanningSessions:
    """The user is in the second message of a session that plans a day."""

    async def count(self, _user_id: int, _request_id: str) -> GuidedSession:
        """See `Sessions.count`."""
        return GuidedSession(7, "plan", 2)


def _lead(cast: make.Fakes) -> None:
    sessions: Any = PlanningSessions()
    lead: Any = TemplateSessions(sessions, load_templates(None))
    tools = SessionTools(sessions, lead.by_name, lambda: datetime(2026, 1, 1, tzinfo=UTC)).tools()
    cast.sessions, cast.tools = lead, every_tool(ScriptedWeb(), more=tools)


async def _planning(server: RecordingServer) -> None:
    talk = Situation("session", "gym for an hour", prepare=_lead, replies={ANSWER: ["Noted."]})
    server.requests += await talk.requests()


SINGLES: Mapping[str, Single] = {"session": _planning}
