"""Retention rules: how long rows are kept whose age does not follow from their table alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich_agent.composition.app import make_idle
from rich_agent.composition.repositories import Repositories
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.settings.settings import Settings

PRUNE_EVERY_S = 3600.0
DEAD_LETTER_DAYS = 90.0
IDLE_DAYS = 90.0
USAGE_DAYS = 400.0


class Ageing(Protocol):
    """A repository whose rows grow old."""

    async def prune(self, days: float) -> int:
        """Delete older rows; return their number. Raises: DatabaseUnavailableError."""
        ...


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """A repository whose data is kept for so many days; None: forever."""

    repository: Ageing
    days: float | None


def retention_rules(repositories: Repositories, settings: Settings) -> tuple[RetentionRule, ...]:
    """Everything that grows with use and has an age, what the tables declare among it."""
    days, conversation_days = settings.storage.retention_days, settings.storage.conversation_days
    idle = make_idle(repositories)
    return (
        # Questions first: their age is told by the inbox.
        RetentionRule(repositories.questions, days),
        RetentionRule(repositories.inbox, days),
        RetentionRule(repositories.dead_letters, DEAD_LETTER_DAYS),
        RetentionRule(AgedRows(repositories.databases, conversation_days), days),
        RetentionRule(repositories.usage, USAGE_DAYS),
        RetentionRule(idle, IDLE_DAYS),
        RetentionRule(repositories.permissions, IDLE_DAYS),
    )


async def prune(rules: Sequence[RetentionRule]) -> int:
    """Delete rows by their rules; return their number. Raises: DatabaseUnavailableError."""
    return sum([await one.repository.prune(one.days) for one in rules if one.days is not None])
