"""The connections that all deliveries share, and the target of an answer."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.domain.answer.citation import Answer
from rich_agent.errors import (
    ChatBlockedError,
    EntitiesRefusedError,
    MessageGoneError,
    UpstreamRefusedError,
    WidgetOutgrownError,
)
from rich_agent.ports.accounts import Users
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.ports.outbox import Outbox, Place
from rich_agent.ports.widgets import SentWidget, WidgetPlace
from rich_agent.rendering.message_markdown import as_markdown
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.living_messages import LivingMessages
from rich_agent.telegram.deliver.retries import RetryPolicy
from rich_agent.times import Clocks

NOTICE = -1
"""Part number of a notice that does not become the answer."""
Hold = Callable[[], Awaitable[None]]
"""Confirms that this worker still holds the user's lane. Raises: LaneLostError."""


@dataclass(frozen=True, slots=True)
class ReplyTarget:
    """The update that is answered, and the place and form of its answer.

    - `update_id`: the update that is answered.
    - `allowed_links`: the URLs that the user wrote.
    - `reply_to`: the id of the message that a late answer replies to.
    - `handled_id`: the update being handled, if it is another update, such as an edit of the
      question.
    - `after_id`: the id of the message that the answer follows in the chat.
    - `topic_id`: the topic of the chat that the answer belongs to.
    - `media_text`: the text of the user's media, such as a recording.
    - `is_of_media`: whether the user made these media themselves.
    - `time_zone`: the user's time zone, "" while it is unknown.
    """

    update_id: int
    chat_id: int
    locale: str
    allowed_links: frozenset[str] = frozenset()
    reply_to: int | None = None
    handled_id: int | None = None
    after_id: int = 0
    topic_id: int | None = None
    media_text: str = ""
    is_of_media: bool = False
    time_zone: str = ""

    @property
    def clocks(self) -> Clocks:
        """The reader's clocks, for times in a message."""
        return Clocks(self.locale, self.time_zone)

    @property
    def place(self) -> Place:
        """The place for new messages in the outbox."""
        return Place(self.chat_id, self.after_id, self.topic_id)

    @property
    def in_hand(self) -> int:
        """The id of the update being handled, which a stop request names."""
        return self.handled_id or self.update_id


class Recipe(Protocol):
    """A part of an answer that is made for each send, such as a picture."""

    @property
    def text(self) -> str:
        """The text that the outbox records for the part once it is sent."""
        ...

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """Make and send the part; return the message's id. Raises: UpstreamError."""
        ...


FollowUp = Callable[[Answer, ReplyTarget], Awaitable[Recipe | None]]
"""Returns the recipe of a message that follows an answer, None for no message."""


class ConversationNotes(Protocol):
    """The conversations on pages, where people without Telegram read everything."""

    async def tell(self, user_id: int, update_id: int, text: str) -> None:
        """Write a message into the user's main conversation, once for each update.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Messenger:
    """The connections that all deliveries share; `notes` is for people without Telegram.

    `living` shows blocks as widgets; without it, all messages are texts.
    """

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    notes: ConversationNotes | None = None
    living: LivingMessages | None = None

    async def send(
        self,
        chat_id: int,
        message: RenderedMessage,
        *,
        reply_to: int | None = None,
        topic_id: int | None = None,
    ) -> int:
        """Send a message, as a widget where one can be shown; return the message's id.

        Raises: the errors of `TelegramApi.send_message`.
        """
        if message.living and self.living:
            place = WidgetPlace(chat_id, reply_to, topic_id)
            if message_id := await self.living.send(message.living, place):
                return message_id
        return await self.api.send_message(chat_id, message, reply_to=reply_to, topic_id=topic_id)

    async def edit(self, chat_id: int, message_id: int, message: RenderedMessage) -> None:
        """Replace the content of a message, or the state of a widget.

        Raises: the errors of `TelegramApi.edit_message`; WidgetOutgrownError if a widget cannot
        show the message, after which the widget is gone.
        """
        living = self.living
        may_be_widget = living and (message.living or living.are_in(chat_id))
        if living and may_be_widget and await living.edit(chat_id, message_id, message.living):
            return
        try:
            await self.api.edit_message(chat_id, message_id, message)
        except (ChatBlockedError, MessageGoneError, EntitiesRefusedError):
            raise
        except UpstreamRefusedError:
            # A widget, from a time when widgets were on, has no text that could be replaced.
            if living is None or not await living.edit(chat_id, message_id, None):
                raise

    async def edit_or_send(
        self, chat_id: int, message_id: int, message: RenderedMessage, topic_id: int | None
    ) -> None:
        """Edit a message; a widget that cannot show the new content is sent anew.

        Raises: the errors of `TelegramApi.send_message` and `TelegramApi.edit_message`.
        """
        try:
            await self.edit(chat_id, message_id, message)
        except WidgetOutgrownError:
            await self.send(chat_id, message, topic_id=topic_id)
            if self.living:
                await self.living.widgets.forget(chat_id, message_id)

    async def widget(self, chat_id: int, message_id: int) -> SentWidget | None:
        """The widget of a message, None for other messages."""
        return await self.living.widgets.find(chat_id, message_id) if self.living else None

    async def must_be_sent_anew(self, chat_id: int, message_id: int, message: object) -> bool:
        """Whether a message that is a text has to become a widget."""
        block = message.living if isinstance(message, RenderedMessage) else None
        if block is None or self.living is None:
            return False
        return await self.living.may_become_widget(chat_id, message_id, block)

    async def write_down(
        self, user_id: int, update_id: int, messages: Sequence[RenderedMessage]
    ) -> None:
        """Write messages into the main conversation of a person without Telegram, once.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        if self.notes:
            text = "\n\n".join(as_markdown(message).rstrip() for message in messages)
            await self.notes.tell(user_id, update_id, text)
