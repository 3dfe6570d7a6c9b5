"""Messages that a user sends, free of any messenger's wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rich_agent.domain.media import Medium
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.words import Origin, Words

_LABEL_CHARS = 40
Audience = Literal["user", "group", "asker"]
"""The readers of the answer: the user in a chat of their own, the group in which the user asked, or
in a group the user alone."""
Decided = Literal["", "approved", "cancelled", "always"]
"""The decision of a pressed button on tool calls that wait for the user; "" for a text message."""
DECISIONS: tuple[Decided, ...] = ("approved", "cancelled", "always")
"""The decisions in the order of a question's choices. Some questions lack the third choice."""
ReplyMeaning = Literal["changes", "other", "refuses", "approves"]
"""The meaning of a text message for waiting calls: change, another subject, refuse, approve."""
APPROVING: frozenset[Decided] = frozenset({"approved", "always"})


@dataclass(frozen=True, slots=True)
class User:
    """A Telegram user. The id identifies the user; names only serve to address them."""

    telegram_user_id: int
    first_name: str = ""
    username: str | None = None
    language_code: str | None = None
    """Language of the user's Telegram app."""
    locale: str | None = None
    """Language of the product's own phrases, if the user has chosen one."""
    time_zone: str = ""
    """IANA name, "" while it is not known."""


def label_user(user_id: int, names: Mapping[int, str]) -> str:
    """Label a user for admins, on one line: the id, and the user's own name in brackets."""
    name = shorten(names.get(user_id, ""), _LABEL_CHARS)
    return f"{user_id} ({name})" if name else str(user_id)


@dataclass(frozen=True, slots=True)
class Photo:
    """An image, without its bytes."""

    file_id: str
    """Id by which the messenger gives the bytes. It may change from time to time."""
    size_bytes: int | None = None
    """Size that the messenger announced, None if it announced none."""
    unique_id: str = field(default="", compare=False)
    """Id of the content, by which an exchanged photo is noticed."""
    sha256: str = field(default="", compare=False)
    """Hash of the bytes, "" until they are read."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that a user sent, without its bytes. Its fields are as in `Photo`.

    The name and the type are those that the sender gave.
    """

    file_id: str
    name: str = ""
    mime: str = ""
    size_bytes: int | None = None
    unique_id: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Forwarded:
    """Text that the user forwarded; `author` is "" if Telegram hides the author."""

    text: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The message that the user replied to; `quote` is the part that the user marked.

    If `author` is "other", neither the user nor the bot wrote the message.
    """

    message_id: int
    text: str = ""
    photos: tuple[Photo, ...] = ()
    quote: str = ""
    author: Origin = "user"
    files: tuple[SentFile, ...] = ()
    media: tuple[Medium, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """The input of a turn: one message or album of a user."""

    user: User
    text: str = ""
    """Text or caption that the user wrote, followed by the text of the media that were read."""
    photos: tuple[Photo, ...] = ()
    reply: ReplyContext | None = None
    """Message that the user replied to."""
    message_id: int = 0
    forwarded: Forwarded | None = None
    """Text that the user forwarded; `text` does not contain it."""
    unread: tuple[str, ...] = ()
    """Kinds of content that are left out, such as a contact, in the message or in the one replied
    to."""
    files: tuple[SentFile, ...] = ()
    media: tuple[Medium, ...] = ()
    """Media that are not read yet."""
    media_text: str = ""
    """Text of the media that were read; `text` contains it too."""
    links: tuple[str, ...] | None = None
    """Addresses of pages in the message; None if the messenger marks no links, so that `text` has
    to be searched."""
    is_only_links: bool = False
    """Whether the message has no other words than links."""
    origin: Origin = "user"
    """Author of `text`. It is not the user if a question that is asked at a set time was made from
    another's words."""

    @property
    def text_words(self) -> Words:
        """The text with its author."""
        return Words(self.text, self.origin)

    def words(self) -> str:
        """The user's own text, else the text that the user forwarded."""
        return self.text or (self.forwarded.text if self.forwarded else "")


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A message to be answered in a turn."""

    thread_id: str
    """Id of the conversation: `tg:<user_id>`, followed by `:<topic>` unless it is the main one."""
    request_id: str
    """Id of the turn in the conversation. A turn that is tried again keeps its id, and continues
    from the checkpoint of the earlier try."""
    message: IncomingMessage
    revision: int = 0
    """Number of edits of the question. A turn with a higher revision replaces the turn."""
    fresh_from: int = 0
    """Number of the last /new before this turn; the turn does not see messages before it."""
    replaces: str = ""
    """Id of the turn that this turn repeats. Its question and answer leave the conversation."""
    answers: str = ""
    """Id of the turn whose question back a pressed button answers. If the user answers in text,
    the turn is looked up."""
    decision: Decided = ""
    """Decision of the pressed button, if that question asks for approval of calls."""
    approves: str = ""
    """Fingerprint of the calls that the decision is about."""
    edits: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    """Changed arguments of approved calls, by call id. None: the user refuses this one call."""
    audience: Audience = "user"
    """Readers of the answer. In a group the turn has no access to the user's data, calls no tool
    that acts, and stores nothing. It reads what everybody may read, or for the asker alone what the
    asker may read."""
    is_unattended: bool = False
    """Whether no user wrote the message just now. Such a turn may only read."""

    @property
    def reader(self) -> Reader:
        """The reader whose rights the turn has; if a group reads the answer, everybody's."""
        is_for_group = self.audience == "group"
        return ANYBODY if is_for_group else Reader(self.message.user.telegram_user_id)


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """The question of an earlier turn, and the `request_id` of that turn."""

    message: IncomingMessage
    request_id: str


def thread_of(user_id: int, topic_id: int | None = None) -> str:
    """The thread id of a user's main conversation, or of their conversation in a topic."""
    return f"tg:{user_id}" if topic_id is None else f"tg:{user_id}:{topic_id}"


OWN_CONVERSATION = "own:"
"""Prefix of a client's thread id whose thread is a separate conversation."""


def client_thread_of(user_id: int, thread: str) -> str:
    """The thread id of a client's thread: the user's main conversation, or a separate one."""
    name = thread.removeprefix(OWN_CONVERSATION)
    return thread_of(user_id) if name == thread else f"{thread_of(user_id)}:web:{name}"


def client_thread_in(user_id: int, conversation: str) -> str:
    """The id by which clients name a conversation: `chat` for the main one, else `own:…`."""
    name = conversation.removeprefix(f"{thread_of(user_id)}:web:")
    return "chat" if name == conversation else OWN_CONVERSATION + name


def guest_thread_of(user_id: int, update_id: int, *, is_private: bool = False) -> str:
    """The thread id of a single question in a group. The thread ends with the answer.

    What was read for the asker alone is in another thread than what a group may read.
    """
    kind = "asker" if is_private else "guest"
    return f"{thread_of(user_id)}:{kind}:{update_id}"


def is_guest_thread(user_id: int, thread_id: str) -> bool:
    """Whether a thread of the user is a single question in a group."""
    beginnings = tuple(f"{thread_of(user_id)}:{kind}:" for kind in ("asker", "guest"))
    return thread_id.startswith(beginnings)


def update_of(request_id: str) -> int | None:
    """The id of the update that a request came in; None for a request from the terminal."""
    surface, _, digits = request_id.partition(":")
    is_number = whole_number(digits.removeprefix("-")) is not None
    return int(digits) if surface == "tg" and is_number else None
