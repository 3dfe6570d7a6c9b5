"""The Bot API as the settings say; loads neither the graph nor any client of a model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich_agent.domain.vision import ImageLimits
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.telegram.bot_api import TelegramClient, TelegramOptions

IMAGE_LIMITS = ImageLimits()


@asynccontextmanager
async def open_telegram(settings: Settings) -> AsyncIterator[TelegramClient]:
    """The client of the Bot API, which also fetches the users' images.

    Raises: SettingsError without a token.
    """
    options = TelegramOptions(max_file_bytes=IMAGE_LIMITS.max_bytes)
    async with TelegramClient(
        settings.telegram.require_token(), settings.telegram.api_base_url, options
    ) as client:
        yield client
