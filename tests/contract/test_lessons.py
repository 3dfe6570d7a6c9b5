"""One suite for the lessons in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Protocol

import pytest

from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.ports.memories import LESSON_WORK, Lesson, Lessons
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.lessons import PostgresLessons
from tests import make
from tests.twins.lessons import InMemoryLessons

FIRST = Lesson(42, "r1", "I have a cat", make.NOW)
SECOND = Lesson(42, "r2", "She is called Mia", make.NOW)


class LessonQueue(Protocol):
    """The due work of lessons."""

    async def claim(self) -> DueRow | None:
        """The next one that is due."""

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        """Give it back."""


@dataclass(frozen=True, slots=True)
class PostgresQueue:
    """That of PostgreSQL, as the kind says."""

    queue: PostgresDueWork
    kind: DueWork

    async def claim(self) -> DueRow | None:
        """The next one that is due."""
        return await self.queue.claim({LESSON_WORK: self.kind})

    async def finish(self, row: DueRow, next_run: NextRun | None) -> None:
        """Give it back."""
        await self.queue.finish(row, next_run)


@dataclass(frozen=True, slots=True)
class School:
    """Lessons, and their due work."""

    lessons: Lessons
    queue: LessonQueue

    async def take(self) -> Lesson | None:
        """The next lesson that is due."""
        row = await self.queue.claim()
        return Lesson.of(row) if row else None


async def _learn(_row: DueRow) -> NextRun | None:
    """Nothing."""
    return None


@pytest.fixture(params=["postgres", "in_memory"])
async def school(request: pytest.FixtureRequest) -> AsyncIterator[School]:
    """None waits."""
    if request.param == "in_memory":
        lessons = InMemoryLessons()
        yield School(lessons, lessons)
        return
    url = request.getfixturevalue("database_url")
    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool) as inbox:
        queue = PostgresQueue(PostgresDueWork(pool, inbox), DueWork(_learn, in_order=True))
        yield School(PostgresLessons(pool), queue)


@pytest.mark.req("MEM-4")
async def test_lessons_of_a_user_come_one_after_the_other(school: School) -> None:
    """The second waits for the first, also while that one is put off; other users do not."""
    lessons = school.lessons
    await lessons.keep(FIRST)
    await lessons.keep(SECOND)
    await lessons.keep(replace(FIRST, user_id=43))
    row = await school.queue.claim()
    assert row is not None
    assert Lesson.of(row) == replace(FIRST, tries=1)
    await school.queue.finish(row, NextRun(600, "away"))
    other = await school.take()
    assert other is not None
    assert other.user_id == 43
    assert await school.take() is None
    await lessons.drop(42, "r1")
    assert await school.take() == replace(SECOND, tries=1)
    assert await lessons.count() == 2


async def test_lesson_keeps_its_newest_revision(school: School) -> None:
    """An edited question replaces what it said before; the same again changes nothing."""
    lessons = school.lessons
    await lessons.keep(FIRST)
    row = await school.queue.claim()
    assert row is not None
    edited = replace(FIRST, text="I have a dog", revision=7)
    await lessons.keep(edited)
    assert not await lessons.is_current(Lesson.of(row))
    await lessons.keep(FIRST)
    await school.queue.finish(row, None)
    assert await school.take() == replace(edited, tries=1)


async def test_lesson_put_back_keeps_its_refusals(school: School) -> None:
    """They are what it is given up by."""
    await school.lessons.keep(FIRST)
    row = await school.queue.claim()
    assert row is not None
    refused = replace(Lesson.of(row), refusals=2)
    await school.queue.finish(row, NextRun(0.0, "unreadable", refused.to_payload()))
    again = await school.take()
    assert again is not None
    assert (again.tries, again.refusals) == (2, 2)
    assert await school.lessons.are_waiting(42)
    assert not await school.lessons.are_waiting(43)
