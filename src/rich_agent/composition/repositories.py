"""Every repository, made once for the open databases; nothing else names an implementation.

What LangGraph or numpy is loaded for stands in fields of its own, and is loaded when it is asked
for: commands that only read the database start without it.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import structlog

from rich_agent.composition.storage import open_databases, watch_replica
from rich_agent.domain.access import UserTags
from rich_agent.domain.memory.kinds import MemoryKind
from rich_agent.feature import loaded_features
from rich_agent.repositories.accounts import PostgresAccounts, PostgresUsers
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.audit import PostgresAudit
from rich_agent.repositories.capabilities import PostgresCapabilities
from rich_agent.repositories.confirmations import PostgresConfirmations
from rich_agent.repositories.database.pools import Databases, Pool
from rich_agent.repositories.database.replica import Replica
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.feedback import PostgresFeedback
from rich_agent.repositories.images import PostgresImageAnswers, PostgresImageSummaries
from rich_agent.repositories.inbox.dead_letters import PostgresDeadLetters
from rich_agent.repositories.inbox.guests import PostgresGuests
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.repositories.lessons import PostgresLessons
from rich_agent.repositories.memory_store import MemoryRows, RowsByKind
from rich_agent.repositories.news import PostgresNews
from rich_agent.repositories.operations import PostgresAlerts, PostgresStatistics, PostgresWorkload
from rich_agent.repositories.operator import PostgresOperator
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.runs import PostgresTurnRuns
from rich_agent.repositories.sending_rate import PostgresSendingRate
from rich_agent.repositories.setting_changes import PostgresSettingChanges
from rich_agent.repositories.stops import PostgresStops
from rich_agent.repositories.tool_permissions import PostgresPermissions
from rich_agent.repositories.tools import PostgresToolExecutions
from rich_agent.repositories.turns.clarifications import PostgresClarifications
from rich_agent.repositories.turns.idle_threads import PostgresIdleThreads
from rich_agent.repositories.turns.past_turns import (
    PostgresDecisions,
    PostgresPastTurns,
    PostgresTranscript,
)
from rich_agent.repositories.uploads import PostgresUploads
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.repositories.user_data import PostgresUserData
from rich_agent.repositories.widgets import PostgresWidgets
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.repositories.conversations import PostgresConversations
    from rich_agent.repositories.knowledge.domain_store import PostgresDomainStore
    from rich_agent.repositories.knowledge.passages import PostgresPassages
    from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
    from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
    from rich_agent.repositories.memories import PostgresMemories
    from rich_agent.repositories.turns.archive import PostgresArchive
    from rich_agent.repositories.turns.checkpoints import PostgresCheckpointer

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class GraphRepositories:
    """The repositories whose modules take long to load; made inside a running event loop."""

    archive: "PostgresArchive"
    checkpointer: "PostgresCheckpointer"
    memories: "PostgresMemories"


@dataclass(frozen=True, slots=True)
class KnowledgeRepositories:
    """The registered documents, and the private files of users."""

    catalogue: "PostgresSourceCatalogue"
    passages: "PostgresPassages"
    user_files: "PostgresUserFiles"
    domain: "PostgresDomainStore"


@dataclass(frozen=True, slots=True)
class OperationRepositories:
    """The repositories that tell of the state of the bot."""

    alerts: PostgresAlerts
    operator: PostgresOperator
    statistics: PostgresStatistics
    workload: PostgresWorkload


@dataclass(frozen=True)
class Repositories:
    """One repository for each port. The inbox is entered (`async with`) by those who serve it."""

    databases: Databases
    accounts: PostgresAccounts
    approvals: PostgresApprovals
    audit: PostgresAudit
    capabilities: PostgresCapabilities
    clarifications: PostgresClarifications
    confirmations: PostgresConfirmations
    dead_letters: PostgresDeadLetters
    decisions: PostgresDecisions
    erasure: PostgresErasure
    feedback: PostgresFeedback
    guests: PostgresGuests
    idle_threads: PostgresIdleThreads
    image_answers: PostgresImageAnswers
    image_summaries: PostgresImageSummaries
    inbox: PostgresInbox
    lessons: PostgresLessons
    operations: OperationRepositories
    outbox: PostgresOutbox
    widgets: PostgresWidgets
    past_turns: PostgresPastTurns
    questions: PostgresQuestions
    runs: PostgresTurnRuns
    sending_rate: PostgresSendingRate
    stops: PostgresStops
    tool_executions: PostgresToolExecutions
    transcript: PostgresTranscript
    uploads: PostgresUploads
    usage: PostgresUsageLedger
    user_data: PostgresUserData
    users: PostgresUsers
    replica: Replica | None = None

    @property
    def pools(self) -> dict[str, Pool]:
        """Every pool in use by its name."""
        databases = self.databases
        pools = {"app": databases.app, "sessions": databases.sessions}
        if databases.rag is not databases.app:
            pools["rag"] = databases.rag
        if self.replica and self.replica.pool:
            pools["replica"] = self.replica.pool
        return pools

    @cached_property
    def news(self) -> PostgresNews:
        """The news of conversations, for open pages."""
        return PostgresNews(self.databases.app, self.inbox)

    @cached_property
    def due_work(self) -> PostgresDueWork:
        """The work that is due at its times."""
        return PostgresDueWork(self.databases.app, self.inbox)

    @cached_property
    def setting_changes(self) -> PostgresSettingChanges:
        """The settings that operators change while the bot runs."""
        return PostgresSettingChanges(self.databases.app)

    @cached_property
    def graph(self) -> GraphRepositories:
        """The repositories that the graph works with, and what else reads memories."""
        from rich_agent.graph.free_steps import may_run_again  # noqa: PLC0415 - the same
        from rich_agent.repositories import memories  # noqa: PLC0415 - the same
        from rich_agent.repositories.turns import archive, checkpoints  # noqa: PLC0415 - the same

        app = self.databases.app
        return GraphRepositories(
            archive=archive.PostgresArchive(app),
            checkpointer=checkpoints.make_checkpointer(app, may_run_again),
            memories=memories.PostgresMemories(app, memory_rows()),
        )

    @cached_property
    def permissions(self) -> PostgresPermissions:
        """The calls of tools that users permitted for good."""
        return PostgresPermissions(self.databases.app)

    @cached_property
    def conversations(self) -> "PostgresConversations":
        """The conversations of users as clients name them."""
        from rich_agent.repositories.conversations import (  # noqa: PLC0415 - the same
            PostgresConversations,
        )

        return PostgresConversations(self.databases)

    @cached_property
    def user_files(self) -> "PostgresUserFiles":
        """The private files of users."""
        from rich_agent.repositories.knowledge.user_files import (  # noqa: PLC0415 - the same
            PostgresUserFiles,
        )

        return PostgresUserFiles(self.databases.rag, self.databases.app)

    @cached_property
    def spaces(self) -> PostgresSpaces:
        """The spaces of the registered documents."""
        return PostgresSpaces(self.databases.rag)

    @cached_property
    def knowledge(self) -> KnowledgeRepositories:
        """The repositories that read the registered documents."""
        from rich_agent.repositories.knowledge import (  # noqa: PLC0415 - loaded when used
            domain_store,
            passages,
            source_catalogue,
        )

        rag = self.databases.rag
        return KnowledgeRepositories(
            source_catalogue.PostgresSourceCatalogue(rag),
            passages.PostgresPassages(rag, self.replica),
            self.user_files,
            domain_store.PostgresDomainStore(rag),
        )


def memory_rows() -> RowsByKind:
    """Rows of features that are items of the memory, by the items' kind.

    Items of a kind whose rows cannot be loaded are only in the store, like those of other kinds;
    copies of rows stay there as they are.
    """
    rows_by_kind: dict[MemoryKind, MemoryRows] = {}
    for feature in loaded_features():
        for kind, load_rows in feature.memory_rows.items():
            try:
                rows: object = load_rows()
            except Exception:  # noqa: BLE001 - whatever a stranger's function does
                _log.exception("feature.memory_rows_not_loaded", feature=feature.name)
                continue
            if isinstance(rows, MemoryRows):
                rows_by_kind[kind] = rows
            else:
                _log.error("feature.memory_rows_incomplete", feature=feature.name)
    return rows_by_kind


def make_repositories(settings: Settings, databases: Databases) -> Repositories:
    """Every repository on these databases."""
    app, rag, tags = databases.app, databases.rag, _tags(settings)
    return Repositories(
        databases=databases,
        accounts=PostgresAccounts(app),
        approvals=PostgresApprovals(app),
        audit=PostgresAudit(app),
        capabilities=PostgresCapabilities(app),
        clarifications=PostgresClarifications(app),
        confirmations=PostgresConfirmations(app),
        dead_letters=PostgresDeadLetters(app),
        decisions=PostgresDecisions(rag, app),
        erasure=PostgresErasure(databases, memory_rows()),
        feedback=PostgresFeedback(rag),
        guests=PostgresGuests(app, tags),
        idle_threads=PostgresIdleThreads(app),
        image_answers=PostgresImageAnswers(rag, app),
        image_summaries=PostgresImageSummaries(rag, app, databases.sessions),
        inbox=(inbox := PostgresInbox(app, sessions=databases.sessions)),
        lessons=PostgresLessons(app),
        operations=_make_operations(databases),
        outbox=PostgresOutbox(app),
        widgets=PostgresWidgets(app),
        past_turns=PostgresPastTurns(databases),
        questions=PostgresQuestions(app),
        runs=PostgresTurnRuns(app, inbox),
        sending_rate=PostgresSendingRate(app),
        stops=PostgresStops(app, inbox.hearing),
        tool_executions=PostgresToolExecutions(app),
        transcript=PostgresTranscript(app),
        uploads=PostgresUploads(app),
        usage=PostgresUsageLedger(app, tags),
        user_data=PostgresUserData(databases, tags),
        users=PostgresUsers(app),
    )


def _make_operations(databases: Databases) -> OperationRepositories:
    app = databases.app
    return OperationRepositories(
        PostgresAlerts(app),
        PostgresOperator(app),
        PostgresStatistics(databases),
        PostgresWorkload(app),
    )


def _tags(settings: Settings) -> UserTags:
    """Other tags than those in the log."""
    return UserTags(f"forgotten:{_secret(settings)}")


def _secret(settings: Settings) -> str:
    """The secret that only this installation knows."""
    token = settings.telegram.bot_token
    return token.get_secret_value() if token else ""


@asynccontextmanager
async def open_repositories(
    settings: Settings, *, read_only: bool = False, lingers: bool = True
) -> AsyncIterator[Repositories]:
    """The repositories on databases that are open while the block runs.

    Raises: what `open_databases` raises.
    """
    async with (
        open_databases(settings, read_only=read_only, lingers=lingers) as databases,
        watch_replica(settings, databases) as replica,
    ):
        yield replace(make_repositories(settings, databases), replica=replica)
