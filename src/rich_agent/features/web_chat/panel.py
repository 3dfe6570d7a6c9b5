"""The panel of the browsers that are signed in."""

from dataclasses import dataclass

from rich_agent.feature import Arguments, Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import (
    Panel,
    PanelButton,
    PanelContent,
    PanelGroup,
    PanelRequest,
    PanelRow,
)
from rich_agent.feature.tools import RowId
from rich_agent.features.web_chat.commands import session_line
from rich_agent.features.web_chat.repository import BrowserSessions


class OneBrowser(Arguments):
    """A browser session of the user."""

    session_id: RowId


@dataclass(frozen=True, slots=True)
class BrowsersPanel:
    """Lists the browser sessions, and ends them."""

    sessions: BrowserSessions

    def panel(self) -> Panel:
        """The panel."""
        return Panel(
            name="browsers",
            heading="web_chat-command-sessions",
            compose=self.compose,
            tools=[Tool("end_browser_session", "", OneBrowser, self.end, "delete")],
            page="devices",
            order=75,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The open sessions."""
        locale = request.locale
        label = say(locale, "web_chat-sign-out")
        rows = [
            PanelRow(
                key=f"browser-{session.id}",
                text=session_line(session, request.clocks),
                buttons=[
                    PanelButton(
                        label, "end_browser_session", {"session_id": session.id}, is_final=True
                    )
                ],
            )
            for session in await self.sessions.all_of(request.user_id)
        ]
        return PanelContent(groups=[PanelGroup(rows)] if rows else ())

    async def end(self, arguments: OneBrowser, asker: Asker) -> Outcome:
        """End a session. Raises: ToolRefusedError."""
        if not await self.sessions.end(arguments.session_id, asker.user_id):
            raise ToolRefusedError(f"There is no browser session {arguments.session_id}.")
        return Outcome({}, done=say(asker.locale, "web_chat-command-ended"))
