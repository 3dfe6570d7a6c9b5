"""/start, /help and /privacy: what the bot is, what it can do, what it keeps."""

from dataclasses import dataclass

import structlog

from rich_agent.domain.text import clean_text
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.telegram.access import Access
from rich_agent.telegram.commands.menu import describe, publish_admin_menu
from rich_agent.telegram.commands.registry import Asked, CommandSpec, Reply
from rich_agent.telegram.rendering import section, together

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Introduction:
    """Says what the bot is to those who do not know it."""

    access: Access
    api: TelegramApi

    def commands(self) -> tuple[CommandSpec, ...]:
        """/start, /help and /privacy."""
        return (
            CommandSpec("start", self.start),
            CommandSpec("help", self.help),
            CommandSpec("privacy", self.privacy),
        )

    async def start(self, asked: Asked) -> Reply:
        """A greeting; an admin gets their menu, which Telegram may have refused before."""
        if self.access.is_admin(asked.user_id):
            try:
                await publish_admin_menu(self.api, asked.user_id)
            except UpstreamError as error:
                _log.info("telegram.admin_menu_refused", error=str(error))
        name = clean_text(asked.command.user.first_name).strip()
        if name:
            return Reply.of(say(asked.locale, "start-named", name=name))
        return Reply.of(say(asked.locale, "start"))

    async def help(self, asked: Asked) -> Reply:
        """What the bot can do, with the commands that the asker may give."""
        commands = describe(asked.locale, is_admin=self.access.is_admin(asked.user_id))
        lines = "\n".join(f"/{name} – {description}" for name, description in commands)
        return Reply(
            together(
                section(say(asked.locale, "help-heading"), say(asked.locale, "help")),
                section(say(asked.locale, "help-commands"), lines),
            )
        )

    async def privacy(self, asked: Asked) -> Reply:
        """What is kept, and how it is seen and deleted."""
        heading, kept = say(asked.locale, "privacy-heading"), say(asked.locale, "privacy")
        return Reply(section(heading, kept))
