"""Interface of the Bot API; `upstreams/telegram/bot_api.py` implements it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import User
from rich_agent.errors import UpstreamRefusedError


@dataclass(frozen=True, slots=True)
class TextEntity:
    """A span of a message; `offset` and `length` count UTF-16 units.

    `moment` is the time of a `date_time`, which readers see in their own time zone.
    Source: Bot API, MessageEntity.
    """

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None
    moment: datetime | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message; `data` (1..64 bytes) comes back when it is pressed.

    Instead of `data`, it may open a page: `url` in a browser, `app_url` as a Mini App.
    Source: Bot API, InlineKeyboardButton.
    """

    text: str
    data: str = ""
    url: str | None = None
    app_url: str | None = None


Keyboard = tuple[tuple[Button, ...], ...]
"""Rows of buttons."""


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A pressed button, whose data is `verb` or `verb:argument`.

    `message_id` is the button's message, 0 if messages have no numbers; `keyboard` are the buttons
    of that message, () if unknown.
    """

    data: str
    user: User
    message_id: int = 0
    keyboard: Keyboard = ()
    update_id: int = 0

    @property
    def user_id(self) -> int:
        """The id of the user who pressed it."""
        return self.user.telegram_user_id

    @property
    def verb(self) -> str:
        """The action of the button: its data before the first colon."""
        return self.data.partition(":")[0]

    @property
    def argument(self) -> str:
        """The object of the verb: the button's data after the first colon."""
        return self.data.partition(":")[2]


RichBlock = Mapping[str, Any]
"""A block of a rich message. Source: Bot API, InputRichBlock."""
RICH_WORDS = ("summary", "text", "expression", "cells", "items", "blocks")
"""The fields of a block or a rich text that hold words, in order."""


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """A text in Telegram's form: at most 4096 UTF-16 units, with at most 100 entities."""

    text: str
    entities: tuple[TextEntity, ...] = ()
    buttons: Keyboard = ()
    """Rows of buttons under the message; an edit without buttons removes them."""
    blocks: tuple[RichBlock, ...] = ()
    """The blocks of a rich message, of which `text` is only the beginning."""
    living: LivingBlock | None = None
    """What the message says, as a block that is shown instead of it where one can be."""


@dataclass(frozen=True, slots=True)
class FileToSend:
    """A file for the user, at most 50 MB. Source: Bot API, sendDocument."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """The bot that the token belongs to."""

    id: int
    username: str
    has_topics: bool = False
    """Whether its private chats may have topics."""
    is_guest: bool = False
    """Whether it may be asked in chats of which it is no member."""
    name: str = ""
    """The name that people read."""


@dataclass(frozen=True, slots=True)
class WebhookInfo:
    """The state of the webhook. Source: Bot API, WebhookInfo."""

    url: str
    """Its address, "" for none."""
    pending: int = 0
    """The number of waiting updates."""
    last_error: str = ""
    """The error of the last failed delivery."""
    last_error_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Widget:
    """A document that runs inside a message, and the state that it shows.

    Source: Bot API, sendWidget.
    """

    html: str
    """1 to 32,768 bytes, at most 4,096 compressed by zlib."""
    state: str = ""
    """Up to 1,024 bytes, seen in the chat alone."""


class RichRefusedError(UpstreamRefusedError):
    """Telegram refuses a rich message; its text may be sent in ordinary messages."""


class WidgetRefusedError(UpstreamRefusedError):
    """Telegram shows no widget in this chat; a message may be sent instead."""


class WidgetTooLargeError(WidgetRefusedError):
    """Telegram does not take this widget because of its size; it may take others in the chat."""


@dataclass(frozen=True, slots=True)
class EphemeralPlace:
    """The place for messages in a group that only its member `receiver_id` and the bot see.

    `reply_to` is the question. It is ephemeral itself if there is a `reply_to_ephemeral`, to which
    Telegram takes replies for 15 s. Without it, or later, Telegram takes such messages only from a
    bot that is an administrator of the group.
    Source: https://core.telegram.org/bots/api#ephemeral-messages-and-commands
    """

    chat_id: int
    receiver_id: int
    reply_to: int | None = None
    reply_to_ephemeral: int | None = None
    topic_id: int | None = None


class NotEphemeralError(UpstreamRefusedError):
    """Everybody in the group sees the message `message_id`, which was meant for one member."""

    def __init__(self, service: str, message_id: int) -> None:
        super().__init__(service, "the Bot API server knows no ephemeral messages")
        self.message_id = message_id


class EphemeralApi(Protocol):
    """The methods of the Bot API for messages that one member of a group sees.

    A server older than Bot API 10.2 ignores the parameter that makes a message ephemeral, so that
    everybody sees it. Therefore `send` is for texts that everybody may read, and what only the
    receiver may read is put in their place by `edit`, which such a server does not know.

    Ephemeral messages have ids of their own. Telegram does not tell whether a message arrived.
    Every method may raise the errors of `TelegramApi`.
    """

    async def is_known(self, place: EphemeralPlace) -> bool:
        """Whether the server knows the methods for ephemeral messages; nothing is sent."""

    async def send(self, place: EphemeralPlace, message: RenderedMessage) -> int:
        """Send a message; return its id. A question that cannot be replied to is left out.

        Raises: NotEphemeralError; UpstreamRefusedError where Telegram does not permit it.
        """

    async def edit(self, place: EphemeralPlace, message_id: int, message: RenderedMessage) -> None:
        """Replace a message's text. Raises: EntitiesRefusedError, MessageGoneError."""

    async def delete(self, place: EphemeralPlace, message_id: int) -> None:
        """Delete a message. Raises: MessageGoneError."""


class TelegramApi(Protocol):
    """The methods of the Bot API that the bot uses.

    Every method may raise UpstreamRateLimitedError, UpstreamUnavailableError (nothing was done),
    UpstreamTimeoutError or OutcomeUnknownError (it may have been done), UpstreamRefusedError.

    `topic_id` is the topic of a private chat; if the topic is gone, messages go to the chat.
    """

    async def get_me(self) -> BotIdentity:
        """Return the bot's identity."""

    async def send_message(
        self,
        chat_id: int,
        message: RenderedMessage,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        """Send a message without link preview; return its id.

        Raises: ChatBlockedError, EntitiesRefusedError, RichRefusedError.
        """

    async def edit_message(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """Replace a message's text; it is not an error if the text is the same.

        Raises: ChatBlockedError, EntitiesRefusedError, MessageGoneError, RichRefusedError.
        """

    async def is_own(self, chat_id: int, message_id: int) -> bool:
        """Whether the bot sent the message with this id.

        The check changes nothing, except for a photo or file with a caption; the bot sends none.
        """

    async def edit_buttons(self, chat_id: int, message_id: int, buttons: Keyboard) -> None:
        """Replace the buttons under a message; it is not an error if they are the same.

        Raises: ChatBlockedError, MessageGoneError.
        """

    async def send_widget(
        self,
        chat_id: int,
        widget: Widget,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        """Send a widget to a private chat; return the message's id.

        Raises: ChatBlockedError, WidgetRefusedError, WidgetTooLargeError.
        """

    async def edit_widget(self, chat_id: int, message_id: int, state: str) -> None:
        """Replace the state of a widget.

        Raises: ChatBlockedError, MessageGoneError, WidgetRefusedError.
        """

    async def answer_widget(self, query_id: str, data: str) -> None:
        """Answer a widget's query, within 15 seconds of it, with up to 1,024 bytes."""

    async def send_file(
        self, chat_id: int, file: FileToSend, *, topic_id: int | None = None
    ) -> int:
        """Send a file; return the message's id. Raises: ChatBlockedError."""

    async def send_photo(self, chat_id: int, content: bytes, *, topic_id: int | None = None) -> int:
        """Send a picture (PNG or JPEG, at most 10 MB) without caption; return the message's id.

        Raises: ChatBlockedError. Source: Bot API, sendPhoto.
        """

    async def send_voice(self, chat_id: int, content: bytes, *, topic_id: int | None = None) -> int:
        """Send speech (OGG with Opus, at most 50 MB) without caption; return the message's id.

        Raises: ChatBlockedError. Source: Bot API, sendVoice.
        """

    async def send_draft(
        self,
        chat_id: int,
        draft_id: int,
        message: RenderedMessage,
        *,
        topic_id: int | None = None,
    ) -> None:
        """Show a draft for 30 s, with a stop button; Telegram animates changes of the same draft.

        The next message replaces it. Without text it shows "Thinking…".
        """

    async def delete_message(self, chat_id: int, message_id: int) -> None:
        """Delete a message of the bot.

        Raises: MessageGoneError; UpstreamRefusedError if it is more than two days old.
        """

    async def send_typing(self, chat_id: int, *, topic_id: int | None = None) -> None:
        """Show "typing…" for 5 seconds."""

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """End the progress mark on a pressed button, and show `text` briefly unless it is empty."""

    async def answer_guest(self, query_id: str, message: RenderedMessage) -> None:
        """Post the one message that answers a guest query, without link preview.

        Raises: EntitiesRefusedError. Source: Bot API, answerGuestQuery.
        """

    async def set_commands(
        self,
        commands: Sequence[tuple[str, str]],
        *,
        language_code: str = "",
        chat_id: int | None = None,
        for_groups: bool = False,
    ) -> None:
        """Publish commands as (name, description) for a chat, or for all without their own list.

        Those `for_groups` are for all groups; clients send them so that only the bot sees them.
        `language_code` "" stands for all languages without their own list.
        """

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Whether a user is in a group; False if the bot cannot know it."""

    async def set_webhook(self, url: str, secret: str, allowed_updates: Sequence[str]) -> None:
        """Have updates posted to `url`; waiting updates are kept."""

    async def get_webhook(self) -> WebhookInfo:
        """The state of the webhook."""

    async def delete_webhook(self) -> None:
        """Return to polling; waiting updates are kept."""

    async def get_updates(
        self, offset: int | None, timeout_s: int, allowed_updates: Sequence[str]
    ) -> list[bytes]:
        """Raw updates from `offset` on, which confirms earlier ones; [] after `timeout_s`.

        Raises: UpdatesConflictError if another program takes the updates.
        """

    async def reconnect(self) -> None:
        """Close the connections for polling and open new ones."""
