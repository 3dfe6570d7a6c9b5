"""`rich-agent run`, `serve`, `worker`: receives updates, answers them, or both, until stopped."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import nullcontext

import structlog
from prometheus_client import CollectorRegistry

from rich_agent.commands.bot import Bot, Roles
from rich_agent.commands.diagnosis.openness import open_doors
from rich_agent.composition.storage import open_databases
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.errors import (
    SettingsError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.ports.inbox import InboxRules
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.last_attempt import leave_last_attempt
from rich_agent.repositories.stops import PostgresStops
from rich_agent.repositories.turns.strict_msgpack import require_strict_msgpack
from rich_agent.runtime.concurrency import task_group, unless
from rich_agent.runtime.lifetime import listening, serve_http, stopped_by_signals
from rich_agent.runtime.logs import configure_logging
from rich_agent.runtime.watchdog import watched
from rich_agent.settings.error_messages import RequiredSetting
from rich_agent.settings.settings import Settings
from rich_agent.telegram.commands.menu import publish_menus
from rich_agent.telegram.deliver.stopping import Stopping
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.polling import ALLOWED_UPDATES, Poller
from rich_agent.telegram.receive.webhook import Secrets, create_webhook_app
from rich_agent.telegram.receive.webhook_health import WebhookHealth, webhook_address
from rich_agent.terminal.console import out
from rich_agent.upstreams.telegram.bot_api import TelegramClient

RETRY_PAUSE_S = 5.0
log = structlog.get_logger()


def run_bot(roles: Roles, **chosen: int | None) -> None:
    """Serve until SIGTERM or Ctrl-C, then hand over what runs.

    `chosen` goes before the settings of these names; None leaves them as they are.

    Raises: RichAgentError naming the setting that is wrong.
    """
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = Settings.load(*_required(roles), **given)
    Settings.forget_secrets()
    configure_logging(settings.log_format, settings.log_level, settings.secrets)
    for door in open_doors(settings):
        log.warning(door.detail, do=door.mend)

    def announce(name: str) -> None:
        done = [
            f"receiving by {'webhook' if settings.webhook_url else 'polling'}"
            if roles.receive
            else "",
            f"answering {settings.worker_concurrency} users at once" if roles.work else "",
            f"health at http://{settings.host}:{settings.port}/healthz" if roles.http else "",
        ]
        out(f"rich-agent is ready as @{name}: {', '.join(filter(None, done))}")

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
            answers = asyncio.Event() if roles.work else None
            stop = asyncio.Event()
            bot = Bot(settings, databases, api, inbox, metrics, stop, stopping, health, answers)
            name = await _bot_name(api)
            await _run(bot, roles, listener, lambda: announce(name))


async def _run(
    bot: Bot, roles: Roles, listener: socket.socket | None, on_ready: Callable[[], None]
) -> None:
    database_url = str(bot.databases.app.conninfo)
    async with (
        stopped_by_signals(bot.stop),
        watched(lambda update_id: leave_last_attempt(database_url, update_id)),
        task_group() as group,
    ):
        if listener is not None:
            group.create_task(_serve_http(bot, roles, listener))
        if roles.receive:
            group.create_task(_receive(bot))
        if bot.answers is not None:
            group.create_task(_answer(bot))
            await unless(bot.stop, bot.answers.wait())
        if not bot.stop.is_set():
            on_ready()


async def _answer(bot: Bot) -> None:
    # In a thread: what comes meanwhile is received and stored.
    answer = await asyncio.to_thread(_load_answering)
    await answer(bot)


def _load_answering() -> Callable[[Bot], Awaitable[None]]:
    from rich_agent.commands.answering import answer  # noqa: PLC0415 - most of a start

    return answer


async def _bot_name(api: TelegramClient) -> str:
    """Refuse to start with a wrong token; a Telegram that is away is waited for."""
    try:
        return (await api.get_me()).username
    except UpstreamRefusedError:
        raise
    except UpstreamError as error:
        log.warning("upstream_away", error=str(error))
        return "?"


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
