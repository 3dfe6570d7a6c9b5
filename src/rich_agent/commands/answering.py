"""The part of a serving process that answers: it loads the graph and the clients of the models.

Loading them takes most of a start, so `run` imports this module when the process receives already.
"""

import structlog

from rich_agent.commands.bot import Bot
from rich_agent.commands.diagnosis.model_check import check_models
from rich_agent.composition.app import make_clarifications, open_turns
from rich_agent.composition.retention import kept_in, prune_on
from rich_agent.composition.telegram_commands import make_command_set
from rich_agent.domain.user_tags import UserTags
from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.ports.models import ModelAccountError
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.alerts import PostgresAlerts
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.broadcasts import PostgresBroadcasts
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.sending import PostgresSendingShares
from rich_agent.repositories.users import PostgresUsers
from rich_agent.runtime.concurrency import task_group
from rich_agent.settings.settings import Settings
from rich_agent.telegram.access import Access
from rich_agent.telegram.commands.feedback import feedback_buttons
from rich_agent.telegram.commands.passages import passage_buttons
from rich_agent.telegram.deliver.broadcaster import Broadcaster
from rich_agent.telegram.deliver.delivery import Post
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.outbound import Manner
from rich_agent.telegram.deliver.sharing import Sharing
from rich_agent.telegram.deliver.tidying import Tidying
from rich_agent.telegram.serve.alarm import Alarm
from rich_agent.telegram.serve.approval_desk import ApprovalDesk
from rich_agent.telegram.serve.edits import Edits
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.worker import Worker, WorkerOptions
from rich_agent.turns.lesson_worker import LessonWorker
from rich_agent.turns.node_metrics import NodeMetrics
from rich_agent.turns.usage_metrics import UsageMetrics

log = structlog.get_logger()


async def answer(bot: Bot) -> None:
    """Answer until the bot is stopped; `bot.answers` is set once it can.

    Raises: SettingsError, UpstreamRefusedError for a wrong key or model.
    """
    await _check_models(bot.settings)
    settings = bot.settings
    use = UsageMetrics(bot.metrics.registry, settings.prices)
    nodes = NodeMetrics(bot.metrics.registry).observe
    async with open_turns(settings, bot.databases, bot.api, use, nodes) as turns:
        post = Post(
            api=bot.api,
            outbox=PostgresOutbox(bot.databases.app),
            users=PostgresUsers(bot.databases.app),
            limiter=Limiter(on_penalty=bot.metrics.rate_limits.inc),
        )
        access = Access(settings.allowed_ids, settings.admin_users)
        answering = make_command_set(settings, bot.databases, post, bot.stopping, turns)
        manner = Manner(
            settings.streaming,
            final_buttons=feedback_buttons if settings.feedback else passage_buttons,
        )
        handler = UpdateHandler(
            turns=turns,
            post=post,
            stopping=bot.stopping,
            edits=Edits(PostgresQuestions(bot.databases.app)),
            accounts=PostgresAccounts(bot.databases.app),
            clarifications=make_clarifications(settings, bot.databases),
            approving=answering.approving,
            access=access,
            commands=answering.commands,
            presses=answering.presses,
            manner=manner,
            tags=UserTags(settings.require_token()),
        )
        alarm = Alarm(
            PostgresAlerts(bot.databases.app), handler.accounts, post, settings.admin_users
        )
        options = WorkerOptions(concurrency=settings.worker_concurrency)
        shares = PostgresSendingShares(bot.databases.app)
        sharing = Sharing(shares, post.limiter, bot.metrics.send_share.set)
        async with sharing.kept(), task_group() as group:
            worker = Worker(bot.inbox, handler, bot.metrics, options, alarm.sound)
            group.create_task(worker.run(bot.stop))
            broadcaster = Broadcaster(PostgresBroadcasts(bot.databases.app), post)
            group.create_task(broadcaster.run(bot.stop))
            group.create_task(Tidying(post, handler.accounts).run(bot.stop))
            group.create_task(_approval_desk(bot).run(bot.stop))
            lessons = LessonWorker(turns.services, turns.billing, bot.inbox, alarm.sound)
            group.create_task(lessons.run(bot.stop))
            group.create_task(prune_on(kept_in(bot.databases, bot.inbox, settings), bot.stop))
            if bot.answers is not None:
                bot.answers.set()


async def _check_models(settings: Settings) -> None:
    """Refuse a wrong key or model; a model server that is away is waited for, turn by turn."""
    try:
        await check_models(settings)
    except UpstreamError as error:
        # Credit can be added while the bot runs.
        is_unpaid = isinstance(error, ModelAccountError) and error.cause == "credit"
        if isinstance(error, UpstreamRefusedError) and not is_unpaid:
            raise
        log.warning("upstream_away", error=str(error))


def _approval_desk(bot: Bot) -> ApprovalDesk:
    settings = bot.settings
    approvals = PostgresApprovals(bot.databases.app)
    expires_s = settings.approval_expires_h * 3600
    return ApprovalDesk(approvals, bot.inbox, settings.admin_users, expires_s)
