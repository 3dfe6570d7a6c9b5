"""Words of turns that could not be learned from yet, for one process's lifetime."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rich_agent.ports.memories import Lesson


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

    async def take(self, lease_s: float, *, is_lone: bool = False) -> Lesson | None:
        if is_lone:
            return None
        firsts: dict[int, tuple[int, str]] = {}
        for key in self.rows:
            firsts.setdefault(key[0], key)
        for key in firsts.values():
            if self._due[key] <= self.clock():
                self._due[key] = self.clock() + lease_s
                self.rows[key] = replace(self.rows[key], tries=self.rows[key].tries + 1)
                return self.rows[key]
        return None

    async def is_current(self, lesson: Lesson) -> bool:
        known = self.rows.get((lesson.user_id, lesson.request_id))
        return known is not None and known.revision == lesson.revision

    async def postpone(self, lesson: Lesson, delay_s: float) -> None:
        if await self.is_current(lesson):
            key = (lesson.user_id, lesson.request_id)
            self.rows[key] = replace(self.rows[key], refusals=lesson.refusals)
            self._due[key] = self.clock() + delay_s

    async def drop(self, user_id: int, request_id: str) -> None:
        self.rows.pop((user_id, request_id), None)

    async def count(self) -> int:
        return len(self.rows)
