"""Interface of the Bot API; `upstreams/telegram/bot_api.py` implements it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TextEntity:
    """A span of a message; `offset` and `length` count UTF-16 units.

    Source: Bot API, MessageEntity.
    """

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message; `data`, 1..64 bytes, comes back when it is pressed.

    Source: Bot API, InlineKeyboardButton.
    """

    text: str
    data: str


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """A text as Telegram takes it, at most 4096 UTF-16 units with at most 100 entities.

    `buttons` are rows under the message; an edit without them takes them away.
    """

    text: str
    entities: tuple[TextEntity, ...] = ()
    buttons: tuple[tuple[Button, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class FileToSend:
    """A file for the user, at most 50 MB. Source: Bot API, sendDocument."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """Who the token belongs to; `has_topics`: its private chats may have topics."""

    id: int
    username: str
    has_topics: bool = False


@dataclass(frozen=True, slots=True)
class WebhookInfo:
    """Where updates are posted ("": nowhere), how many wait, and the last failed delivery.

    Source: Bot API, WebhookInfo.
    """

    url: str
    pending: int = 0
    last_error: str = ""
    last_error_at: datetime | None = None


class TelegramApi(Protocol):
    """The Bot API's methods that the bot uses.

    Every method may raise UpstreamRateLimitedError, UpstreamUnavailableError (nothing was done),
    UpstreamTimeoutError or OutcomeUnknownError (it may have been done), UpstreamRefusedError.

    `topic_id` is the topic of a private chat; what was meant for one that is gone goes to the chat.
    """

    async def get_me(self) -> BotIdentity:
        """Who the bot is."""

    async def send_message(
        self,
        chat_id: int,
        message: RenderedMessage,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        """Send without link preview; the new message's id.

        Raises: ChatBlockedError, EntitiesRefusedError.
        """

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """Replace a message's text; a text that it has already is no error.

        Raises: ChatBlockedError, EntitiesRefusedError, MessageGoneError.
        """

    async def is_own_text(self, chat_id: int, message_id: int) -> bool:
        """Whether the chat has a message of this id that is a text and the bot's; changes none."""

    async def edit_buttons(
        self, chat_id: int, message_id: int, buttons: tuple[tuple[Button, ...], ...]
    ) -> None:
        """Replace the buttons under a message; the same ones again are no error.

        Raises: ChatBlockedError, MessageGoneError.
        """

    async def send_file(
        self, chat_id: int, file: FileToSend, *, topic_id: int | None = None
    ) -> int:
        """Send a file to be downloaded; the new message's id.

        Raises: ChatBlockedError.
        """

    async def send_draft(
        self,
        chat_id: int,
        draft_id: int,
        message: RenderedMessage,
        *,
        topic_id: int | None = None,
    ) -> None:
        """Show a preview for 30 s, with a button to stop it; the same number animates the change.

        A message takes its place. Without text it shows "Thinking…".
        """

    async def delete_message(self, chat_id: int, message_id: int) -> None:
        """Take a message of the bot away.

        Raises: MessageGoneError; UpstreamRefusedError for one of more than two days ago.
        """

    async def send_typing(self, chat_id: int, *, topic_id: int | None = None) -> None:
        """Show "typing…" for 5 seconds."""

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """End the waiting mark on a pressed button."""

    async def set_commands(
        self,
        commands: Sequence[tuple[str, str]],
        *,
        language_code: str = "",
        chat_id: int | None = None,
    ) -> None:
        """Publish (name, description) of the commands, for one chat or for all without a list.

        `language_code` "" is for all languages without a list of their own.
        """

    async def set_webhook(self, url: str, secret: str, allowed_updates: Sequence[str]) -> None:
        """Have updates posted to `url`; what waits is kept."""

    async def get_webhook(self) -> WebhookInfo:
        """Where updates are posted, and how that went."""

    async def delete_webhook(self) -> None:
        """Go back to polling; what waits is kept."""

    async def get_updates(
        self, offset: int | None, timeout_s: int, allowed_updates: Sequence[str]
    ) -> list[bytes]:
        """Raw updates from `offset` on, confirming those before; [] after `timeout_s`.

        Raises: UpdatesConflictError if someone else takes them.
        """

    async def reconnect(self) -> None:
        """Drop the connections on which updates are awaited and open new ones."""
