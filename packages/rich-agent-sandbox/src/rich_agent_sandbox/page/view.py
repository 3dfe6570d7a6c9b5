"""A chat as its user sees it now (`GET /sim/chats/{user_id}`). Times are epoch seconds."""

from typing import Any

from rich_agent_sandbox.pictures import sample_pictures
from rich_agent_sandbox.telegram.attachments import WITH_SOUND, Attachment
from rich_agent_sandbox.telegram.chats import Action, Chat, Draft, Message
from rich_agent_sandbox.telegram.files import Document, Photo
from rich_agent_sandbox.telegram.sandbox import Sandbox
from rich_agent_sandbox.telegram.widget_queries import WidgetQuery
from rich_agent_sandbox.telegram.widgets import Widget

WIDGET_QUERIES_SHOWN = 200


def bot_view(sandbox: Sandbox, about: tuple[str, ...], *, has_control: bool) -> dict[str, Any]:
    """Return the bot's identity, what runs, and what the page offers."""
    return {
        **sandbox.bot.to_json(),
        "description": sandbox.profile.description,
        "short_description": sandbox.profile.short_description,
        "about": list(about),
        "can_connect": has_control,
        "suggestions": list(sandbox.config.suggestions),
        "pictures": [
            {
                "name": one.name,
                "label": one.label,
                "question": one.question,
                "url": f"/sim/pictures/{one.name}",
            }
            for one in sample_pictures()
        ],
    }


def chat_summary(chat: Chat) -> dict[str, Any]:
    """A line of the list of chats."""
    messages = list(chat.messages.values())
    return {
        "chat_id": chat.id,
        "chat_type": chat.type,
        "user_id": chat.user.id,
        "first_name": chat.user.first_name,
        "language_code": chat.user.language_code,
        "messages": len(messages),
        "last_message": message_view(messages[-1]) if messages else None,
    }


def chat_view(sandbox: Sandbox, chat_id: int, viewer: int | None = None) -> dict[str, Any]:
    """Messages, and what the bot is doing; empty for a chat that has not begun.

    `ephemeral` are those that only the viewer sees, by default the owner of the chat.
    """
    now = sandbox.chats.clock()
    chat = sandbox.chats.find(chat_id)
    action = chat.fresh_action(now) if chat else None
    draft = chat.fresh_draft(now) if chat else None
    viewer = viewer or (chat.user.id if chat else 0)
    language = (chat.user.language_code or "") if chat else ""
    return {
        "chat_id": chat_id,
        "messages": [message_view(message) for message in chat.messages.values()] if chat else [],
        "ephemeral": [
            {**message_view(one.message), "ephemeral_message_id": one.id}
            for one in sandbox.ephemerals.of(chat_id, viewer)
        ],
        "typing": action is not None,
        "action": _action_view(action) if action else None,
        "draft": _draft_view(draft) if draft else None,
        "press_answers": [
            {
                "query_id": answer.query_id,
                "text": answer.text,
                "show_alert": answer.show_alert,
                "at": answer.at,
            }
            for answer in (chat.press_answers if chat else [])
        ],
        "widget_queries": [
            _query_view(query)
            for query in sandbox.widget_queries.of_chat(chat_id)[-WIDGET_QUERIES_SHOWN:]
        ],
        "commands": sandbox.profile.menu(chat_id, language),
        "now": now,
    }


def message_view(message: Message) -> dict[str, Any]:
    """One message; `text` is the caption when there is a photo or document."""
    return {
        "message_id": message.message_id,
        "from": "bot" if message.sender.is_bot else "user",
        "text": message.content.text,
        "entities": [entity.to_json() for entity in message.content.entities],
        "blocks": [dict(block) for block in message.blocks],
        "buttons": [[dict(button) for button in row] for row in message.keyboard],
        "edits": message.edits,
        "sent_at": message.sent_at,
        "edited_at": message.edited_at,
        "reply_to_message_id": message.reply_to.message_id if message.reply_to else None,
        "quote": message.quote.text if message.quote else None,
        "forwarded_from": _forwarded_from(message),
        "media_group_id": message.media_group_id,
        "message_thread_id": message.topic_id,
        "reactions": list(message.reactions),
        "widget": _widget_view(message.media) if isinstance(message.media, Widget) else None,
        **_media_view(message),
    }


def _forwarded_from(message: Message) -> str | None:
    origin = message.forward_origin
    if origin is None:
        return None
    return str(origin.get("sender_user_name") or origin["sender_user"]["first_name"])


def _media_view(message: Message) -> dict[str, Any]:
    match message.media:
        case Photo(sizes) as photo:
            largest = sizes[-1]
            return {
                "photo_url": f"/sim/files/{photo.largest_id}",
                "photo_width": largest["width"],
                "photo_height": largest["height"],
                "document": None,
                "attachment": None,
            }
        case Document(file):
            document = {
                "file_name": file.file_name,
                "mime_type": file.mime_type,
                "size_bytes": file.size_bytes,
                "url": f"/sim/files/{file.file_id}",
            }
            return {"photo_url": None, "document": document, "attachment": None}
        case Attachment() as attachment:
            shown = {"kind": attachment.kind, "label": attachment.label, "url": None}
            if attachment.kind in WITH_SOUND:
                file_id = attachment.fields[attachment.kind]["file_id"]
                shown["url"] = f"/sim/files/{file_id}"
            return {"photo_url": None, "document": None, "attachment": shown}
        case Widget() | None:
            return {"photo_url": None, "document": None, "attachment": None}


def _widget_view(widget: Widget) -> dict[str, Any]:
    return {
        "html": widget.html,
        "width": widget.width,
        "height": widget.height,
        "public_data": widget.public_data,
        "chat_data": widget.chat_data,
        "can_query": widget.can_query,
    }


def _query_view(query: WidgetQuery) -> dict[str, Any]:
    return {
        "query_id": query.query_id,
        "message_id": query.message_id,
        "data": query.data,
        "answer": query.answer,
        "at": query.sent_at,
    }


def _action_view(action: Action) -> dict[str, Any]:
    return {"name": action.name, "at": action.at, "message_thread_id": action.topic_id}


def _draft_view(draft: Draft) -> dict[str, Any]:
    return {
        "draft_id": draft.draft_id,
        "text": draft.content.text,
        "entities": [entity.to_json() for entity in draft.content.entities],
        "can_stop": draft.can_stop,
        "message_thread_id": draft.topic_id,
        "at": draft.at,
    }
