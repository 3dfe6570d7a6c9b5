"""`rich-agent run`, `serve`, `worker`: receives updates, answers them, or both, until stopped."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass

import structlog
import typer
from prometheus_client import CollectorRegistry

from rich_agent.app import make_clarifications, open_telegram, open_turns
from rich_agent.commands.model_check import check_models
from rich_agent.commands.openness import warn_of_open_doors
from rich_agent.concurrency import task_group, unless
from rich_agent.errors import (
    DatabaseUnavailableError,
    SettingsError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.lifetime import listening, serve_http, stopped_by_signals
from rich_agent.logs import configure_logging
from rich_agent.node_metrics import NodeMetrics
from rich_agent.ports.inbox import InboxRules
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.broadcasts import PostgresBroadcasts
from rich_agent.repositories.checkpoints import require_strict_msgpack
from rich_agent.repositories.database import Databases
from rich_agent.repositories.inbox import PostgresInbox
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.schema import check_schema
from rich_agent.repositories.sending import PostgresSendingShares
from rich_agent.repositories.stops import PostgresStops
from rich_agent.repositories.users import PostgresUsers
from rich_agent.retention import kept_in, prune_on
from rich_agent.setting_words import RequiredSetting
from rich_agent.settings import Settings
from rich_agent.storage import open_databases
from rich_agent.telegram.access import Access
from rich_agent.telegram.approval_desk import ApprovalDesk
from rich_agent.telegram.broadcaster import Broadcaster
from rich_agent.telegram.commands.feedback import feedback_buttons
from rich_agent.telegram.commands.menu import publish_menus
from rich_agent.telegram.commands.passages import passage_buttons
from rich_agent.telegram.delivery import Post
from rich_agent.telegram.edits import Edits
from rich_agent.telegram.handling import UpdateHandler
from rich_agent.telegram.limiter import Limiter
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.outbound import Manner
from rich_agent.telegram.polling import ALLOWED_UPDATES, Poller
from rich_agent.telegram.sharing import Sharing
from rich_agent.telegram.stopping import Stopping
from rich_agent.telegram.tags import UserTags
from rich_agent.telegram.webhook import Secrets, create_webhook_app
from rich_agent.telegram.webhook_health import WebhookHealth, webhook_address
from rich_agent.telegram.worker import Worker, WorkerOptions
from rich_agent.telegram_commands import make_command_set
from rich_agent.upstreams.telegram import TelegramClient
from rich_agent.usage_metrics import UsageMetrics

RETRY_PAUSE_S = 5.0
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Roles:
    """What this process does; `http` serves health, metrics and the webhook."""

    receive: bool
    work: bool
    http: bool


@dataclass(frozen=True, slots=True)
class Bot:
    """What all roles of a process share."""

    settings: Settings
    databases: Databases
    api: TelegramClient
    inbox: PostgresInbox
    metrics: Metrics
    stop: asyncio.Event
    stopping: Stopping
    webhook: WebhookHealth | None = None

    async def ready(self) -> str:
        """Return when messages can be served: tables, strict checkpoints, a listener. No model.

        What keeps Telegram from delivering is only said: a load balancer that took the process out
        for it would keep Telegram away for good.

        Raises: DatabaseUnavailableError, SchemaError, SettingsError; UpstreamRefusedError when
        the webhook leads elsewhere.
        """
        require_strict_msgpack()
        await check_schema(self.databases)
        if self.inbox.is_deaf:
            raise DatabaseUnavailableError(
                "nothing listens for new messages", mend="It connects again by itself; wait."
            )
        return await self.webhook.trouble() if self.webhook else ""


def run_bot(roles: Roles, **chosen: int | None) -> None:
    """Serve until SIGTERM or Ctrl-C, then hand over what runs.

    `chosen` goes before the settings of these names; None leaves them as they are.

    Raises: RichAgentError naming the setting that is wrong.
    """
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = Settings.load(*_required(roles), **given)
    configure_logging(settings.log_format, settings.log_level, settings.secrets)
    warn_of_open_doors(settings)

    def announce(name: str) -> None:
        done = [
            f"receiving by {'webhook' if settings.webhook_url else 'polling'}"
            if roles.receive
            else "",
            f"answering {settings.worker_concurrency} users at once" if roles.work else "",
            f"health at http://{settings.host}:{settings.port}/healthz" if roles.http else "",
        ]
        typer.echo(f"rich-agent is ready as @{name}: {', '.join(filter(None, done))}")

    asyncio.run(serve_bot(settings, roles, announce))


def _required(roles: Roles) -> tuple[RequiredSetting, ...]:
    return ("telegram_bot_token", "openai_api_key") if roles.work else ("telegram_bot_token",)


async def serve_bot(settings: Settings, roles: Roles, announce: Callable[[str], None]) -> None:
    """Serve until stopped; `announce` is called with the bot's name once messages are taken.

    Raises: RichAgentError.
    """
    require_strict_msgpack()
    rules = InboxRules(max_pending=settings.inbox_max_pending)
    socket_if_wanted = listening(settings.host, settings.port) if roles.http else nullcontext()
    with socket_if_wanted as listener:
        async with (
            open_databases(settings) as databases,
            open_telegram(settings) as api,
            PostgresInbox(databases.app, rules) as inbox,
        ):
            metrics = Metrics(CollectorRegistry())
            stopping = Stopping(PostgresStops(databases.app))
            url = settings.webhook_url if roles.receive else None
            health = WebhookHealth(api, url) if url else None
            bot = Bot(settings, databases, api, inbox, metrics, asyncio.Event(), stopping, health)
            name = await _check_upstreams(bot, roles)
            await _run(bot, roles, listener, lambda: announce(name))


async def _run(
    bot: Bot, roles: Roles, listener: socket.socket | None, on_ready: Callable[[], None]
) -> None:
    async with stopped_by_signals(bot.stop), task_group() as group:
        if listener is not None:
            group.create_task(_serve_http(bot, roles, listener))
        if roles.receive:
            group.create_task(_receive(bot))
        if roles.work:
            group.create_task(_work(bot))
            kept = kept_in(bot.databases, bot.inbox, bot.settings)
            group.create_task(prune_on(kept, bot.stop))
        on_ready()


async def _check_upstreams(bot: Bot, roles: Roles) -> str:
    """Refuse to start with a wrong token, key or model; an upstream that is away is waited for."""
    name = "?"
    try:
        name = (await bot.api.get_me()).username
        if roles.work:
            await check_models(bot.settings)
    except UpstreamRefusedError:
        raise
    except UpstreamError as error:
        log.warning("upstream_away", error=str(error))
    return name


async def _receive(bot: Bot) -> None:
    await _insist(bot, lambda: publish_menus(bot.api, bot.settings.admin_users))
    if bot.settings.webhook_url is None:
        await Poller(bot.api, bot.inbox, bot.metrics).run(bot.stop)
        return
    secret = bot.settings.webhook_secret
    assert secret is not None  # noqa: S101 - Settings.check_formats
    url = webhook_address(bot.settings.webhook_url)
    try:
        await _insist(
            bot, lambda: bot.api.set_webhook(url, secret.get_secret_value(), ALLOWED_UPDATES)
        )
    except UpstreamRefusedError as error:
        raise SettingsError(
            "WEBHOOK_URL",
            f"{bot.settings.webhook_url} is refused ({error})",
            mend="Telegram takes a public https:// address on port 443, 80, 88 or 8443; without "
            "one, leave WEBHOOK_URL out and the bot polls.",
        ) from error


async def _work(bot: Bot) -> None:
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
        options = WorkerOptions(concurrency=settings.worker_concurrency)
        shares = PostgresSendingShares(bot.databases.app)
        sharing = Sharing(shares, post.limiter, bot.metrics.send_share.set)
        async with sharing.kept(), task_group() as group:
            group.create_task(Worker(bot.inbox, handler, bot.metrics, options).run(bot.stop))
            broadcaster = Broadcaster(PostgresBroadcasts(bot.databases.app), post)
            group.create_task(broadcaster.run(bot.stop))
            group.create_task(_approval_desk(bot).run(bot.stop))


def _approval_desk(bot: Bot) -> ApprovalDesk:
    settings = bot.settings
    approvals = PostgresApprovals(bot.databases.app)
    expires_s = settings.approval_expires_h * 3600
    return ApprovalDesk(approvals, bot.inbox, settings.admin_users, expires_s)


async def _pause(bot: Bot, seconds: float) -> None:
    """Wait, but not beyond the bot's end."""
    await unless(bot.stop, asyncio.sleep(seconds))


async def _insist(bot: Bot, call: Callable[[], Awaitable[None]]) -> None:
    """Repeat a call to Telegram until it succeeds or the bot is stopped.

    Raises: UpstreamRefusedError.
    """
    while not bot.stop.is_set():
        try:
            return await call()
        except UpstreamRefusedError:
            raise
        except UpstreamError as error:
            log.warning("telegram_away", error=str(error))
        await _pause(bot, RETRY_PAUSE_S)
    return None


async def _serve_http(bot: Bot, roles: Roles, listener: socket.socket) -> None:
    settings = bot.settings
    webhook = settings.webhook_secret if roles.receive and settings.webhook_url else None
    figures = settings.metrics_token
    secrets = Secrets(
        webhook.get_secret_value() if webhook else None,
        figures.get_secret_value() if figures else None,
        webhook_address(settings.webhook_url or ""),
    )
    app = create_webhook_app(bot.inbox, bot.metrics, bot.ready, secrets=secrets)
    await serve_http(app, listener, bot.stop)
