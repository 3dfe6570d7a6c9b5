"""Tasks, projects, goals, notes and the schedule as PostgreSQL keeps them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import psycopg
import pytest

from rich_agent.composition.repositories import memory_rows
from rich_agent.domain.access import UserTags
from rich_agent.domain.memory.items import LongTermMemory, MemoryItem, mark_of, unlearn, without
from rich_agent.domain.memory.merging import Learned, Provenance, Traces, merge
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.feature import Feature
from rich_agent.features.agenda import mirrors
from rich_agent.features.agenda.domain.plans import NewBlock, NewGoal, NewProject, ScheduleBlock
from rich_agent.features.agenda.domain.tasks import NewTask, Task, TaskQuery
from rich_agent.features.agenda.mirrors import TaskMirror
from rich_agent.features.agenda.repositories import remembered
from rich_agent.features.agenda.repositories.plans import (
    PostgresGoals,
    PostgresNotes,
    PostgresProjects,
    PostgresSchedule,
)
from rich_agent.features.agenda.repositories.remembered import (
    changing_tasks,
    project_tasks,
)
from rich_agent.features.agenda.repositories.tasks import PostgresTasks
from rich_agent.installed import choose_features
from rich_agent.ports.memories import Erased, KeptThing
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import Connection, Databases, Pool, open_pool
from rich_agent.repositories.database.repository import fetch_one
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.repositories.erasure import PostgresErasure, erase_things, read_things
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.memory_store import RowsByKind
from rich_agent.repositories.user_data import PostgresUserData

NoteChange = Callable[[Connection, int], Awaitable[None]]
ME, OTHER = 42, 4
TODAY = date(2026, 3, 2)
ROWS: RowsByKind = memory_rows()
MORNING = datetime.fromisoformat("2026-03-02T09:00")


@dataclass(frozen=True, slots=True)
class UnderTest:
    """Everything that users plan with."""

    pool: Pool
    tasks: PostgresTasks
    projects: PostgresProjects
    goals: PostgresGoals
    notes: PostgresNotes
    schedule: PostgresSchedule
    memories: PostgresMemories

    async def task(self, title: str, user_id: int = ME, **values: object) -> Task:
        """A new task."""
        task = await self.tasks.create(user_id, replace(NewTask(title), **values))  # type: ignore[arg-type]
        assert task is not None
        return task

    async def titles(self, query: TaskQuery = TaskQuery()) -> list[str]:  # noqa: B008 - frozen
        """The titles of what is asked for."""
        found, total = await self.tasks.page(ME, query, 100)
        assert total == len(found)
        return [task.title for task in found]

    async def remembered(self, user_id: int = ME) -> list[tuple[str, str]]:
        """The tasks of the memory with their dates."""
        return [(item.text, item.due) for item in (await self.memories.load(user_id)).tasks]


@pytest.fixture
async def under_test(database_url: str) -> AsyncIterator[UnderTest]:
    """An empty one."""
    async with open_pool(database_url, max_size=8) as pool:
        yield UnderTest(
            pool,
            PostgresTasks(pool),
            PostgresProjects(pool),
            PostgresGoals(pool),
            PostgresNotes(pool),
            PostgresSchedule(pool),
            PostgresMemories(pool, ROWS),
        )


async def test_tasks_are_found_by_each_filter(under_test: UnderTest) -> None:
    """Project, status, type, priority, date and a part of the title, in any case."""
    project = await under_test.projects.create(ME, NewProject("Move", "To Rome"))
    await under_test.task("Pack boxes", project_id=project.id, priority="high", due_date=TODAY)
    await under_test.task("Call Ann", task_type="Today")
    later = await under_test.task("Sell the car", due_date=TODAY + timedelta(days=9))
    done = await under_test.task("Buy boxes")
    await under_test.tasks.update(ME, done.id, {"status": "done"}, TODAY)
    await under_test.tasks.update(ME, later.id, {"status": "blocked"}, TODAY)
    assert await under_test.titles() == ["Sell the car", "Call Ann", "Pack boxes"]
    assert await under_test.titles(TaskQuery(project_id=project.id)) == ["Pack boxes"]
    assert await under_test.titles(TaskQuery(priority="high")) == ["Pack boxes"]
    assert await under_test.titles(TaskQuery(task_type="Today")) == ["Call Ann"]
    assert await under_test.titles(TaskQuery(due_by=TODAY)) == ["Pack boxes"]
    assert await under_test.titles(TaskQuery(for_day=TODAY)) == ["Call Ann", "Pack boxes"]
    assert await under_test.titles(TaskQuery(status="blocked")) == ["Sell the car"]
    assert await under_test.titles(TaskQuery(status="done")) == ["Buy boxes"]
    assert await under_test.titles(TaskQuery(title_part="BOX")) == ["Pack boxes"]
    assert await under_test.titles(TaskQuery(title_part="%")) == []
    both = TaskQuery(title_part="box", with_done=True, order="due_date", descending=False)
    assert await under_test.titles(both) == ["Pack boxes", "Buy boxes"]


async def test_task_of_another_is_not_found(under_test: UnderTest) -> None:
    """Neither read nor changed, deleted, restored or used as a parent or a project."""
    theirs = await under_test.task("Theirs", OTHER)
    project = await under_test.projects.create(OTHER, NewProject("Theirs", ""))
    assert await under_test.tasks.find(ME, theirs.id) is None
    assert await under_test.tasks.update(ME, theirs.id, {"title": "Mine"}, TODAY) is None
    assert await under_test.tasks.delete(ME, theirs.id) is None
    await under_test.tasks.delete(OTHER, theirs.id)
    assert await under_test.tasks.restore(ME, [theirs.id]) == 0
    assert await under_test.tasks.restore(OTHER, [theirs.id]) == 1
    assert await under_test.tasks.create(ME, NewTask("Mine", parent_id=theirs.id)) is None
    assert await under_test.tasks.create(ME, NewTask("Mine", project_id=project.id)) is None
    mine = await under_test.task("Mine")
    assert await under_test.tasks.update(ME, mine.id, {"project_id": project.id}, TODAY) is None
    assert await under_test.tasks.find(OTHER, theirs.id) == theirs


async def test_deleted_task_takes_its_subtasks_along_and_back(under_test: UnderTest) -> None:
    """Subtasks that were deleted before stay deleted."""
    parent = await under_test.task("Move")
    child, gone = [await under_test.task(name, parent_id=parent.id) for name in ("Pack", "Gone")]
    grandchild = await under_test.task("Buy boxes", parent_id=child.id)
    await under_test.tasks.delete(ME, gone.id)
    deleted = await under_test.tasks.delete(ME, parent.id)
    assert deleted is not None
    assert deleted.ids == [parent.id, child.id, grandchild.id]
    assert await under_test.titles() == []
    assert await under_test.tasks.restore(ME, deleted.ids) == 3
    assert [task.title for task in await under_test.tasks.subtasks(ME, parent.id)] == ["Pack"]
    assert await under_test.tasks.subtasks(OTHER, parent.id) == []


async def test_taken_back_change_leaves_what_was_changed_since(under_test: UnderTest) -> None:
    """Each field goes back only while it is as the change left it."""
    task = await under_test.task("Call Ann", due_date=TODAY, description="about the flat")
    fields = {"priority": "high", "due_date": None, "title": "Call Ann"}
    change = await under_test.tasks.update(ME, task.id, fields, TODAY)
    assert change is not None
    assert dict(change.before) == {"priority": "medium", "due_date": "2026-03-02"}
    await under_test.tasks.update(ME, task.id, {"priority": "urgent"}, TODAY)
    assert await under_test.tasks.take_back(ME, task.id, change)
    assert not await under_test.tasks.take_back(ME, task.id, change)
    assert not await under_test.tasks.take_back(OTHER, task.id, change)
    after = await under_test.tasks.find(ME, task.id)
    assert after is not None
    assert (after.priority, after.due_date) == ("urgent", TODAY)


async def test_completed_recurring_task_comes_again_once(under_test: UnderTest) -> None:
    """Missed dates are left out; undone, the next one goes too and the rule is back."""
    task = await under_test.task("Water", due_date=TODAY, recurrence="FREQ=WEEKLY;COUNT=5")
    day = TODAY + timedelta(days=8)
    change = await under_test.tasks.update(ME, task.id, {"status": "done"}, day)
    assert change is not None
    assert change.next_due == TODAY + timedelta(days=14)
    (following,), _ = await under_test.tasks.page(ME, TaskQuery(), 10)
    assert (following.id, following.due_date) == (change.next_id, change.next_due)
    assert following.recurrence == "FREQ=WEEKLY;COUNT=3"
    done = await under_test.tasks.find(ME, task.id)
    assert done is not None
    assert (done.status, done.recurrence) == ("done", "")
    assert done.completed_at is not None
    assert await under_test.tasks.take_back(ME, task.id, change)
    (again,), _ = await under_test.tasks.page(ME, TaskQuery(), 10)
    assert replace(again, updated_at=task.updated_at) == task


async def test_task_done_twice_at_once_comes_again_once(under_test: UnderTest) -> None:
    """Two presses make one next occurrence."""
    task = await under_test.task("Water", due_date=TODAY, recurrence="FREQ=DAILY")
    done = {"status": "done"}
    await asyncio.gather(*(under_test.tasks.update(ME, task.id, done, TODAY) for _ in range(4)))
    assert await under_test.titles() == ["Water"]


async def test_deleted_things_are_pruned_and_no_others(
    under_test: UnderTest, database_url: str
) -> None:
    """A task that nobody deleted stays, however old."""
    kept, gone = await under_test.task("Kept"), await under_test.task("Gone")
    note = await under_test.notes.create(ME, "Gone", "")
    assert note is not None
    await under_test.tasks.delete(ME, gone.id)
    await under_test.notes.delete(ME, note.id)
    aged = AgedRows(Databases(*[under_test.pool] * 3), None)
    assert await aged.prune(1) == 0
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "UPDATE tasks SET created_at = '2020-01-01', updated_at = '2020-01-01',"
            " deleted_at = deleted_at - interval '2 days'"
        )
        connection.execute("UPDATE notes SET deleted_at = deleted_at - interval '2 days'")
    assert await aged.prune(1) == 2
    assert await under_test.tasks.restore(ME, [gone.id]) == 0
    assert await under_test.tasks.find(ME, kept.id) is not None


async def test_memory_and_tasks_are_one_list(under_test: UnderTest) -> None:
    """A task created, done, moved or deleted on either side shows on the other."""
    task = await under_test.task("Call Ann", due_date=TODAY)
    assert await under_test.remembered() == [("Call Ann", "2026-03-02")]
    learned = [Learned("tasks", "Buy milk"), Learned("tasks", "call ann.", due="2026-03-09")]
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")
    memory = await under_test.memories.change(ME, lambda newest: merge(newest, learned, source))
    assert sorted(await under_test.titles()) == ["Buy milk", "call ann."]
    moved = await under_test.tasks.find(ME, task.id)
    assert moved is not None
    assert moved.due_date == date(2026, 3, 9)
    assert sorted(await under_test.remembered()) == sorted(
        (one.text, one.due) for one in memory.tasks
    )
    await under_test.tasks.update(ME, task.id, {"status": "done"}, TODAY)
    assert await under_test.remembered() == [("Buy milk", "")]
    assert await under_test.remembered(OTHER) == []


async def test_task_that_leaves_the_memory_is_archived_or_deleted(
    under_test: UnderTest, database_url: str
) -> None:
    """Done in the user's words, it is archived and may come again; erased, it is gone."""
    await under_test.task("Water", due_date=TODAY, recurrence="FREQ=WEEKLY")
    await under_test.task("Call Ann")
    marks = [mark_of("tasks", item) for item in (await under_test.memories.load(ME)).tasks]
    await under_test.memories.change(ME, lambda newest: without(newest, *marks))
    (water,) = (await under_test.memories.load(ME)).tasks
    assert water.due > TODAY.isoformat()
    await under_test.memories.change(ME, lambda _: LongTermMemory(), for_good=True)
    with psycopg.connect(database_url) as connection:
        left = connection.execute("SELECT title, is_archived FROM tasks ORDER BY id").fetchall()
    assert left == [("Water", True), ("Call Ann", True)]


async def test_tasks_that_the_memory_kept_alone_are_of_the_list_later(
    under_test: UnderTest,
) -> None:
    """Items learned while nothing kept rows become tasks; tasks from before stay."""
    for title in ("Call Ann", "Feed the cat"):
        await under_test.task(title)
    alone = PostgresMemories(under_test.pool)
    source = Provenance("feed the parrot", "r1")
    await alone.change(ME, lambda old: merge(old, [Learned("tasks", "Feed the parrot")], source))
    await under_test.task("Water the plants")
    titles = ["Call Ann", "Feed the cat", "Feed the parrot", "Water the plants"]
    assert sorted(await under_test.titles()) == titles
    assert sorted(text for text, _ in await under_test.remembered()) == titles


@pytest.fixture
async def memories_without_agenda(under_test: UnderTest) -> AsyncIterator[PostgresMemories]:
    """The memory of a process whose operator switched the agenda off."""
    choose_features((), ("agenda",))
    try:
        yield PostgresMemories(under_test.pool, memory_rows())
    finally:
        choose_features((), ())


@pytest.mark.parametrize(
    "lesson",
    [
        Learned("tasks", "", action="remove"),
        Learned("tasks", "Call Ann", action="remove"),
        Learned("tasks", "Call Ann's mother", action="replace"),
        Learned("tasks", "Call Ann", action="replace", due="2027-01-01"),
        None,
    ],
)
async def test_lesson_leaves_a_task_as_it_is_while_the_agenda_is_absent(
    under_test: UnderTest, memories_without_agenda: PostgresMemories, lesson: Learned | None
) -> None:
    """Done, reworded, postponed or taught by an edited turn: the row decides. Else it came back."""
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")
    task = Learned("tasks", "Call Ann", due="2026-03-02")
    await under_test.memories.change(ME, lambda newest: merge(newest, [task], source))
    (item,) = (await memories_without_agenda.load(ME)).tasks
    lessons = [replace(lesson, mark=mark_of("tasks", item))] if lesson else []
    milk = Learned("tasks", "Buy milk")

    def learn(newest: LongTermMemory) -> LongTermMemory:
        return merge(unlearn(newest, "r1"), [*lessons, milk], source)

    memory = await memories_without_agenda.change(ME, learn)
    assert [(one.text, one.due) for one in memory.tasks] == [
        ("Call Ann", "2026-03-02"),
        ("Buy milk", ""),
    ]
    assert await memories_without_agenda.load(ME) == memory
    await under_test.task("Feed the cat")
    assert sorted(await under_test.titles()) == ["Buy milk", "Call Ann", "Feed the cat"]
    assert sorted(await under_test.remembered()) == [
        ("Buy milk", ""),
        ("Call Ann", "2026-03-02"),
        ("Feed the cat", ""),
    ]


async def test_task_is_deleted_with_its_row_while_the_agenda_is_absent(
    under_test: UnderTest, memories_without_agenda: PostgresMemories, database_url: str
) -> None:
    """For good: no row, no copy of an earlier form and no vector brings it back. Others stay."""
    for title in ("Call Ann", "Buy milk", "Feed the cat", "Call Ann"):
        await under_test.task(title)
    theirs = await under_test.task("Call Ann", OTHER)
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE store SET value = value #- '{items,1,row}' WHERE key = 'tasks'")
    tasks = (await memories_without_agenda.load(ME)).tasks
    ann, milk = (mark_of("tasks", item) for item in tasks[:2])
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")
    lessons = [Learned("tasks", "", action="remove", mark=ann), Learned("facts", "Lives in Rome")]
    await memories_without_agenda.change(ME, lambda newest: merge(newest, lessons, source))
    assert (await memories_without_agenda.load(ME)).tasks == tasks
    vectors = {mark: [1.0, 0.0] for mark in (ann, milk)}
    await memories_without_agenda.add_vectors(ME, VectorSpace("m", 2), vectors)
    await memories_without_agenda.change(
        ME, lambda newest: without(newest, ann, milk), for_good=True
    )
    assert [one.text for one in (await memories_without_agenda.load(ME)).tasks] == ["Feed the cat"]
    with psycopg.connect(database_url) as connection:
        rows = connection.execute("SELECT title, user_id FROM tasks ORDER BY id").fetchall()
        assert rows == [("Feed the cat", ME), (theirs.title, OTHER)]
        assert connection.execute("SELECT FROM store_vectors").rowcount == 0
    await under_test.task("Water the plants")
    assert sorted(await under_test.titles()) == ["Feed the cat", "Water the plants"]


class BrokenRows:
    """Rows that break after they changed something."""

    async def replace(self, connection: Connection, *_: object, **__: object) -> None:
        """Archive everything, and fail."""
        await self.project(connection, ME)

    async def project(self, connection: Connection, user_id: int) -> None:
        """Archive everything, and fail."""
        await connection.execute("UPDATE tasks SET is_archived = true")
        raise ValueError(user_id)

    async def keys(self, connection: Connection, user_id: int) -> list[str]:
        """Fail in the database."""
        await connection.execute("SELECT 1 / 0")
        return [str(user_id)]


async def test_rows_that_fail_undo_only_their_part(under_test: UnderTest) -> None:
    """Changes of other kinds are kept. A deletion for good succeeds as a whole or fails."""
    task = await under_test.task("Call Ann")
    await under_test.task("Feed the cat")
    rows = BrokenRows()
    memories = PostgresMemories(under_test.pool, {"tasks": rows})
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")
    lessons = [Learned("tasks", "Buy milk"), Learned("facts", "Lives in Rome")]
    await memories.change(ME, lambda newest: merge(newest, lessons, source))
    memory = await memories.load(ME)
    assert [one.text for _, one in memory] == ["Lives in Rome", "Call Ann", "Feed the cat"]
    with pytest.raises(ValueError, match="42"):
        await memories.change(ME, lambda _: LongTermMemory(), for_good=True)
    assert await memories.load(ME) == memory
    async with checkout_held(under_test.pool) as connection:
        values = {"user_id": ME, "prefix": f"users.{ME}"}
        assert len(await read_things(connection, values, [rows])) == 2
        things = frozenset({f"tasks:{task.id}"})
        await erase_things(connection, Erased(ME, f"user:{ME}", things=things), [rows])
    assert [one.text for one in (await memories.load(ME)).tasks] == ["Feed the cat"]
    assert await under_test.titles() == ["Feed the cat"]


async def test_memory_keeps_all_that_it_knew_of_a_task(under_test: UnderTest) -> None:
    """Whom it is about, when it holds, and which turn taught it."""
    item = MemoryItem("Call", "r7", "2026-01-01", "other", "2026-02-01", "wife", "planned")
    await under_test.memories.change(ME, lambda _: LongTermMemory(tasks=(item,)))
    assert (await under_test.memories.load(ME)).tasks == (item,)


async def test_tasks_beyond_what_is_remembered_stay(under_test: UnderTest) -> None:
    """A turn that learns another task archives none."""
    for number in range(203):
        await under_test.task(f"Task {number}")
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")
    new = [Learned("tasks", "One more")]
    await under_test.memories.change(ME, lambda newest: merge(newest, new, source))
    _, total = await under_test.tasks.page(ME, TaskQuery(), 1)
    assert total == 204
    assert len(await under_test.remembered()) == 200


async def test_deleted_task_leaves_no_vector(under_test: UnderTest, database_url: str) -> None:
    """Its words stay in no table that the memory searches."""
    task = await under_test.task("Call Ann")
    (item,) = (await under_test.memories.load(ME)).tasks
    mark = mark_of("tasks", item)
    await under_test.memories.add_vectors(ME, VectorSpace("m", 2), {mark: [1.0, 0.0]})
    await under_test.tasks.delete(ME, task.id)
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT FROM store_vectors").rowcount == 0


async def test_tasks_and_memory_changed_at_once_lose_nothing(under_test: UnderTest) -> None:
    """Both sides take the same lock, so that none waits for the other forever."""
    source = Provenance("r1", "2026-03-02T10:00:00+00:00")

    def learning(number: int) -> list[Learned]:
        return [Learned("tasks", f"Learned {number}")]

    await asyncio.gather(
        *(under_test.task(f"Made {number}") for number in range(6)),
        *(
            under_test.memories.change(ME, lambda newest, n=n: merge(newest, learning(n), source))  # type: ignore[misc]
            for n in range(6)
        ),
    )
    titles = await under_test.titles()
    assert len(titles) == len(set(titles)) == 12
    assert len(await under_test.remembered()) == 12


def mirroring(name: str, note_change: NoteChange) -> Feature:
    """A feature with a mirror of tasks."""

    async def refresh(_pool: Pool, _user_id: int) -> None:
        """Do nothing."""

    extensions = {"agenda": lambda: TaskMirror(note_change, refresh)}
    return Feature(name=name, needs=("agenda",), extensions=extensions)


async def test_features_hear_of_a_change_of_tasks_where_it_is_made(
    under_test: UnderTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its transaction, and all but the one that made it.

    One that fails or is late undoes its part.
    """
    monkeypatch.setattr(remembered, "_LONGEST_NOTE_S", 0.2)
    numbers = "SELECT count(*) AS number FROM tasks WHERE user_id = %s"
    counts: list[int] = []

    async def count(connection: Connection, user_id: int) -> None:
        counts.append((await fetch_one(connection, numbers, (user_id,)))["number"])

    async def fail(connection: Connection, user_id: int) -> None:
        await connection.execute("DELETE FROM tasks WHERE user_id = %s", (user_id,))
        await connection.execute("SELECT 1 / 0")

    async def sleep(connection: Connection, user_id: int) -> None:
        await connection.execute("DELETE FROM tasks WHERE user_id = %s", (user_id,))
        await connection.execute("SELECT pg_sleep(60)")

    features = (
        mirroring("poker", fail),
        mirroring("bridge", sleep),
        mirroring("chess", count),
        Feature(name="go"),
        Feature(name="shogi", extensions={"agenda": object}),
    )
    monkeypatch.setattr(mirrors, "loaded_features", lambda: features)
    await under_test.task("First")
    await under_test.task("Second")
    assert counts == [1, 2]
    assert [*mirrors.task_mirrors()] == ["poker", "bridge", "chess"]
    async with changing_tasks(under_test.pool, ME) as connection:
        await project_tasks(connection, ME, author="chess")
        assert counts == [1, 2]
    assert [*mirrors.task_mirrors()] == ["poker", "bridge", "chess"]
    assert sorted(await under_test.titles()) == ["First", "Second"]


async def test_task_waits_for_a_change_that_is_under_way(under_test: UnderTest) -> None:
    """Otherwise the memory would show the one and not the other."""
    waiting = """
    SELECT count(*) AS number FROM pg_locks JOIN pg_database ON oid = database
    WHERE datname = current_database() AND NOT granted
    """
    async with asyncio.TaskGroup() as group, changing_tasks(under_test.pool, ME) as connection:
        await connection.execute("INSERT INTO tasks (user_id, title) VALUES (42, 'First')")
        await project_tasks(connection, ME)
        group.create_task(under_test.task("Second"))
        async with asyncio.timeout(30):
            while not (await fetch_one(connection, waiting))["number"]:  # noqa: ASYNC110 - its state
                await asyncio.sleep(0.01)
    assert [title for title, _ in await under_test.remembered()] == ["First", "Second"]


async def test_blocks_that_overlap_are_refused_even_at_once(under_test: UnderTest) -> None:
    """One of eight that come together gets the time; neighbours and other users do not matter."""
    blocks = [
        NewBlock(MORNING + timedelta(minutes=n), MORNING + timedelta(hours=1), f"Block {n}")
        for n in range(8)
    ]
    made = await asyncio.gather(*(under_test.schedule.create(ME, block) for block in blocks))
    (kept,) = [one for one in made if isinstance(one, ScheduleBlock)]
    assert all(one == [kept] for one in made if isinstance(one, Sequence))
    after = NewBlock(kept.ends_at, kept.ends_at + timedelta(minutes=30), "Next")
    assert isinstance(await under_test.schedule.create(ME, after), ScheduleBlock)
    assert isinstance(await under_test.schedule.create(OTHER, blocks[0]), ScheduleBlock)
    titles = [block.title for block in await under_test.schedule.day(ME, TODAY)]
    assert titles == [kept.title, "Next"]
    assert not await under_test.schedule.delete(OTHER, kept.id)
    assert await under_test.schedule.delete(ME, kept.id)


async def test_block_bears_the_title_of_its_task(under_test: UnderTest) -> None:
    """Also of a task that is renamed later; a task of another is none."""
    task, theirs = await under_test.task("Write"), await under_test.task("Theirs", OTHER)
    block = NewBlock(MORNING, MORNING + timedelta(hours=1), task_id=task.id)
    assert isinstance(await under_test.schedule.create(ME, block), ScheduleBlock)
    assert await under_test.schedule.create(ME, replace(block, task_id=theirs.id)) is None
    await under_test.tasks.update(ME, task.id, {"title": "Write more"}, TODAY)
    (shown,) = await under_test.schedule.day(ME, TODAY)
    assert (shown.title, shown.task_id) == ("Write more", task.id)
    assert await under_test.schedule.day(ME, TODAY + timedelta(days=1)) == []


async def test_projects_count_their_tasks(under_test: UnderTest) -> None:
    """Open and done ones, the most important project first; deleted, its tasks stay."""
    await under_test.projects.create(ME, NewProject("Small", "", importance=1))
    big = await under_test.projects.create(ME, NewProject("Big", "", importance=5))
    tasks = [await under_test.task(f"Task {n}", project_id=big.id) for n in range(3)]
    await under_test.tasks.update(ME, tasks[0].id, {"status": "done"}, TODAY)
    await under_test.tasks.delete(ME, tasks[1].id)
    first, second = await under_test.projects.all(ME)
    assert (first.name, first.open_tasks, first.done_tasks) == ("Big", 1, 1)
    assert (second.name, second.open_tasks, second.done_tasks) == ("Small", 0, 0)
    assert await under_test.projects.find(OTHER, big.id) is None
    assert not await under_test.projects.delete(OTHER, big.id)
    assert await under_test.projects.delete(ME, big.id)
    assert await under_test.titles() == ["Task 2"]


async def test_goals_change_and_go_back(under_test: UnderTest) -> None:
    """The next to be reached comes first; another user's is not found."""
    far = await under_test.goals.create(ME, NewGoal("Run", "yearly", date(2026, 12, 31)))
    await under_test.goals.create(ME, NewGoal("Read", "monthly", date(2026, 3, 31)))
    assert [goal.title for goal in await under_test.goals.all(ME)] == ["Read", "Run"]
    assert [goal.title for goal in await under_test.goals.all(ME, "yearly")] == ["Run"]
    assert await under_test.goals.update(OTHER, far.id, {"progress": 50}) is None
    change = await under_test.goals.update(ME, far.id, {"progress": 50, "target_date": None})
    assert change is not None
    assert (await under_test.goals.all(ME, "yearly"))[0].progress == 50
    assert await under_test.goals.take_back(ME, far.id, change)
    assert (await under_test.goals.all(ME, "yearly"))[0].target_date == date(2026, 12, 31)
    assert not await under_test.goals.delete(OTHER, far.id)
    assert await under_test.goals.delete(ME, far.id)


async def test_notes_are_in_folders_of_their_user(under_test: UnderTest) -> None:
    """A folder is made once; a note of another user is not found."""
    folder = await under_test.notes.open_folder(ME, "Recipes")
    assert await under_test.notes.open_folder(ME, "Recipes") == folder
    theirs = await under_test.notes.open_folder(OTHER, "Recipes")
    assert await under_test.notes.create(ME, "Soup", "Water", theirs.id) is None
    soup = await under_test.notes.create(ME, "Soup\x00", "Water", folder.id)
    loose = await under_test.notes.create(ME, "Loose", "")
    assert soup is not None
    assert loose is not None
    notes, total = await under_test.notes.page(ME, 1)
    assert ([note.title for note in notes], total) == (["Loose"], 2)
    notes, total = await under_test.notes.page(ME, 10, folder_id=folder.id)
    assert ([note.title for note in notes], total) == (["Soup"], 1)
    assert [(one.name, one.notes) for one in await under_test.notes.folders(ME)] == [("Recipes", 1)]
    assert await under_test.notes.find(OTHER, soup.id) is None
    assert not await under_test.notes.delete(OTHER, soup.id)
    assert await under_test.notes.delete(ME, soup.id)
    assert await under_test.notes.find(ME, soup.id) is None
    assert not await under_test.notes.restore(OTHER, soup.id)
    assert await under_test.notes.restore(ME, soup.id)


@pytest.mark.req("MEM-3")
async def test_notes_are_exported_with_the_names_of_their_folders(
    under_test: UnderTest, databases: Databases
) -> None:
    """None for a note without one; and nothing of another user."""
    folder = await under_test.notes.open_folder(ME, "Birds")
    await under_test.notes.create(ME, "Seeds", "Sunflower", folder.id)
    await under_test.notes.create(ME, "Cage", "Clean it")
    await under_test.notes.create(OTHER, "Theirs", "")
    exported = await PostgresUserData(databases, UserTags()).export(ME)
    assert [(one["title"], one["content"], one["folder"]) for one in exported["notes"]] == [
        ("Seeds", "Sunflower", "Birds"),
        ("Cage", "Clean it", None),
    ]


async def furnish(under_test: UnderTest, user_id: int) -> None:
    """One of everything, and an open task that the memory shows whole."""
    await under_test.task("Open", user_id)
    described = await under_test.task("Described", user_id, description="the canary sings")
    done = await under_test.task("Done", user_id)
    await under_test.tasks.update(user_id, done.id, {"status": "done"}, TODAY)
    await under_test.projects.create(user_id, NewProject("Project", "Aviary"))
    await under_test.goals.create(user_id, NewGoal("Goal"))
    folder = await under_test.notes.open_folder(user_id, "Folder")
    await under_test.notes.create(user_id, "Note", "Seeds", folder.id)
    block = NewBlock(MORNING, MORNING + timedelta(hours=1), task_id=described.id)
    await under_test.schedule.create(user_id, block)


async def things(databases: Databases, user_id: int) -> Sequence[KeptThing]:
    """The things that a wish to forget looks through besides the memory."""
    return await PostgresErasure(databases, ROWS).things(user_id)


async def test_erasure_finds_and_deletes_single_things(
    under_test: UnderTest, databases: Databases
) -> None:
    """Things that the memory shows whole are found there; the others by all their words."""
    for user_id in (ME, OTHER):
        await furnish(under_test, user_id)
    found = await things(databases, ME)
    assert sorted((one.key.partition(":")[0], one.text) for one in found) == [
        ("goals", "Goal"),
        ("note_folders", "Folder"),
        ("notes", "Note\nSeeds"),
        ("projects", "Project\nAviary\n"),
        ("schedule_blocks", "Described"),
        ("tasks", "Described\nthe canary sings"),
        ("tasks", "Done\n"),
    ]
    theirs = await things(databases, OTHER)
    gone = frozenset(one.key for one in [*found, *theirs] if one.title in {"Described", "Note"})
    erasure = PostgresErasure(databases, ROWS)
    for _ in range(2):
        await erasure.erase(Erased(ME, f"tg:{ME}", things=gone))
    left = {one.title for one in await things(databases, ME)}
    assert left == {"Done", "Project", "Goal", "Folder"}
    assert await under_test.remembered() == [("Open", "")]
    assert await things(databases, OTHER) == theirs


async def test_erasure_of_everything_leaves_no_thing(
    under_test: UnderTest, databases: Databases
) -> None:
    """Of this user; the memory shows no task any more."""
    for user_id in (ME, OTHER):
        await furnish(under_test, user_id)
    await PostgresErasure(databases, ROWS).erase(Erased(ME, f"tg:{ME}", everything=True))
    assert await things(databases, ME) == []
    assert await under_test.titles() == []
    assert await under_test.remembered() == []
    assert len(await things(databases, OTHER)) == 7


async def test_erasure_deletes_calls_and_sessions_that_tell(
    databases: Databases, database_url: str
) -> None:
    """Calls of a turn that goes, and those that tell what goes; no others, and of nobody else."""
    with psycopg.connect(database_url) as connection:
        for user_id, request, title in (
            (ME, "r1", "Anything"),
            (ME, "r2", "Feed the canary"),
            (ME, "r3", "Buy milk"),
            (OTHER, "r2", "Feed the canary"),
        ):
            connection.execute(
                "INSERT INTO tool_executions (user_id, thread_id, request_id, call_id, tool, input)"
                " VALUES (%s, %s, %s, 'c', 'create_task', jsonb_build_object('title', %s::text))",
                (user_id, f"tg:{user_id}", request, title),
            )
        for user_id, requests, output in (
            (ME, ["r0", "r1"], "Anything"),
            (ME, ["r4"], "Feed the canary"),
            (ME, ["r5"], "Rest"),
            (OTHER, ["r1"], "Feed the canary"),
        ):
            connection.execute(
                "INSERT INTO guided_sessions (user_id, template, status, requests, outputs)"
                " VALUES (%s, 'plan', 'completed', %s, jsonb_build_array(%s::text))",
                (user_id, requests, output),
            )
    erased = Erased(ME, f"tg:{ME}", frozenset({"r1"}), Traces.of(["canary"]))
    await PostgresErasure(databases, ROWS).erase(erased)
    with psycopg.connect(database_url) as connection:
        calls = connection.execute("SELECT user_id, request_id FROM tool_executions").fetchall()
        sessions = connection.execute("SELECT user_id, requests FROM guided_sessions").fetchall()
    assert sorted(calls) == [(OTHER, "r2"), (ME, "r3")]
    assert sorted(sessions) == [(OTHER, ["r1"]), (ME, ["r5"])]
