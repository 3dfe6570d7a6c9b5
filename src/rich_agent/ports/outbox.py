"""Interfaces for outgoing messages: the record of sent messages, the rate, and stops of answers.

An answer is sent until it has arrived; a direct message is tried once. Every method may raise
DatabaseUnavailableError.
"""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from rich_agent.ports.bot_api import RenderedMessage

OutboxState = Literal["sending", "sent", "failed"]
SendResult = Literal["sent", "later", "blocked", "refused", "unknown"]
"""The result of sending a direct message.

`later` was certainly not sent and may be tried again; `unknown` may have arrived.
"""
EPHEMERAL_CHAT = 0
"""The chat of ephemeral messages, since their ids are not those of a chat's messages."""
FORGOTTEN_CHAT = -(2**63)
"""The chat of answers whose chat is not kept, so that nothing but their ids is known."""
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
    """A message of an answer; part 0 is the placeholder that grows."""

    update_id: int
    part: int
    state: OutboxState
    """"sending" if a send began and its outcome is unknown, unless the part `is_new`."""
    message_id: int | None
    """Telegram's id, None until it is known."""
    text: str = ""
    """The final text, "" until it is shown."""
    is_new: bool = False
    """Whether this call created the row."""
    after_id: int = 0
    """The part's message has a higher id than this one."""
    is_doubtful: bool = False
    """Whether an earlier send may have left a copy of the part above `after_id`."""
    topic_id: int | None = None
    is_overtaken: bool = False
    """Whether a message of the answer to an earlier update is below this one."""
    follows_notice: bool = False
    """Whether the user may have been told that the answer has to wait, by `begin` alone."""


@dataclass(frozen=True, slots=True)
class Accounted:
    """Knowledge about the ids among which a part's lost message is: those above `after_id`.

    `message_ids` belong to other messages; `under_way` is the number of sends in the chat that have
    not ended.
    """

    after_id: int
    message_ids: frozenset[int]
    under_way: int


@dataclass(frozen=True, slots=True)
class Leftover:
    """A message that still shows a temporary text although its update is done."""

    update_id: int
    part: int
    chat_id: int
    message_id: int


class Outbox(Protocol):
    """The messages sent in answer to an update, so that a second attempt edits them.

    Without these records, they would be sent again. Writes of a task with a fence raise
    LaneLostError once another worker has its lane.
    """

    async def begin(self, update_id: int, part: int, place: Place) -> OutboxPart:
        """The part's row, created in state "sending" if it is new.

        Its message will have a higher id than `place.after_id` and all known ones in the chat. An
        existing row is returned unchanged, but is doubtful if its send began and did not end.
        """

    async def begin_direct(self, user_id: int) -> int:
        """Record a send outside of lanes that answers no update; return a number for its row.

        The row is the part `DIRECT_PART` of that number. Until it is `sent` or withdrawn, the send
        counts as under way for half a minute.
        """

    async def find(self, update_id: int, part: int) -> OutboxPart | None:
        """The part's row, None if it was not begun."""

    async def note_sent(
        self, update_id: int, part: int, message_id: int, *, is_doubtful: bool = False
    ) -> None:
        """Record Telegram's message id of a part, and whether a copy of it may exist."""

    async def account_before(self, update_id: int, part: int, below: int) -> Accounted:
        """The ids below `below` at which a lost message of this part cannot be.

        These are the messages of its chat, including direct ones, and those of the last day whose
        chat is not kept. Telegram counts the messages of all private chats of a bot together. So
        for such a chat, the messages of users count, too, and messages to others that began up to
        an hour earlier. A send whose process has died is not under way.
        """

    async def is_sending(self, chat_id: int) -> bool:
        """Whether a send to a chat is under way, whose message is not recorded yet."""

    async def note_final(self, update_id: int, part: int, text: str) -> None:
        """Record that the part shows its final text."""

    async def note_interruption(self, update_id: int, part: int) -> None:
        """Record that a send ended with an unknown outcome."""

    async def renew(self, update_id: int, part: int) -> None:
        """Record that the part's message is gone or will be, and that a new one will be sent."""

    async def withdraw(self, update_id: int, part: int) -> None:
        """Undo `begin`, because the send certainly did not happen."""

    async def note_failure(self, update_id: int, part: int, reason: str) -> None:
        """Record that a part cannot be sent (blocked by the user, chat gone)."""

    async def reopen(self, update_id: int) -> None:
        """Allow an answer to be rewritten in its messages: none of its texts is final any more."""

    async def after(self, update_id: int, part: int) -> tuple[OutboxPart, ...]:
        """The parts after the given one, in order."""

    async def discard(self, update_id: int, part: int) -> None:
        """Delete the row of a part whose message is gone."""

    async def update_of_message(self, chat_id: int, message_id: int) -> int | None:
        """The update that a message of the bot answers, None if it is unknown or was pruned."""

    async def leftovers(self) -> tuple[Leftover, ...]:
        """Up to 100 first parts and notices without a final text whose update is done.

        Users with work in a lane are left out, because that work may still use them.
        """


class DirectMessages(Protocol):
    """Messages that answer nothing, sent outside of lanes, at most once each.

    Every method may raise DatabaseUnavailableError.
    """

    async def send(self, user_id: int, message: RenderedMessage, /) -> SendResult:
        """Send a message unless an answer has to go first; a user who blocked the bot is noted."""

    async def edit(self, user_id: int, message_id: int, message: RenderedMessage, /) -> bool:
        """Change a message of the bot in the user's chat; False if Telegram refuses it.

        Raises: UpstreamError, which may pass.
        """


TOTAL_PER_S = 30.0
"""The messages per second to all chats together.

Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

BURST_S = 1.0
"""The seconds of `TOTAL_PER_S` that may be sent at once after a pause."""


class SendingRate(Protocol):
    """The rate that Telegram accepts from all processes of the bot, by the database's clock.

    Every method may raise DatabaseUnavailableError.
    """

    async def try_take(self, spare: int = 0) -> bool:
        """Count a message if it may be sent with `spare` more left; return whether it may."""

    async def reserve(self) -> float:
        """Count a message; return the seconds to wait before it may be sent."""


class Stops(Protocol):
    """Requests of users to stop an answer; the process that writes it looks here."""

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        """Request the end of the answer to an update or, without an id, of the present answer.

        An update that was not begun yet will not be answered. Returned is the update whose answer
        will end, None if no answer to this user is in progress.
        """

    def hearing(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set when the end of the answer to this update may be requested.

        It is set as well if a request may have been missed, but not while the database is
        unavailable.
        """

    async def is_asked(self, update_id: int) -> bool:
        """Whether the answer to this update has to end."""
