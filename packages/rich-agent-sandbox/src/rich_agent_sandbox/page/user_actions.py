"""Actions of a user: send, edit, press a button, stop a draft. Each creates an update."""

import asyncio
import secrets
from dataclasses import dataclass, replace
from typing import Any

from rich_agent_sandbox.page.requests import NewMember, NewMessage, Press, WidgetPress
from rich_agent_sandbox.sound.ogg import is_opus
from rich_agent_sandbox.sound.webm import is_webm, ogg_of_webm
from rich_agent_sandbox.sound.words import recording_of, say_in
from rich_agent_sandbox.telegram.attachments import (
    Attachment,
    make_attachment,
    make_recording,
)
from rich_agent_sandbox.telegram.chats import Chat, Message, Quote, User
from rich_agent_sandbox.telegram.ephemeral import EphemeralPress
from rich_agent_sandbox.telegram.files import Document, Photo, picture_sizes
from rich_agent_sandbox.telegram.groups import member_json
from rich_agent_sandbox.telegram.refusals import SimError
from rich_agent_sandbox.telegram.sandbox import Sandbox
from rich_agent_sandbox.telegram.text.entities import FormattedText, detect_entities, utf16_length
from rich_agent_sandbox.telegram.text.formatting import CAPTION_LIMIT, TEXT_LIMIT
from rich_agent_sandbox.telegram.updates import Update
from rich_agent_sandbox.telegram.widget_queries import WidgetQuery
from rich_agent_sandbox.telegram.widgets import Widget
from rich_agent_sandbox.telegram.wire import inaccessible_message_json, message_json


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of a user's message; `update_id` is None if the bot does not want the update."""

    message_id: int
    update_id: int | None


def change_member(sandbox: Sandbox, chat_id: int, new: NewMember) -> None:
    """Change a user's status in a group."""
    user, old_status = User(new.user_id, "Somebody"), sandbox.groups.status(chat_id, new.user_id)
    sandbox.groups.set_status(chat_id, new.user_id, new.status)
    if new.is_told:
        update_fields = {
            "chat": {"id": chat_id, "type": "supergroup", "title": "A group"},
            "from": user.to_json(),
            "date": int(sandbox.chats.clock()),
            "old_chat_member": member_json(user, old_status),
            "new_chat_member": member_json(user, new.status),
        }
        sandbox.tell_bot("chat_member", update_fields, chat_id)


async def send_message(sandbox: Sandbox, user_id: int, new: NewMessage) -> Sent:
    """Let a user send or edit a message. Raises: SimError."""
    content = _content(new)
    media = await _media(sandbox, new)
    # No await after this, so that message ids and update ids are in the same order.
    chat = sandbox.chats.open(_user(sandbox, user_id, new), new.chat_type)
    if _is_whispered(sandbox, chat, new, content):
        return _whisper(sandbox, chat, new, content)
    if new.edit_message_id is not None:
        message = _edited(sandbox, chat, new.edit_message_id, content)
    else:
        message = _new(sandbox, chat, new, content)
        message = replace(message, media=media, message_id=sandbox.chats.next_message_id())
    sandbox.chats.add(chat, message)
    if message.topic_id is not None and message.topic_id not in chat.topics:
        chat.topics.append(message.topic_id)
    sandbox.changes.publish(chat.id)
    update = _tell_bot(sandbox, chat, message, is_edit=new.edit_message_id is not None)
    return Sent(message.message_id, update.update_id if update else None)


def _is_whispered(sandbox: Sandbox, chat: Chat, new: NewMessage, content: FormattedText) -> bool:
    """Whether the client sends a message that only the bot sees, as Telegram's clients do.

    These are commands that the menu of a group marks, and replies to messages for this user alone.
    """
    if chat.type != "group" or new.edit_message_id is not None:
        return False
    if new.reply_to_ephemeral_id is not None:
        return True
    command = content.text.partition(" ")[0].removeprefix("/")
    name, _, owner = command.partition("@")
    is_command = any(one.type == "bot_command" and not one.offset for one in content.entities)
    is_ours = owner.casefold() in {"", (sandbox.bot.username or "").casefold()}
    language = chat.user.language_code or ""
    return is_command and is_ours and sandbox.profile.is_ephemeral(name, chat.id, language)


def _whisper(sandbox: Sandbox, chat: Chat, new: NewMessage, content: FormattedText) -> Sent:
    """Send the bot a message that nobody else in the group sees. Raises: SimError."""
    answered = sandbox.ephemerals.find(chat.id, new.reply_to_ephemeral_id)
    if new.reply_to_ephemeral_id is not None and answered is None:
        raise SimError(f"reply_to_ephemeral_id: no message {new.reply_to_ephemeral_id} there")
    message = _new(sandbox, chat, new, content)
    whispered = sandbox.ephemerals.add(chat.id, chat.user, message, sandbox.bot)
    sandbox.changes.publish(chat.id)
    update = sandbox.tell_bot("message", whispered.to_json(chat), chat.id)
    return Sent(0, update.update_id if update else None)


def _tell_bot(sandbox: Sandbox, chat: Chat, message: Message, *, is_edit: bool) -> Update | None:
    """Send the update of a message; a guest chat sends only new messages to the bot."""
    message_fields = message_json(chat, message)
    if chat.type == "guest":
        if is_edit or not _is_for_bot(sandbox, message):
            return None
        query_id = str(secrets.randbits(62))
        sandbox.guest_queries[query_id] = (chat.id, message.message_id)
        message_fields["guest_query_id"] = query_id
        return sandbox.tell_bot("guest_message", message_fields, chat.id)
    kind = "channel_post" if chat.type == "channel" else "message"
    return sandbox.tell_bot(f"edited_{kind}" if is_edit else kind, message_fields, chat.id)


def _is_for_bot(sandbox: Sandbox, message: Message) -> bool:
    """Whether the message names the bot or replies to it."""
    name = f"@{sandbox.bot.username}".casefold()
    is_named = name in message.content.text.casefold()
    return is_named or (
        message.reply_to is not None and message.reply_to.sender.id == sandbox.bot.id
    )


def _content(new: NewMessage) -> FormattedText:
    text = new.text or ""
    limit = CAPTION_LIMIT if new.has_media else TEXT_LIMIT
    if utf16_length(text) > limit:
        raise SimError(f"text: at most {limit} UTF-16 units here; clients split longer ones")
    return FormattedText(text, tuple(detect_entities(text)))


async def _media(sandbox: Sandbox, new: NewMessage) -> Photo | Document | Attachment | None:
    if new.photo_base64 is not None:
        sizes = await asyncio.to_thread(picture_sizes, new.photo_base64)
        return sandbox.files.add_photo(sizes)
    if new.document_base64 is not None:
        name = new.file_name or "file"
        return sandbox.files.add_document(
            new.document_base64, name, new.mime_type, announced_bytes=new.size_bytes
        )
    if new.attachment is not None and (new.sound_base64 or new.spoken is not None):
        sound = await asyncio.to_thread(_sound, new)
        return make_recording(new.attachment, sound, sandbox.files)
    if new.attachment is not None:
        return make_attachment(new.attachment, new.emoji, sandbox.files)
    return None


def _sound(new: NewMessage) -> bytes:
    """The file of a recording, with its words in the file. Raises: SimError."""
    if new.sound_base64 is None:
        return recording_of(new.spoken or "")
    try:
        sound = ogg_of_webm(new.sound_base64) if is_webm(new.sound_base64) else new.sound_base64
    except ValueError as error:
        raise SimError(f"sound_base64: {error}") from error
    if new.spoken is None:
        return sound
    if not is_opus(sound):
        raise SimError("spoken: words can be put into OGG with Opus only")
    return say_in(sound, new.spoken)


def _user(sandbox: Sandbox, user_id: int, new: NewMessage) -> User:
    known_chat = sandbox.chats.find(user_id)
    user = known_chat.user if known_chat else User(user_id, f"User {user_id}", language_code="en")
    return replace(
        user,
        first_name=new.first_name or user.first_name,
        language_code=new.language_code or user.language_code,
    )


def _edited(sandbox: Sandbox, chat: Chat, message_id: int, content: FormattedText) -> Message:
    message = chat.messages.get(message_id)
    if message is None or message.sender.is_bot:
        raise SimError(f"edit_message_id: user has no message {message_id} in this chat")
    return replace(
        message, content=content, edits=message.edits + 1, edited_at=sandbox.chats.clock()
    )


def _new(sandbox: Sandbox, chat: Chat, new: NewMessage, content: FormattedText) -> Message:
    now = sandbox.chats.clock() + chat.ahead_s
    reply_to = None
    if new.reply_to_message_id is not None:
        reply_to = chat.messages.get(new.reply_to_message_id)
        if reply_to is None:
            raise SimError(
                f"reply_to_message_id: no message {new.reply_to_message_id} in this chat"
            )
    return Message(
        message_id=0,
        sender=chat.user,
        sent_at=now,
        content=content,
        reply_to=reply_to,
        quote=_quote(new, reply_to),
        media_group_id=new.media_group_id,
        topic_id=new.message_thread_id,
        forward_origin=_origin(new.forward_from, int(now)),
        quoted_origin=_origin(new.quoted_from, int(now)),
        via_bot=User(88, new.via_bot, is_bot=True, username=new.via_bot) if new.via_bot else None,
    )


def _quote(new: NewMessage, reply_to: Message | None) -> Quote | None:
    text = new.quote
    if text is None or reply_to is None:
        return Quote(text, 0) if text is not None else None
    position = reply_to.content.text.find(text)
    if position < 0:
        raise SimError("quote: not a part of the text of the replied message")
    return Quote(text, utf16_length(reply_to.content.text[:position]))


def _origin(forward_from: int | str | None, date: int) -> dict[str, Any] | None:
    match forward_from:
        case int():
            sender = User(forward_from, f"User {forward_from}").to_json()
            return {"type": "user", "date": date, "sender_user": sender}
        case str():
            return {"type": "hidden_user", "date": date, "sender_user_name": forward_from}
        case None:
            return None


def press_button(sandbox: Sandbox, chat_id: int, press: Press) -> tuple[str, Update | None]:
    """Let a user press a button; return the query's id and the update.

    Raises: SimError. As in Telegram, the data comes from the client, and a deleted message is
    inaccessible, so a bot must trust neither.
    """
    chat = _known_chat(sandbox, chat_id)
    if press.ephemeral_message_id is not None:
        return _press_ephemeral(sandbox, chat, press, press.ephemeral_message_id)
    message = _pressed_message(sandbox, chat, press.message_id)
    pressed = (
        message_json(chat, message)
        if message
        else inaccessible_message_json(chat, press.message_id)
    )
    return _tell_press(sandbox, chat, pressed, press.callback_data)


def _press_ephemeral(
    sandbox: Sandbox, chat: Chat, press: Press, message_id: int
) -> tuple[str, Update | None]:
    whispered = sandbox.ephemerals.find(chat.id, message_id)
    if whispered is None:
        raise SimError(f"ephemeral_message_id: no message {message_id} in this chat")
    return _tell_press(sandbox, chat, whispered.to_json(chat), press.callback_data)


def _tell_press(
    sandbox: Sandbox, chat: Chat, pressed: dict[str, Any], data: str
) -> tuple[str, Update | None]:
    """Send the update of a press; for some seconds the bot may answer it to its user alone."""
    query_id = str(secrets.randbits(62))
    sandbox.presses[query_id] = chat.id
    now = sandbox.ephemerals.clock()
    sandbox.ephemerals.presses[query_id] = EphemeralPress(chat.id, chat.user.id, now)
    query = {
        "id": query_id,
        "from": chat.user.to_json(),
        "message": pressed,
        "chat_instance": _chat_instance(chat),
        "data": data,
    }
    return query_id, sandbox.tell_bot("callback_query", query, chat.id)


def query_widget(sandbox: Sandbox, chat_id: int, press: WidgetPress) -> tuple[str, Update | None]:
    """Let a widget query the bot; return the query's id and the update.

    Raises: SimError. Like a press, a query can name a message that is gone or in another chat.
    """
    chat = _known_chat(sandbox, chat_id)
    message = _pressed_message(sandbox, chat, press.message_id)
    if message and not (isinstance(message.media, Widget) and message.media.can_query):
        raise SimError("message_id: the message has no widget with allow_queries")
    if press.query_id is None:
        query_id = _new_widget_query(sandbox, chat, press)
    elif sandbox.widget_queries.find(press.query_id):
        query_id = press.query_id
    else:
        raise SimError(f"query_id: there was no query {press.query_id}")
    sender = chat.user
    if press.from_user_id is not None:
        sender = User(press.from_user_id, f"User {press.from_user_id}")
    query = {
        "id": query_id,
        "from": sender.to_json(),
        "chat_instance": _chat_instance(chat),
        "type": {"type": "data"},
        "data": press.data,
        "chat": chat.to_json(),
        "message_id": press.message_id,
    }
    return query_id, sandbox.tell_bot("widget_query", query, chat.id)


def _new_widget_query(sandbox: Sandbox, chat: Chat, press: WidgetPress) -> str:
    queries = sandbox.widget_queries
    queries.admit(press.from_user_id or chat.user.id)
    query_id = str(secrets.randbits(62))
    sent_at = queries.clock() - press.age_s
    queries.add(WidgetQuery(query_id, chat.id, press.message_id, press.data, sent_at))
    return query_id


def _pressed_message(sandbox: Sandbox, chat: Chat, message_id: int) -> Message | None:
    message = chat.messages.get(message_id)
    if message is None and not sandbox.chats.was_sent(message_id):
        raise SimError(f"message_id: there was never a message {message_id}")
    return message


def _chat_instance(chat: Chat) -> str:
    return str(chat.user.id * 7919)


def stop_generation(sandbox: Sandbox, chat_id: int) -> Update | None:
    """Let a user stop the current draft; return None if there is none to stop."""
    chat = _known_chat(sandbox, chat_id)
    draft = chat.fresh_draft(sandbox.chats.clock())
    if draft is None or not draft.can_stop:
        return None
    chat.draft = replace(draft, can_stop=False) if draft.keep_on_stop else None
    sandbox.changes.publish(chat.id)
    update_fields = {"chat": chat.to_json(), "draft_id": draft.draft_id}
    return sandbox.tell_bot("stopped_message_generation", update_fields, chat.id)


def _known_chat(sandbox: Sandbox, chat_id: int) -> Chat:
    chat = sandbox.chats.find(chat_id)
    if chat is None:
        raise SimError(f"chat {chat_id} has not begun: send a message first")
    return chat
