"""The commands by name: what /help lists, and what Telegram shows in its menu."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from rich_agent.domain.languages import ENGLISH, LOCALE_BY_CODE
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
    "files",
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
    "voice",
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


async def publish_menus(api: TelegramApi, admins: AbstractSet[int]) -> None:
    """Publish the general commands for everybody, and for each admin also the admin commands.

    Raises: UpstreamError.
    """
    for code, commands in _menus(is_admin=False):
        await api.set_commands(commands, language_code=code)
    for admin in sorted(admins):
        # There is no chat yet with an admin who never wrote; /start publishes their menu later.
        with survived("telegram.admin_menu_refused", UpstreamRefusedError):
            await publish_admin_menu(api, admin)


async def publish_admin_menu(api: TelegramApi, admin: int) -> None:
    """Publish all commands for one admin, in every language of the bot.

    Raises: UpstreamError.
    """
    for code, commands in _menus(is_admin=True):
        await api.set_commands(commands, language_code=code, chat_id=admin)


def _menus(*, is_admin: bool) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(language code, commands) of each list; English, as "", also serves languages without one.

    Telegram's codes have two letters, so that each code has one list.
    """
    for code, locale in LOCALE_BY_CODE.items():
        yield "" if locale == ENGLISH else code, describe(locale, is_admin=is_admin)
