"""Checks of connected sources: whether their services admit us, and the age of their data."""

from rich_agent.commands.diagnosis.check_results import CheckResult, check_failure
from rich_agent.composition.connections import make_source_connecting, stored_connections
from rich_agent.composition.repositories import Repositories
from rich_agent.documents.connectors.connections import Connecting, ServiceConnection
from rich_agent.errors import RichAgentError
from rich_agent.settings.settings import Settings


async def check_connected_sources(
    settings: Settings, repositories: Repositories
) -> list[CheckResult]:
    """Ask each service what the stored token may do."""
    try:
        connections = await stored_connections(repositories)
    except RichAgentError as error:
        return [check_failure("connected sources", error)]
    connecting = make_source_connecting(settings)
    return [await _check(connecting, one) for one in connections]


async def _check(connecting: Connecting, connection: ServiceConnection) -> CheckResult:
    name = f"source {connection.name}"
    try:
        connector = connecting.open(connection)
        try:
            return CheckResult(name, "ok", await connector.check())
        finally:
            await connector.aclose()
    except RichAgentError as error:
        return CheckResult(name, "warn", str(error), error.hint)
