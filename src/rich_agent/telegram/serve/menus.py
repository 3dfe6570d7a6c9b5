"""Publishes the menus of commands: for everybody, and for each admin."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.languages import ENGLISH, LOCALE_BY_CODE
from rich_agent.domain.people import has_telegram
from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.runtime.concurrency import survived

_LANGUAGES = {"" if locale == ENGLISH else code: locale for code, locale in LOCALE_BY_CODE.items()}
"""The locales by Telegram's codes, which have two letters.

English has the code "", under which Telegram also shows it for languages without a list.
"""


async def publish_menus(
    api: TelegramApi, admins: AbstractSet[int], menu: Menu, *, has_groups: bool = False
) -> None:
    """Publish the general commands for everybody, and for each admin also the admin commands.

    If the bot answers in groups, it `has_groups`, and those get a menu of their own.

    Raises: UpstreamError.
    """
    for code, commands in _menus(menu, is_admin=False):
        await api.set_commands(commands, language_code=code)
    for code, locale in _LANGUAGES.items() if has_groups else ():
        commands = menu.describe_in_groups(locale)
        await api.set_commands(commands, language_code=code, for_groups=True)
    for admin_id in filter(has_telegram, sorted(admins)):
        # There is no chat yet with an admin who never wrote; /start publishes their menu later.
        with survived("telegram.admin_menu_refused", UpstreamRefusedError):
            await publish_admin_menu(api, admin_id, menu)


async def republish_admin_menu(api: TelegramApi, admin: int, menu: Menu) -> None:
    """Publish an admin's menu, which Telegram may have refused before; failures are logged."""
    with survived("telegram.admin_menu_refused", UpstreamError):
        await publish_admin_menu(api, admin, menu)


async def publish_admin_menu(api: TelegramApi, admin: int, menu: Menu) -> None:
    """Publish all commands for one admin, in every language of the bot. Raises: UpstreamError."""
    for code, commands in _menus(menu, is_admin=True):
        await api.set_commands(commands, language_code=code, chat_id=admin)


def _menus(menu: Menu, *, is_admin: bool) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The lists of commands as pairs of language code and commands."""
    for code, locale in _LANGUAGES.items():
        yield code, menu.describe(locale, is_admin=is_admin)
