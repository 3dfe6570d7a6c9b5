"""Menus have the commands that work with the bot's settings."""

import json

import pytest

from rich_agent.chat_commands.menu import FOR_ALL, IN_TELEGRAM_ONLY, Menu
from rich_agent.composition.menus import unavailable_commands
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.settings.settings import Settings
from rich_agent.settings.web import WebSettings
from rich_agent.web.chat.page_files import page_words


def test_unavailable_commands_need_an_address_or_a_key() -> None:
    """With a public address two of them work."""
    without = unavailable_commands(Settings())
    assert without == {"tokens", "web", "connect", "disconnect"}
    web = WebSettings.model_validate({"public_url": "https://bot.example"})
    assert unavailable_commands(Settings(web=web)) == {"connect", "disconnect"}


def test_describe_leaves_unavailable_commands_out() -> None:
    """All others stay in their order."""
    names = [
        name for name, _ in Menu(unavailable=frozenset({"connect"})).describe("en", is_admin=False)
    ]
    assert names == [name for name in FOR_ALL if name != "connect"]


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_commands_of_the_page_are_those_of_the_menu(locale: str) -> None:
    """The same names and lines in the same order, without what is unavailable there."""
    menu = Menu().describe(locale, is_admin=False)
    listed = [tuple(one) for one in json.loads(page_words(locale))["commands"]]
    assert listed == [one for one in menu if one[0] not in IN_TELEGRAM_ONLY]
    fewer = json.loads(page_words(locale, "", Menu(unavailable=frozenset({"disconnect"}))))[
        "commands"
    ]
    assert [name for name, _ in listed if name != "disconnect"] == [name for name, _ in fewer]
