"""The outbox without a database: the same contract, for one process's lifetime."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rich_agent.domain.text import clean_text
from rich_agent.ports.outbox import (
    DIRECT_PART,
    Accounted,
    Leftover,
    OutboxPart,
    OutboxState,
    Place,
)
from rich_agent.runtime.fencing import current_fence
from tests.twins.fences import Fences

_DIRECT = 0
_DIRECT_FOR_S = 30.0


@dataclass(slots=True)
class InMemoryOutbox:
    """Implements `Outbox`; `clock` counts seconds, monotonically."""

    clock: Callable[[], float] = time.monotonic
    fences: Fences = field(default_factory=Fences)
    _parts: dict[tuple[int, int], OutboxPart] = field(default_factory=dict)
    _begun_at: dict[tuple[int, int], float] = field(default_factory=dict)
    _sent_at: dict[tuple[int, int], float] = field(default_factory=dict)
    _chats: dict[tuple[int, int], int] = field(default_factory=dict)
    _fence_of: dict[tuple[int, int], int | None] = field(default_factory=dict)

    async def begin(self, update_id: int, part: int, place: Place) -> OutboxPart:
        """The part's row, made in state "sending" if new."""
        self.fences.check()
        known = self._parts.get((update_id, part))
        self._fence_of[update_id, part] = current_fence()
        if known:
            lost = known.message_id is None and known.state == "sending"
            known = replace(known, is_doubtful=known.is_doubtful or lost)
            self._parts[update_id, part] = known
            return replace(
                known,
                is_overtaken=self._is_overtaken(known, place.chat_id),
                follows_notice=self._follows_notice(update_id),
            )
        newest = max([place.after_id, *self._ids_in(place.chat_id)])
        row = OutboxPart(update_id, part, "sending", None, after_id=newest, topic_id=place.topic_id)
        self._parts[update_id, part] = row
        self._begun_at[update_id, part] = self.clock()
        self._chats[update_id, part] = place.chat_id
        return replace(row, is_new=True, follows_notice=self._follows_notice(update_id))

    def _follows_notice(self, update_id: int) -> bool:
        return any(number < 0 for known_id, number in self._parts if known_id == update_id)

    async def begin_direct(self, user_id: int) -> int:
        """A number for a message that answers nothing."""
        number = -1 - len(self._begun_at)
        await self.begin(number, DIRECT_PART, Place(user_id))
        self._fence_of[number, DIRECT_PART] = _DIRECT
        return number

    async def find(self, update_id: int, part: int) -> OutboxPart | None:
        """The part's row as it is, None if nothing was begun."""
        return self._parts.get((update_id, part))

    async def note_sent(
        self, update_id: int, part: int, message_id: int, *, is_doubtful: bool = False
    ) -> None:
        """Record Telegram's message id of a part."""
        self.fences.check()
        self._change(update_id, part, "sent", message_id=message_id)
        self._sent_at[update_id, part] = self.clock()
        row = self._parts[update_id, part]
        self._parts[update_id, part] = replace(row, is_doubtful=is_doubtful)

    async def account_before(self, update_id: int, part: int, below: int) -> Accounted:
        """The ids at which a lost message of the part is not."""
        chat_id, after_id = self._chats[update_id, part], self._parts[update_id, part].after_id
        elsewhere = {
            row.message_id: self._sent_at[key] < self._begun_at[update_id, part]
            for key, row in self._parts.items()
            if min(chat_id, self._chats[key]) > 0
            and self._chats[key] != chat_id
            and row.message_id is not None
            and after_id < row.message_id < below
        }
        here = (n for n in self._ids_in(chat_id) if n > after_id)
        newest = max([after_id, *(n for n, is_before in elsewhere.items() if is_before)])
        return Accounted(newest, frozenset({*here, *elsewhere}), self._under_way(chat_id))

    async def is_sending(self, chat_id: int) -> bool:
        """Whether a send to a chat is under way."""
        return self._under_way(chat_id) > 0

    def _under_way(self, chat_id: int) -> int:
        under_way = (
            key
            for key, row in self._parts.items()
            if self._chats[key] == chat_id and row.message_id is None and row.state == "sending"
        )
        return sum(self._is_under_way(key) for key in under_way)

    def _is_under_way(self, key: tuple[int, int]) -> bool:
        fence = self._fence_of[key]
        if fence == _DIRECT:
            return self.clock() - self._begun_at[key] < _DIRECT_FOR_S
        return self.fences.is_held(fence)

    def _ids_in(self, chat_id: int) -> list[int]:
        return [
            row.message_id
            for key, row in self._parts.items()
            if self._chats[key] == chat_id and row.message_id is not None
        ]

    async def note_final(self, update_id: int, part: int, text: str) -> None:
        """Record that the part shows its final text."""
        self.fences.check()
        row = self._parts[update_id, part]
        self._parts[update_id, part] = replace(row, text=clean_text(text))

    async def note_interruption(self, update_id: int, part: int) -> None:
        """Record that a send is over without anybody knowing whether it happened."""
        self.fences.check()
        self._fence_of[update_id, part] = None

    def _is_overtaken(self, known: OutboxPart, chat_id: int) -> bool:
        return known.message_id is not None and any(
            self._chats[key] == chat_id
            and 0 < row.update_id < known.update_id
            and (row.message_id or 0) > known.message_id
            for key, row in self._parts.items()
        )

    async def renew(self, update_id: int, part: int) -> None:
        """Record that the part's message goes."""
        self.fences.check()
        self._change(update_id, part, "sending", message_id=None)

    async def withdraw(self, update_id: int, part: int) -> None:
        """Take `begin` back."""
        self.fences.check()
        row = self._parts.get((update_id, part))
        if row and row.message_id is None:
            del self._parts[update_id, part], self._begun_at[update_id, part]

    async def note_failure(self, update_id: int, part: int, reason: str) -> None:  # noqa: ARG002 - the port's
        """Record that a part cannot be sent."""
        self.fences.check()
        row = self._parts[update_id, part]
        self._change(update_id, part, "failed", message_id=row.message_id)

    async def reopen(self, update_id: int) -> None:
        """Let the answer to an update be written again into its messages."""
        self.fences.check()
        for row in await self.after(update_id, -1):
            key = (update_id, row.part)
            if row.state == "failed" and row.message_id is None:
                del self._parts[key], self._begun_at[key]
            else:
                state: OutboxState = "sending" if row.message_id is None else "sent"
                self._parts[key] = replace(row, text="", state=state)

    async def after(self, update_id: int, part: int) -> tuple[OutboxPart, ...]:
        """The parts behind one, in order."""
        return tuple(
            row
            for (key, number), row in sorted(self._parts.items(), key=lambda item: item[0])
            if key == update_id and number > part
        )

    async def discard(self, update_id: int, part: int) -> None:
        """Forget a part whose message is gone."""
        self.fences.check()
        if self._parts.pop((update_id, part), None):
            del self._begun_at[update_id, part]

    async def update_of_message(self, chat_id: int, message_id: int) -> int | None:
        """The update that a message of the bot answers."""
        found = (
            row.update_id
            for key, row in self._parts.items()
            if row.message_id == message_id and self._chats[key] == chat_id
        )
        return next(found, None)

    async def leftovers(self) -> tuple[Leftover, ...]:
        """Without an inbox every update is over."""
        inbox = self.fences.inbox
        return tuple(
            Leftover(row.update_id, row.part, self._chats[key], row.message_id)
            for key, row in self._parts.items()
            if row.part <= 0
            and row.message_id is not None
            and not row.text
            and row.state == "sent"
            and not (inbox and inbox.has_lane(self._chats[key]))
        )

    def _change(
        self, update_id: int, part: int, state: OutboxState, *, message_id: int | None
    ) -> None:
        row = self._parts[update_id, part]
        self._parts[update_id, part] = replace(row, state=state, message_id=message_id)
