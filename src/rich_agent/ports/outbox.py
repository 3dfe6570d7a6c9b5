"""Interfaces for outgoing messages: what was sent, how fast, and which answers to stop.

An answer is delivered until it is there; a direct message is tried once.

Every method may raise DatabaseUnavailableError.
"""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from rich_agent.ports.bot_api import RenderedMessage

OutboxState = Literal["sending", "sent", "failed"]
SendResult = Literal["sent", "later", "blocked", "refused", "unknown"]
"""How a direct message ended: `later` was certainly not sent and may be tried again, `unknown` may
have arrived."""
DIRECT_PART = 1
"""The part number of a direct message, which answers nothing and stands alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a message: a chat, a topic of it, and the newest message before it."""

    chat_id: int
    after_id: int = 0
    topic_id: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxPart:
    """A message of an answer; part 0 is the placeholder that grows.

    `message_id` is Telegram's id once known. `state` "sending" means that a send was begun and its
    outcome is unknown, unless the part `is_new`, which means created by this call. `text` is the
    part's final text, empty until it is shown.

    The part's message has a higher id than `after_id`. `is_doubtful`: an earlier send may have left
    a copy of the part behind, above `after_id`. `is_overtaken`: a message of the answer to an
    earlier update is below this one.
    """

    update_id: int
    part: int
    state: OutboxState
    message_id: int | None
    text: str = ""
    is_new: bool = False
    after_id: int = 0
    is_doubtful: bool = False
    topic_id: int | None = None
    is_overtaken: bool = False


@dataclass(frozen=True, slots=True)
class Accounted:
    """Knowledge of the ids among which a lost message of a part is.

    They are above `after_id`. `message_ids` are those of other messages, and `under_way` is the
    number of sends in the chat that have not ended.
    """

    after_id: int
    message_ids: frozenset[int]
    under_way: int


@dataclass(frozen=True, slots=True)
class Leftover:
    """A message that still shows a temporary text although its update is over."""

    update_id: int
    part: int
    chat_id: int
    message_id: int


class Outbox(Protocol):
    """The messages sent in answer to an update, so that a second try edits them.

    Without these records it would send them again.
    Writes of a task under a fence raise LaneLostError once its lane was taken over.
    """

    async def begin(self, update_id: int, part: int, place: Place) -> OutboxPart:
        """The part's row, created in state "sending" if it is new.

        Its message will have a higher id than `place.after_id` and all known ones in the chat. An
        existing row is returned unchanged, but doubtful if its send was begun and did not end.
        """

    async def begin_direct(self, user_id: int) -> int:
        """Record a send outside of lanes that answers no update; returns a number for its row.

        The row is the part `DIRECT_PART` of that number. As long as it is neither `sent` nor
        withdrawn, the send counts as under way for half a minute.
        """

    async def find(self, update_id: int, part: int) -> OutboxPart | None:
        """The part's row, None if it was not begun."""

    async def note_sent(
        self, update_id: int, part: int, message_id: int, *, is_doubtful: bool = False
    ) -> None:
        """Record Telegram's message id of a part, and whether a copy of it may exist."""

    async def account_before(self, update_id: int, part: int, below: int) -> Accounted:
        """The ids below one at which a lost message of this part cannot be.

        Those are its chat's messages, also direct ones, and as Telegram counts the messages of
        all private chats of a bot together, for one of them also those to others that began at most
        an hour before it, and those of users. A send whose process has died is not under way.
        """

    async def note_final(self, update_id: int, part: int, text: str) -> None:
        """Record that the part shows its final text."""

    async def note_interruption(self, update_id: int, part: int) -> None:
        """Record that a send ended with an unknown outcome."""

    async def renew(self, update_id: int, part: int) -> None:
        """Record that the part's message is gone or goes, and that another one will be sent."""

    async def withdraw(self, update_id: int, part: int) -> None:
        """Undo `begin`, because the send certainly did not happen."""

    async def note_failure(self, update_id: int, part: int, reason: str) -> None:
        """Record that a part cannot be sent (blocked by the user, chat gone)."""

    async def reopen(self, update_id: int) -> None:
        """Allow an answer to be rewritten in its messages: none of its texts is final then."""

    async def after(self, update_id: int, part: int) -> tuple[OutboxPart, ...]:
        """The parts after the given one, in order."""

    async def discard(self, update_id: int, part: int) -> None:
        """Delete the row of a part whose message is gone."""

    async def update_of_message(self, chat_id: int, message_id: int) -> int | None:
        """The update that a message of the bot answers, None if it is unknown or was pruned."""

    async def leftovers(self) -> tuple[Leftover, ...]:
        """Up to 100 first parts and notices without a final text whose update is over.

        Users with work in a lane are left out, because that work may still use them.
        """


class DirectMessages(Protocol):
    """Messages that answer nothing of their users, sent without their lanes, at most once each.

    Every method may raise DatabaseUnavailableError.
    """

    async def send(self, user_id: int, message: RenderedMessage, /) -> SendResult:
        """Send a message unless an answer has to go first; who blocked the bot is noted."""

    async def edit(self, user_id: int, message_id: int, message: RenderedMessage, /) -> bool:
        """Change a message of the bot in the user's chat; False if Telegram refuses it.

        Raises: UpstreamError, which may pass.
        """


TOTAL_PER_S = 30.0
"""Messages per second to all chats together.

Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

BURST_S = 1.0
"""Seconds of `TOTAL_PER_S` that may be sent at once after a pause."""


class SendingRate(Protocol):
    """The rate that Telegram takes from all processes of the bot together, by the database's clock.

    Every method may raise DatabaseUnavailableError.
    """

    async def try_take(self, spare: int = 0) -> bool:
        """Whether a message may be sent now, with `spare` more left after it; if so, it counts."""

    async def reserve(self) -> float:
        """Count a message; returns the seconds to wait before it may be sent."""


class Stops(Protocol):
    """Requests of users to stop an answer; the process that writes it finds them here."""

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        """Request the end of the answer to an update or, without an id, of the current answer.

        An update that was not begun yet is answered by nothing once it is its turn. Returns the
        update whose answer will end, None if none of this user's is in progress.
        """

    def hearing(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set when the end of the answer to this update may be requested.

        Also when a request may have been missed; while the database cannot tell, it is not set.
        """

    async def is_asked(self, update_id: int) -> bool:
        """Whether the answer to this update has to end."""
