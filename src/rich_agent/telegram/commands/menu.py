"""The commands by name: what /help lists, and what Telegram shows in its menu."""

from rich_agent.domain.text import SUPPORTED_LOCALES
from rich_agent.errors import UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.runtime.surviving import survived

FOR_ALL = (
    "start",
    "help",
    "new",
    "stop",
    "retry",
    "tasks",
    "today",
    "notes",
    "calendar",
    "tokens",
    "web",
    "connect",
    "disconnect",
    "sources",
    "why",
    "memory",
    "plan",
    "review",
    "brainstorm",
    "session",
    "cancel",
    "reminders",
    "timezone",
    "status",
    "language",
    "privacy",
    "export",
    "forget",
)
FOR_ADMINS = ("stats", "users", "allow", "deny", "broadcast", "approvals")
"""Other users do not see these in their menu, and are refused."""


def describe(locale: str, *, is_admin: bool) -> list[tuple[str, str]]:
    """(name, description) of the commands that a user may use, in the order of the menu."""
    names = (*FOR_ALL, *FOR_ADMINS) if is_admin else FOR_ALL
    return [(name, say(locale, f"command-{name}")) for name in names]


async def publish_menus(api: TelegramApi, admins: frozenset[int]) -> None:
    """Publish the general commands for everybody, and for each admin also the admin commands.

    Raises: UpstreamError.
    """
    for locale in SUPPORTED_LOCALES:
        await api.set_commands(describe(locale, is_admin=False), language_code=_code(locale))
    for admin in sorted(admins):
        # There is no chat yet with an admin who never wrote; /start publishes their menu later.
        with survived("telegram.admin_menu_refused", UpstreamRefusedError):
            await publish_admin_menu(api, admin)


async def publish_admin_menu(api: TelegramApi, admin: int) -> None:
    """Publish all commands for one admin, in every language of the bot.

    Raises: UpstreamError.
    """
    for locale in SUPPORTED_LOCALES:
        commands = describe(locale, is_admin=True)
        await api.set_commands(commands, language_code=_code(locale), chat_id=admin)


def _code(locale: str) -> str:
    """The language code of a list; English, as "", also serves languages without a list."""
    return "" if locale == "en" else locale
