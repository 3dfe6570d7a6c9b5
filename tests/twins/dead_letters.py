"""The dead letters of an in-memory inbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rich_agent.ports.dead_letters import DeadLetter
from tests.twins.inbox import InMemoryInbox
from tests.twins.inbox_rows import DAY_S, Row


@dataclass(frozen=True, slots=True)
class InMemoryDeadLetters:
    """Implements `DeadLetters`."""

    inbox: InMemoryInbox

    async def all(self) -> tuple[DeadLetter, ...]:
        """Every dead letter, by update_id."""
        return tuple(self._letter(row) for row in self._dead())

    async def find(self, update_id: int) -> DeadLetter | None:
        """One of them."""
        return next((letter for letter in await self.all() if letter.update_id == update_id), None)

    async def replay(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Put them back into their lanes; which ones they were."""
        rows = self._chosen(update_ids)
        self.inbox.revive(rows)
        return tuple(row.update.update_id for row in rows)

    async def drop(self, update_ids: Sequence[int]) -> tuple[int, ...]:
        """Forget them; which ones they were."""
        ids = tuple(row.update.update_id for row in self._chosen(update_ids))
        for update_id in ids:
            del self.inbox.rows[update_id]
        return ids

    async def prune(self, days: float) -> int:
        """Forget those given up more than `days` ago; how many."""
        before = self.inbox.clock() - days * DAY_S
        old = [row for row in self._dead() if row.dead_at is not None and row.dead_at < before]
        for row in old:
            del self.inbox.rows[row.update.update_id]
        return len(old)

    def _dead(self) -> list[Row]:
        rows = (row for row in self.inbox.rows.values() if row.dead_at is not None)
        return sorted(rows, key=lambda row: row.update.update_id)

    def _chosen(self, update_ids: Sequence[int]) -> list[Row]:
        named = [row for row in self._dead() if row.update.update_id in update_ids]
        together = {row.bundle_id for row in named}
        return [row for row in self._dead() if row in named or row.bundle_id in together]

    def _letter(self, row: Row) -> DeadLetter:
        epoch = datetime.now(UTC) - timedelta(seconds=self.inbox.clock())
        return DeadLetter(
            row.update.update_id,
            row.update.user_id,
            row.update.raw,
            row.attempts,
            epoch + timedelta(seconds=row.received_at),
            epoch + timedelta(seconds=row.dead_at or 0.0),
            row.last_error,
        )
