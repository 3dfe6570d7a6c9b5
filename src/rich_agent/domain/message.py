"""Messages that a user sends, free of any messenger's wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rich_agent.domain.media import Medium
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.words import Origin, Words

_LABEL_CHARS = 40
Audience = Literal["user", "group"]
"""Who reads the answer: the user alone, or a group in which they asked."""
Decided = Literal["", "approved", "cancelled", "always"]
"""What a pressed button says to calls of tools that wait for the user; "" for words."""
DECISIONS: tuple[Decided, ...] = ("approved", "cancelled", "always")
"""What each choice of such a question decides, by its place; the third is not always there."""
ReplyMeaning = Literal["changes", "other", "refuses", "approves"]
"""What a reply in words wants of calls that wait: otherwise, nothing, not at all, or as shown."""
APPROVING: frozenset[Decided] = frozenset({"approved", "always"})


@dataclass(frozen=True, slots=True)
class User:
    """A Telegram user; ids decide who someone is, names only how to address them.

    `language_code` is Telegram's, `locale` what the user chose for the product's own phrases,
    `time_zone` an IANA name, "" while nobody knows it.
    """

    telegram_user_id: int
    first_name: str = ""
    username: str | None = None
    language_code: str | None = None
    locale: str | None = None
    time_zone: str = ""


def label_user(user_id: int, names: Mapping[int, str]) -> str:
    """Label a user for admins: the id, and the name that they gave themselves, on one line."""
    name = shorten(names.get(user_id, ""), _LABEL_CHARS)
    return f"{user_id} ({name})" if name else str(user_id)


@dataclass(frozen=True, slots=True)
class Photo:
    """An image that can be fetched by `file_id`; the bytes never travel with it.

    `size_bytes` is what the messenger announced, None when it did not. `unique_id` names the
    content, for telling whether a photo was exchanged; `file_id` may differ from time to time.
    `sha256` is that of the bytes, "" until they were read.
    """

    file_id: str
    size_bytes: int | None = None
    unique_id: str = field(default="", compare=False)
    sha256: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that can be fetched by `file_id`; name and type are as the sender has them.

    `size_bytes` and `unique_id` are as in `Photo`.
    """

    file_id: str
    name: str = ""
    mime: str = ""
    size_bytes: int | None = None
    unique_id: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Forwarded:
    """Words that the user passed on and did not write; `author` is "" when it is hidden."""

    text: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The message that the user replied to, with what it holds; `quote` is the part they marked.

    `author` "other" means that neither the user nor the bot wrote it.
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
    """One turn's input: a text, a caption, photos and files of one message or album, a reply.

    `text` is the user's own; what they forwarded stands in `forwarded`. `unread` names what came
    with it, or with the message replied to, and is left out: video, contact, ... `media` wait
    for their reader; then their text is part of the message's, and stands in `media_text` too.
    `links` are the addresses of pages in it, None where the messenger marks none and the text has
    to be searched; `is_only_links` without a word besides. `origin` is who wrote `text`, where it
    is not the user: a question that is asked at its time may have been made of others' words.
    """

    user: User
    text: str = ""
    photos: tuple[Photo, ...] = ()
    reply: ReplyContext | None = None
    message_id: int = 0
    forwarded: Forwarded | None = None
    unread: tuple[str, ...] = ()
    files: tuple[SentFile, ...] = ()
    media: tuple[Medium, ...] = ()
    media_text: str = ""
    links: tuple[str, ...] | None = None
    is_only_links: bool = False
    origin: Origin = "user"

    @property
    def text_words(self) -> Words:
        """The text, with who wrote it."""
        return Words(self.text, self.origin)

    def words(self) -> str:
        """The user's own words, else those that they forwarded."""
        return self.text or (self.forwarded.text if self.forwarded else "")


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A message to be answered.

    `thread_id` is `tg:<user_id>`, with `:<topic>` behind it in a conversation besides the main one;
    `request_id` names this turn within it and is the same when the
    turn is tried again: it then goes on from the checkpoint of the try before. `revision` grows
    with each edit of the question: a higher one replaces the turn. `fresh_from` numbers the last
    /new before it: what was said before that one does not count. `replaces` is the turn that this
    one does again: its question and answer leave the conversation. `answers` is the request whose
    question back a pressed button answers; that of a written answer is found. `decision` is what
    the button says where that question asks for approval, of the calls whose fingerprint is
    `approves`, perhaps for good; `edits` are other arguments for some of these, by call id,
    approved with them; None for a call that the user refuses, while the others are approved.
    For a group as `audience` the turn knows nothing of the user, acts nowhere and leaves no trace.
    `is_unattended` when nobody wrote it just now: then the turn may only read.
    """

    thread_id: str
    request_id: str
    message: IncomingMessage
    revision: int = 0
    fresh_from: int = 0
    replaces: str = ""
    answers: str = ""
    decision: Decided = ""
    approves: str = ""
    edits: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    audience: Audience = "user"
    is_unattended: bool = False


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """A question of an earlier turn, and that turn's `request_id`."""

    message: IncomingMessage
    request_id: str


def thread_of(user_id: int, topic_id: int | None = None) -> str:
    """The thread of a user's conversation, or of the one that they have in a topic."""
    return f"tg:{user_id}" if topic_id is None else f"tg:{user_id}:{topic_id}"


OWN_CONVERSATION = "own:"
"""A client's thread whose id begins like this is a conversation of its own."""


def client_thread_of(user_id: int, thread: str) -> str:
    """The conversation that a client's thread continues: the user's main one, or its own."""
    own = thread.removeprefix(OWN_CONVERSATION)
    return thread_of(user_id) if own == thread else f"{thread_of(user_id)}:web:{own}"


def client_thread_in(user_id: int, conversation: str) -> str:
    """The id by which clients name a conversation: `own:…`, or `chat` for the main one."""
    own = conversation.removeprefix(f"{thread_of(user_id)}:web:")
    return "chat" if own == conversation else OWN_CONVERSATION + own


def guest_thread_of(user_id: int, update_id: int) -> str:
    """The thread of one question that a user asked in a group; it ends with its answer."""
    return f"{thread_of(user_id)}:guest:{update_id}"


def update_of(request_id: str) -> int | None:
    """The number of the update that a request came in, None for one of the terminal."""
    surface, _, number = request_id.partition(":")
    is_number = whole_number(number.removeprefix("-")) is not None
    return int(number) if surface == "tg" and is_number else None
