"""One suite for the lessons in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.ports.memories import Lesson, Lessons
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.lessons import PostgresLessons
from tests import make
from tests.twins.lessons import InMemoryLessons

FIRST = Lesson(42, "r1", "I have a cat", make.NOW)
SECOND = Lesson(42, "r2", "She is called Mia", make.NOW)
LEASE_S = 60.0


@pytest.fixture(params=["postgres", "in_memory"])
async def lessons(request: pytest.FixtureRequest) -> AsyncIterator[Lessons]:
    """None waits."""
    if request.param == "in_memory":
        yield InMemoryLessons()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield PostgresLessons(pool)


@pytest.mark.req("MEM-4")
async def test_lessons_of_a_user_come_one_after_the_other(lessons: Lessons) -> None:
    """The second waits for the first, also while that one is put off; other users do not."""
    await lessons.keep(FIRST)
    await lessons.keep(SECOND)
    await lessons.keep(replace(FIRST, user_id=43))
    taken = await lessons.take(LEASE_S)
    assert taken == replace(FIRST, tries=1)
    await lessons.postpone(taken, 600)
    other = await lessons.take(LEASE_S)
    assert other is not None
    assert other.user_id == 43
    assert await lessons.take(LEASE_S) is None
    await lessons.drop(42, "r1")
    assert await lessons.take(LEASE_S) == replace(SECOND, tries=1)
    assert await lessons.count() == 2


async def test_lesson_is_taken_again_when_its_lease_is_over(lessons: Lessons) -> None:
    """The one who took it died."""
    await lessons.keep(FIRST)
    assert await lessons.take(0.0) == replace(FIRST, tries=1)
    assert await lessons.take(LEASE_S) == replace(FIRST, tries=2)


async def test_lesson_keeps_its_newest_revision(lessons: Lessons) -> None:
    """An edited question replaces what it said before; the same again changes nothing."""
    await lessons.keep(FIRST)
    old = await lessons.take(LEASE_S)
    assert old is not None
    edited = replace(FIRST, text="I have a dog", revision=7)
    await lessons.keep(edited)
    assert not await lessons.is_current(old)
    await lessons.keep(FIRST)
    assert await lessons.take(LEASE_S) == replace(edited, tries=1)


async def test_lesson_put_back_keeps_its_refusals(lessons: Lessons) -> None:
    """They are what it is given up by."""
    await lessons.keep(FIRST)
    taken = await lessons.take(LEASE_S)
    assert taken is not None
    await lessons.postpone(replace(taken, refusals=2), 0.0)
    again = await lessons.take(LEASE_S)
    assert again is not None
    assert (again.tries, again.refusals) == (2, 2)
    assert await lessons.are_waiting(42)
    assert not await lessons.are_waiting(43)
