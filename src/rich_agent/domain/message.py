"""What a user sends, free of any messenger's wire format."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class User:
    """A Telegram user; ids decide who someone is, names only how to address them."""

    telegram_user_id: int
    first_name: str = ""
    username: str | None = None
    language_code: str | None = None


@dataclass(frozen=True, slots=True)
class Photo:
    """An image that can be fetched by `file_id`; the bytes never travel with it.

    `size_bytes` is what the messenger announced, None when it did not.
    """

    file_id: str
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The message that the user replied to, with its photos."""

    message_id: int
    text: str = ""
    photos: tuple[Photo, ...] = ()


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """One turn's input: a text, a caption, photos of one message or album, a reply."""

    user: User
    text: str = ""
    photos: tuple[Photo, ...] = ()
    reply: ReplyContext | None = None
    message_id: int = 0


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A message to be answered.

    `thread_id` is `tg:<user_id>`; `request_id` names this turn within it and is the same when the
    turn is tried again; `redelivered` says that an earlier try may have left a checkpoint.
    """

    thread_id: str
    request_id: str
    message: IncomingMessage
    redelivered: bool = False


def thread_of(user_id: int) -> str:
    """The thread of a user's conversation."""
    return f"tg:{user_id}"
