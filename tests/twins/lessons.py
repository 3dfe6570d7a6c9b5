"""Words of turns that could not be learned from yet, for one process's lifetime."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rich_agent.ports.due_work import DueRow, NextRun
from rich_agent.ports.memories import LESSON_WORK, Lesson

_LEASE_S = 3_600.0


@dataclass(slots=True)
class InMemoryLessons:
    """Implements `Lessons`; `clock` counts seconds, monotonically."""

    clock: Callable[[], float] = time.monotonic
    rows: dict[tuple[int, str], Lesson] = field(default_factory=dict)
    _due: dict[tuple[int, str], float] = field(default_factory=dict)

    async def keep(self, lesson: Lesson, delay_s: float = 0.0) -> None:
        key = (lesson.user_id, lesson.request_id)
        known = self.rows.get(key)
        if known is None or known.revision < lesson.revision:
            self.rows[key] = replace(lesson, tries=0, refusals=0)
            self._due[key] = self.clock() + delay_s

    async def are_waiting(self, user_id: int) -> bool:
        return any(user == user_id for user, _ in self.rows)

    async def claim(self) -> DueRow | None:
        """Hand the next one out as the loop of due work does, for an hour."""
        firsts: dict[int, tuple[int, str]] = {}
        for key in self.rows:
            firsts.setdefault(key[0], key)
        for key in firsts.values():
            if self._due[key] <= self.clock():
                self._due[key] = self.clock() + _LEASE_S
                self.rows[key] = lesson = replace(self.rows[key], tries=self.rows[key].tries + 1)
                return _row_of(lesson)
        return None

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        """Give one back, as it was handed out."""
        lesson = Lesson.of(row)
        key = (lesson.user_id, lesson.request_id)
        if not await self.is_current(lesson):
            return
        if next_run is None:
            del self.rows[key]
            return
        payload = next_run.payload or row.payload
        self.rows[key] = replace(self.rows[key], refusals=payload["refusals"])
        self._due[key] = self.clock() + next_run.in_s

    async def is_current(self, lesson: Lesson) -> bool:
        known = self.rows.get((lesson.user_id, lesson.request_id))
        return known is not None and known.revision == lesson.revision

    async def drop(self, user_id: int, request_id: str) -> None:
        self.rows.pop((user_id, request_id), None)

    async def count(self) -> int:
        return len(self.rows)


def _row_of(lesson: Lesson) -> DueRow:
    return DueRow(
        id=1,
        kind=LESSON_WORK,
        key=lesson.key,
        user_id=lesson.user_id,
        payload=lesson.to_payload(),
        due_at=lesson.told_at,
        version=0,
        fence=0,
        tries=lesson.tries,
    )
