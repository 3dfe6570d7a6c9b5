"""Which command and which button in Telegram is answered by what, on which repositories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from rich_agent.chat_commands import (
    approvals,
    broadcast,
    conversation,
    feedback,
    files,
    introduction,
    language,
    memory,
    my_data,
    passages,
    people,
    sessions,
    sources,
    stats,
    status,
    voice,
    web_chat,
    why,
)
from rich_agent.chat_commands import tokens as api_tokens
from rich_agent.chat_commands import undo as undoing
from rich_agent.chat_commands.presses import PressAnswer, Presses
from rich_agent.chat_commands.registry import CommandAnswer, Commands
from rich_agent.composition.planning_commands import PlanningCommands
from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.domain.answer.answer import Answer
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.reminders import REMINDER_WORK
from rich_agent.ports.runs import RUN_WORK
from rich_agent.ports.task_lists import CONFLICT_WORK, TROUBLE_WORK
from rich_agent.ports.tools import Tools
from rich_agent.prompts.session_templates import load_templates
from rich_agent.runs.completions import Completions
from rich_agent.runs.work import OpenQuestions, RunWork
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver import asking_back, keeping
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, Keyboard
from rich_agent.telegram.deliver.stopping import VERB, Stopping
from rich_agent.telegram.serve import approving
from rich_agent.telegram.serve.internal_work import InternalKinds, InternalWork
from rich_agent.telegram.serve.reminding import Reminding
from rich_agent.telegram.serve.set_aside import SetAsideWork
from rich_agent.telegram.threads import Threads
from rich_agent.turns.runner import TurnRunner
from rich_agent.web.chat.page_files import PAGE_PATH


def make_messenger(repositories: Repositories, api: TelegramApi, limiter: Limiter) -> Messenger:
    """Make the messenger, which sends messages and notes them."""
    return Messenger(api, repositories.outbox, repositories.users, limiter)


@dataclass(frozen=True, slots=True)
class TelegramCommands:
    """Makes what answers commands, buttons, and those who approve."""

    settings: Settings
    repositories: Repositories
    messenger: Messenger
    stopping: Stopping
    history: TurnRunner
    tools: Tools

    @property
    def access(self) -> Access:
        """The rules for who may use the bot."""
        return Access(self.settings.access.allowed_ids, self.settings.access.admin_users)

    @property
    def final_buttons(self) -> Callable[[ReplyTarget, Answer], Keyboard]:
        """The function that makes the buttons under an answer."""
        is_asked = self.settings.telegram.feedback
        others = feedback.feedback_buttons if is_asked else passages.passage_buttons

        def buttons(target: ReplyTarget, answer: Answer) -> Keyboard:
            locale = target.locale
            own = (
                *undoing.undo_buttons(locale, answer),
                *files.keeping_buttons(locale, answer),
            )
            return (*own, *others(target, answer))

        return buttons

    def approving(self) -> approving.Approving:
        """Make the service that asks admins for their approval."""
        stored = self.repositories
        return approving.Approving(
            stored.approvals,
            stored.transcript,
            stored.accounts,
            self.access,
            self.messenger,
            self.final_buttons,
        )

    def internal(self, errands: Completions) -> InternalKinds:
        """Make the handlers of the work that the bot gives itself, by its kind."""
        stored, reminding, running = self.repositories, self._reminding(), self._running(errands)
        return InternalKinds(
            {
                approving.NOTICE_KIND: InternalWork(self.approving().tell),
                REMINDER_WORK: InternalWork(reminding.remind, reminding.target_of),
                RUN_WORK: InternalWork(
                    lambda update_id, _: running.do(update_id),
                    fail=running.fail,
                    wait=running.hold,
                ),
                CONFLICT_WORK: InternalWork(self._planning().conflicts().ask),
                TROUBLE_WORK: InternalWork(self._planning().troubles().tell),
                **SetAsideWork(stored.inbox.attempts, stored.accounts).kinds(),
            }
        )

    def _running(self, errands: Completions) -> RunWork:
        stored, permits, watching = self.repositories, self.access.permits, self.stopping.watching
        questions = OpenQuestions(stored.clarifications, self.tools.parameters_of)
        return RunWork(
            stored.runs, stored.accounts, permits, self.history, watching, questions, errands
        )

    def commands(self) -> Commands:
        """Every command by its name, in two groups."""
        return Commands(self._commands_for_all(), self._commands_for_admins(), self.access)

    def _commands_for_all(self) -> Mapping[str, CommandAnswer]:
        stored, access, api = self.repositories, self.access, self.messenger.api
        started = introduction.Introduction(access, api, stored.knowledge.catalogue)
        talk = conversation.Conversation(
            stored.accounts, stored.knowledge.user_files, self.stopping, self.history
        )
        own_data = my_data.MyData(stored.user_data, stored.confirmations, api)
        templates = load_templates(self.settings.turn.session_templates_dir)
        return {
            "start": started.start,
            "help": started.help,
            "privacy": started.privacy,
            "new": talk.begin_afresh,
            "stop": talk.stop,
            "retry": talk.retry,
            "files": self._files().answer,
            "sources": sources.Sources(stored.knowledge.catalogue, api).answer,
            "why": why.Why(stored.decisions, self.messenger).answer,
            **self._planning().commands(),
            "tokens": self._tokens().answer,
            "web": self._web_chat().answer,
            "memory": memory.Memory(stored.graph.memories, api).answer,
            "status": self._status().answer,
            "language": language.Language(stored.accounts, api).answer,
            "voice": self._voice().answer,
            **sessions.GuidedSessions(stored.sessions, templates).commands(),
            "export": own_data.export,
            "forget": own_data.ask_to_forget,
        }

    def _commands_for_admins(self) -> Mapping[str, CommandAnswer]:
        stored, access, api = self.repositories, self.access, self.messenger.api
        users = people.People(stored.accounts, access, api)
        news = broadcast.Broadcast(stored.broadcasts, stored.confirmations, access, api)
        return {
            "stats": self._stats().answer,
            "users": users.list,
            "allow": users.allow,
            "deny": users.deny,
            "broadcast": news.ask,
            "approvals": approvals.WaitingApprovals(stored.approvals, stored.accounts).answer,
        }

    def presses(self) -> Presses:
        """Every button by its verb."""
        stored, access, api = self.repositories, self.access, self.messenger.api
        catalogue, decisions = stored.knowledge.catalogue, stored.decisions
        remembered = memory.Memory(stored.graph.memories, api)
        own_data = my_data.MyData(stored.user_data, stored.confirmations, api)
        news = broadcast.Broadcast(stored.broadcasts, stored.confirmations, access, api)
        approval = self.approving()
        return Presses(
            {
                VERB: self.stopping.answer_press,
                sources.VERB: sources.Sources(catalogue, api).turn_page,
                why.WHY_VERB: why.Why(decisions, self.messenger).press,
                passages.VERB: passages.OpenedPassages(decisions, catalogue, self.messenger).press,
                **self._program_presses(),
                memory.PAGE_VERB: remembered.turn_page,
                memory.DELETE_VERB: remembered.delete,
                my_data.CONFIRM_VERB: own_data.forget,
                my_data.KEEP_VERB: own_data.keep,
                language.VERB: language.Language(stored.accounts, api).press,
                voice.VERB: self._voice().press,
                **self._file_presses(),
                people.VERB: people.People(stored.accounts, access, api).turn_page,
                broadcast.SEND_VERB: news.send,
                broadcast.DROP_VERB: news.drop,
                broadcast.CANCEL_VERB: news.cancel,
                asking_back.ADJUST_VERB: asking_back.explain_adjusting,
                undoing.VERB: undoing.Undoing(self.tools, self.messenger).press,
                **self._planning().presses(),
                feedback.VERB: feedback.Ratings(stored.feedback, api).press,
                approving.APPROVE_VERB: approval.approve,
                approving.CORRECT_VERB: partial(approval.ask_for_words, kind="correction"),
                approving.REJECT_VERB: partial(approval.ask_for_words, kind="reason"),
            }
        )

    def _planning(self) -> PlanningCommands:
        return PlanningCommands(self.settings, self.repositories, self.messenger)

    def _tokens(self) -> api_tokens.TokenCommand:
        address, stored = self.settings.web.public_address, self.repositories
        return api_tokens.TokenCommand(stored.programs.api_tokens, self.messenger.api, address)

    def _web_chat(self) -> web_chat.WebChatCommand:
        public, stored = self.settings.web.public_address, self.repositories
        address = public + PAGE_PATH if public else None
        return web_chat.WebChatCommand(stored.programs.web_sessions, self.messenger.api, address)

    def _program_presses(self) -> Mapping[str, PressAnswer]:
        tokens, page = self._tokens(), self._web_chat()
        return {
            api_tokens.LIST_VERB: tokens.show,
            api_tokens.MAKE_VERB: tokens.make,
            api_tokens.REVOKE_VERB: tokens.revoke,
            web_chat.LIST_VERB: page.show,
            web_chat.LINK_VERB: page.link,
            web_chat.END_VERB: page.end,
        }

    def _files(self) -> files.FileCommands:
        return files.FileCommands(self.repositories.knowledge.user_files, self.messenger.api)

    def _file_presses(self) -> Mapping[str, PressAnswer]:
        listed = self._files()
        return {
            files.PAGE_VERB: listed.turn_page,
            files.CHANGE_VERB: listed.change,
            keeping.KEEP_FILES_VERB: listed.choose,
        }

    def _voice(self) -> voice.VoiceCommand:
        settings, stored = self.settings, self.repositories
        default = settings.voice.speech if settings.models.speech.model else None
        return voice.VoiceCommand(stored.accounts, self.messenger.api, default)

    def _reminding(self) -> Reminding:
        stored = self.repositories
        return Reminding(
            stored.reminders,
            stored.accounts,
            self.access,
            self.messenger,
            self.stopping,
            self.history,
            AnswerOptions(self.settings.telegram.streaming, final_buttons=self.final_buttons),
            Threads(self.settings.telegram.conversation_per_topic),
        )

    def _status(self) -> status.StatusCommand:
        settings, stored = self.settings, self.repositories
        return status.StatusCommand(
            stored.operations.workload,
            stored.knowledge.catalogue,
            stored.usage,
            settings.allowance,
            settings.models.chat.model,
            settings.models.vision.model or settings.models.chat.model,
        )

    def _stats(self) -> stats.Stats:
        settings, stored = self.settings, self.repositories
        needs_approval = bool(settings.access.approval_intents)
        return stats.Stats(
            stored.operations.statistics,
            stored.usage,
            settings.cost.prices,
            stored.accounts,
            needs_approval,
        )
