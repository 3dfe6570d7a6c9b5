"""Guided sessions: /plan, /review, /brainstorm, and sessions by the operator's own templates."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from rich_agent.feature import Core, Group, Parts

_HERE = Path(__file__).parent


def load_settings() -> "type[Group]":
    """Load the section of settings."""
    from rich_agent.features.session.settings import SessionSettings

    return SessionSettings


@asynccontextmanager
async def open_sessions(core: "Core") -> AsyncIterator["Parts"]:
    """Open the sessions of all templates. Raises: SettingsError for an invalid template."""
    from rich_agent.feature import Parts
    from rich_agent.features.session.commands import GuidedSessions
    from rich_agent.features.session.endpoint import SessionChatEndpoints
    from rich_agent.features.session.lead import TemplateSessions
    from rich_agent.features.session.panel import SessionPanel
    from rich_agent.features.session.repository import PostgresSessions
    from rich_agent.features.session.settings import SessionSettings
    from rich_agent.features.session.templates import load_templates
    from rich_agent.features.session.tools import SessionTools

    sessions = PostgresSessions(core.databases.app)
    templates = load_templates(core.section(SessionSettings).templates_dir)
    guided = GuidedSessions(sessions, templates, sessions)
    yield Parts(
        tools=SessionTools(sessions, templates, core.now).tools(),
        commands=guided.answers(),
        presses=guided.presses(),
        panels=[SessionPanel(sessions, guided.title).panel()],
        session_leads=[TemplateSessions(sessions, templates)],
        routes=SessionChatEndpoints(core.runs, sessions).routes(),
    )


feature = Feature(
    name="session",
    open=open_sessions,
    menu=tuple(MenuEntry(name) for name in ("plan", "review", "brainstorm", "session", "cancel")),
    settings=load_settings,
    locales=_HERE / "locales",
)
