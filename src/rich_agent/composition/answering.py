"""The part of a serving process that answers: it loads the graph and the model clients.

Loading them takes most of a start, so `run` imports this module when the process receives already.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rich_agent.chat_commands.feedback import feedback_buttons, passage_buttons, undo_buttons
from rich_agent.chat_commands.files import keeping_row
from rich_agent.chat_commands.registry import Commands, Presses
from rich_agent.chat_commands.suggestions import command_buttons
from rich_agent.composition.app import Observers, open_turns
from rich_agent.composition.bot import Bot
from rich_agent.composition.chat_commands import ChatCommands, access_of, make_chat_commands
from rich_agent.composition.features import OpenFeatures
from rich_agent.composition.lone_processes import LoneProcesses, end_when_idle
from rich_agent.composition.model_check import check_models
from rich_agent.composition.model_server import (
    OpenModel,
    make_local_model,
    open_models,
)
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.retention import PRUNE_EVERY_S, prune, retention_rules
from rich_agent.documents.index.filling import VectorFilling
from rich_agent.domain.access import Access, UserTags
from rich_agent.domain.answer.citation import Answer
from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.ports.approvals import APPROVAL_WORK, NOTICE_KIND
from rich_agent.ports.bot_api import Keyboard
from rich_agent.ports.memories import LESSON_WORK
from rich_agent.ports.models import ModelAccountError
from rich_agent.ports.runs import RUN_WORK
from rich_agent.ports.usage import GuestLimits
from rich_agent.runs.elsewhere import Notebook, WrittenCommands, WrittenTurns
from rich_agent.runs.work import Completions, OpenQuestions, RunWork
from rich_agent.runtime.concurrency import repeat, task_group, unless
from rich_agent.runtime.due_work import DueWorkLoop
from rich_agent.runtime.memberships import Memberships, prepare_all
from rich_agent.runtime.reach import log_failure
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.asking_back import ADJUST_VERB, explain_adjusting
from rich_agent.telegram.deliver.ephemeral import EphemeralSupport
from rich_agent.telegram.deliver.lost_messages import Tidying
from rich_agent.telegram.deliver.media import MediaMessages
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions
from rich_agent.telegram.deliver.update_context import Threads
from rich_agent.telegram.serve.alarm import Alarm
from rich_agent.telegram.serve.approving import ApprovalNotices, Approving
from rich_agent.telegram.serve.edits import Edits
from rich_agent.telegram.serve.guests import GuestAnswers, PrivateAnswers
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.internal_work import (
    InternalKinds,
    InternalWork,
    SetAsideWork,
)
from rich_agent.telegram.serve.notices import Notices
from rich_agent.telegram.serve.unattended import UnattendedTurns
from rich_agent.telegram.serve.waiting_queries import LOOK_EVERY_S, WaitingQueries
from rich_agent.telegram.serve.worker import Worker, WorkerOptions
from rich_agent.turns.lesson_worker import LessonWorker
from rich_agent.turns.media import MediaTexts
from rich_agent.turns.metrics import NodeMetrics, UsageMetrics
from rich_agent.turns.runner import GraphTurns
from rich_agent.turns.stopping import Stopping
from rich_agent.upstreams.models.choosing import OpenAIShaper
from rich_agent.upstreams.servers.side_by_side import takes_side_by_side


@dataclass(frozen=True, slots=True)
class InternalServices:
    """Makes what does the bot's own work."""

    live: LiveSettings
    repositories: Repositories
    messenger: Messenger
    stopping: Stopping
    turns: GraphTurns
    chat: ChatCommands

    @property
    def notebook(self) -> Notebook:
        """Make what writes down Telegram for open pages."""
        repositories, features = self.repositories, self.chat.features
        return Notebook(repositories.runs, repositories.news, features.open_pages)

    def final_buttons(self, target: ReplyTarget, answer: Answer) -> Keyboard:
        """The buttons under an answer."""
        locale, update_id = target.locale, target.update_id
        own = (
            *undo_buttons(locale, answer),
            *keeping_row(locale, answer.files),
            *command_buttons(answer.commands),
        )
        if self.live.now.telegram.feedback:
            return (*own, *feedback_buttons(update_id, locale, answer))
        return (*own, *passage_buttons(update_id, answer))

    def approving(self) -> Approving:
        """Make the service that asks admins for their approval."""
        repositories = self.repositories
        return Approving(
            repositories.approvals,
            repositories.transcript,
            repositories.accounts,
            access_of(self.live.now),
            self.messenger,
            self.final_buttons,
        )

    def kinds(self, running: RunWork) -> InternalKinds:
        """Make the handlers of the work by its kind."""
        repositories = self.repositories
        aside = SetAsideWork(repositories.inbox.attempts, repositories.accounts)
        return InternalKinds(
            {
                NOTICE_KIND: InternalWork(self.approving().tell),
                RUN_WORK: InternalWork(
                    lambda update_id, _: running.do(update_id),
                    fail=running.fail,
                    wait=running.hold,
                ),
                **aside.kinds({APPROVAL_WORK, LESSON_WORK, *self.chat.features.work}),
            },
            aside.of_absent_feature,
            self._notices(),
        )

    @property
    def questions(self) -> OpenQuestions:
        """The questions that wait for their users."""
        return OpenQuestions(self.repositories.clarifications, self.turns.services.tools)

    def recorded_turns(self) -> WrittenTurns:
        """Make the turns of Telegram, which open pages follow."""
        return WrittenTurns(self.turns, self.notebook, self.questions)

    def running(self, errands: Completions) -> RunWork:
        """Make what does runs."""
        repositories, permits = self.repositories, access_of(self.live.now).permits
        return RunWork(
            repositories.runs,
            repositories.accounts,
            permits,
            self.turns,
            self.stopping.watching,
            self.questions,
            errands,
            self.chat.commands.without_admins(),
            self.chat.presses,
            self.notebook.news,
        )

    def _notices(self) -> Notices:
        """Make what sends notices of features."""
        repositories = self.repositories
        unattended_turns = UnattendedTurns(
            self.recorded_turns(),
            self.stopping,
            repositories.accounts,
            lambda: AnswerOptions(
                self.live.now.telegram.streaming, final_buttons=self.final_buttons
            ),
            Threads(self.live.now.telegram.conversation_per_topic),
            self.notebook,
        )
        wordings = self.chat.features.notices
        return Notices(wordings, repositories.accounts, self.messenger, unattended_turns)


_LOOK_EVERY_S = 30.0
_LOOKED_FOR = frozenset({"model server", "proxy"})
_MOST_WAITING = 0.25
"""Tasks that may wait for each connection of a pool while further turns begin."""


async def answer(bot: Bot) -> None:
    """Answer until the bot is stopped; `bot.answers` is set once it can.

    Raises: SettingsError, UpstreamRefusedError for a wrong key or model.
    """
    await _check_models(bot.settings)
    live, repositories = bot.live, bot.repositories
    messenger, admins = bot.messenger, live.now.access.admin_users
    alarm = Alarm(repositories.operations.alerts, repositories.accounts, messenger, admins)
    members = Memberships(repositories.spaces, bot.api)
    observers = _observers(bot, alarm)
    features = await bot.features.wait()
    bot.features.use.observer = observers.use
    async with (
        open_turns(live, repositories, bot.api, observers, features) as bare_turns,
        open_models() as access,
        task_group() as group,
    ):
        prepare = prepare_all([members.refresh, *features.parts.memberships])
        turns = replace(bare_turns, prepare=prepare)
        group.create_task(unless(bot.stop, _find_slots(live.now, turns, access)))
        # Loading the table would hold up the first turn.
        group.create_task(asyncio.to_thread(_look_up_prices, live.now))
        chat = make_chat_commands(live, repositories, turns, bot.stopping, features)
        handler = _make_handler(bot, turns, messenger, access, chat)
        handler = replace(handler, note_member=members.note)
        options = _worker_options(bot)
        worker = Worker(repositories.inbox, handler, bot.metrics, options, alarm=alarm.sound)
        lessons = LessonWorker(turns.services, turns.billing, repositories.inbox, alarm.sound)
        due_work = _make_due_work(bot, lessons, features)
        loops = [worker.run, due_work.run, *_loops(bot, messenger, features)]
        for loop in loops:
            group.create_task(loop(bot.stop))
        if bot.answers is not None:
            bot.answers.set()


def _observers(bot: Bot, alarm: Alarm) -> Observers:
    registry = bot.metrics.registry
    nodes = NodeMetrics(registry)
    return Observers(
        UsageMetrics(registry, lambda: bot.live.now.prices),
        nodes.observe,
        alarm.sound,
        nodes.checkpoint_bytes.observe,
    )


def _look_up_prices(settings: Settings) -> None:
    """Look up the prices of all roles, which are kept."""
    for role in settings.models.roles:
        settings.prices.table.find(role.model)


async def _find_slots(settings: Settings, turns: GraphTurns, access: OpenModel) -> None:
    """Have answers begun early if the model's server takes calls side by side."""
    if settings.models.speculation == "auto":
        chat = access(settings.models.role("chat"))
        turns.services.plan_odds.is_used = await takes_side_by_side(chat)


def _worker_options(bot: Bot) -> WorkerOptions:
    def is_strained() -> bool:
        # Whatever begins now would only wait for a connection with the others.
        pools = bot.repositories.pools.values()
        waiting = (pool.get_stats()["requests_waiting"] / pool.max_size for pool in pools)
        return max(waiting) > _MOST_WAITING

    concurrency = bot.settings.turn.worker_concurrency
    return WorkerOptions(concurrency=concurrency, is_strained=is_strained)


Loop = Callable[[asyncio.Event], Coroutine[Any, Any, None]]
"""It runs until an event is set."""


def _loops(bot: Bot, messenger: Messenger, features: OpenFeatures) -> list[Loop]:
    """The loops besides those of answers and due work; few of them in a lone process."""
    settings, repositories = bot.settings, bot.repositories
    inbox = repositories.inbox
    if inbox.attempts.is_lone:
        return [partial(end_when_idle, inbox.attempts)]
    rules = retention_rules(repositories, settings)
    filling = _make_filling(settings, repositories)
    queries = WaitingQueries(messenger, repositories.accounts)
    return [
        *([filling.run] if filling else ()),
        LoneProcesses(inbox.attempts, settings.environment).run,
        Tidying(messenger, repositories.accounts).run,
        *features.parts.loops,
        partial(repeat, "queries", queries.look, pause_s=LOOK_EVERY_S),
        partial(repeat, "pruning", lambda: prune(rules), pause_s=PRUNE_EVERY_S),
        partial(repeat, "reach", lambda: _look_for_models(bot), pause_s=_LOOK_EVERY_S),
    ]


def _make_filling(settings: Settings, repositories: Repositories) -> VectorFilling | None:
    """Make what gives vectors to stored chunks, if a model on this machine makes them."""
    model = make_local_model(settings)
    return VectorFilling(repositories.databases.rag, model) if model else None


async def _look_for_models(bot: Bot) -> None:
    """Find out whether a model server that was out of reach is back, also where nobody writes."""
    if any(outage.target.kind in _LOOKED_FOR for outage in bot.reach.present):
        await check_models(bot.settings)


def _make_due_work(bot: Bot, lessons: LessonWorker, features: OpenFeatures) -> DueWorkLoop:
    repositories, admins = bot.repositories, bot.settings.access.admin_users
    kinds = {
        **features.parts.work,
        APPROVAL_WORK: ApprovalNotices(repositories.approvals, repositories.inbox, admins).kind,
        LESSON_WORK: lessons.kind,
    }
    return DueWorkLoop(repositories.due_work, kinds, repositories.inbox.attempts)


def _make_handler(
    bot: Bot, turns: GraphTurns, messenger: Messenger, access: OpenModel, chat: ChatCommands
) -> UpdateHandler:
    settings, repositories = bot.settings, bot.repositories
    own = InternalServices(bot.live, repositories, messenger, bot.stopping, turns, chat)
    approving = own.approving()
    in_telegram = {**approving.handlers().presses, ADJUST_VERB: explain_adjusting}
    tags = UserTags(settings.telegram.require_token())
    shaper = OpenAIShaper(access(settings.models.role("planner")))
    running = own.running(Completions(turns.services, turns.billing, shaper))
    return UpdateHandler(
        turns=own.recorded_turns(),
        messenger=messenger,
        stopping=bot.stopping,
        edits=Edits(repositories.questions),
        accounts=repositories.accounts,
        clarifications=repositories.clarifications,
        approving=approving,
        media=MediaMessages(bot.api, MediaTexts(bot.api, chat.features.media)),
        internal=own.kinds(running),
        access=access_of(settings),
        commands=WrittenCommands.over(chat.commands, own.notebook),
        presses=Presses({**chat.presses.answers, **in_telegram}),
        answer_options=lambda: AnswerOptions(
            bot.live.now.telegram.streaming,
            final_buttons=own.final_buttons,
            is_rich=bot.live.now.telegram.rich_messages,
            follow_ups=chat.features.follow_ups,
        ),
        tags=tags,
        guests=_make_guests(bot, turns, access_of(settings), tags, chat.commands),
        binding=bot.binding,
        threads=Threads(settings.telegram.conversation_per_topic),
        start_codes=chat.features.start_codes,
        tell_followers=running.tell,
    )


def _make_guests(
    bot: Bot, turns: GraphTurns, access: Access, tags: UserTags, commands: Commands
) -> GuestAnswers:
    repositories = bot.repositories

    async def reads_more(user_id: int) -> bool:
        await turns.prepare(user_id)
        return await repositories.spaces.reads_more(user_id)

    def link() -> str:
        return f"https://t.me/{bot.gate.username}" if bot.gate.username else ""

    def limits() -> GuestLimits:
        present = bot.live.now.access
        return GuestLimits(present.guest_answers_per_day, present.guest_group_answers_per_hour)

    return GuestAnswers(
        turns=turns,
        messenger=bot.messenger,
        guests=repositories.guests,
        accounts=repositories.accounts,
        access=access,
        mode=bot.settings.access.guest_mode,
        limits=limits,
        tags=tags,
        private=PrivateAnswers(EphemeralSupport(bot.api.ephemeral), reads_more, link, commands),
    )


async def _check_models(settings: Settings) -> None:
    """Refuse a wrong key or model; a model server that is away is waited for, turn by turn."""
    try:
        await check_models(settings)
    except UpstreamError as error:
        # Credit can be added while the bot runs.
        is_unpaid = isinstance(error, ModelAccountError) and error.cause == "credit"
        if isinstance(error, UpstreamRefusedError) and not is_unpaid:
            raise
        log_failure("models_not_checked", error)
