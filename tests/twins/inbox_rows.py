"""Rows that the inbox without a database keeps of updates and lanes."""

from dataclasses import dataclass

from rich_agent.ports.inbox import ReceivedUpdate, StoredUpdate

LaneKey = tuple[int, bool]
DAY_S = 86_400


@dataclass(slots=True)
class Row:
    """An update and what became of it."""

    update: ReceivedUpdate
    received_at: float
    over_cap: bool = False
    bundle_id: int | None = None
    attempts: int = 0
    last_error: str = ""
    done_at: float | None = None
    dead_at: float | None = None
    holds: int = 0
    held_since: float | None = None
    held_until: float | None = None

    @property
    def is_pending(self) -> bool:
        """Whether it still is to be handed out."""
        return self.done_at is None and self.dead_at is None

    @property
    def key(self) -> LaneKey:
        """Its lane."""
        return (self.update.user_id, self.update.urgent)

    def handed_out(self, now: float) -> StoredUpdate:
        """As a worker sees it."""
        update, held_s = self.update, 0.0 if self.held_since is None else now - self.held_since
        return StoredUpdate(
            update.update_id, update.raw, self.attempts, self.over_cap, self.holds, held_s
        )


@dataclass(slots=True)
class LaneRow:
    """A user's lane while there is work in it."""

    ready_at: float
    fence: int
    awaits_more: bool = False
    was_told: bool = False
    waits_since: float | None = None
    news_count: int = -1
