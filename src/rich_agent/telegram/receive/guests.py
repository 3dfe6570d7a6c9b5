"""Reads a question that was asked in a group, as the gate of groups stored it."""

from dataclasses import dataclass

from pydantic import ValidationError

from rich_agent.domain.json_values import read_json, storable
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import IncomingMessage, ReplyContext, User
from rich_agent.domain.words import Origin
from rich_agent.telegram.receive.groups import GUEST_KIND
from rich_agent.telegram.receive.inbound import LONGEST_TEXT
from rich_agent.telegram.receive.wire import Message


@dataclass(frozen=True, slots=True)
class GuestQuestion:
    """A question to the bot in a group `chat_id`, perhaps in one of its topics.

    With a `query_id` the bot is no member there: it may post one message as a guest.
    """

    message: IncomingMessage
    chat_id: int
    query_id: str = ""
    topic_id: int | None = None

    @property
    def user(self) -> User:
        """The user who asked."""
        return self.message.user

    @property
    def locale(self) -> str:
        """The language of the bot's own phrases: that of the question."""
        return choose_locale(self.message.text, self.user.language_code)


def read_guest_question(raw: bytes) -> GuestQuestion | None:
    """The question in an update, None if it holds none."""
    update = read_json(raw)
    if not isinstance(update, dict) or GUEST_KIND not in update:
        return None
    try:
        message = Message.model_validate(storable(update[GUEST_KIND]))
    except ValidationError:
        return None
    if message.sender is None:
        return None
    user, written = message.sender.to_user(), message.text
    unread = (*message.left_out, *(("long_text",) if len(written) > LONGEST_TEXT else ()))
    asked = IncomingMessage(
        user=user,
        text=written[:LONGEST_TEXT],
        reply=_read_reply(message),
        message_id=message.message_id,
        unread=tuple(dict.fromkeys(unread)),
    )
    return GuestQuestion(asked, message.chat.id, message.guest_query_id, message.topic_id())


def _read_reply(message: Message) -> ReplyContext | None:
    replied, quote = message.reply_to_message, message.quote.text if message.quote else ""
    if replied is None:
        return ReplyContext(0, quote=quote, author="other") if quote else None
    author: Origin = "other"
    if replied.sender is not None and message.sender is not None:
        is_own = replied.sender.id == message.sender.id
        author = "assistant" if replied.sender.is_bot else "user" if is_own else "other"
    return ReplyContext(replied.message_id, replied.written(), quote=quote, author=author)
