"""The Bot API over python-telegram-bot. Errors are translated and never contain the token."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import urlsplit

from telegram import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeChat,
    ChatMember,
    ChatMemberRestricted,
    InlineQueryResultArticle,
    InputFile,
    InputTextMessageContent,
    ReplyParameters,
)
from telegram.constants import ChatAction
from typing_extensions import override

from rich_agent.domain.redaction import redact
from rich_agent.domain.text import shorten
from rich_agent.errors import (
    ChatBlockedError,
    ImageRefusedError,
    MessageGoneError,
    TokenRefusedError,
    UpstreamRefusedError,
)
from rich_agent.ports.bot_api import (
    BotIdentity,
    Button,
    EphemeralApi,
    FileToSend,
    RenderedMessage,
    RichRefusedError,
    WebhookInfo,
    Widget,
    WidgetRefusedError,
    WidgetTooLargeError,
)
from rich_agent.upstreams.telegram.calls import (
    NO_PREVIEW,
    Route,
    TelegramOptions,
    TranslatingBot,
    open_requests,
    to_entities,
    to_keyboard,
)
from rich_agent.upstreams.telegram.downloads import Downloads
from rich_agent.upstreams.telegram.ephemeral import EphemeralCalls

_MEMBERS = frozenset({ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER})
_LOG_URLS = ("httpx", "telegram.Bot")


class TokenRedaction(logging.Filter):
    """Replaces secrets in log records; never drops a record."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the record in place; always returns True."""
        record.msg, record.args = redact(record.getMessage()), ()
        return True


def redact_library_logs() -> None:
    """Add the filter to the libraries that log the URLs of Bot API calls; repeating is harmless."""
    for name in _LOG_URLS:
        logger = logging.getLogger(name)
        if not any(isinstance(log_filter, TokenRedaction) for log_filter in logger.filters):
            logger.addFilter(TokenRedaction())


_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_METHOD = "not found"
_TOO_LARGE = "widget_too_large"
_NO_CAPTION = "there is no caption in the message to edit"


__all__ = ["TelegramClient", "TelegramOptions"]


def _reply_to(message_id: int | None) -> ReplyParameters | None:
    if message_id is None:
        return None
    return ReplyParameters(message_id, allow_sending_without_reply=True)


class TelegramClient:
    """Implements `TelegramApi` and `ImageFiles`; use it with `async with`."""

    def __init__(self, token: str, base_url: str, options: TelegramOptions | None = None) -> None:
        redact_library_logs()
        self._options = options or TelegramOptions()
        is_local = urlsplit(base_url).hostname in _LOOPBACK
        self._requests = open_requests(self._options, self._options.connections, local=is_local)
        # A separate connection, so that waiting for updates never delays an answer.
        self._polling = open_requests(self._options, 1, local=is_local)
        self._downloads = Downloads(
            self._options.max_file_bytes, self._options.download_s, trust_env=not is_local
        )
        self._bot = TranslatingBot(
            self._options,
            Route.of(base_url, trust_env=not is_local),
            token=token,
            base_url=f"{base_url}/bot",
            base_file_url=f"{base_url}/file/bot",
            request=self._requests,
            get_updates_request=self._polling,
        )

    @property
    def ephemeral(self) -> EphemeralApi:
        """The methods for messages that one member of a group sees."""
        return EphemeralCalls(self._bot)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._requests.shutdown()
        await self._polling.shutdown()
        await self._downloads.close()

    async def get_me(self) -> BotIdentity:
        me = await self._bot.get_me()
        return BotIdentity(
            me.id,
            me.username or "",
            has_topics=bool(me.has_topics_enabled),
            is_guest=bool(me.supports_guest_queries),
            name=me.first_name,
        )

    async def send_message(
        self,
        chat_id: int,
        message: RenderedMessage,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        reply = _reply_to(reply_to)
        if message.blocks:
            destination = {
                "chat_id": chat_id,
                "reply_parameters": reply,
                "message_thread_id": topic_id,
            }
            result = await self._do_rich("sendRichMessage", destination, message)
            return int(result["message_id"])
        reply_message = await self._bot.send_message(
            chat_id,
            message.text,
            entities=to_entities(message),
            link_preview_options=NO_PREVIEW,
            reply_parameters=reply,
            reply_markup=to_keyboard(message.buttons),
            message_thread_id=topic_id,
        )
        return reply_message.message_id

    async def _do_rich(
        self, method: str, destination: Mapping[str, Any], message: RenderedMessage
    ) -> Any:  # noqa: ANN401 - what the method returns
        """Call a method with a rich message; Telegram adds no links of its own."""
        rich_message = {"blocks": list(message.blocks), "skip_entity_detection": True}
        parameters = {
            **destination,
            "rich_message": rich_message,
            "reply_markup": to_keyboard(message.buttons),
        }
        try:
            return await self._bot.call(method, parameters)
        except (ChatBlockedError, MessageGoneError):
            raise
        except UpstreamRefusedError as error:
            # A server without this method answers as if the token were unknown.
            raise RichRefusedError("telegram", str(error)) from None

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        if message.blocks:
            destination = {"chat_id": chat_id, "message_id": message_id}
            await self._do_rich("editMessageText", destination, message)
            return
        await self._bot.edit_message_text(
            message.text,
            chat_id,
            message_id,
            entities=to_entities(message),
            link_preview_options=NO_PREVIEW,
            reply_markup=to_keyboard(message.buttons),
        )

    async def is_own(self, chat_id: int, message_id: int) -> bool:
        """Whether the bot sent the message with this id.

        A text has no caption, so an edit of its caption is refused with a specific error. For a
        photo without caption, the edit has no effect.
        """
        try:
            await self._bot.edit_message_caption(chat_id, message_id)
        except MessageGoneError:
            return False
        except UpstreamRefusedError as error:
            if _NO_CAPTION in str(error).lower():
                return True
            raise
        return True

    async def edit_buttons(
        self, chat_id: int, message_id: int, buttons: tuple[tuple[Button, ...], ...]
    ) -> None:
        await self._bot.edit_message_reply_markup(
            chat_id, message_id, reply_markup=to_keyboard(buttons)
        )

    async def send_widget(
        self,
        chat_id: int,
        widget: Widget,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        parameters = {
            "chat_id": chat_id,
            "html": widget.html,
            "chat_data": widget.state or None,
            "allow_queries": True,
            "reply_parameters": _reply_to(reply_to),
            "message_thread_id": topic_id,
        }
        result = await self._do_widget("sendWidget", parameters)
        return int(result["message_id"])

    async def edit_widget(self, chat_id: int, message_id: int, state: str) -> None:
        parameters = {"chat_id": chat_id, "message_id": message_id, "chat_data": state}
        await self._do_widget("editMessageWidgetData", parameters)

    async def _do_widget(self, method: str, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401 - what the method returns
        try:
            return await self._bot.call(method, parameters)
        except (ChatBlockedError, MessageGoneError):
            raise
        except UpstreamRefusedError as error:
            message = str(error).lower()
            # The library takes the 404 of a server without this method for an unknown token, too.
            if isinstance(error, TokenRefusedError) and _NO_METHOD not in message:
                raise
            kind = WidgetTooLargeError if _TOO_LARGE in message else WidgetRefusedError
            raise kind("telegram", str(error)) from None

    async def answer_widget(self, query_id: str, data: str) -> None:
        await self._bot.call(
            "answerWidgetQuery", {"widget_query_id": query_id, "data": data or None}
        )

    async def send_file(
        self, chat_id: int, file: FileToSend, *, topic_id: int | None = None
    ) -> int:
        content = InputFile(file.content, filename=file.name)
        return (
            await self._bot.send_document(chat_id, content, message_thread_id=topic_id)
        ).message_id

    async def send_photo(self, chat_id: int, content: bytes, *, topic_id: int | None = None) -> int:
        photo = InputFile(content, filename="picture.png")
        return (await self._bot.send_photo(chat_id, photo, message_thread_id=topic_id)).message_id

    async def send_voice(self, chat_id: int, content: bytes, *, topic_id: int | None = None) -> int:
        voice = InputFile(content, filename="voice.ogg")
        return (await self._bot.send_voice(chat_id, voice, message_thread_id=topic_id)).message_id

    async def send_draft(
        self,
        chat_id: int,
        draft_id: int,
        message: RenderedMessage,
        *,
        topic_id: int | None = None,
    ) -> None:
        await self._bot.send_message_draft(
            chat_id,
            draft_id,
            message.text,
            message_thread_id=topic_id,
            entities=to_entities(message),
            api_kwargs={"can_stop": True},
        )

    async def delete_message(self, chat_id: int, message_id: int) -> None:
        await self._bot.delete_message(chat_id, message_id)

    async def send_typing(self, chat_id: int, *, topic_id: int | None = None) -> None:
        await self._bot.send_chat_action(chat_id, ChatAction.TYPING, message_thread_id=topic_id)

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        await self._bot.answer_callback_query(callback_id, text or None)

    async def answer_guest(self, query_id: str, message: RenderedMessage) -> None:
        content = InputTextMessageContent(
            message.text, entities=to_entities(message), link_preview_options=NO_PREVIEW
        )
        # The title and the id are not shown, because the message is posted at once.
        result = InlineQueryResultArticle("answer", shorten(message.text, 64), content)
        await self._bot.answer_guest_query(query_id, result)

    async def set_commands(
        self,
        commands: Sequence[tuple[str, str]],
        *,
        language_code: str = "",
        chat_id: int | None = None,
        for_groups: bool = False,
    ) -> None:
        """Publish the commands for one language or, with "", for all others; in one chat or all."""
        scope = BotCommandScopeChat(chat_id) if chat_id is not None else None
        flags = {"is_ephemeral": True} if for_groups else None
        await self._bot.set_my_commands(
            [BotCommand(name, description, api_kwargs=flags) for name, description in commands],
            scope=BotCommandScopeAllGroupChats() if for_groups else scope,
            language_code=language_code or None,
        )

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        try:
            member = await self._bot.get_chat_member(chat_id, user_id)
        except UpstreamRefusedError:
            # A group that the bot is not in, or a user whom Telegram does not know there.
            return False
        if isinstance(member, ChatMemberRestricted):
            return member.is_member
        return member.status in _MEMBERS

    async def set_webhook(self, url: str, secret: str, allowed_updates: Sequence[str]) -> None:
        await self._bot.set_webhook(
            url,
            secret_token=secret,
            allowed_updates=list(allowed_updates),
            drop_pending_updates=False,
        )

    async def delete_webhook(self) -> None:
        await self._bot.delete_webhook(drop_pending_updates=False)

    async def get_webhook(self) -> WebhookInfo:
        info = await self._bot.get_webhook_info()
        return WebhookInfo(
            info.url,
            info.pending_update_count,
            redact(info.last_error_message or ""),
            info.last_error_date,
        )

    async def get_updates(
        self, offset: int | None, timeout_s: int, allowed_updates: Sequence[str]
    ) -> list[bytes]:
        parameters = {
            "offset": offset,
            "timeout": timeout_s,
            "allowed_updates": list(allowed_updates),
        }
        updates = await self._bot.get_raw_updates(parameters, timeout_s + self._options.read_s)
        return [json.dumps(update).encode() for update in updates]

    async def reconnect(self) -> None:
        """Close the connection for polling and open a new one."""
        await self._polling.shutdown()
        await self._polling.initialize()

    async def fetch(self, file_id: str) -> bytes:
        """Return the bytes of a file that a user sent, within the limits of size and time.

        Raises: ImageRefusedError("too_large").
        """
        file = await self._bot.get_file(file_id)
        if file.file_size is not None and file.file_size > self._options.max_file_bytes:
            raise ImageRefusedError("too_large", f"{file.file_size:,} bytes")
        return await self._downloads.fetch(file.file_path or "")
