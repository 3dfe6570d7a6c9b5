"""Menus have the commands that work with the bot's settings."""

from rich_agent.chat_commands.introduction import FOR_ALL, describe
from rich_agent.composition.menus import unavailable_commands
from rich_agent.settings.settings import Settings
from rich_agent.settings.web import WebSettings


def test_unavailable_commands_need_an_address_a_key_or_a_voice() -> None:
    """With a public address three of them work."""
    without = unavailable_commands(Settings())
    assert without == {"tokens", "web", "calendar", "connect", "disconnect", "voice"}
    web = WebSettings.model_validate({"public_url": "https://bot.example"})
    assert unavailable_commands(Settings(web=web)) == {"connect", "disconnect", "voice"}


def test_describe_leaves_unavailable_commands_out() -> None:
    """All others stay in their order."""
    names = [name for name, _ in describe("en", is_admin=False, unavailable={"connect"})]
    assert names == [name for name in FOR_ALL if name != "connect"]
