"""`rich-agent chat --url`: a conversation with a bot that runs elsewhere."""

import asyncio

from rich_agent.commands.chat_talk import Talk
from rich_agent.domain.message import User
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err
from rich_agent.terminal.remote_bot import RemoteBot, open_http


def chat_from_afar(address: str) -> None:
    """Converse until an empty line, the end of the input, or Ctrl-C where no answer is written.

    Raises: SettingsError without a token. KeyboardInterrupt for Ctrl-C.
    """
    settings = Settings.load("REMOTE_TOKEN")
    assert settings.web.remote_token is not None  # noqa: S101 - it is required
    token = settings.web.remote_token.get_secret_value()
    settings.forget_secrets()
    try:
        asyncio.run(_chat(address, token))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _chat(address: str, token: str) -> None:
    async with open_http(address, token) as http:
        # The token tells the bot who writes.
        talk = Talk(RemoteBot(http).ask, User(0))
        err("Ask me anything. An empty line ends the conversation.")
        await talk.take_lines(lambda line: talk.answer(talk.request(line)))
