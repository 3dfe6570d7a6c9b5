"""What every message of the bot goes through, and the update that it answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from rich_agent.ports.accounts import Users
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.outbox import Outbox, Place
from rich_agent.telegram.deliver.limiter import Limiter
from rich_agent.telegram.deliver.retry_policy import RetryPolicy

DEFAULT_RETRY_AFTER_S = 5.0
NOTICE = -1
"""The part of a notice that does not grow into the answer."""
Hold = Callable[[], Awaitable[None]]
"""Confirms that the user's lane is still ours. Raises: LaneLostError."""


@dataclass(frozen=True, slots=True)
class ReplyTarget:
    """The update that is answered, and how.

    `allowed_links` are the URLs that the user wrote; `reply_to` is the message that a late answer
    hangs on to. `handled_id` is the update in hand when that is another: an edit of the question.
    Messages of the answer come after the message `after_id`, in the topic `topic_id` of the chat.
    """

    update_id: int
    chat_id: int
    locale: str
    allowed_links: frozenset[str] = frozenset()
    reply_to: int | None = None
    handled_id: int | None = None
    after_id: int = 0
    topic_id: int | None = None

    @property
    def place(self) -> Place:
        """Where the outbox begins its messages."""
        return Place(self.chat_id, self.after_id, self.topic_id)

    @property
    def in_hand(self) -> int:
        """The update whose handling writes this answer; by it the answer is stopped."""
        return self.handled_id or self.update_id


@dataclass(frozen=True, slots=True)
class Messenger:
    """What every delivery goes through."""

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
