"""Reads raw updates as turns, edits, commands and presses. Uses no network and no database."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from rich_agent.domain.json_values import storable
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import Forwarded, IncomingMessage, ReplyContext, User
from rich_agent.domain.text import bare_words
from rich_agent.domain.words import Origin
from rich_agent.ports.bot_api import ButtonPress
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.telegram.receive.envelope import join_captions, join_pieces
from rich_agent.telegram.receive.wire import (
    QUIET_KINDS,
    Callback,
    Media,
    Message,
    Update,
    WidgetQuery,
)

MOST_LINKS = 10
_LINKING = frozenset({"url", "text_link"})
_WEB = ("http://", "https://")


def links_of(messages: Sequence[Message]) -> tuple[str, ...]:
    """The distinct addresses of pages in the messages, in order, at most `MOST_LINKS`."""
    links = (link for message in messages for link, _, _ in _links(message))
    return tuple(dict.fromkeys(links))[:MOST_LINKS]


def are_only_links(messages: Sequence[Message]) -> bool:
    """Whether the messages contain links, and no other words."""
    return bool(links_of(messages)) and not any(
        bare_words(_text_without_links(message)) for message in messages
    )


def _links(message: Message) -> Iterator[tuple[str, int, int]]:
    """Yield each web address in a message with its start and end in UTF-16 units."""
    utf16 = _units(message)
    for entity in message.marks():
        if entity.type not in _LINKING:
            continue
        start, end = entity.offset, entity.offset + entity.length
        visible_text = utf16[2 * start : 2 * end].decode("utf-16-le", "replace")
        link = entity.url or (visible_text if "://" in visible_text else f"https://{visible_text}")
        if link.lower().startswith(_WEB):
            yield link, start, end


def _text_without_links(message: Message) -> str:
    utf16 = bytearray(_units(message))
    for _, start, end in sorted(_links(message), key=lambda link: -link[1]):
        del utf16[2 * start : 2 * end]
    return utf16.decode("utf-16-le", "replace")


def _units(message: Message) -> bytes:
    return message.written().encode("utf-16-le", "surrogatepass")


LONGEST_TEXT = 16_000
"""Longest question in characters, about eight pages. If text was cut off, the answer says so."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A message to answer in the chat `chat_id`. `message_ids` are the ids of all its parts.

    Here and in the classes below, `topic_id` is the topic in which the message was written.
    """

    message: IncomingMessage
    chat_id: int
    message_ids: tuple[int, ...] = ()
    topic_id: int | None = None

    @property
    def message_id(self) -> int:
        """The id of the message's first part."""
        return self.message.message_id


@dataclass(frozen=True, slots=True)
class Edit:
    """A message that the user edited.

    `turn` is its new content, without other parts of its question.
    """

    turn: Turn

    @property
    def user(self) -> User:
        """The user who edited the message."""
        return self.turn.message.user

    @property
    def message_id(self) -> int:
        """The id of the edited message."""
        return self.turn.message.message_id


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a user.

    - `name`: in lower case, without the slash and the bot's name.
    - `args`: the text after the name.
    - `reply_to`: the id of the message that the command replies to.
    """

    name: str
    args: str
    user: User
    chat_id: int
    message_id: int
    reply_to: int | None = None
    topic_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(ButtonPress):
    """A press of a button in Telegram, which the bot has to answer by its `callback_id`.

    With `is_of_widget`, the button is in a widget, and the id is that of the widget's query.
    `block` is what the widget shows, once that was looked up.
    """

    callback_id: str
    chat_id: int
    topic_id: int | None = None
    is_of_widget: bool = False
    block: LivingBlock | None = None


@dataclass(frozen=True, slots=True)
class DraftStopped:
    """A draft that the user stopped; `draft_id` is the id of the update that the draft answers."""

    draft_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A message that the bot cannot read.

    - `kind`: the Bot API's name for its content (sticker, voice, ...).
    - `detail`: the emoji of a sticker or dice.
    - `phrase`: the name of the phrase to answer with, "" for the phrase of the kind.
    """

    kind: str
    user: User
    chat_id: int
    message_id: int
    detail: str = ""
    topic_id: int | None = None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class MemberChanged:
    """A change of a group's members: the user came, or left if `is_member` is False."""

    chat_id: int
    user_id: int
    is_member: bool


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that is not answered; `reason` is for the log."""

    reason: str


Inbound = Turn | Edit | Command | Press | DraftStopped | MemberChanged | Unsupported | Ignored


def read_updates(updates: Sequence[StoredUpdate]) -> Inbound:
    """Read one request of a user: an update, or the ordered parts of an album or a long text."""
    return _read([update.raw for update in updates], as_question=False)


def read_question(raws: Sequence[bytes]) -> Inbound:
    """Read the updates of a question. An edited message counts like a new message with its text."""
    return _read(raws, as_question=True)


def _read(raws: Sequence[bytes], *, as_question: bool) -> Inbound:
    try:
        updates = [Update.model_validate(storable(json.loads(raw))) for raw in raws]
    except ValidationError as error:
        return Ignored(f"unreadable: {error.error_count()} problems")
    except (ValueError, RecursionError):
        return Ignored("unreadable: not JSON")
    first_update = updates[0]
    if wordless_inbound := _read_wordless(first_update):
        return wordless_inbound
    if first_update.edited_message and not as_question:
        return _read_edit(first_update.edited_message)
    messages = [
        message for update in updates if (message := update.message or update.edited_message)
    ]
    return _read_messages(messages) if messages else Ignored("not a message")


def _read_wordless(update: Update) -> Inbound | None:
    """Read an update that is not a message; None for a message."""
    if update.callback_query:
        return _read_press(update.callback_query, update.update_id)
    if update.widget_query:
        return _read_query(update.widget_query, update.update_id)
    if generation := update.stopped_message_generation:
        return DraftStopped(generation.draft_id, generation.chat.id)
    if change := update.chat_member:
        member = change.new_chat_member
        return MemberChanged(change.chat.id, member.user.id, member.belongs())
    return None


def _read_press(callback: Callback, update_id: int) -> Inbound:
    message = callback.message
    if message is None or message.chat.type != "private":
        return Ignored("a button outside a private chat")
    keyboard = message.reply_markup.rows() if message.reply_markup else ()
    return Press(
        callback.data,
        callback.sender.to_user(),
        message.message_id,
        keyboard,
        update_id,
        callback_id=callback.id,
        chat_id=message.chat.id,
        topic_id=message.topic_id(),
    )


def _read_query(query: WidgetQuery, update_id: int) -> Inbound:
    if query.chat is None or query.chat.type != "private":
        return Ignored("a widget outside a private chat")
    return Press(
        query.data,
        query.sender.to_user(),
        query.message_id,
        (),
        update_id,
        callback_id=query.id,
        chat_id=query.chat.id,
        is_of_widget=True,
    )


def _read_edit(message: Message) -> Edit | Ignored:
    """Read an edited message.

    It is ignored unless it is a question now. Telegram also sends edits that no user made, such as
    those of a live location.
    """
    inbound = _read_messages([message])
    if isinstance(inbound, Turn):
        return Edit(inbound)
    return inbound if isinstance(inbound, Ignored) else Ignored("an edit of no question")


def _read_messages(messages: Sequence[Message]) -> Turn | Command | Unsupported | Ignored:
    first_message = messages[0]
    if first_message.chat.type != "private":
        return Ignored(f"a {first_message.chat.type}")
    if first_message.sender is None or first_message.sender.is_bot:
        return Ignored("not from a person")
    user = first_message.sender.to_user()
    if (command := first_message.command()) and _author_of(first_message) is None:
        return _read_command(first_message, command, user)
    text, forwarded, is_cut = _words_of(messages)
    photos = tuple(photo for part in messages for photo in part.photos())
    files = tuple(file for part in messages for file in part.files())
    media = tuple(medium for part in messages for medium in part.media())
    # A text of NULs alone is empty by now, and is answered like a message without words.
    has_words = text or (forwarded and forwarded.text) or "text" in first_message.model_fields_set
    if not (photos or files or media or has_words):
        return _read_other(messages, user)
    message = IncomingMessage(
        user=user,
        text=text,
        photos=photos,
        reply=_read_reply(first_message),
        message_id=first_message.message_id,
        forwarded=forwarded,
        unread=_unread([*messages, *_with_content(first_message)])
        + (("long_text",) if is_cut else ()),
        files=files,
        media=media,
        links=links_of(messages),
        is_only_links=are_only_links(messages),
    )
    return Turn(
        message,
        first_message.chat.id,
        tuple(m.message_id for m in messages),
        first_message.topic_id(),
    )


def _words_of(messages: Sequence[Message]) -> tuple[str, Forwarded | None, bool]:
    """The user's own words, the forwarded text, and whether either was cut off."""
    written_messages = [message for message in messages if not message.is_passed_on()]
    forwarded_messages = [message for message in messages if message.is_passed_on()]
    written_text, forwarded_text = (
        _text_of(written_messages),
        join_captions([message.written() for message in forwarded_messages]),
    )
    text, forwarded_excerpt = written_text[:LONGEST_TEXT], forwarded_text[:LONGEST_TEXT]
    authors = dict.fromkeys(_author_of(message) or "" for message in forwarded_messages)
    forwarded = (
        Forwarded(forwarded_excerpt, ", ".join(filter(None, authors)))
        if forwarded_messages
        else None
    )
    return text, forwarded, (text, forwarded_excerpt) != (written_text, forwarded_text)


def _text_of(messages: Sequence[Message]) -> str:
    if messages and messages[0].media_group_id:
        return join_captions([message.written_with_quotations() for message in messages])
    return join_pieces([message.written_with_quotations() for message in messages])


def _with_content(message: Message) -> list[Media]:
    """The message that `message` replies to, if a question may be about its content."""
    original = message.reply_to_message or message.external_reply
    return [original] if original and not original.kinds() & {"sticker", "dice"} else []


def _unread(messages: Iterable[Media]) -> tuple[str, ...]:
    kinds = (message.unreadable_kind() for message in messages)
    return tuple(dict.fromkeys(kind for kind in kinds if kind))


def _read_other(messages: Sequence[Message], user: User) -> Unsupported | Ignored:
    first_message = messages[0]
    unread_kinds = _unread(messages)
    if not unread_kinds and first_message.kinds() & QUIET_KINDS:
        return Ignored("a service message")
    message_facts = (
        first_message.chat.id,
        first_message.message_id,
        first_message.detail(),
        first_message.topic_id(),
    )
    return Unsupported(unread_kinds[0] if unread_kinds else "unknown", user, *message_facts)


def _read_command(message: Message, command: str, user: User) -> Command:
    original = message.reply_to_message
    return Command(
        command[1:].partition("@")[0].lower(),
        message.text.removeprefix(command).strip(),
        user,
        message.chat.id,
        message.message_id,
        reply_to=original.message_id if original else None,
        topic_id=message.topic_id(),
    )


def _author_of(message: Message) -> str | None:
    """The author of a forwarded message ("" if hidden), None for the user's own words."""
    if message.forward_origin:
        return message.forward_origin.name()
    if message.via_bot:
        return f"@{message.via_bot.username or message.via_bot.first_name}"
    return None


def _read_reply(message: Message) -> ReplyContext | None:
    """The message or quote that this message replies to, None without a reply."""
    quote = message.quote.text if message.quote else ""
    if original := message.reply_to_message:
        is_of_bot = original.sender is not None and original.sender.is_bot
        author: Origin = "assistant" if is_of_bot else "user"
        return ReplyContext(
            message_id=original.message_id,
            text=original.written(),
            photos=original.photos(),
            quote=quote,
            author=author if _author_of(original) is None else "other",
            files=original.files(),
            media=() if is_of_bot else original.media(),
            links=links_of([original]),
        )
    if external_reply := message.external_reply:
        return ReplyContext(
            external_reply.message_id,
            photos=external_reply.photos(),
            quote=quote,
            author="other",
            files=external_reply.files(),
        )
    # The message was deleted and only the quote is left.
    return ReplyContext(0, quote=quote, author="other") if quote else None
