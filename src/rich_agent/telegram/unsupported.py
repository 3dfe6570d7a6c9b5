"""What the user reads when a message is of a kind that the bot cannot read."""

from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.telegram.inbound import Unsupported

_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "audio", "contact", "dice", "document", "location", "poll", "sticker",
        "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip


def tell_unsupported(message: Unsupported, locale: str) -> str:
    """What the bot can do instead, in words that fit the kind."""
    if message.kind not in _OWN_WORDS:
        return say(locale, "cannot-read")
    key = f"cannot-read-{message.kind.replace('_', '-')}"
    return say(locale, key, detail=shorten(message.detail, _LONGEST_NAME) or "blank")
