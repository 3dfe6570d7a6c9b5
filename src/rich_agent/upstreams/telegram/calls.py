"""What calls of the Bot API share: connections, forms of their values, refusals that are none."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram.error import BadRequest
from telegram.request import HTTPXRequest

from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.upstreams.telegram.errors import raise_flood_control

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TelegramOptions:
    """Deadlines in seconds, connections at once, and the most that is downloaded of a file.

    `download_s` is for a whole file. `max_file_bytes` is getFile's limit. Source: Bot API, getFile.
    """

    connect_s: float = 5.0
    read_s: float = 15.0
    download_s: float = 60.0
    connections: int = 64
    max_file_bytes: int = 20_000_000


def open_requests(options: TelegramOptions, connections: int, *, local: bool) -> HTTPXRequest:
    """A pool of connections; `local` ones go past the proxy of the environment."""
    return HTTPXRequest(
        connection_pool_size=connections,
        connect_timeout=options.connect_s,
        read_timeout=options.read_s,
        write_timeout=options.read_s,
        pool_timeout=options.connect_s,
        httpx_kwargs={
            # A proxy of the environment cannot reach this machine's own servers.
            "trust_env": not local,
            "event_hooks": {"response": [raise_flood_control]},
        },
    )


class UpdatesBot(Bot):
    """A bot that also hands out updates as they came, so that the inbox can keep them."""

    async def get_raw_updates(self, parameters: dict[str, Any], read_s: float) -> list[Any]:
        """The list in getUpdates' answer."""
        found = await self._post("getUpdates", parameters, read_timeout=read_s)
        return list(found)


async def in_topic(topic_id: int | None, send: Callable[[int | None], Awaitable[T]]) -> T:
    """Send to a topic, or to the chat when the topic is gone."""
    try:
        return await send(topic_id)
    except BadRequest as error:
        if topic_id is None or "message thread not found" not in error.message.lower():
            raise
    return await send(None)


def to_entities(message: RenderedMessage) -> list[MessageEntity] | None:
    """A message's entities, None without any."""
    return [
        MessageEntity(e.type, e.offset, e.length, url=e.url, language=e.language)
        for e in message.entities
    ] or None


def to_keyboard(buttons: tuple[tuple[Button, ...], ...]) -> InlineKeyboardMarkup | None:
    """Rows of buttons, None without any."""
    rows = [[InlineKeyboardButton(b.text, callback_data=b.data) for b in row] for row in buttons]
    return InlineKeyboardMarkup(rows) if rows else None


@contextmanager
def unless_modified() -> Iterator[None]:
    """What shows the same already is as if it had been edited."""
    try:
        yield
    except BadRequest as error:
        if "message is not modified" not in error.message.lower():
            raise
