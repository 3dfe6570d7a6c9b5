"""Reads who wrote a message, and the message that it replies to."""

from rich_agent.domain.message import ReplyContext
from rich_agent.domain.words import Origin
from rich_agent.telegram.receive.links import links_of
from rich_agent.telegram.receive.wire import Message


def author_of(message: Message) -> str | None:
    """The author of a forwarded message ("" if hidden), None for the user's own words."""
    if message.forward_origin:
        return message.forward_origin.name()
    if message.via_bot:
        return f"@{message.via_bot.username or message.via_bot.first_name}"
    return None


def read_reply(message: Message) -> ReplyContext | None:
    """The message or quote that this message replies to, None without a reply."""
    quote = message.quote.text if message.quote else ""
    if replied := message.reply_to_message:
        is_ours = replied.sender is not None and replied.sender.is_bot
        author: Origin = "assistant" if is_ours else "user"
        return ReplyContext(
            message_id=replied.message_id,
            text=replied.written(),
            photos=replied.photos(),
            quote=quote,
            author=author if author_of(replied) is None else "other",
            files=replied.files(),
            recordings=() if is_ours else replied.recordings(),
            links=links_of([replied]),
        )
    if elsewhere := message.external_reply:
        return ReplyContext(
            elsewhere.message_id,
            photos=elsewhere.photos(),
            quote=quote,
            author="other",
            files=elsewhere.files(),
        )
    # The message was deleted and only the quote is left.
    return ReplyContext(0, quote=quote, author="other") if quote else None
