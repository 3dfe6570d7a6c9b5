"""Every command and button in Telegram, with the repositories that they ask."""

from dataclasses import dataclass

from rich_agent.composition.repositories import Repositories
from rich_agent.ports.bot_api import TelegramApi
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
from rich_agent.telegram.commands.status import DailyUse, Models, StatusCommand
from rich_agent.telegram.commands.why import Why
from rich_agent.telegram.deliver.delivery import Messenger
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.stopping import VERB, Stopping
from rich_agent.telegram.serve.approving import Approving
from rich_agent.turns.runner import TurnRunner


@dataclass(frozen=True, slots=True)
class CommandSet:
    """What answers commands, the presses of buttons, and the words of those who approve."""

    commands: Commands
    presses: Presses
    approving: Approving


def make_messenger(
    repositories: Repositories, api: TelegramApi, limiter: Limiter | None = None
) -> Messenger:
    """What sends messages and notes them; without a limiter of the process, one of its own."""
    return Messenger(api, repositories.outbox, repositories.users, limiter or Limiter())


def make_command_set(
    settings: Settings,
    repositories: Repositories,
    messenger: Messenger,
    stopping: Stopping,
    history: TurnRunner,
) -> CommandSet:
    """All commands, on these repositories."""
    access = Access(settings.allowed_ids, settings.admin_users)
    accounts, decisions = repositories.accounts, repositories.decisions
    catalogue = repositories.graph.catalogue
    models = Models(settings.chat_model, settings.vision_model or settings.chat_model)
    use = DailyUse(repositories.usage, settings.allowance)
    why = Why(decisions, messenger)
    sources = Sources(catalogue, messenger.api)
    language = Language(accounts, messenger.api)
    people = People(accounts, access, messenger.api)
    memory = Memory(repositories.graph.memories, messenger.api)
    confirmations = repositories.confirmations
    my_data = MyData(repositories.user_data, confirmations, messenger.api)
    broadcast = Broadcast(repositories.broadcasts, confirmations, access, messenger.api)
    approvals = repositories.approvals
    approving = Approving(
        approvals,
        repositories.transcript,
        accounts,
        access,
        messenger,
        feedback_buttons if settings.feedback else passage_buttons,
    )
    stats = Stats(
        repositories.statistics,
        repositories.usage,
        settings.prices,
        accounts,
        bool(settings.approval_intents),
    )
    ratings = Ratings(repositories.feedback, messenger.api)
    commands = Commands(
        *Introduction(access, messenger.api, catalogue).commands(),
        *Conversation(accounts, stopping, history).commands(),
        *sources.commands(),
        *why.commands(),
        *memory.commands(),
        *my_data.commands(),
        *StatusCommand(repositories.workload, catalogue, models, use).commands(),
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
        **OpenedPassages(decisions, catalogue, messenger).presses(),
        **memory.presses(),
        **my_data.presses(),
        **language.presses(),
        **people.presses(),
        **broadcast.presses(),
        **ratings.presses(),
        **approving.presses(),
    }
    return CommandSet(commands, Presses(answers), approving)
