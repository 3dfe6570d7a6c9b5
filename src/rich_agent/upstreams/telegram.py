"""The Bot API over python-telegram-bot, errors in our own words. No bot token gets out."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
from telegram import Bot, BotCommand, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.constants import ChatAction
from telegram.error import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    TelegramError,
)
from telegram.request import HTTPXRequest

from rich_agent.domain.redaction import redact
from rich_agent.errors import (
    ChatBlockedError,
    EntitiesRefusedError,
    ImageRefusedError,
    MessageGoneError,
    OutcomeUnknownError,
    RichAgentError,
    TokenRefusedError,
    UpdatesConflictError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.telegram_ports import BotIdentity, RenderedMessage
from rich_agent.upstreams.redaction import redact_library_logs

SERVICE = "telegram"
_TOO_MANY_REQUESTS = 429
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_BLOCKED = ("chat not found", "user is deactivated", "bot was blocked")
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")


@dataclass(frozen=True, slots=True)
class TelegramOptions:
    """Deadlines in seconds, connections at once, and the most that is downloaded of a file.

    `max_file_bytes` is getFile's limit. Source: Bot API, getFile.
    """

    connect_s: float = 5.0
    read_s: float = 15.0
    connections: int = 64
    max_file_bytes: int = 20_000_000


class _FloodControlError(TelegramError):
    """Telegram's 429; PTB's own class warns about its type whenever it is made."""

    def __init__(self, retry_after_s: float | None) -> None:
        super().__init__("Too Many Requests")
        self.retry_after_s = retry_after_s


async def _raise_flood_control(response: httpx.Response) -> None:
    if response.status_code != _TOO_MANY_REQUESTS:
        return
    await response.aread()
    try:
        retry_after = response.json()["parameters"]["retry_after"]
    except (ValueError, KeyError, TypeError):
        retry_after = None
    raise _FloodControlError(float(retry_after) if retry_after is not None else None)


class _UpdatesBot(Bot):
    """A bot that also hands out updates as they came, so that the inbox can keep them."""

    async def get_raw_updates(self, parameters: dict[str, Any], read_s: float) -> list[Any]:
        """The list in getUpdates' answer."""
        found = await self._post("getUpdates", parameters, read_timeout=read_s)
        return list(found)


class TelegramClient:
    """Implements `TelegramApi` and `ImageFiles`; use it with `async with`."""

    def __init__(self, token: str, base_url: str, options: TelegramOptions | None = None) -> None:
        redact_library_logs()
        self._options = options or TelegramOptions()
        local = urlsplit(base_url).hostname in _LOOPBACK
        self._requests = self._open(self._options.connections, local=local)
        # A connection of its own, so that waiting for updates never delays an answer.
        self._polling = self._open(1, local=local)
        self._bot = _UpdatesBot(
            token,
            base_url=f"{base_url}/bot",
            base_file_url=f"{base_url}/file/bot",
            request=self._requests,
            get_updates_request=self._polling,
        )

    def _open(self, connections: int, *, local: bool) -> HTTPXRequest:
        options = self._options
        return HTTPXRequest(
            connection_pool_size=connections,
            connect_timeout=options.connect_s,
            read_timeout=options.read_s,
            write_timeout=options.read_s,
            pool_timeout=options.connect_s,
            httpx_kwargs={
                # A proxy of the environment cannot reach this machine's own servers.
                "trust_env": not local,
                "event_hooks": {"response": [_raise_flood_control]},
            },
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._requests.shutdown()
        await self._polling.shutdown()

    async def get_me(self) -> BotIdentity:
        """Who the bot is."""
        async with self._translated():
            me = await self._bot.get_me()
        return BotIdentity(me.id, me.username or "")

    async def send_message(
        self, chat_id: int, message: RenderedMessage, *, reply_to: int | None = None
    ) -> int:
        """Send; the new message's id."""
        reply = (
            ReplyParameters(reply_to, allow_sending_without_reply=True)
            if reply_to is not None
            else None
        )
        async with self._translated():
            sent = await self._bot.send_message(
                chat_id,
                message.text,
                entities=_to_entities(message),
                link_preview_options=_NO_PREVIEW,
                reply_parameters=reply,
            )
        return sent.message_id

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """Replace a message's text; one that shows the text already is fine."""
        async with self._translated():
            try:
                await self._bot.edit_message_text(
                    message.text,
                    chat_id,
                    message_id,
                    entities=_to_entities(message),
                    link_preview_options=_NO_PREVIEW,
                )
            except BadRequest as error:
                if "message is not modified" not in error.message.lower():
                    raise

    async def send_typing(self, chat_id: int) -> None:
        """Show "typing…" for 5 seconds."""
        async with self._translated():
            await self._bot.send_chat_action(chat_id, ChatAction.TYPING)

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """End the waiting mark on a pressed button."""
        async with self._translated():
            await self._bot.answer_callback_query(callback_id, text or None)

    async def set_commands(
        self, commands: Sequence[tuple[str, str]], language_code: str = ""
    ) -> None:
        """Publish the commands for one language, "" for all others."""
        async with self._translated():
            await self._bot.set_my_commands(
                [BotCommand(name, description) for name, description in commands],
                language_code=language_code or None,
            )

    async def set_webhook(self, url: str, secret: str, allowed_updates: Sequence[str]) -> None:
        """Have updates posted to `url`."""
        async with self._translated():
            await self._bot.set_webhook(
                url,
                secret_token=secret,
                allowed_updates=list(allowed_updates),
                drop_pending_updates=False,
            )

    async def delete_webhook(self) -> None:
        """Go back to polling."""
        async with self._translated():
            await self._bot.delete_webhook(drop_pending_updates=False)

    async def get_webhook_url(self) -> str:
        """Where updates are posted, "" without a webhook."""
        async with self._translated():
            return (await self._bot.get_webhook_info()).url

    async def get_updates(
        self, offset: int | None, timeout_s: int, allowed_updates: Sequence[str]
    ) -> list[bytes]:
        """Raw updates from `offset` on."""
        parameters = {
            "offset": offset,
            "timeout": timeout_s,
            "allowed_updates": list(allowed_updates),
        }
        async with self._translated():
            found = await self._bot.get_raw_updates(parameters, timeout_s + self._options.read_s)
        return [json.dumps(update).encode() for update in found]

    async def reconnect(self) -> None:
        """Drop the connection on which updates are awaited and open a new one."""
        await self._polling.shutdown()
        await self._polling.initialize()

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of a file that a user sent.

        Raises: ImageRefusedError("too_large").
        """
        limit = self._options.max_file_bytes
        async with self._translated():
            try:
                file = await self._bot.get_file(file_id)
            except BadRequest as error:
                if "too big" in error.message.lower():
                    raise ImageRefusedError("too_large", f"over {limit:,} bytes") from None
                raise
            if file.file_size is not None and file.file_size > limit:
                raise ImageRefusedError("too_large", f"{file.file_size:,} bytes")
            return bytes(await file.download_as_bytearray())

    @asynccontextmanager
    async def _translated(self) -> AsyncIterator[None]:
        try:
            yield
        except TelegramError as error:
            # From None: the chain holds requests, and their URLs hold the token.
            raise _translate(error, self._options.read_s) from None


def _to_entities(message: RenderedMessage) -> list[MessageEntity] | None:
    return [
        MessageEntity(e.type, e.offset, e.length, url=e.url, language=e.language)
        for e in message.entities
    ] or None


def _translate(error: TelegramError, deadline_s: float) -> RichAgentError:
    message = redact(error.message)
    translated: RichAgentError
    match error:
        case _FloodControlError():
            translated = UpstreamRateLimitedError(SERVICE, error.retry_after_s)
        case Forbidden():
            translated = ChatBlockedError(SERVICE, message)
        case InvalidToken():
            mend = "Check TELEGRAM_BOT_TOKEN: @BotFather shows the token of your bot."
            translated = TokenRefusedError(SERVICE, message, mend=mend)
        case Conflict():
            translated = UpdatesConflictError(SERVICE, message)
        case BadRequest():
            translated = _translate_bad_request(message)
        case NetworkError():
            translated = _translate_network_error(error, message, deadline_s)
        case _:
            # A 200 whose body is no JSON: the work was done, its result did not arrive.
            translated = OutcomeUnknownError(SERVICE, message)
    return translated


def _translate_bad_request(message: str) -> RichAgentError:
    words = message.lower()
    if any(phrase in words for phrase in _GONE):
        return MessageGoneError(SERVICE, message)
    if any(phrase in words for phrase in _BLOCKED):
        return ChatBlockedError(SERVICE, message)
    if "entit" in words:
        return EntitiesRefusedError(SERVICE, message)
    return UpstreamRefusedError(SERVICE, message)


def _translate_network_error(
    error: NetworkError, message: str, deadline_s: float
) -> RichAgentError:
    cause = error.__cause__
    if isinstance(cause, _NOT_SENT):
        return UpstreamUnavailableError(SERVICE, message)
    if isinstance(cause, httpx.TimeoutException):
        return UpstreamTimeoutError(SERVICE, deadline_s)
    if isinstance(cause, httpx.TransportError):
        return OutcomeUnknownError(SERVICE, message)
    return UpstreamUnavailableError(SERVICE, message)
