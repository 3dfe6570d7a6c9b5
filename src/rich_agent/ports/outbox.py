"""Interfaces of what goes out: which messages were sent, how fast, and which answers are to end.

Every method may raise DatabaseUnavailableError.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

OutboxState = Literal["sending", "sent", "failed"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: a chat, a topic of it, and the newest message before it."""

    chat_id: int
    after_id: int = 0
    topic_id: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxPart:
    """A message of an answer; part 0 is the placeholder that grows.

    `message_id` is Telegram's once known; `state` "sending" means that a send was begun and its
    outcome is not known, unless the part `is_new`: made by this very call. `text` is what the part
    shows for good, empty until it does.

    The part's message has a higher id than `after_id`. `is_doubtful`: an earlier send may have left
    another message of the part behind, above `after_id`. `is_overtaken`: the answer to an earlier
    update has a message below this one.
    """

    update_id: int
    part: int
    state: OutboxState
    message_id: int | None
    sent_at: datetime | None = None
    text: str = ""
    is_new: bool = False
    after_id: int = 0
    is_doubtful: bool = False
    topic_id: int | None = None
    is_overtaken: bool = False


@dataclass(frozen=True, slots=True)
class Accounted:
    """Messages of the bot in a chat whose ids are known, and how many sends may add one."""

    message_ids: frozenset[int]
    under_way: int


@dataclass(frozen=True, slots=True)
class Leftover:
    """A message that shows a passing state although its update is over."""

    update_id: int
    part: int
    chat_id: int
    message_id: int


class Outbox(Protocol):
    """What was sent in answer to an update, so that a second try edits instead of sending again.

    What a task under a fence writes is refused with LaneLostError once its lane was taken over.
    """

    async def begin(self, update_id: int, part: int, place: Place) -> OutboxPart:
        """The part's row, made in state "sending" if new.

        Its message will have a higher id than `place.after_id`, and all that are known in the chat.
        An existing row comes back as it is, doubtful if its send was begun and did not end.
        """

    async def find(self, update_id: int, part: int) -> OutboxPart | None:
        """The part's row as it is, None if nothing was begun."""

    async def sent(
        self, update_id: int, part: int, message_id: int, *, is_doubtful: bool = False
    ) -> None:
        """Record Telegram's message id of a part, and whether there may be another one of it."""

    async def accounted(self, chat_id: int, above: int) -> Accounted:
        """The messages of a chat above an id that somebody sent, broadcasts too.

        A send that its process did not live to end is not under way.
        """

    async def finalized(self, update_id: int, part: int, text: str) -> None:
        """Record that the part shows its final text."""

    async def interrupted(self, update_id: int, part: int) -> None:
        """Record that a send is over without anybody knowing whether it happened."""

    async def withdraw(self, update_id: int, part: int) -> None:
        """Take `begin` back: the send certainly did not happen."""

    async def failed(self, update_id: int, part: int, reason: str) -> None:
        """Record that a part cannot be sent (blocked by the user, chat gone)."""

    async def reopen(self, update_id: int) -> None:
        """Let an answer be written again into its messages: no text of it is final."""

    async def after(self, update_id: int, part: int) -> tuple[OutboxPart, ...]:
        """The parts behind one, in order."""

    async def discard(self, update_id: int, part: int) -> None:
        """Forget a part whose message is gone."""

    async def answered_by(self, chat_id: int, message_id: int) -> int | None:
        """The update that a message of the bot answers, None if it is not known (any more)."""

    async def leftovers(self) -> tuple[Leftover, ...]:
        """Up to 100 first parts and notices that nobody will write on: their update is over.

        Those of a user who has work in a lane are left to it.
        """

    async def prune(self, days: float) -> int:
        """Forget parts begun more than `days` ago; how many."""


TOTAL_PER_S = 30.0
"""Messages per second to all chats together.

Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

SHARE_LEASE_S = 6.0
"""A process that does not ask again for so long has lost its share to the others."""


class SendingShares(Protocol):
    """Who may send how much. Only the database's clock counts.

    Every method may raise DatabaseUnavailableError.
    """

    async def renew(self, process: UUID, wanted_per_s: float) -> float:
        """Messages per second that the process may send until it asks again."""

    async def release(self, process: UUID) -> None:
        """The process sends nothing any more."""


class Stops(Protocol):
    """Answers that their users want no more of; whichever process writes one finds it here."""

    async def ask(self, user_id: int, update_id: int | None = None) -> int | None:
        """Ask that the answer to an update end, without one: the answer that is being written.

        The update whose answer will end; None when none of this user's is in hand.
        """

    async def is_asked(self, update_id: int) -> bool:
        """Whether the answer to this update is to end."""

    async def prune(self, days: float) -> int:
        """Forget what was asked more than `days` ago; how many."""
