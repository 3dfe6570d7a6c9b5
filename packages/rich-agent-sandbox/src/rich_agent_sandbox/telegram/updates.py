"""Updates for the bot, which are numbered, and kept until they are confirmed."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich_agent_sandbox.telegram.chats import UPDATE_IDS_SINCE, first_id

UPDATE_KEPT_S = 24 * 3600.0  # https://core.telegram.org/bots/api#getting-updates
PRESS_KEPT_S = 150.0
RECORDS_KEPT = 20_000
# Sent only on request: https://core.telegram.org/bots/api#setwebhook
OPT_IN_KINDS = frozenset(
    {"chat_member", "message_reaction", "message_reaction_count", "widget_query"}
)
# These updates may be delivered before earlier messages of their chat.
_PRESS_KINDS = frozenset({"callback_query", "stopped_message_generation", "widget_query"})

Lane = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Update:
    """An event for the bot; within the queue `lane`, updates keep their order."""

    update_id: int
    kind: str
    payload: Mapping[str, Any]
    chat_id: int
    expires_at: float

    @property
    def lane(self) -> Lane:
        """The chat, and the kind of its updates: messages or presses."""
        return (self.chat_id, "presses" if self.kind in _PRESS_KINDS else "messages")

    def to_json(self) -> dict[str, Any]:
        """The update in the Bot API's form."""
        return {"update_id": self.update_id, self.kind: dict(self.payload)}


@dataclass(slots=True)
class Delivery:
    """The delivery of an update.

    `status`: the webhook's last status, None without an answer.
    `attempts`: with getUpdates, the number of times that it was returned.
    `ok`: it was confirmed.
    """

    update_id: int
    kind: str
    chat_id: int
    attempts: int = 0
    status: int | None = None
    ok: bool = False

    def to_json(self) -> dict[str, Any]:
        """The delivery in the form of `GET /sim/deliveries`."""
        return {
            "update_id": self.update_id,
            "kind": self.kind,
            "chat_id": self.chat_id,
            "attempts": self.attempts,
            "status": self.status,
            "ok": self.ok,
        }


@dataclass(slots=True)
class UpdateQueue:
    """The updates that the bot has not confirmed, oldest first, and the record of all updates."""

    clock: Callable[[], float] = time.time
    allowed: frozenset[str] = frozenset()
    _next_id: int = field(init=False)
    _pending: dict[int, Update] = field(default_factory=dict)
    _lanes: dict[Lane, deque[Update]] = field(default_factory=dict)
    _records: dict[int, Delivery] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._next_id = first_id(self.clock(), UPDATE_IDS_SINCE)

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, kind: str, payload: Mapping[str, Any], chat_id: int) -> Update | None:
        """Queue an update; return None if the bot does not want updates of this kind."""
        if not self._is_wanted(kind):
            return None
        kept_s = PRESS_KEPT_S if kind in {"callback_query", "widget_query"} else UPDATE_KEPT_S
        update = Update(self._next_id, kind, payload, chat_id, self.clock() + kept_s)
        self._next_id += 1
        self._pending[update.update_id] = update
        self._lanes.setdefault(update.lane, deque()).append(update)
        self._records[update.update_id] = Delivery(update.update_id, kind, chat_id)
        if len(self._records) > RECORDS_KEPT:
            del self._records[next(iter(self._records))]
        return update

    def _is_wanted(self, kind: str) -> bool:
        return kind in self.allowed if self.allowed else kind not in OPT_IN_KINDS

    def lanes(self) -> list[Lane]:
        """The lanes with waiting updates."""
        return list(self._lanes)

    def head(self, lane: Lane) -> Update | None:
        """The next update of a lane, None if the lane is empty."""
        lane_updates = self._lanes.get(lane, deque())
        while lane_updates and not self._is_pending(lane_updates[0]):
            self._pending.pop(lane_updates.popleft().update_id, None)
        if not lane_updates:
            self._lanes.pop(lane, None)
            return None
        return lane_updates[0]

    def _is_pending(self, update: Update) -> bool:
        return update.update_id in self._pending and self.clock() < update.expires_at

    def first(self, offset: int, limit: int) -> list[Update]:
        """At most `limit` updates, beginning at `offset`."""
        updates = []
        for update in self._pending.values():
            if update.update_id >= offset and self._is_pending(update):
                updates.append(update)
                if len(updates) == limit:
                    break
        return updates

    def newest(self, count: int) -> int:
        """The update_id of the first of the newest `count` updates."""
        ids = list(self._pending)[-count:]
        return ids[0] if ids else self._next_id

    def confirm_before(self, offset: int) -> None:
        """Remove all updates with an id below `offset`."""
        for update_id in [update_id for update_id in self._pending if update_id < offset]:
            self.confirm(update_id)

    def confirm(self, update_id: int) -> None:
        """Remove an update that the bot has received."""
        if self._pending.pop(update_id, None) and update_id in self._records:
            self._records[update_id].ok = True

    def note_attempt(self, update_id: int, status: int | None) -> None:
        """Record that an update was delivered; `status` is the webhook's answer."""
        record = self._records.get(update_id)
        if record:
            record.attempts += 1
            record.status = status

    def deliveries(self) -> list[Delivery]:
        """The record of every update, oldest first (the newest 20,000 are kept)."""
        return list(self._records.values())

    def drop(self) -> None:
        """Remove all unconfirmed updates."""
        self._pending.clear()
        self._lanes.clear()

    def forget(self) -> None:
        """Drop everything; ids continue."""
        self.drop()
        self._records.clear()
