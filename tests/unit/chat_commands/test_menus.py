"""Menus have the commands that work with the bot's settings."""

from rich_agent.chat_commands.menu import FOR_ALL, Menu
from rich_agent.composition.menus import unavailable_commands
from rich_agent.settings.settings import Settings
from rich_agent.settings.web import WebSettings


def test_unavailable_commands_need_an_address() -> None:
    """With a public address all of the core's work."""
    without = unavailable_commands(Settings())
    assert without == {"tokens"}
    web = WebSettings.model_validate({"public_url": "https://bot.example"})
    assert unavailable_commands(Settings(web=web)) == set()


def test_describe_leaves_unavailable_commands_out() -> None:
    """All others stay in their order."""
    names = [
        name for name, _ in Menu(unavailable=frozenset({"tokens"})).describe("en", is_admin=False)
    ]
    assert names == [name for name in FOR_ALL if name != "tokens"]
