"""Messages to a user in Telegram instead of an answer: it failed, has to wait, cannot be given."""

from dataclasses import replace

from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.notices import unlinked
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Unsupported

_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "audio", "contact", "dice", "location", "poll", "sticker",
        "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip


async def tell_in_reply(
    messenger: Messenger, message_id: int, phrase: str, context: UpdateContext
) -> None:
    """Reply to a message with a phrase instead of an answer.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    target = replace(context.target, reply_to=message_id)
    notice = RenderedMessage(say(target.locale, phrase))
    await Delivery(messenger, target, context.hold).complete([notice])


def tell_unsupported(message: Unsupported, locale: str) -> RenderedMessage:
    """Tell what the bot can do instead, worded for the kind; a file name is never a link."""
    if message.kind not in _OWN_WORDS:
        return unlinked(say(locale, "cannot-read"))
    key = f"cannot-read-{message.kind.replace('_', '-')}"
    return unlinked(say(locale, key, detail=shorten(message.detail, _LONGEST_NAME) or "blank"))
