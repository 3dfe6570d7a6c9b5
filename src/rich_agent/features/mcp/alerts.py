"""Alerts to admins: a server that is away, an expired login, tools that changed."""

from dataclasses import dataclass

from rich_agent.feature import AdminAlert, AlertAdmins, say
from rich_agent.feature.errors import UpstreamError
from rich_agent.feature.text import shorten
from rich_agent.features.mcp.ports import McpLoginError, McpServerAwayError, ToolsChangedError

_PROBLEM_CHARS = 200


@dataclass(frozen=True, slots=True)
class ServerAlerts:
    """Alerts admins to problems that only they can solve."""

    alert_admins: AlertAdmins

    async def alert(self, error: UpstreamError) -> bool:
        """Alert the admins if the error concerns them; return whether an admin was reached now."""
        alert = alert_of(error)
        return alert is not None and await self.alert_admins(alert)


def alert_of(error: UpstreamError) -> AdminAlert | None:
    """The alert for an error, None if admins cannot do anything about it."""
    match error:
        case McpLoginError():
            return AdminAlert(
                error.service, error, lambda locale: say(locale, "mcp-login", server=error.server)
            )
        case McpServerAwayError():
            problem = shorten(error.problem, _PROBLEM_CHARS)
            return AdminAlert(
                error.service,
                error,
                lambda locale: say(locale, "mcp-away", server=error.server, problem=problem),
            )
        case ToolsChangedError():
            joined_digests = ":".join(change.current.digest for change in error.changes)
            count = len(error.changes)
            return AdminAlert(
                f"changed:{error.server}:{joined_digests}",
                error,
                lambda locale: say(locale, "mcp-changed", server=error.server, count=count),
                "\n\n".join(change.text() for change in error.changes),
            )
    return None
