"""Records the messages of an answer in the outbox before and after each send. It sends nothing."""

import asyncio
from dataclasses import dataclass

import structlog

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.telegram.deliver.messenger import NOTICE, Hold, Messenger, ReplyTarget

_log = structlog.get_logger()


@dataclass(slots=True)
class MessagePart:
    """A message of the answer, as the outbox records it.

    - `message_id`: its id in the chat, None before it is sent.
    - `doubtful`: whether a copy of it may be in the chat.
    - `final_text`: its final text, "" before that is shown.
    - `failed`: whether an earlier attempt gave it up.
    - `overtaken`: whether a message of an earlier answer follows it in the chat.
    - `recorded_id`: the message id that the outbox has.
    """

    number: int
    message_id: int | None
    doubtful: bool
    final_text: str
    failed: bool
    overtaken: bool
    recorded_id: int | None


class MessageParts:
    """Begins parts and records their state. Every method may raise LaneLostError.

    `may_follow_notice` is false once it is known that no notice of waiting was begun.
    """

    def __init__(self, messenger: Messenger, target: ReplyTarget, hold: Hold) -> None:
        self._messenger = messenger
        self._target = target
        self._hold = hold
        self._known: dict[int, MessagePart] = {}
        self.may_follow_notice = True

    async def open(self, number: int) -> MessagePart:
        """Begin a part in the outbox, if that was not done yet, and return the part.

        Call this right before a send, while holding the lane.
        """
        await self._hold()
        if number not in self._known:
            target = self._target
            row = await self._messenger.outbox.begin(target.update_id, number, target.place)
            self.may_follow_notice = row.follows_notice or number == NOTICE
            self._known[number] = MessagePart(
                number,
                row.message_id,
                doubtful=row.is_doubtful,
                final_text=row.text,
                failed=row.state == "failed",
                overtaken=row.is_overtaken and not row.text,
                recorded_id=row.message_id,
            )
        return self._known[number]

    async def record(self, part: MessagePart) -> None:
        """Store the id of a sent message.

        This is the only record of the send, so it is tried until it succeeds.
        """
        while part.message_id is not None and part.message_id != part.recorded_id:
            try:
                await self._messenger.outbox.note_sent(
                    self._target.update_id,
                    part.number,
                    part.message_id,
                    is_doubtful=part.doubtful,
                )
            except DatabaseUnavailableError as error:
                _log.info("telegram.record_failed", error=str(error))
                await asyncio.sleep(self._messenger.retry_policy.first_pause_s)
            else:
                part.recorded_id = part.message_id

    async def settle(self, part: MessagePart) -> None:
        """Record that the chat has no copy of the part, or that the user was told about a copy."""
        part.doubtful, part.recorded_id = False, None
        await self.record(part)

    async def finalize(self, number: int, text: str) -> None:
        """Record that the part shows its final text."""
        await self._messenger.outbox.note_final(self._target.update_id, number, text)
        self._known[number].final_text = text

    async def interrupt(self, part: MessagePart) -> None:
        """Forget a send with an unknown outcome; the next send of the part begins as doubtful."""
        self._known.pop(part.number, None)
        await self._messenger.outbox.note_interruption(self._target.update_id, part.number)

    async def renew(self, part: MessagePart) -> None:
        """Record that another message will be sent for the part.

        Call this before its message is deleted.
        """
        await self._messenger.outbox.renew(self._target.update_id, part.number)
        part.message_id, part.recorded_id, part.overtaken = None, None, False

    async def withdraw(self, part: MessagePart) -> None:
        """Forget a send that certainly did not happen, so that the next send is no repetition."""
        if part.message_id is None and not part.doubtful:
            await self._messenger.outbox.withdraw(self._target.update_id, part.number)
            self._known.pop(part.number, None)
