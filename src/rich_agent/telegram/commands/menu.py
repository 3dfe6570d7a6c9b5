"""The commands by name: what /help lists, and what Telegram shows in its menu."""

import structlog

from rich_agent.domain.text import SUPPORTED_LOCALES
from rich_agent.errors import UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import TelegramApi

_log = structlog.get_logger()

FOR_ALL = (
    "start",
    "help",
    "new",
    "stop",
    "retry",
    "sources",
    "why",
    "memory",
    "status",
    "language",
    "privacy",
    "export",
    "forget",
)
FOR_ADMINS = ("stats", "users", "allow", "deny", "broadcast", "approvals")
"""Refused to everybody else, and in nobody else's menu."""


def describe(locale: str, *, is_admin: bool) -> list[tuple[str, str]]:
    """(name, description) of the commands that a user may give, in the order of the menu."""
    names = (*FOR_ALL, *FOR_ADMINS) if is_admin else FOR_ALL
    return [(name, say(locale, f"command-{name}")) for name in names]


async def publish_menus(api: TelegramApi, admins: frozenset[int]) -> None:
    """Show everybody the commands for all, and each admin also those for admins.

    Raises: UpstreamError.
    """
    for locale in SUPPORTED_LOCALES:
        await api.set_commands(describe(locale, is_admin=False), language_code=_code(locale))
    for admin in sorted(admins):
        try:
            await publish_admin_menu(api, admin)
        except UpstreamRefusedError as error:
            # Telegram knows no chat with somebody who never wrote; /start publishes it then.
            _log.info("telegram.admin_menu_refused", error=str(error))


async def publish_admin_menu(api: TelegramApi, admin: int) -> None:
    """Show one admin all commands, in every language that the bot speaks.

    Raises: UpstreamError.
    """
    for locale in SUPPORTED_LOCALES:
        commands = describe(locale, is_admin=True)
        await api.set_commands(commands, language_code=_code(locale), chat_id=admin)


def _code(locale: str) -> str:
    """English is also the list for all languages that have none of their own."""
    return "" if locale == "en" else locale
