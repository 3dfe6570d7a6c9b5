"""The panel of the open guided session."""

from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.feature import Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import Panel, PanelButton, PanelContent, PanelRequest
from rich_agent.feature.tools import Nothing
from rich_agent.features.session.records import Sessions


@dataclass(frozen=True, slots=True)
class SessionPanel:
    """Shows the open session on the page of the day, and cancels it."""

    sessions: Sessions
    title: Callable[[str, str], str]
    """Returns the title of a template, given its name and a language."""

    def panel(self) -> Panel:
        """The panel."""
        cancel = Tool("cancel_session", "", Nothing, self.cancel, "change")
        return Panel(
            name="session",
            heading="session-page",
            compose=self.compose,
            tools=[cancel],
            page="today",
            order=5,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The open session; nothing without one."""
        session = await self.sessions.active(request.user_id)
        if session is None:
            return PanelContent()
        button = PanelButton(say(request.locale, "command-cancel"), "cancel_session")
        return PanelContent(
            sentences=[self.title(session.template, request.locale)], buttons=[button]
        )

    async def cancel(self, _: Nothing, asker: Asker) -> Outcome:
        """Cancel the open session. Raises: ToolRefusedError."""
        session = await self.sessions.end(asker.user_id, "cancelled")
        if session is None:
            raise ToolRefusedError("No session.", question=say(asker.locale, "session-none"))
        title = self.title(session.template, asker.locale)
        return Outcome({}, done=say(asker.locale, "session-cancelled", title=title))
