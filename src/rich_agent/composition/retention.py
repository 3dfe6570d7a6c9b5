"""What is forgotten by its age, and after how long."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

from rich_agent.composition.app import make_idle_conversations
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import Inbox
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.broadcasts import PostgresBroadcasts
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.image_answers import PostgresImageAnswers
from rich_agent.repositories.inbox.dead_letters import PostgresDeadLetters
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.stops import PostgresStops
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.decisions import PostgresDecisions
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.runtime.concurrency import unless
from rich_agent.settings.settings import Settings

PRUNE_EVERY_S = 3600.0
_log = structlog.get_logger()


class Ageing(Protocol):
    """A repository whose rows grow old."""

    async def prune(self, days: float) -> int:
        """Forget what is older; how many rows. Raises: DatabaseUnavailableError."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for so many days; None: forever."""

    repository: Ageing
    days: float | None


def kept_in(databases: Databases, inbox: Inbox, settings: Settings) -> tuple[Kept, ...]:
    """Everything that grows with use and has an age."""
    app, rag = databases.app, databases.rag
    days, conversation_days = settings.retention_days, settings.conversation_days
    return (
        # Questions first: their age is told by the inbox.
        Kept(PostgresQuestions(app), days),
        Kept(inbox, days),
        Kept(PostgresDeadLetters(app), settings.dead_letter_days),
        Kept(PostgresOutbox(app), days),
        Kept(PostgresStops(app), days),
        Kept(PostgresBroadcasts(app), days),
        Kept(PostgresApprovals(app), days),
        Kept(PostgresUsageLedger(app), settings.usage_days),
        Kept(make_idle_conversations(databases), settings.idle_days),
        Kept(PostgresArchive(app), conversation_days),
        Kept(PostgresDecisions(rag), conversation_days),
        Kept(PostgresImageAnswers(rag), conversation_days),
    )


async def prune(kept: Sequence[Kept]) -> int:
    """Forget what is too old; how many rows. Raises: DatabaseUnavailableError."""
    return sum([await one.repository.prune(one.days) for one in kept if one.days is not None])


async def prune_on(kept: Sequence[Kept], stop: asyncio.Event) -> None:
    """Forget now and every hour, until `stop` is set."""
    while not stop.is_set():
        try:
            _log.debug("pruned", rows=await prune(kept))
        except DatabaseUnavailableError as error:
            _log.warning("not_pruned", error=str(error))
        await unless(stop, asyncio.sleep(PRUNE_EVERY_S))
