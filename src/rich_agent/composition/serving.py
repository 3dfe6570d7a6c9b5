"""A serving process: it receives updates, answers them, or both, until it is stopped."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, nullcontext
from functools import partial

import stamina
import structlog
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.routing import Route

from rich_agent.composition.admin_notices import make_admin_messages
from rich_agent.composition.bot import Bot, Roles
from rich_agent.composition.feature_metrics import FeatureMetrics
from rich_agent.composition.features import features_opened_meanwhile
from rich_agent.composition.live_settings import (
    follow_changes,
    open_live_settings,
    set_log_level,
)
from rich_agent.composition.menus import make_menu
from rich_agent.composition.page_notes import PageNotes
from rich_agent.composition.process_metrics import ProcessMetrics
from rich_agent.composition.repositories import Repositories, open_repositories
from rich_agent.composition.storage import once_database_answers
from rich_agent.composition.surface import make_surface
from rich_agent.composition.telegram_server import open_telegram
from rich_agent.composition.telemetry import telemetry
from rich_agent.composition.web import open_web_routes
from rich_agent.errors import SettingsError, UpstreamError, UpstreamRefusedError
from rich_agent.feature.core import Outlets
from rich_agent.feature.parts import Parts
from rich_agent.repositories.turns.strict_msgpack import require_strict_msgpack
from rich_agent.runtime.concurrency import alongside, task_group, unless
from rich_agent.runtime.lifetime import listening, serve_http, stop_on_signals
from rich_agent.runtime.reach import noting_outages
from rich_agent.runtime.watchdog import watch_loop
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.direct import DirectMessenger
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.living_messages import LivingMessages
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.receive.polling import UPDATES, Poller
from rich_agent.telegram.receive.webhook import Intake, Secrets, create_webhook_app
from rich_agent.telegram.receive.webhook_health import WebhookHealth, check_is_free, webhook_address
from rich_agent.telegram.serve.binding import Binding
from rich_agent.telegram.serve.menus import publish_menus
from rich_agent.turns.stopping import Stopping
from rich_agent.upstreams.telegram.bot_api import TelegramClient
from rich_agent.web.starting import StartingBot

RETRY_PAUSE_S = 5.0
log = structlog.get_logger()


async def serve_bot(settings: Settings, roles: Roles, announce: Callable[[str], None]) -> None:
    """Serve until stopped; `announce` is called with the bot's name once messages are taken.

    Raises: RichAgentError.
    """
    require_strict_msgpack()
    async with telemetry(settings):
        with noting_outages():
            await _serve(settings, roles, announce)


async def _serve(settings: Settings, roles: Roles, announce: Callable[[str], None]) -> None:
    web = settings.web
    socket_or_none = listening(web.host, web.port) if roles.http else nullcontext()
    with socket_or_none as listener:
        async with AsyncExitStack() as stack:

            async def open_all() -> Repositories:
                return await stack.enter_async_context(open_repositories(settings, lingers=False))

            repositories = await once_database_answers(settings, open_all)
            api = await stack.enter_async_context(open_telegram(settings))
            await stack.enter_async_context(repositories.inbox)
            if roles.launch is not None:
                repositories.inbox.attempts.isolate(roles.launch)
            live, binding = await once_database_answers(
                settings, lambda: _load_live(settings, repositories)
            )
            metrics = Metrics(CollectorRegistry(), repositories.due_work)
            messenger = _make_messenger(repositories, api, metrics, live)
            outlets = _make_outlets(live.now, repositories, messenger)
            gate = _make_gate(live.now)
            surface = partial(make_surface, live, repositories, api, gate.names)
            opening = features_opened_meanwhile(live, repositories, outlets, surface)
            bot = Bot(
                live=live,
                repositories=repositories,
                messenger=messenger,
                api=api,
                metrics=metrics,
                stop=asyncio.Event(),
                stopping=Stopping(repositories.stops, lambda: repositories.inbox.is_deaf),
                gate=gate,
                features=await stack.enter_async_context(opening),
                webhook=_watch_webhook(settings, roles, api),
                answers=asyncio.Event() if roles.work else None,
                binding=binding,
            )
            await _learn_name(bot)
            await once_database_answers(settings, lambda: _tell_code(bot))
            await _run(bot, roles, listener, lambda: announce(bot.gate.username))


def _make_messenger(
    repositories: Repositories, api: TelegramClient, metrics: Metrics, live: LiveSettings
) -> Messenger:
    limiter = Limiter(
        repositories.sending_rate,
        on_penalty=metrics.rate_limits.inc,
        on_wait=metrics.send_waits.inc,
    )
    notes = PageNotes(repositories)
    living = LivingMessages(api, repositories.widgets, lambda: live.now.telegram.widgets == "auto")
    return Messenger(
        api, repositories.outbox, repositories.users, limiter, notes=notes, living=living
    )


def _make_outlets(settings: Settings, repositories: Repositories, messenger: Messenger) -> Outlets:
    admins = make_admin_messages(settings, repositories, messenger)
    return Outlets(admins, DirectMessenger(messenger))


def _watch_webhook(settings: Settings, roles: Roles, api: TelegramClient) -> WebhookHealth | None:
    url = settings.web.webhook_url
    return WebhookHealth(api, url) if url and roles.receive else None


async def _run(
    bot: Bot, roles: Roles, listener: socket.socket | None, on_ready: Callable[[], None]
) -> None:
    figures = ProcessMetrics(bot.metrics.registry, bot.repositories, bot.reach)
    FeatureMetrics(bot.metrics.registry, lambda: bot.features.current.metrics)
    watching = watch_loop(on_beat=figures.loop_lag.observe)
    async with stop_on_signals(bot.stop), watching, task_group() as group:
        group.create_task(follow_changes(bot.live, bot.repositories, bot.stop))
        if listener is not None:
            group.create_task(_serve_http(bot, roles, listener))
        if roles.receive:
            group.create_task(_publish_menus(bot))
            group.create_task(_receive(bot, takes_over=roles.takes_over))
        if bot.answers is not None:
            group.create_task(_answer(bot))
            await unless(bot.stop, bot.answers.wait())
        await unless(bot.stop, bot.features.wait())
        if not bot.stop.is_set():
            on_ready()


async def _answer(bot: Bot) -> None:
    # In a thread: what comes meanwhile is received and stored.
    answer = await asyncio.to_thread(_load_answering)
    await answer(bot)


def _load_answering() -> Callable[[Bot], Awaitable[None]]:
    from rich_agent.composition.answering import answer  # noqa: PLC0415 - most of a start

    return answer


async def _meet_operator(
    settings: Settings, repositories: Repositories
) -> tuple[Settings, Binding | None]:
    """The settings, with the operator as the admin if they name none.

    Before there is an operator, the set of admins is empty, and gets them when they send the code.
    """
    if settings.access.admin_users:
        return settings, None
    operator_id = await repositories.operations.operator.find()
    admins = {operator_id} if operator_id else set[int]()
    is_wanted = settings.access.names_nobody and not admins
    binding = Binding(repositories.operations.operator, admins) if is_wanted else None
    return settings.with_changes("access", admin_users=admins), binding


async def _load_live(
    settings: Settings, repositories: Repositories
) -> tuple[LiveSettings, Binding | None]:
    """The settings with the changes so far, by which the log changes its level too."""
    settings, binding = await _meet_operator(settings, repositories)
    live = await open_live_settings(settings, repositories)
    live.react(set_log_level)
    return live, binding


async def _tell_code(bot: Bot) -> None:
    if bot.binding is None:
        return
    code, name = await bot.binding.operator.code(), bot.gate.username
    log.warning(
        "nobody may use this bot yet: send it this code in Telegram, or open the link",
        code=code,
        link=f"https://t.me/{name}?start={code}" if name else "",
        do="To let everybody use it, write ALLOWED_USERS=*.",
    )


def _make_gate(settings: Settings) -> GroupGate:
    bot_id = int(settings.telegram.require_bot_id())
    return GroupGate(bot_id, is_open=settings.access.guest_mode != "off")


async def _learn_name(bot: Bot) -> None:
    """Refuse to start with a wrong token; a Telegram that is away is waited for later."""
    try:
        await _ask_for_name(bot)
    except UpstreamRefusedError:
        raise
    except UpstreamError as error:
        _report(bot, error)


def _report(bot: Bot, error: UpstreamError) -> None:
    if error.target is None:
        bot.reach.report(UPDATES, error, "telegram.not_asked")


async def _ask_for_name(bot: Bot) -> None:
    me = await bot.api.get_me()
    bot.gate.username, bot.gate.name = me.username, me.name


async def _publish_menus(bot: Bot) -> None:
    features = await unless(bot.stop, bot.features.wait())
    if features is None:
        return
    admins, menu = bot.settings.access.admin_users, make_menu(bot.settings, features)
    has_groups = bot.gate.is_open
    await _insist(bot, lambda: publish_menus(bot.api, admins, menu, has_groups=has_groups))


async def _check_is_free(bot: Bot) -> None:
    check_is_free(await bot.api.get_webhook())


async def _receive(bot: Bot, *, takes_over: bool) -> None:
    if not bot.gate.username:
        await _insist(bot, lambda: _ask_for_name(bot))
    if bot.settings.web.webhook_url is None:
        if not takes_over:
            await _insist(bot, lambda: _check_is_free(bot))
        poller = Poller(bot.api, bot.repositories.inbox, bot.metrics, gate=bot.gate)
        await poller.run(bot.stop, bot.reach)
        return
    secret = bot.settings.web.webhook_secret
    assert secret is not None  # noqa: S101 - check_webhook_secret
    url = webhook_address(bot.settings.web.webhook_url)
    try:
        await _insist(
            bot,
            lambda: bot.api.set_webhook(url, secret.get_secret_value(), bot.gate.allowed_updates),
        )
    except UpstreamRefusedError as error:
        raise SettingsError(
            "WEBHOOK_URL",
            f"{bot.settings.web.webhook_url} is refused ({error})",
            hint="Telegram takes a public https:// address on port 443, 80, 88 or 8443; without "
            "one, leave WEBHOOK_URL out and the bot polls.",
        ) from error


async def _insist(bot: Bot, call: Callable[[], Awaitable[None]]) -> None:
    """Repeat a call to Telegram until it succeeds or the bot is stopped.

    Raises: UpstreamRefusedError.
    """

    def passes(error: Exception) -> bool:
        if not isinstance(error, UpstreamError) or isinstance(error, UpstreamRefusedError):
            return False
        _report(bot, error)
        return True

    retry = stamina.AsyncRetryingCaller(
        attempts=None, timeout=None, wait_initial=RETRY_PAUSE_S, wait_max=RETRY_PAUSE_S
    )

    async def call_once() -> None:
        await call()
        bot.reach.end(UPDATES)

    await unless(bot.stop, retry(passes, call_once))


async def _serve_http(bot: Bot, roles: Roles, listener: socket.socket) -> None:
    settings = bot.settings
    webhook = settings.web.webhook_secret if roles.receive and settings.web.webhook_url else None
    figures = settings.web.metrics_token
    secrets = Secrets(
        webhook.get_secret_value() if webhook else None,
        figures.get_secret_value() if figures else None,
        webhook_address(settings.web.webhook_url or ""),
    )
    app = create_webhook_app(
        bot.repositories.inbox,
        bot.metrics,
        bot.ready,
        secrets=secrets,
        intake=Intake(bot.gate),
    )
    routes = open_web_routes(bot.live, bot.repositories)
    async with routes as make_routes, alongside(_join_routes(bot, make_routes, app)):
        await serve_http(app, listener, bot.stop)


async def _join_routes(
    bot: Bot, make_routes: Callable[[Parts], Iterator[Route]], app: Starlette
) -> None:
    """Serve what is behind the gate once the features are open; until then, say so.

    Features bring ways to sign in.
    """
    routes, starting = app.router.routes, Route("/{path:path}", StartingBot())
    routes.append(starting)
    features = await bot.features.wait()
    routes.remove(starting)
    routes.extend(make_routes(features.parts))
