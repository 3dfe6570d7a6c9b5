"""`rich-agent run`, `serve`, `worker`: one process of the bot, from its settings to its end."""

import asyncio
import os

import structlog

from rich_agent.commands.diagnosis.check_results import open_doors
from rich_agent.commands.model_choice import ModelSearch, as_lines, for_env, has_server
from rich_agent.composition.bot import Roles
from rich_agent.composition.serving import serve_bot
from rich_agent.runtime.confinement import keep_memory_private, offered_measures
from rich_agent.runtime.lifetime import tell_service_manager
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.dotenv import ENV_FILE
from rich_agent.settings.error_messages import RequiredSetting
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out

log = structlog.get_logger()


def run_bot(roles: Roles, search: ModelSearch | None = None, /, **overrides: int | None) -> None:
    """Serve until SIGTERM or Ctrl-C, then hand over what runs.

    `overrides` go before the settings of these names; None leaves them as they are. With
    `search`, a model server of this machine is used where the settings name none.

    Raises: RichAgentError naming the setting that is wrong.
    """
    values = {name: value for name, value in overrides.items() if value is not None}
    model_settings = _find_models(search) if search else {}
    os.environ.update(model_settings)  # for the processes that this one starts
    settings = Settings.load(*_required_settings(roles), **model_settings, **values)
    settings.forget_secrets()
    configure_logging(settings.logs.format, settings.logs.level, settings.secrets)
    for door in open_doors(settings):
        log.warning(door.detail, do=door.hint)
    keep_memory_private()
    _tell_measures()

    def announce(name: str) -> None:
        if roles.launch is not None:
            return
        web = settings.web
        way = "webhook" if web.webhook_url else "polling"
        services = [
            f"receiving by {way}" if roles.receive else "",
            f"answering {settings.turn.worker_concurrency} users at once" if roles.work else "",
            f"health at http://{web.host}:{web.port}/healthz" if roles.http else "",
        ]
        tell_service_manager("READY=1")
        state = f" as @{name}" if name else ", but Telegram is out of reach"
        out(f"rich-agent is ready{state}: {', '.join(filter(None, services))}")

    asyncio.run(serve_bot(settings, roles, announce))


def _tell_measures() -> None:
    """Log the means of the kernel to confine the readers of untrusted files."""
    version, has_filters = offered_measures()
    if version and has_filters:
        log.info("readers_confined", landlock=version, seccomp=True)
        return
    do = "`rich-agent doctor` tries what they could reach, and says what to do."
    log.warning("readers_confined_in_part", landlock=version, seccomp=has_filters, do=do)


def _find_models(search: ModelSearch) -> dict[str, str]:
    """Print and return the settings of the models on this machine; none if a server is set."""
    settings = Settings.load()
    if has_server(settings):
        return {}
    choice = asyncio.run(search.choose(settings))
    if choice.chat is None:
        return {}
    embedding_fields_set = settings.models.embedding.model_fields_set
    values = {
        name: value
        for name, value in for_env(choice).items()
        if not (embedding_fields_set and name.startswith("EMBEDDING_"))
    }
    out(choice.summary())
    out(f"to keep it, and for the other commands, write into {ENV_FILE}:\n{as_lines(values)}")
    return values


def _required_settings(roles: Roles) -> tuple[RequiredSetting, ...]:
    return ("TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY") if roles.work else ("TELEGRAM_BOT_TOKEN",)
