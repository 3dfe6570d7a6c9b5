"""Bot API methods about the bot itself, its updates and its files.

Source: https://core.telegram.org/bots/api#available-methods
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from rich_agent_sandbox.telegram import message_methods as messages
from rich_agent_sandbox.telegram.chats import PressAnswer, User
from rich_agent_sandbox.telegram.delivery import DEFAULT_CONNECTIONS, MOST_CONNECTIONS, Webhook
from rich_agent_sandbox.telegram.groups import member_json
from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.polling import MOST_UPDATES
from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request
from rich_agent_sandbox.telegram.sandbox import Sandbox
from rich_agent_sandbox.telegram.widgets import read_data

Method = Callable[[Sandbox, Params], Awaitable[Any]]
_SECRET_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")


async def get_me(sandbox: Sandbox, _: Params) -> dict[str, Any]:
    """GetMe."""
    return {
        **sandbox.bot.to_json(),
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_guest_queries": True,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": True,
        "allows_users_to_create_topics": True,
    }


async def get_chat(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """GetChat."""
    return {
        **messages.find_chat(sandbox, params).to_json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }


async def get_chat_member(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """GetChatMember, for groups that the bot is in."""
    chat_id, user_id = params.integer("chat_id") or 0, params.integer("user_id") or 0
    if not sandbox.groups.has(chat_id):
        raise bad_request("chat not found")
    return member_json(User(user_id, "Somebody"), sandbox.groups.status(chat_id, user_id))


async def get_file(sandbox: Sandbox, params: Params) -> dict[str, Any]:
    """GetFile: up to 20 MB."""
    return sandbox.files.describe_download(params.text("file_id"))


async def answer_callback_query(sandbox: Sandbox, params: Params) -> bool:
    """AnswerCallbackQuery: once per press."""
    query_id = params.text("callback_query_id")
    chat_id = sandbox.presses.pop(query_id, None)
    chat = sandbox.chats.find(chat_id) if chat_id is not None else None
    if chat is None:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    text = params.text("text")[:200]
    answer = PressAnswer(query_id, text, params.flag("show_alert"), sandbox.chats.clock())
    chat.press_answers.append(answer)
    sandbox.changes.publish(chat.id)
    return True


async def answer_widget_query(sandbox: Sandbox, params: Params) -> bool:
    """AnswerWidgetQuery: once per query, within 15 s."""
    data = read_data(params, "data") or ""
    query = sandbox.widget_queries.answer(params.text("widget_query_id"), data)
    sandbox.changes.publish(query.chat_id)
    return True


async def set_my_commands(sandbox: Sandbox, params: Params) -> bool:
    """SetMyCommands."""
    commands = params.items("commands")
    if commands is None:
        raise bad_request("commands must be non-empty")
    scope = params.fields("scope")
    if scope and "chat_id" in scope and sandbox.chats.find(scope["chat_id"]) is None:
        raise bad_request("chat not found")
    sandbox.profile.set_commands(commands, scope, params.text("language_code"))
    sandbox.changes.publish("bot")
    return True


async def get_my_commands(sandbox: Sandbox, params: Params) -> list[dict[str, Any]]:
    """GetMyCommands."""
    return sandbox.profile.commands(params.fields("scope"), params.text("language_code"))


async def delete_my_commands(sandbox: Sandbox, params: Params) -> bool:
    """DeleteMyCommands."""
    sandbox.profile.delete_commands(params.fields("scope"), params.text("language_code"))
    sandbox.changes.publish("bot")
    return True


async def set_my_description(sandbox: Sandbox, params: Params) -> bool:
    """SetMyDescription: at most 512 characters."""
    sandbox.profile.description = _within(params.text("description"), 512, "description")
    sandbox.changes.publish("bot")
    return True


async def set_my_short_description(sandbox: Sandbox, params: Params) -> bool:
    """SetMyShortDescription: at most 120 characters."""
    text = _within(params.text("short_description"), 120, "short description")
    sandbox.profile.short_description = text
    sandbox.changes.publish("bot")
    return True


def _within(text: str, limit: int, name: str) -> str:
    if len(text) > limit:
        raise bad_request(f"{name} is too long")
    return text


async def set_webhook(sandbox: Sandbox, params: Params) -> bool:
    """SetWebhook. Unlike Telegram, it accepts plain HTTP and any port, because bots run locally."""
    url = params.text("url").strip()
    if not url:
        return await delete_webhook(sandbox, params)
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise bad_request("bad webhook: invalid webhook URL specified")
    secret = params.text("secret_token")
    if secret and not _SECRET_TOKEN.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    connections = params.integer("max_connections") or DEFAULT_CONNECTIONS
    if not 1 <= connections <= MOST_CONNECTIONS:
        raise bad_request("invalid max_connections specified")
    _choose_updates(sandbox, params)
    sandbox.poller.displace("terminated by setWebhook request")
    sandbox.webhooks.set(Webhook(url, secret, connections, asyncio.Semaphore(connections)))
    return True


async def delete_webhook(sandbox: Sandbox, params: Params) -> bool:
    """DeleteWebhook."""
    if params.flag("drop_pending_updates"):
        sandbox.queue.drop()
    sandbox.webhooks.set(None)
    return True


def _choose_updates(sandbox: Sandbox, params: Params) -> None:
    allowed_updates = params.items("allowed_updates")
    if allowed_updates is not None:
        sandbox.queue.allowed = frozenset(map(str, allowed_updates))
    if params.flag("drop_pending_updates"):
        sandbox.queue.drop()


async def get_webhook_info(sandbox: Sandbox, _: Params) -> dict[str, Any]:
    """GetWebhookInfo."""
    info: dict[str, Any] = {
        "url": "",
        "has_custom_certificate": False,
        "pending_update_count": len(sandbox.queue),
    }
    if webhook := sandbox.webhooks.webhook:
        info |= {"url": webhook.url, "max_connections": webhook.max_connections}
    if failure := sandbox.webhooks.last_failure:
        info |= {"last_error_date": int(failure.at), "last_error_message": failure.message}
    if sandbox.queue.allowed:
        info["allowed_updates"] = sorted(sandbox.queue.allowed)
    return info


async def get_updates(sandbox: Sandbox, params: Params) -> list[dict[str, Any]]:
    """GetUpdates: refused while a webhook is set."""
    if sandbox.webhooks.webhook:
        raise BotApiError(
            409,
            "Conflict: can't use getUpdates method while webhook is active; "
            "use deleteWebhook to delete the webhook first",
        )
    _choose_updates(sandbox, params)
    updates = await sandbox.poller.get_updates(
        offset=params.integer("offset") or 0,
        limit=params.integer("limit") or MOST_UPDATES,
        timeout_s=params.integer("timeout") or 0,
    )
    return [update.to_json() for update in updates]


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "answerGuestQuery": messages.answer_guest_query,
        "answerCallbackQuery": answer_callback_query,
        "answerWidgetQuery": answer_widget_query,
        "copyMessage": messages.copy_message,
        "deleteEphemeralMessage": messages.delete_ephemeral_message,
        "deleteMessage": messages.delete_message,
        "deleteMyCommands": delete_my_commands,
        "deleteWebhook": delete_webhook,
        "editEphemeralMessageReplyMarkup": messages.edit_ephemeral_message_reply_markup,
        "editEphemeralMessageText": messages.edit_ephemeral_message_text,
        "editMessageCaption": messages.edit_message_caption,
        "editMessageReplyMarkup": messages.edit_message_reply_markup,
        "editMessageText": messages.edit_message_text,
        "editMessageWidgetData": messages.edit_message_widget_data,
        "forwardMessage": messages.forward_message,
        "getChat": get_chat,
        "getChatMember": get_chat_member,
        "getFile": get_file,
        "getMe": get_me,
        "getMyCommands": get_my_commands,
        "getUpdates": get_updates,
        "getWebhookInfo": get_webhook_info,
        "sendChatAction": messages.send_chat_action,
        "sendDocument": messages.send_document,
        "sendMessage": messages.send_message,
        "sendMessageDraft": messages.send_message_draft,
        "sendPhoto": messages.send_photo,
        "sendRichMessage": messages.send_rich_message,
        "sendVoice": messages.send_voice,
        "sendWidget": messages.send_widget,
        "setMessageReaction": messages.set_message_reaction,
        "setMyCommands": set_my_commands,
        "setMyDescription": set_my_description,
        "setMyShortDescription": set_my_short_description,
        "setWebhook": set_webhook,
    }
)
