"""Work that the bot gives itself, by its kind, and what is shown in Telegram meanwhile."""

from dataclasses import dataclass

from rich_agent.chat_commands.feedback import feedback_buttons
from rich_agent.chat_commands.files import keeping_row
from rich_agent.chat_commands.passages import passage_buttons
from rich_agent.chat_commands.registry import Commands
from rich_agent.chat_commands.undo import undo_buttons
from rich_agent.composition.chat_commands import access_of
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.answer.answer import Answer
from rich_agent.ports.bot_api import Keyboard
from rich_agent.ports.reminders import REMINDER_WORK
from rich_agent.ports.runs import RUN_WORK
from rich_agent.ports.task_lists import CONFLICT_WORK, TROUBLE_WORK
from rich_agent.runs.completions import Completions
from rich_agent.runs.work import OpenQuestions, RunWork
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions
from rich_agent.telegram.serve.approving import NOTICE_KIND, Approving
from rich_agent.telegram.serve.internal_work import InternalKinds, InternalWork
from rich_agent.telegram.serve.reminding import Reminding
from rich_agent.telegram.serve.set_aside import SetAsideWork
from rich_agent.telegram.serve.task_lists import TaskListNotices
from rich_agent.telegram.threads import Threads
from rich_agent.turns.runner import GraphTurns
from rich_agent.turns.stopping import Stopping


@dataclass(frozen=True, slots=True)
class InternalServices:
    """Makes what does the bot's own work."""

    settings: Settings
    repositories: Repositories
    messenger: Messenger
    stopping: Stopping
    turns: GraphTurns
    commands: Commands

    def final_buttons(self, target: ReplyTarget, answer: Answer) -> Keyboard:
        """The buttons under an answer."""
        locale, update_id = target.locale, target.update_id
        own = (*undo_buttons(locale, answer), *keeping_row(locale, answer.files))
        if self.settings.telegram.feedback:
            return (*own, *feedback_buttons(update_id, locale, answer))
        return (*own, *passage_buttons(update_id, answer))

    def approving(self) -> Approving:
        """Make the service that asks admins for their approval."""
        stored = self.repositories
        return Approving(
            stored.approvals,
            stored.transcript,
            stored.accounts,
            access_of(self.settings),
            self.messenger,
            self.final_buttons,
        )

    def kinds(self, errands: Completions) -> InternalKinds:
        """Make the handlers of the work by its kind."""
        stored, reminding, running = self.repositories, self._reminding(), self._running(errands)
        lists = TaskListNotices(stored.task_lists, stored.accounts, self.messenger)
        return InternalKinds(
            {
                NOTICE_KIND: InternalWork(self.approving().tell),
                REMINDER_WORK: InternalWork(reminding.remind, reminding.target_of),
                RUN_WORK: InternalWork(
                    lambda update_id, _: running.do(update_id),
                    fail=running.fail,
                    wait=running.hold,
                ),
                CONFLICT_WORK: InternalWork(lists.ask),
                TROUBLE_WORK: InternalWork(lists.tell),
                **SetAsideWork(stored.inbox.attempts, stored.accounts).kinds(),
            }
        )

    def _running(self, errands: Completions) -> RunWork:
        stored, permits = self.repositories, access_of(self.settings).permits
        parameters_of = self.turns.services.tools.parameters_of
        questions = OpenQuestions(stored.clarifications, parameters_of)
        return RunWork(
            stored.runs,
            stored.accounts,
            permits,
            self.turns,
            self.stopping.watching,
            questions,
            errands,
            self.commands.without_admins(),
        )

    def _reminding(self) -> Reminding:
        stored = self.repositories
        return Reminding(
            stored.reminders,
            stored.accounts,
            access_of(self.settings),
            self.messenger,
            self.stopping,
            self.turns,
            AnswerOptions(self.settings.telegram.streaming, final_buttons=self.final_buttons),
            Threads(self.settings.telegram.conversation_per_topic),
        )
