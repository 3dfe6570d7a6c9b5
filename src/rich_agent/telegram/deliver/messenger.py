"""Connections that deliveries share, within Telegram's limits of rate, and where each goes."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import links_in
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.errors import (
    DatabaseUnavailableError,
    DeliveryPostponedError,
    MessageGoneError,
    RichAgentError,
    UpstreamRateLimitedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.accounts import Account, Users
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.outbox import Outbox, Place, SendingRate
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.receive.inbound import (
    Command,
    Edit,
    Press,
    Turn,
    Unsupported,
)
from rich_agent.times import Clocks

UNTOLD_S = 1.0
"""Seconds before a message while the database cannot say what all processes send."""
REFUSED_S = 0.1
"""Seconds for which a refusal for all chats together holds for the next ones; many ask again."""
_SPARE_OF_ALL = 3
_IDLE_CHATS = 10_000


def _ignore(*_: float) -> None:
    """Callback that counts nothing."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Messages per second and burst size for one private chat.

    Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    """

    chat_per_s: float = 1.0
    chat_burst: float = 4.0


@dataclass(slots=True)
class _Bucket:
    rate_per_s: float
    burst: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def wait_s(self, now: float, tokens: float = 1.0) -> float:
        """Seconds until that many tokens are available, 0 for now."""
        if now < self.closed_until:
            return self.closed_until - now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        return max(0.0, (tokens - self.tokens) / self.rate_per_s)

    def is_idle(self, now: float) -> bool:
        return self.wait_s(now) == 0 and self.tokens >= self.burst


@dataclass(slots=True)
class Limiter:
    """A token bucket for each chat, and `total` for all chats; `clock` returns monotonic seconds.

    A chat is served by one process at a time, so its bucket is this process's own; `total` is
    shared by all. At most one message of a process has a reserved moment there, so a process that
    dies takes no more than that with it. `on_penalty` is called for each 429,
    `on_wait` with the seconds that a message waits for `total`.
    """

    total: SendingRate
    rates: Rates = field(default_factory=Rates)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    on_penalty: Callable[[], None] = _ignore
    on_wait: Callable[[float], None] = _ignore
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _queue: asyncio.Lock = field(default_factory=asyncio.Lock)
    _refused_until: dict[int, float] = field(default_factory=dict)

    async def try_take(self, chat_id: int, *, spare: int = 0) -> bool:
        """Take a token if one is available now and `spare` more would remain.

        Of `total`, three times as many remain, so that in a crowd the beginnings and ends of
        answers come before what only grows. What waits in `take` goes first.

        Raises: DatabaseUnavailableError.
        """
        now, chat = self.clock(), self._bucket(chat_id)
        is_refused = now < self._refused_until.get(spare, 0.0)
        if is_refused or self._queue.locked() or chat.wait_s(now, 1.0 + spare) > 0:
            return False
        chat.tokens -= 1
        if await self.total.try_take(_SPARE_OF_ALL * spare):
            return True
        chat.tokens += 1
        self._refused_until[spare] = now + REFUSED_S
        return False

    async def take(self, chat_id: int) -> None:
        """Wait for a token and take it; one in `UNTOLD_S` while the database is away."""
        while (wait_s := self._bucket(chat_id).wait_s(self.clock())) > 0:
            await self.sleep(wait_s)
        self._bucket(chat_id).tokens -= 1
        async with self._queue:
            wait_s = UNTOLD_S
            with survived("telegram.rate_unknown", DatabaseUnavailableError):
                wait_s = await self.total.reserve()
            self.on_wait(wait_s)
            await self.sleep(wait_s)

    def closed_for_s(self, chat_id: int) -> float:
        """Seconds for which this chat is closed after a 429, 0 if it is open."""
        bucket = self._chats.get(chat_id)
        return max(0.0, bucket.closed_until - self.clock()) if bucket else 0.0

    def penalize(self, chat_id: int, retry_after_s: float) -> None:
        """Close one chat for as long as Telegram's 429 says; other chats are not affected."""
        self.on_penalty()
        bucket = self._bucket(chat_id)
        bucket.closed_until = max(bucket.closed_until, self.clock() + retry_after_s)

    def _bucket(self, chat_id: int) -> _Bucket:
        if chat_id not in self._chats:
            now = self.clock()
            if len(self._chats) >= _IDLE_CHATS:
                self._chats = {c: b for c, b in self._chats.items() if not b.is_idle(now)}
            burst = self.rates.chat_burst
            self._chats[chat_id] = _Bucket(self.rates.chat_per_s, burst, burst, now)
        return self._chats[chat_id]


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


@dataclass(frozen=True, slots=True)
class Threads:
    """Chooses the thread of a conversation; `per_topic` gives each topic one of its own."""

    per_topic: bool = False

    def of(self, user_id: int, topic_id: int | None) -> str:
        """The thread of what a user says in a topic, or outside of any."""
        return thread_of(user_id, topic_id if self.per_topic else None)


WrittenUpdate = Turn | Edit | Command | Unsupported


@dataclass(frozen=True, slots=True)
class UpdateContext:
    """The user's account, where the answer goes, the lane's hold, and whether they have access.

    `thread_id` is the conversation that it belongs to.
    """

    account: Account
    target: ReplyTarget
    hold: Hold
    thread_id: str
    is_permitted: bool = True

    def request(
        self, message: IncomingMessage, update_id: int | None = None, revision: int = 0
    ) -> TurnRequest:
        """The turn that answers a message, which came by the update in hand or an earlier one."""
        account = self.account
        number = self.target.update_id if update_id is None else update_id
        user = account.in_turn(message.user)
        return TurnRequest(
            thread_id=self.thread_id,
            request_id=f"tg:{number}",
            message=replace(message, user=user),
            revision=revision,
            # A message that was sent before /new belongs to the old conversation.
            fresh_from=account.fresh_from if account.fresh_from < number else 0,
        )


def user_of(inbound: WrittenUpdate | Press) -> User:
    """The user who sent it."""
    return inbound.message.user if isinstance(inbound, Turn) else inbound.user


def target_of(
    inbound: WrittenUpdate | Press, account: Account, update_id: int, *, is_permitted: bool = True
) -> ReplyTarget:
    """The chat and the language of the answer, and the links that the update contains.

    If the user is not permitted to use the bot, the text is not read.
    """
    update_read = inbound.turn if isinstance(inbound, Edit) else inbound
    message = update_read.message if isinstance(update_read, Turn) and is_permitted else None
    words, client = message.words() if message else "", user_of(update_read).language_code
    locale = account.locale_for(words, client)
    if not is_permitted:
        return ReplyTarget(update_id, update_read.chat_id, locale, time_zone=account.time_zone)
    return ReplyTarget(
        update_id,
        update_read.chat_id,
        locale,
        links_in(message.text if message else ""),
        after_id=update_read.message_id,
        topic_id=update_read.topic_id,
        media_text=message.media_text if message else "",
        is_of_media=bool(message and message.media_text and not message.forwarded),
        time_zone=account.time_zone,
    )
