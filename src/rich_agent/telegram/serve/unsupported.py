"""What the user reads when a message is of a kind that the bot cannot read."""

from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.receive.inbound import Unsupported
from rich_agent.telegram.rendering import unlinked

_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "audio", "contact", "dice", "document", "location", "poll", "sticker",
        "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip


def tell_unsupported(message: Unsupported, locale: str) -> RenderedMessage:
    """What the bot can do instead, in words that fit the kind; a file's name is no link."""
    if message.kind not in _OWN_WORDS:
        return unlinked(say(locale, "cannot-read"))
    key = f"cannot-read-{message.kind.replace('_', '-')}"
    return unlinked(say(locale, key, detail=shorten(message.detail, _LONGEST_NAME) or "blank"))
