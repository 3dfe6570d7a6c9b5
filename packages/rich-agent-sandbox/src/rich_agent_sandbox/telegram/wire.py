"""Messages as the Bot API writes them. Source: https://core.telegram.org/bots/api#message."""

from collections.abc import Mapping
from typing import Any

from rich_agent_sandbox.telegram.attachments import Attachment
from rich_agent_sandbox.telegram.chats import Chat, Message
from rich_agent_sandbox.telegram.files import Document, Photo
from rich_agent_sandbox.telegram.widgets import Widget


def message_json(chat: Chat, message: Message, *, with_reply: bool = True) -> dict[str, Any]:
    """A `Message`; replies are included one level deep, as in Telegram."""
    written: dict[str, Any] = {
        "message_id": message.message_id,
        **_sender(chat, message),
        "chat": chat.to_json(),
        "date": int(message.sent_at),
        **_content(message),
    }
    if message.edited_at is not None:
        written["edit_date"] = int(message.edited_at)
    if message.reply_to and with_reply:
        written["reply_to_message"] = message_json(chat, message.reply_to, with_reply=False)
    if message.quote and with_reply:
        quote = message.quote
        written["quote"] = {"text": quote.text, "position": quote.position, "is_manual": True}
    if message.quoted_origin and with_reply:
        written["external_reply"] = {"origin": dict(message.quoted_origin)}
    if message.via_bot:
        written["via_bot"] = message.via_bot.to_json()
    if message.topic_id is not None:
        written |= {"message_thread_id": message.topic_id, "is_topic_message": True}
    if message.media_group_id:
        written["media_group_id"] = message.media_group_id
    if message.forward_origin:
        written["forward_origin"] = dict(message.forward_origin)
    if message.keyboard:
        written["reply_markup"] = {"inline_keyboard": [list(row) for row in message.keyboard]}
    return written


def inaccessible_message_json(chat: Chat, message_id: int) -> dict[str, Any]:
    """A placeholder for a message that the bot cannot see any more."""
    return {"chat": chat.to_json(), "message_id": message_id, "date": 0}


def _sender(chat: Chat, message: Message) -> dict[str, Any]:
    if chat.type == "channel":
        return {"sender_chat": chat.to_json()}
    return {"from": message.sender.to_json()}


def _content(message: Message) -> dict[str, Any]:
    if message.blocks:
        return {"rich_message": {"blocks": [_block(block) for block in message.blocks]}}
    text, entities = message.content.text, [item.to_json() for item in message.content.entities]
    media = _media(message)
    names = ("caption", "caption_entities") if media else ("text", "entities")
    if text or not message.media:
        media[names[0]] = text
    if entities:
        media[names[1]] = entities
    return media


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block as Telegram returns it: the items of lists have labels."""
    written = dict(block)
    if "blocks" in block:
        written["blocks"] = [_block(inner) for inner in block["blocks"]]
    if "items" in block:
        written["items"] = [
            {**_block(item), "label": f"{item['value']}." if "value" in item else "•"}
            for item in block["items"]
        ]
    return written


def _media(message: Message) -> dict[str, Any]:
    match message.media:
        case Photo(sizes):
            return {"photo": [dict(size) for size in sizes]}
        case Document():
            return {"document": message.media.to_json()}
        case Attachment():
            return dict(message.media.fields)
        case Widget():
            return {"widget": message.media.to_json(), "has_protected_content": True}
        case None:
            return {}
