"""Makes the modules that answer commands and buttons, on any surface."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rich_agent.chat_commands.approvals import WaitingApprovals
from rich_agent.chat_commands.conversation import Conversation
from rich_agent.chat_commands.feedback import OpenedPassages, Ratings, Undoing
from rich_agent.chat_commands.files import FileCommands
from rich_agent.chat_commands.introduction import Introduction
from rich_agent.chat_commands.memory import Memory, MyData
from rich_agent.chat_commands.menu import Menu
from rich_agent.chat_commands.permissions import PermissionCommand
from rich_agent.chat_commands.preferences import Language, TimeZone
from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.chat_commands.replies import ChatCommand, CommandAnswer, Handlers
from rich_agent.chat_commands.sources import Sources
from rich_agent.chat_commands.spaces import SpaceChoice
from rich_agent.chat_commands.status import Stats, StatusCommand
from rich_agent.chat_commands.why import Why
from rich_agent.composition.features import OpenFeatures
from rich_agent.composition.menus import make_menu
from rich_agent.composition.ratings import ReportedFeedback
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.feature.parts import Parts
from rich_agent.runtime.personas import choose_persona
from rich_agent.runtime.reach import present_outages
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.turns.runner import GraphTurns
from rich_agent.turns.stopping import Stopping


def access_of(settings: Settings) -> Access:
    """The rules for who may use the bot."""
    return Access(settings.access.allowed_ids, settings.access.admin_users)


@dataclass(frozen=True, slots=True)
class ChatCommands:
    """Commands in two groups, buttons by their verbs, and the other parts of features."""

    commands: Commands
    presses: Presses
    features: Parts


def make_chat_commands(
    live: LiveSettings,
    repositories: Repositories,
    turns: GraphTurns,
    stopping: Stopping,
    features: OpenFeatures,
) -> ChatCommands:
    """Make every module once, and merge what they answer."""
    settings = live.now
    access, catalogue = access_of(settings), repositories.knowledge.catalogue
    menu = make_menu(settings, features)
    for_all: Sequence[ChatCommand] = (
        _introduction(live, repositories, features, menu),
        Conversation(repositories.accounts, repositories.knowledge.user_files, stopping, turns),
        FileCommands(repositories.knowledge.user_files),
        Sources(catalogue),
        SpaceChoice(repositories.spaces),
        _why(repositories),
        Memory(repositories.graph.memories),
        MyData(repositories.user_data, repositories.confirmations),
        _status(live, repositories),
        TimeZone(repositories.accounts, features.parts.zone_moves),
        Language(repositories.accounts),
        PermissionCommand(repositories.permissions, turns.services.tools),
        _opened_passages(live, repositories),
        Ratings(ReportedFeedback(repositories.feedback, lambda: features.parts.ratings)),
        Undoing(turns.services.tools),
    )
    for_admins: Sequence[ChatCommand] = (
        _stats(live, repositories),
        WaitingApprovals(repositories.approvals, repositories.accounts),
    )
    # The core's come last: they go before those of features.
    own = [features.handlers(for_admins=False), *(one.handlers() for one in for_all)]
    theirs = [features.handlers(for_admins=True), *(one.handlers() for one in for_admins)]
    shorten = repositories.inbox.shorten_command
    commands = Commands(_answers_of(own), _answers_of(theirs), access, turns.prepare, menu, shorten)
    presses = {verb: answer for one in (*own, *theirs) for verb, answer in one.presses.items()}
    return ChatCommands(commands, Presses(presses), features.parts)


def _opened_passages(live: LiveSettings, repositories: Repositories) -> OpenedPassages:
    return OpenedPassages(
        repositories.decisions,
        repositories.knowledge.catalogue,
        lambda: live.now.telegram.widgets == "auto",
    )


def _answers_of(handlers: Sequence[Handlers]) -> dict[str, CommandAnswer]:
    return {name: answer for one in handlers for name, answer in one.commands.items()}


def _introduction(
    live: LiveSettings, repositories: Repositories, features: OpenFeatures, menu: Menu
) -> Introduction:
    return Introduction(
        access_of(live.now),
        repositories.knowledge.catalogue,
        lambda: live.now.turn.domain,
        menu,
        partial(choose_persona, features.find_personas, repositories.spaces),
        features.parts.privacy_phrases,
    )


def _why(repositories: Repositories) -> Why:
    graph = repositories.graph
    return Why(repositories.decisions, repositories.spaces, graph.memories, graph.archive)


def _status(live: LiveSettings, repositories: Repositories) -> StatusCommand:
    settings = live.now
    return StatusCommand(
        repositories.operations.workload,
        repositories.knowledge.catalogue,
        repositories.usage,
        live.allowance,
        settings.models.chat.model,
        settings.models.vision.model or settings.models.chat.model,
        settings.access.admin_users,
        present_outages,
    )


def _stats(live: LiveSettings, repositories: Repositories) -> Stats:
    return Stats(
        repositories.operations.statistics,
        repositories.usage,
        lambda: live.now.prices,
        repositories.accounts,
        lambda: bool(live.now.access.approval_intents),
    )
