"""Bot API methods that add a message to a chat or change one.

Source: https://core.telegram.org/bots/api#available-methods
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from rich_agent_sandbox.sound.ogg import is_opus
from rich_agent_sandbox.telegram.attachments import Attachment, make_recording
from rich_agent_sandbox.telegram.chats import DELETABLE_S, Action, Chat, Draft, Message
from rich_agent_sandbox.telegram.ephemeral import delete, edit_keyboard, edit_text
from rich_agent_sandbox.telegram.files import Document, Photo, picture_sizes, pixel_size
from rich_agent_sandbox.telegram.keyboards import read_keyboard
from rich_agent_sandbox.telegram.params import Params, Upload
from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request
from rich_agent_sandbox.telegram.sandbox import Sandbox
from rich_agent_sandbox.telegram.text.entities import FormattedText
from rich_agent_sandbox.telegram.text.formatting import read_caption, read_text
from rich_agent_sandbox.telegram.text.rich import Json, read_blocks, words_of
from rich_agent_sandbox.telegram.widgets import NOT_ALLOWED, Widget, read_data, read_widget
from rich_agent_sandbox.telegram.wire import message_json

PHOTO_LIMIT_BYTES = 10_000_000  # https://core.telegram.org/bots/api#sending-files
FILE_LIMIT_BYTES = 50_000_000
# Width and height together: https://core.telegram.org/bots/api#sendphoto
PHOTO_SIDES_LIMIT = 10_000
PHOTO_RATIO_LIMIT = 20
CHAT_ACTIONS = frozenset(
    (
        "choose_sticker",
        "find_location",
        "record_video",
        "record_video_note",
        "record_voice",
        "typing",
        "upload_document",
        "upload_photo",
        "upload_video",
        "upload_video_note",
        "upload_voice",
    )
)


def find_chat(sandbox: Sandbox, params: Params) -> Chat:
    """The chat of `chat_id`. Raises: BotApiError if its user has never written to the bot."""
    chat_id = params.values.get("chat_id")
    if chat_id in (None, ""):
        raise bad_request("chat_id is empty")
    chat = sandbox.chats.find(chat_id) if isinstance(chat_id, int) else None
    if chat is None:
        raise bad_request("chat not found")
    if chat.type == "guest":
        raise BotApiError(403, "Forbidden: bot is not a member of the supergroup chat")
    return chat


def find_topic(chat: Chat, params: Params) -> int | None:
    """The topic of `message_thread_id`. Raises: BotApiError if the chat has no such topic."""
    topic_id = params.integer("message_thread_id")
    if topic_id is not None and topic_id not in chat.topics:
        raise bad_request("message thread not found")
    return topic_id


async def send_message(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendMessage."""
    chat = find_chat(sandbox, params)
    return _post(sandbox, chat, params, _Posted(read_text(params)))


async def send_rich_message(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendRichMessage, from blocks."""
    chat = find_chat(sandbox, params)
    blocks = read_blocks(params)
    if blocks is None:
        raise bad_request("rich message is empty")
    return _post(sandbox, chat, params, _Posted(_text_of(blocks), blocks=blocks))


async def answer_guest_query(sandbox: Sandbox, params: Params) -> dict[str, str]:
    """AnswerGuestQuery: once per query, with a text."""
    chat_id, question_id = sandbox.guest_queries.pop(params.text("guest_query_id"), (0, 0))
    chat = sandbox.chats.find(chat_id)
    if chat is None:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    message_content = (params.fields("result") or {}).get("input_message_content")
    if not isinstance(message_content, dict):
        raise bad_request(
            'can\'t parse inline query result: Field "message_text" must be of type String'
        )
    text = {
        "text": message_content.get("message_text"),
        "entities": message_content.get("entities"),
    }
    message = Message(
        message_id=sandbox.chats.next_message_id(),
        sender=sandbox.bot,
        sent_at=sandbox.chats.clock(),
        content=read_text(Params(text)),
        reply_to=chat.messages.get(question_id),
    )
    sandbox.chats.add(chat, message)
    sandbox.changes.publish(chat.id)
    return {"inline_message_id": f"guest-{message.message_id}"}


async def send_photo(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendPhoto, by upload or by file_id."""
    chat = find_chat(sandbox, params)
    content = _file_content(sandbox, params, "photo", PHOTO_LIMIT_BYTES).content
    size = pixel_size(content)
    if size is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if sum(size) > PHOTO_SIDES_LIMIT or max(size) > min(size) * PHOTO_RATIO_LIMIT:
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    caption = read_caption(params)
    sizes = await asyncio.to_thread(picture_sizes, content)
    return _post(sandbox, chat, params, _Posted(caption, sandbox.files.add_photo(sizes)))


async def send_document(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendDocument, by upload or by file_id."""
    chat = find_chat(sandbox, params)
    file = _file_content(sandbox, params, "document", FILE_LIMIT_BYTES)
    if not file.content:
        raise bad_request("file must be non-empty")
    caption = read_caption(params)
    document = sandbox.files.add_document(file.content, file.file_name, file.mime_type)
    return _post(sandbox, chat, params, _Posted(caption, document))


@dataclass(frozen=True, slots=True)
class _Posted:
    content: FormattedText
    media: Photo | Document | Attachment | Widget | None = None
    blocks: tuple[Json, ...] = ()
    forward_origin: Json | None = None


def _text_of(blocks: tuple[Json, ...]) -> FormattedText:
    return FormattedText(words_of(list(blocks)))


async def send_voice(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendVoice, by upload; content that is not OGG with Opus is sent as a file."""
    chat = find_chat(sandbox, params)
    content = _file_content(sandbox, params, "voice", FILE_LIMIT_BYTES).content
    if not is_opus(content):
        return await send_document(sandbox, params.renamed("voice", "document"))
    caption = read_caption(params)
    media = make_recording("voice", content, sandbox.files)
    return _post(sandbox, chat, params, _Posted(caption, media))


async def send_widget(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """SendWidget, to private chats only."""
    chat = find_chat(sandbox, params)
    if chat.type != "private":
        raise bad_request(NOT_ALLOWED)
    widget = read_widget(params)
    return _post(sandbox, chat, params, _Posted(read_caption(params), widget))


def _post(sandbox: Sandbox, chat: Chat, params: Params, posted: _Posted) -> dict[str, Any]:
    receiver = sandbox.whispering.receiver(chat, params)
    message = Message(
        message_id=0,
        sender=sandbox.bot,
        sent_at=sandbox.chats.clock(),
        content=posted.content,
        media=posted.media,
        reply_to=_replied(chat, params, is_ephemeral=receiver is not None),
        keyboard=read_keyboard(params),
        topic_id=find_topic(chat, params),
        blocks=posted.blocks,
        forward_origin=posted.forward_origin,
    )
    if receiver is not None:
        whispered = sandbox.ephemerals.add(chat.id, receiver, message, receiver)
        sandbox.changes.publish(chat.id)
        return whispered.to_json(chat)
    # The id is taken last, so that a refused message does not use one.
    message = replace(message, message_id=sandbox.chats.next_message_id())
    sandbox.chats.add(chat, message)
    # Clients remove both when a message of the bot arrives.
    chat.draft = chat.action = None
    sandbox.changes.publish(chat.id)
    return message_json(chat, message)


async def forward_message(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """ForwardMessage; a widget is protected, and so is not forwarded."""
    chat = find_chat(sandbox, params)
    message = _message_elsewhere(sandbox, params, "forward")
    origin = message.forward_origin or {
        "type": "user",
        "date": int(message.sent_at),
        "sender_user": message.sender.to_json(),
    }
    posted = _Posted(message.content, message.media, message.blocks, origin)
    return _post(sandbox, chat, params, posted)


async def copy_message(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """CopyMessage, optionally with another caption; a widget is not copied."""
    chat = find_chat(sandbox, params)
    message = _message_elsewhere(sandbox, params, "copy")
    has_caption = message.media is not None and "caption" in params.values
    content = read_caption(params) if has_caption else message.content
    sent = _post(sandbox, chat, params, _Posted(content, message.media, message.blocks))
    return {"message_id": sent["message_id"]}


def _message_elsewhere(sandbox: Sandbox, params: Params, verb: str) -> Message:
    chat = find_chat(sandbox, Params({"chat_id": params.values.get("from_chat_id")}))
    message = chat.messages.get(params.integer("message_id") or 0)
    if message is None:
        raise bad_request(f"message to {verb} not found")
    if isinstance(message.media, Widget):
        participle = {"forward": "forwarded", "copy": "copied"}[verb]
        raise bad_request(f"the message can't be {participle}")
    return message


def _replied(chat: Chat, params: Params, *, is_ephemeral: bool = False) -> Message | None:
    """The message that is replied to; an ephemeral message is never sent without it."""
    reply = params.fields("reply_parameters") or {
        "message_id": params.integer("reply_to_message_id"),
        "allow_sending_without_reply": params.flag("allow_sending_without_reply"),
    }
    message_id = reply.get("message_id")
    if message_id is None:
        return None
    message = chat.messages.get(message_id)
    if message is None and (is_ephemeral or not reply.get("allow_sending_without_reply")):
        raise bad_request("message to be replied not found")
    return message


def _file_content(sandbox: Sandbox, params: Params, name: str, limit_bytes: int) -> Upload:
    upload = params.upload(name)
    if upload is None:
        stored_file = sandbox.files.find(params.text(name))
        if stored_file is None:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return Upload(
            stored_file.file_name or "file", stored_file.mime_type or "", stored_file.content
        )
    if len(upload.content) > limit_bytes:
        raise BotApiError(413, "Request Entity Too Large")
    return upload


async def edit_message_text(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """EditMessageText; without a keyboard, the old one is removed."""
    chat = find_chat(sandbox, params)
    message = _own_message(sandbox, chat, params)
    if message.media:
        raise bad_request("there is no text in the message to edit")
    blocks = read_blocks(params)
    content = read_text(params) if blocks is None else _text_of(blocks)
    keyboard = read_keyboard(params)
    return _edit(
        sandbox, chat, replace(message, content=content, keyboard=keyboard, blocks=blocks or ())
    )


async def edit_message_caption(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """EditMessageCaption; only messages with media have a caption."""
    chat = find_chat(sandbox, params)
    message = _own_message(sandbox, chat, params)
    if not message.media:
        raise bad_request("there is no caption in the message to edit")
    content, keyboard = read_caption(params), read_keyboard(params)
    return _edit(sandbox, chat, replace(message, content=content, keyboard=keyboard))


async def edit_message_reply_markup(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """EditMessageReplyMarkup."""
    chat = find_chat(sandbox, params)
    message = _own_message(sandbox, chat, params)
    return _edit(sandbox, chat, replace(message, keyboard=read_keyboard(params)))


async def edit_message_widget_data(sandbox: Sandbox, params: Params) -> bool:
    """EditMessageWidgetData: omitted data stays, "" removes it, equal data is no edit."""
    chat = find_chat(sandbox, params)
    message = _own_message(sandbox, chat, params)
    widget = message.media
    if not isinstance(widget, Widget):
        raise bad_request("there is no widget in the message to edit")
    public_data, chat_data = (read_data(params, name) for name in ("public_data", "chat_data"))
    edited = replace(
        widget,
        public_data=widget.public_data if public_data is None else public_data,
        chat_data=widget.chat_data if chat_data is None else chat_data,
    )
    _edit(sandbox, chat, replace(message, media=edited))
    return True


def _own_message(sandbox: Sandbox, chat: Chat, params: Params) -> Message:
    message = chat.messages.get(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to edit not found")
    if message.sender.id != sandbox.bot.id:
        raise bad_request("message can't be edited")
    return message


def _edit(sandbox: Sandbox, chat: Chat, edited: Message) -> dict[str, Any]:
    current = chat.messages[edited.message_id]
    new_state, old_state = (
        (version.content, version.keyboard, version.blocks, version.media)
        for version in (edited, current)
    )
    if new_state == old_state:
        raise bad_request(
            "message is not modified: specified new message content and reply markup are exactly "
            "the same as a current content and reply markup of the message"
        )
    edited = replace(edited, edits=current.edits + 1, edited_at=sandbox.chats.clock())
    chat.messages[edited.message_id] = edited
    sandbox.changes.publish(chat.id)
    return message_json(chat, edited)


async def delete_message(sandbox: Sandbox, params: Params) -> bool:
    """DeleteMessage, within two days after the message."""
    chat = find_chat(sandbox, params)
    message = chat.messages.get(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to delete not found")
    if sandbox.chats.clock() - message.sent_at >= DELETABLE_S:
        raise bad_request("message can't be deleted for everyone")
    del chat.messages[message.message_id]
    sandbox.changes.publish(chat.id)
    return True


async def edit_ephemeral_message_text(sandbox: Sandbox, params: Params) -> bool:
    """EditEphemeralMessageText."""
    chat = find_chat(sandbox, params)
    edit_text(sandbox.ephemerals, chat, params)
    sandbox.changes.publish(chat.id)
    return True


async def edit_ephemeral_message_reply_markup(sandbox: Sandbox, params: Params) -> bool:
    """EditEphemeralMessageReplyMarkup."""
    chat = find_chat(sandbox, params)
    edit_keyboard(sandbox.ephemerals, chat, params)
    sandbox.changes.publish(chat.id)
    return True


async def delete_ephemeral_message(sandbox: Sandbox, params: Params) -> bool:
    """DeleteEphemeralMessage."""
    chat = find_chat(sandbox, params)
    delete(sandbox.ephemerals, chat, params)
    sandbox.changes.publish(chat.id)
    return True


async def send_chat_action(sandbox: Sandbox, params: Params) -> bool:
    """SendChatAction: shown for 5 s."""
    chat = find_chat(sandbox, params)
    name = params.text("action")
    if name not in CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat.action = Action(name, sandbox.chats.clock(), find_topic(chat, params))
    sandbox.changes.publish(chat.id)
    return True


async def send_message_draft(sandbox: Sandbox, params: Params) -> bool:
    """SendMessageDraft: shown for 30 s or until the next message."""
    chat = find_chat(sandbox, params)
    if chat.type != "private":
        raise bad_request("method is available only in private chats")
    draft_id = params.integer("draft_id")
    if not draft_id:
        raise bad_request("DRAFT_ID_INVALID")
    chat.draft = Draft(
        draft_id=draft_id,
        content=read_text(params, may_be_empty=True),
        at=sandbox.chats.clock(),
        can_stop=params.flag("can_stop"),
        keep_on_stop=params.flag("keep_on_stop"),
        topic_id=find_topic(chat, params),
    )
    sandbox.changes.publish(chat.id)
    return True


async def set_message_reaction(sandbox: Sandbox, params: Params) -> bool:
    """SetMessageReaction: emoji only."""
    chat = find_chat(sandbox, params)
    message = chat.messages.get(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to react not found")
    reactions = params.items("reaction") or []
    if not all(isinstance(item, dict) and item.get("type") == "emoji" for item in reactions):
        raise bad_request("REACTION_INVALID")
    emoji = tuple(str(item.get("emoji", "")) for item in reactions)
    chat.messages[message.message_id] = replace(message, reactions=emoji)
    sandbox.changes.publish(chat.id)
    return True
