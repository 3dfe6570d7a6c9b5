"""What a user in Telegram is told instead of an answer: it failed, has to wait, cannot be given."""

from dataclasses import replace

import structlog

from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Turn, Unsupported
from rich_agent.telegram.rendering.notices import unlinked

_TRIES = 5
_PAUSE_S = 1.0
_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "audio", "contact", "dice", "location", "poll", "sticker",
        "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip
_log = structlog.get_logger()


async def tell_too_many(
    messenger: Messenger, inbound: Turn | Unsupported, context: UpdateContext
) -> None:
    """Reply to the message that it and the ones after it are not answered.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    _log.warning("telegram.too_many")
    asked = inbound.message if isinstance(inbound, Turn) else inbound
    target = replace(context.target, reply_to=asked.message_id)
    notice = RenderedMessage(say(target.locale, "too-many"))
    await Delivery(messenger, target, context.hold).complete([notice])


def tell_unsupported(message: Unsupported, locale: str) -> RenderedMessage:
    """What the bot can do instead, worded for the kind; a file name is never shown as a link."""
    if message.kind not in _OWN_WORDS:
        return unlinked(say(locale, "cannot-read"))
    key = f"cannot-read-{message.kind.replace('_', '-')}"
    return unlinked(say(locale, key, detail=shorten(message.detail, _LONGEST_NAME) or "blank"))
