"""What answers commands and the buttons below replies and answers, on any surface."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from rich_agent.chat_commands.agenda.calendar import CalendarCommand
from rich_agent.chat_commands.agenda.day_pictures import DayPictures
from rich_agent.chat_commands.agenda.notes import NoteLists
from rich_agent.chat_commands.agenda.tasks import TaskLists
from rich_agent.chat_commands.approvals import WaitingApprovals
from rich_agent.chat_commands.broadcast import Broadcast
from rich_agent.chat_commands.conversation import Conversation
from rich_agent.chat_commands.feedback import Ratings
from rich_agent.chat_commands.files import FileCommands
from rich_agent.chat_commands.introduction import Introduction
from rich_agent.chat_commands.language import Language
from rich_agent.chat_commands.memory import Memory
from rich_agent.chat_commands.my_data import MyData
from rich_agent.chat_commands.passages import OpenedPassages
from rich_agent.chat_commands.people import People
from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.chat_commands.reminders import ReminderCommands
from rich_agent.chat_commands.replies import CommandsWithButtons, HasCommands, HasPresses
from rich_agent.chat_commands.sessions import GuidedSessions
from rich_agent.chat_commands.sources import Sources
from rich_agent.chat_commands.stats import Stats
from rich_agent.chat_commands.status import StatusCommand
from rich_agent.chat_commands.task_lists.conflicts import TaskConflicts
from rich_agent.chat_commands.task_lists.connecting import TaskListCommands
from rich_agent.chat_commands.time_zone import TimeZone
from rich_agent.chat_commands.tokens import TokenCommand
from rich_agent.chat_commands.undo import Undoing
from rich_agent.chat_commands.voice import VoiceCommand
from rich_agent.chat_commands.web_chat import WebChatCommand
from rich_agent.chat_commands.why import Why
from rich_agent.composition.calendar import calendar_address
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.task_lists import make_connecting, missing_for_lists
from rich_agent.composition.tools import make_button_tools
from rich_agent.domain.access import Access
from rich_agent.ports.tools import Tools
from rich_agent.prompts.session_templates import load_templates
from rich_agent.settings.settings import Settings
from rich_agent.task_lists.freshness import FreshTasks
from rich_agent.turns.runner import GraphTurns
from rich_agent.turns.stopping import Stopping
from rich_agent.web.chat.page_files import PAGE_PATH

_Answer = TypeVar("_Answer")


def access_of(settings: Settings) -> Access:
    """The rules for who may use the bot."""
    return Access(settings.access.allowed_ids, settings.access.admin_users)


@dataclass(frozen=True, slots=True)
class ChatCommands:
    """Commands in two groups, and buttons by their verbs."""

    commands: Commands
    presses: Presses


def make_chat_commands(
    settings: Settings, stored: Repositories, turns: GraphTurns, stopping: Stopping
) -> ChatCommands:
    """Make every module once, and merge what they answer."""
    access, catalogue = access_of(settings), stored.knowledge.catalogue
    with_buttons: Sequence[CommandsWithButtons] = (
        Conversation(stored.accounts, stored.knowledge.user_files, stopping, turns),
        FileCommands(stored.knowledge.user_files),
        Sources(catalogue),
        Why(stored.decisions),
        Memory(stored.graph.memories),
        MyData(stored.user_data, stored.confirmations),
        *_agenda(settings, stored),
        *_choices(settings, stored),
    )
    without: Sequence[HasCommands] = (
        Introduction(access, catalogue),
        GuidedSessions(stored.sessions, load_templates(settings.turn.session_templates_dir)),
        _status(settings, stored),
    )
    for_admins: Sequence[CommandsWithButtons] = (
        People(stored.accounts, access),
        Broadcast(stored.broadcasts, stored.confirmations, access),
    )
    reports: Sequence[HasCommands] = (
        _stats(settings, stored),
        WaitingApprovals(stored.approvals, stored.accounts),
    )
    commands = Commands(
        _merged(one.commands() for one in (*with_buttons, *without)),
        _merged(one.commands() for one in (*for_admins, *reports)),
        access,
    )
    others = _other_buttons(stored, turns.services.tools)
    presses = (one.presses() for one in (*with_buttons, *for_admins, *others))
    return ChatCommands(commands, Presses(_merged(presses)))


def _merged(groups: Iterable[Mapping[str, _Answer]]) -> Mapping[str, _Answer]:
    return {name: answer for group in groups for name, answer in group.items()}


def _other_buttons(stored: Repositories, tools: Tools) -> Sequence[HasPresses]:
    """The modules of buttons below answers and messages of the bot."""
    return (
        OpenedPassages(stored.decisions, stored.knowledge.catalogue),
        Ratings(stored.feedback),
        Undoing(tools),
        DayPictures(stored.agenda.schedule),
        TaskConflicts(stored.task_lists),
    )


def _agenda(settings: Settings, stored: Repositories) -> Sequence[CommandsWithButtons]:
    tools, fresh = make_button_tools(stored), FreshTasks(stored.task_lists)
    connecting, missing = make_connecting(settings, stored), missing_for_lists(settings)
    return (
        TaskLists(stored.agenda, tools, fresh, stored.accounts, lambda: datetime.now(UTC)),
        NoteLists(stored.agenda.notes),
        CalendarCommand(stored.programs.calendar_feeds, calendar_address(settings)),
        TaskListCommands(stored.task_lists, connecting, missing, stored.inbox),
        ReminderCommands(stored.reminders, stored.accounts),
        TimeZone(stored.reminders, stored.accounts),
    )


def _choices(settings: Settings, stored: Repositories) -> Sequence[CommandsWithButtons]:
    """What users choose for themselves, and other ways to reach the bot."""
    address = settings.web.public_address
    page = address + PAGE_PATH if address else None
    return (
        Language(stored.accounts),
        VoiceCommand(
            stored.accounts, settings.voice.speech if settings.models.speech.model else None
        ),
        TokenCommand(stored.programs.api_tokens, address),
        WebChatCommand(stored.programs.web_sessions, page),
    )


def _status(settings: Settings, stored: Repositories) -> StatusCommand:
    return StatusCommand(
        stored.operations.workload,
        stored.knowledge.catalogue,
        stored.usage,
        settings.allowance,
        settings.models.chat.model,
        settings.models.vision.model or settings.models.chat.model,
    )


def _stats(settings: Settings, stored: Repositories) -> Stats:
    return Stats(
        stored.operations.statistics,
        stored.usage,
        settings.cost.prices,
        stored.accounts,
        bool(settings.access.approval_intents),
    )
