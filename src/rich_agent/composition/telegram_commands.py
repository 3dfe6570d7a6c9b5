"""Every command and button in Telegram, with the repositories that they ask."""

from dataclasses import dataclass

from rich_agent.composition.storage import tags_of_forgotten
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.broadcasts import PostgresBroadcasts
from rich_agent.repositories.confirmations import PostgresConfirmations
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.feedback import PostgresFeedback
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.statistics import PostgresStatistics
from rich_agent.repositories.turns.decisions import PostgresDecisions
from rich_agent.repositories.turns.transcript import PostgresTranscript
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.repositories.user_data import PostgresUserData
from rich_agent.repositories.workload import PostgresWorkload
from rich_agent.settings.settings import Settings
from rich_agent.telegram.access import Access
from rich_agent.telegram.commands.approvals import WaitingApprovals
from rich_agent.telegram.commands.broadcast import Broadcast
from rich_agent.telegram.commands.conversation import Conversation
from rich_agent.telegram.commands.feedback import Ratings, feedback_buttons
from rich_agent.telegram.commands.introduction import Introduction
from rich_agent.telegram.commands.language import Language
from rich_agent.telegram.commands.memory import Memory
from rich_agent.telegram.commands.my_data import MyData
from rich_agent.telegram.commands.passages import OpenedPassages, passage_buttons
from rich_agent.telegram.commands.people import People
from rich_agent.telegram.commands.presses import Presses
from rich_agent.telegram.commands.registry import Commands
from rich_agent.telegram.commands.sources import Sources
from rich_agent.telegram.commands.stats import Stats
from rich_agent.telegram.commands.status import DailyUse, Models, Status
from rich_agent.telegram.commands.why import Why
from rich_agent.telegram.deliver.delivery import Post
from rich_agent.telegram.deliver.stopping import VERB, Stopping
from rich_agent.telegram.serve.approving import Approving
from rich_agent.turns.runner import QuestionHistory


@dataclass(frozen=True, slots=True)
class CommandSet:
    """What answers commands, the presses of buttons, and the words of those who approve."""

    commands: Commands
    presses: Presses
    approving: Approving


def make_command_set(
    settings: Settings,
    databases: Databases,
    post: Post,
    stopping: Stopping,
    history: QuestionHistory,
) -> CommandSet:
    """All commands, on these databases."""
    access = Access(settings.allowed_ids, settings.admin_users)
    accounts = PostgresAccounts(databases.app)
    catalogue = PostgresSourceCatalogue(databases.rag)
    models = Models(settings.chat_model, settings.vision_model or settings.chat_model)
    tags = tags_of_forgotten(settings)
    ledger = PostgresUsageLedger(databases.app, tags)
    use = DailyUse(ledger, settings.allowance)
    decisions = PostgresDecisions(databases.rag)
    why = Why(decisions, post)
    sources = Sources(catalogue, post.api)
    language = Language(accounts, post.api)
    people = People(accounts, access, post.api)
    memory = Memory(PostgresMemories(databases.app), post.api)
    confirmations = PostgresConfirmations(databases.app)
    my_data = MyData(PostgresUserData(databases, tags), confirmations, post.api)
    broadcast = Broadcast(PostgresBroadcasts(databases.app), confirmations, access, post.api)
    approvals = PostgresApprovals(databases.app)
    approving = Approving(
        approvals,
        PostgresTranscript(databases.app),
        accounts,
        access,
        post,
        feedback_buttons if settings.feedback else passage_buttons,
    )
    stats = Stats(
        PostgresStatistics(databases),
        ledger,
        settings.prices,
        accounts,
        bool(settings.approval_intents),
    )
    ratings = Ratings(PostgresFeedback(databases.rag), post.api)
    commands = Commands(
        *Introduction(access, post.api, catalogue).commands(),
        *Conversation(accounts, stopping, history).commands(),
        *sources.commands(),
        *why.commands(),
        *memory.commands(),
        *my_data.commands(),
        *Status(PostgresWorkload(databases.app), catalogue, models, use).commands(),
        *language.commands(),
        *stats.commands(),
        *people.commands(),
        *broadcast.commands(),
        *WaitingApprovals(approvals, accounts).commands(),
        access=access,
    )
    answers = {
        VERB: stopping.answer_press,
        **sources.presses(),
        **why.presses(),
        **OpenedPassages(decisions, catalogue, post).presses(),
        **memory.presses(),
        **my_data.presses(),
        **language.presses(),
        **people.presses(),
        **broadcast.presses(),
        **ratings.presses(),
        **approving.presses(),
    }
    return CommandSet(commands, Presses(answers), approving)
