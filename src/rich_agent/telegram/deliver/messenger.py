"""Connections that every delivery sends with, and where an answer goes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.domain.answer.citation import Answer
from rich_agent.ports.accounts import Users
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.outbox import Outbox, Place
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.retries import RetryPolicy
from rich_agent.times import Clocks

NOTICE = -1
"""Part number of a notice that does not become the answer."""
Hold = Callable[[], Awaitable[None]]
"""Confirms that this worker still holds the user's lane. Raises: LaneLostError."""


@dataclass(frozen=True, slots=True)
class ReplyTarget:
    """The update that is answered, and how.

    `allowed_links` are the URLs that the user wrote; `reply_to` is the message that a late answer
    replies to. `handled_id` is the update being handled if it differs, such as an edit of the
    question. Messages of the answer come after the message `after_id`, in the topic `topic_id`.
    `media_text` is the text of what the user sent as media, such as a recording;
    `is_of_media` if the user made these. `time_zone` is where their clocks are, "" while that is
    not known.
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
        """The clocks of the reader, as of now."""
        return Clocks(self.locale, self.time_zone)

    @property
    def place(self) -> Place:
        """The place for new messages in the outbox."""
        return Place(self.chat_id, self.after_id, self.topic_id)

    @property
    def in_hand(self) -> int:
        """The update being handled; a stop request names this one."""
        return self.handled_id or self.update_id


class Recipe(Protocol):
    """A part that is made each time it is sent, such as a picture; `text` stands in the outbox."""

    @property
    def text(self) -> str:
        """The text that the outbox notes of it once it is there."""
        ...

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """Make and send it; returns the message's id. Raises: UpstreamError."""
        ...


FollowUp = Callable[[Answer, ReplyTarget], Awaitable[Recipe | None]]
"""Makes the recipe of a message that follows an answer, None for nothing."""


@dataclass(frozen=True, slots=True)
class Messenger:
    """The connections that every delivery sends with."""

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
