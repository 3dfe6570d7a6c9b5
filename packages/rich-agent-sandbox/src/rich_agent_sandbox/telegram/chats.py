"""Users and the current state of each chat. The Bot API's rules are in other modules."""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rich_agent_sandbox.telegram.attachments import Attachment
from rich_agent_sandbox.telegram.files import Document, Photo
from rich_agent_sandbox.telegram.text.entities import FormattedText
from rich_agent_sandbox.telegram.widgets import Widget

ChatType = Literal["private", "group", "guest", "channel"]
"""A "guest" chat is a supergroup without the bot."""
ACTION_SHOWN_S = 5.0  # https://core.telegram.org/bots/api#sendchataction
DRAFT_SHOWN_S = 30.0  # https://core.telegram.org/bots/api#sendmessagedraft
DELETABLE_S = 48 * 3_600.0  # https://core.telegram.org/bots/api#deletemessage
# The two kinds of ids begin at different numbers, so that a confusion is noticed.
MESSAGE_IDS_SINCE = 1_700_000_000
UPDATE_IDS_SINCE = 1_600_000_000


def first_id(now: float, since: float) -> int:
    """An id above all ids of earlier runs (at up to four per second).

    Otherwise a bot with a database would treat updates of a new sandbox as old ones.
    """
    return int((now - since) * 4)


@dataclass(frozen=True, slots=True)
class User:
    """A person, or the bot itself."""

    id: int
    first_name: str
    is_bot: bool = False
    username: str | None = None
    language_code: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The user in the Bot API's form."""
        optional = {"username": self.username, "language_code": self.language_code}
        return {
            "id": self.id,
            "is_bot": self.is_bot,
            "first_name": self.first_name,
            **{name: value for name, value in optional.items() if value},
        }


@dataclass(frozen=True, slots=True)
class Quote:
    """The part of the replied message that the user chose; `position` is in UTF-16 units."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Message:
    """A message in its current state; `content` is its text, or the caption of its media.

    A rich message has `blocks`, and `content` has their text.
    """

    message_id: int
    sender: User
    sent_at: float
    content: FormattedText
    media: Photo | Document | Attachment | Widget | None = None
    reply_to: "Message | None" = None
    quote: Quote | None = None
    media_group_id: str | None = None
    forward_origin: Mapping[str, Any] | None = None
    quoted_origin: Mapping[str, Any] | None = None
    via_bot: User | None = None
    keyboard: tuple[tuple[Mapping[str, Any], ...], ...] = ()
    reactions: tuple[str, ...] = ()
    edits: int = 0
    edited_at: float | None = None
    topic_id: int | None = None
    blocks: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action that the bot shows, such as "typing", and its start time."""

    name: str
    at: float
    topic_id: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that the bot is still writing."""

    draft_id: int
    content: FormattedText
    at: float
    can_stop: bool
    keep_on_stop: bool
    topic_id: int | None = None


@dataclass(frozen=True, slots=True)
class PressAnswer:
    """The text that answerCallbackQuery showed to the user."""

    query_id: str
    text: str
    show_alert: bool
    at: float


@dataclass(slots=True)
class Chat:
    """A chat between the bot and one person (or their group or channel); the user opens topics."""

    id: int
    type: ChatType
    user: User
    messages: dict[int, Message] = field(default_factory=dict)
    action: Action | None = None
    draft: Draft | None = None
    press_answers: list[PressAnswer] = field(default_factory=list)
    topics: list[int] = field(default_factory=list)
    ahead_s: float = 0.0
    """The seconds by which the dates of the user's messages are in the future."""

    def to_json(self) -> dict[str, Any]:
        """The chat in the Bot API's form."""
        if self.type == "private":
            name = {"first_name": self.user.first_name}
            return {"id": self.id, "type": "private", **name}
        kind = "supergroup" if self.type == "guest" else self.type
        return {"id": self.id, "type": kind, "title": f"{self.user.first_name}'s {self.type}"}

    def age(self, seconds: float) -> None:
        """Date the messages back."""
        for message_id, message in self.messages.items():
            self.messages[message_id] = replace(message, sent_at=message.sent_at - seconds)

    def fresh_action(self, now: float) -> Action | None:
        """The action, if the bot sent it less than 5 s ago."""
        return self.action if self.action and now - self.action.at < ACTION_SHOWN_S else None

    def fresh_draft(self, now: float) -> Draft | None:
        """The draft, if it is less than 30 s old."""
        return self.draft if self.draft and now - self.draft.at < DRAFT_SHOWN_S else None


@dataclass(slots=True)
class Chats:
    """All chats. A chat begins with a message of its user, because a bot cannot begin one."""

    clock: Callable[[], float] = time.time
    _chats: dict[int, Chat] = field(default_factory=dict)
    _message_ids: "itertools.count[int]" = field(init=False)
    _sent_ids: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._message_ids = itertools.count(first_id(self.clock(), MESSAGE_IDS_SINCE))

    def find(self, chat_id: int) -> Chat | None:
        """The chat with an id, None if there is none."""
        return self._chats.get(chat_id)

    def all(self) -> list[Chat]:
        """All chats, in the order of their beginning."""
        return list(self._chats.values())

    def open(self, user: User, chat_type: ChatType) -> Chat:
        """The chat of a user, created if necessary; the user's details are updated.

        A group of user 42 has the id -42, their channel -1000000000042, a group without the bot
        -2000000000042.
        """
        chat_id = {
            "private": user.id,
            "group": -user.id,
            "channel": -1_000_000_000_000 - user.id,
            "guest": -2_000_000_000_000 - user.id,
        }[chat_type]
        chat = self._chats.setdefault(chat_id, Chat(chat_id, chat_type, user))
        chat.user = user
        return chat

    def add(self, chat: Chat, message: Message) -> None:
        """Append a message to a chat."""
        chat.messages[message.message_id] = message
        self._sent_ids.add(message.message_id)

    def next_message_id(self) -> int:
        """A new id, higher than all earlier ones."""
        return next(self._message_ids)

    def was_sent(self, message_id: int) -> bool:
        """Whether a message in any chat has had this id."""
        return message_id in self._sent_ids

    def restore(self, chats: Sequence[Chat]) -> None:
        """Load the chats of an earlier run; new ids are higher, because they follow the clock."""
        for chat in chats:
            self._chats[chat.id] = chat
            self._sent_ids |= chat.messages.keys()

    def forget(self) -> None:
        """Drop all chats; ids continue."""
        self._chats.clear()
        self._sent_ids.clear()
