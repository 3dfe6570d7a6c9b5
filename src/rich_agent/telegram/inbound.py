"""Raw updates as what they mean to the bot. Pure: no network, no database, no answer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rich_agent.domain.message import IncomingMessage, Photo, ReplyContext, User
from rich_agent.domain.text import choose_locale, clean_text
from rich_agent.telegram_ports import StoredUpdate

_CONTENT_KINDS = frozenset(
    {
        "animation", "audio", "checklist", "contact", "dice", "document", "game", "location",
        "paid_media", "poll", "sticker", "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip
_SERVICE_KINDS = frozenset(
    {
        "connected_website", "gift", "message_auto_delete_timer_changed", "pinned_message",
        "refunded_payment", "successful_payment", "unique_gift", "write_access_allowed",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """A message to be answered in `chat_id`."""

    message: IncomingMessage
    chat_id: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command: `name` without slash and bot name, in lower case; `args` is the rest."""

    name: str
    args: str
    user: User
    chat_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button; `callback_id` must be answered, `message_id` is the button's message."""

    callback_id: str
    data: str
    user: User
    chat_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class DraftStopped:
    """The user stopped the draft `draft_id`: the answer to the update of that id."""

    draft_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A message that the bot cannot read; `kind` is the Bot API's word (sticker, voice, ...)."""

    kind: str
    user: User
    chat_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do and nothing to say; `reason` is for the log."""

    reason: str


Inbound = Turn | Command | Press | DraftStopped | Unsupported | Ignored


class _Sender(BaseModel):
    id: int
    is_bot: bool = False
    first_name: str = ""
    username: str | None = None
    language_code: str | None = None

    def to_user(self) -> User:
        return User(self.id, self.first_name, self.username, self.language_code)


class _Chat(BaseModel):
    id: int
    type: str


class _PhotoSize(BaseModel):
    file_id: str
    width: int = 0
    height: int = 0
    file_size: int | None = None


class _Document(BaseModel):
    file_id: str
    mime_type: str | None = None
    file_size: int | None = None


class _Origin(BaseModel):
    type: str
    sender_user: _Sender | None = None
    sender_user_name: str = ""
    chat: dict[str, object] | None = None
    sender_chat: dict[str, object] | None = None

    def name(self) -> str:
        if self.sender_user:
            return self.sender_user.first_name
        chat = self.chat or self.sender_chat or {}
        return self.sender_user_name or str(chat.get("title", ""))


class _Quote(BaseModel):
    text: str = ""


class _Message(BaseModel):
    # What else a message holds tells what kind it is.
    model_config = ConfigDict(extra="allow")

    message_id: int
    chat: _Chat
    sender: _Sender | None = Field(None, alias="from")
    text: str = ""
    caption: str = ""
    photo: list[_PhotoSize] = []
    document: _Document | None = None
    reply_to_message: "_Message | None" = None
    quote: _Quote | None = None
    forward_origin: _Origin | None = None

    def photos(self) -> tuple[Photo, ...]:
        if self.photo:
            largest = max(self.photo, key=lambda size: size.width * size.height)
            return (Photo(largest.file_id, largest.file_size),)
        document = self.document
        if document and (document.mime_type or "").startswith("image/"):
            return (Photo(document.file_id, document.file_size),)
        return ()

    def written(self) -> str:
        return self.text or self.caption

    def kinds(self) -> set[str]:
        return (self.model_extra or {}).keys() | ({"document"} if self.document else set())


class _Callback(BaseModel):
    id: str
    sender: _Sender = Field(alias="from")
    data: str = ""
    message: _Message | None = None


class _Generation(BaseModel):
    chat: _Chat
    draft_id: int


class _Update(BaseModel):
    update_id: int
    message: _Message | None = None
    callback_query: _Callback | None = None
    stopped_message_generation: _Generation | None = None


def read_updates(updates: Sequence[StoredUpdate]) -> Inbound:
    """What one update, or the parts of one album in order, ask of the bot."""
    try:
        parsed = [_Update.model_validate(_clean(json.loads(update.raw))) for update in updates]
    except ValidationError as error:
        return Ignored(f"unreadable: {error.error_count()} problems")
    except (ValueError, RecursionError):
        return Ignored("unreadable: no JSON")
    first = parsed[0]
    if first.callback_query:
        return _read_press(first.callback_query)
    if first.stopped_message_generation:
        stopped = first.stopped_message_generation
        return DraftStopped(stopped.draft_id, stopped.chat.id)
    messages = [update.message for update in parsed if update.message]
    if not messages:
        return Ignored("not a message")
    return _read_messages(messages)


def _clean(value: object) -> object:
    """The JSON without what no database stores (NUL, lone surrogates)."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): _clean(item) for key, item in value.items()}
    return value


def locale_of(inbound: Turn | Command | Press | Unsupported) -> str:
    """The language in which the product's own sentences answer."""
    if isinstance(inbound, Turn):
        return choose_locale(inbound.message.text, inbound.message.user.language_code)
    return choose_locale("", inbound.user.language_code)


def _read_press(callback: _Callback) -> Inbound:
    message = callback.message
    if message is None or message.chat.type != "private":
        return Ignored("a button outside a private chat")
    user = callback.sender.to_user()
    return Press(callback.id, callback.data, user, message.chat.id, message.message_id)


def _read_messages(messages: Sequence[_Message]) -> Inbound:
    first = messages[0]
    if first.chat.type != "private":
        return Ignored(f"a {first.chat.type}")
    if first.sender is None or first.sender.is_bot:
        return Ignored("not from a person")
    user = first.sender.to_user()
    if first.text.startswith("/") and not first.forward_origin:
        return _read_command(first, user)
    photos = tuple(photo for message in messages for photo in message.photos())
    captions = (message.written() for message in messages)
    text = "\n".join(dict.fromkeys(caption for caption in captions if caption))
    if not photos and (not text or first.kinds() & _CONTENT_KINDS):
        return _read_other(first, user)
    message = IncomingMessage(
        user, _with_origin(first, text), photos, _read_reply(first), first.message_id
    )
    return Turn(message, first.chat.id)


def _read_other(message: _Message, user: User) -> Unsupported | Ignored:
    kinds = message.kinds()
    if kinds & _SERVICE_KINDS:
        return Ignored("a service message")
    kind = min(kinds & _CONTENT_KINDS, default="unknown")
    return Unsupported(kind, user, message.chat.id, message.message_id)


def _read_command(message: _Message, user: User) -> Command:
    name, *rest = message.text.split(maxsplit=1)
    plain = name[1:].partition("@")[0].lower()
    return Command(plain, "".join(rest).strip(), user, message.chat.id, message.message_id)


def _with_origin(message: _Message, text: str) -> str:
    """The text, with what the user forwarded marked as not their own words."""
    if message.forward_origin:
        name = message.forward_origin.name()
        source = f"[Forwarded message from {name}]" if name else "[Forwarded message]"
        return f"{source}\n{text}" if text else source
    if message.quote and message.quote.text:
        return f"[Quoted] {message.quote.text}\n\n{text}"
    return text


def _read_reply(message: _Message) -> ReplyContext | None:
    replied = message.reply_to_message
    if replied is None:
        return None
    return ReplyContext(replied.message_id, replied.written(), replied.photos())
