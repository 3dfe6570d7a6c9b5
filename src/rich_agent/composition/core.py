"""Makes what features share."""

from datetime import UTC, datetime

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.feature.core import Core
from rich_agent.runs.service import RunService
from rich_agent.settings.settings import Settings


def make_core(settings: Settings, repositories: Repositories) -> Core:
    """Make it of the open databases."""
    return Core(
        settings=settings,
        databases=repositories.databases,
        accounts=repositories.accounts,
        access=Access(settings.access.allowed_ids, settings.access.admin_users),
        past_turns=repositories.past_turns,
        usage=repositories.usage,
        uploads=repositories.uploads,
        runs=RunService(repositories.runs, repositories.stops),
        now=lambda: datetime.now(UTC),
    )
