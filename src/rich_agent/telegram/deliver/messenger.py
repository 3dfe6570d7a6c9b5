"""The connections that every delivery sends with, and the update that it answers."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.domain.voice import SpeechMode
from rich_agent.errors import (
    DatabaseUnavailableError,
    DeliveryPostponedError,
    MessageGoneError,
    RichAgentError,
    UpstreamRateLimitedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.accounts import Users
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.outbox import Outbox, Place
from rich_agent.telegram.deliver.limiter import Limiter

DEFAULT_RETRY_AFTER_S = 5.0
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
    `heard` is what was said in recordings; `is_spoken_to` if the user said it. `speech` is what the
    user chose.
    """

    update_id: int
    chat_id: int
    locale: str
    allowed_links: frozenset[str] = frozenset()
    reply_to: int | None = None
    handled_id: int | None = None
    after_id: int = 0
    topic_id: int | None = None
    heard: str = ""
    is_spoken_to: bool = False
    speech: SpeechMode | None = None

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


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The number of tries to send a final text after failures (first pause in s) and after 429s.

    If a chat is closed for more than `longest_wait_s`, or Telegram cannot be reached, the worker
    does not wait: the answer is tried again after `postponed_s`.
    """

    tries: int = 5
    first_pause_s: float = 0.5
    flood_tries: int = 10
    longest_wait_s: float = 5.0
    postponed_s: float = 30.0


@dataclass(slots=True)
class Retries:
    """Counts failed tries, and waits before the next one."""

    retry_policy: RetryPolicy
    failures: int = 0
    floods: int = 0

    async def pause_after(self, error: RichAgentError) -> None:
        """Wait. Raises: DeliveryPostponedError after the last try; `error` if it is permanent."""
        match error:
            case MessageGoneError():
                return
            case UpstreamRateLimitedError():
                # The limiter waits: it knows for how long this chat is closed.
                self.floods += 1
                if self.floods < self.retry_policy.flood_tries:
                    return
            case UpstreamUnavailableError() | UpstreamTimeoutError() | DatabaseUnavailableError():
                self.failures += 1
                if self.failures < self.retry_policy.tries:
                    await asyncio.sleep(self.retry_policy.first_pause_s * 2 ** (self.failures - 1))
                    return
            case _:
                raise error
        raise DeliveryPostponedError(self.retry_policy.postponed_s, str(error)) from error


@dataclass(frozen=True, slots=True)
class Messenger:
    """The connections that every delivery sends with."""

    api: TelegramApi
    outbox: Outbox
    users: Users
    limiter: Limiter
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
