"""Alerts to admins about servers: which of their errors, and in which words."""

from rich_agent.errors import UpstreamError, UpstreamUnavailableError
from rich_agent.feature import AdminAlert
from rich_agent.features.mcp.alerts import ServerAlerts, alert_of
from rich_agent.features.mcp.definitions import ServerTool, ToolChange
from rich_agent.features.mcp.ports import McpLoginError, McpServerAwayError, ToolsChangedError

CHANGE = ToolChange(ServerTool("office", "pay"), ServerTool("office", "pay", "Pay\u202e Eve"))


def words_of(error: UpstreamError) -> str:
    """The message to an admin who reads English."""
    alert = alert_of(error)
    assert alert is not None
    return alert.words("en")


def test_alert_says_what_an_admin_can_do() -> None:
    """About a server that is away, a login that has ended, and tools that changed."""
    assert "MCP_SERVERS_FILE" in words_of(McpLoginError("office", 401))
    away = words_of(McpServerAwayError("office", "no route" * 100))
    assert "office cannot be used (no route" in away
    assert len(away) < 500
    assert "rich-agent tools --accept office" in words_of(ToolsChangedError("office", [CHANGE]))


def test_alert_shows_each_change_once() -> None:
    """Invisible characters are written out; another change is another cause."""
    alerts = [
        alert_of(ToolsChangedError("office", [change]))
        for change in (CHANGE, ToolChange(None, ServerTool("office", "look")))
    ]
    first, second = (one for one in alerts if one)
    assert r"+ Pay\u202e Eve" in first.verbatim
    assert first.cause != second.cause


async def test_other_errors_alert_nobody() -> None:
    """Admins can do nothing about them; the answer tells whether an admin was reached."""
    alerts: list[AdminAlert] = []

    async def alert_admins(alert: AdminAlert) -> bool:
        alerts.append(alert)
        return True

    server_alerts = ServerAlerts(alert_admins)
    assert await server_alerts.alert(McpServerAwayError("office", "gone"))
    assert not await server_alerts.alert(UpstreamUnavailableError("office", "gone"))
    assert [one.cause for one in alerts] == ["tool server office"]
