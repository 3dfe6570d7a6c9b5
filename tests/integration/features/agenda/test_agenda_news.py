"""News for pages about tasks, notes and the schedule, wherever these are changed."""

from datetime import date, datetime

from rich_agent.features.agenda.domain.plans import NewBlock, ScheduleBlock
from rich_agent.features.agenda.domain.tasks import NewTask
from rich_agent.features.agenda.opening import make_agenda
from rich_agent.repositories.database.pools import Databases
from tests.integration.page_news import following_pages

ME, OTHER = 42, 4
NINE, TEN = datetime(2027, 3, 5, 9), datetime(2027, 3, 5, 10)  # noqa: DTZ001 - local


async def test_pages_are_told_of_changed_tasks_and_notes(
    database_url: str, databases: Databases
) -> None:
    """Without a tool, as by the memory, a task list or a button of /notes."""
    agenda = make_agenda(databases.app)
    async with following_pages(database_url) as pages:
        await pages.hears(agenda.tasks.create(ME, NewTask("Report")), ME)
        (task,) = await agenda.tasks.following(ME, None, 10)
        done = {"status": "done"}
        await pages.hears(agenda.tasks.update(ME, task.id, done, date(2027, 3, 5)), ME)
        assert await agenda.tasks.following(ME, None, 10) == []
        note = await agenda.notes.create(ME, "Cake", "Flour")
        assert note is not None
        assert not await agenda.notes.delete(OTHER, note.id)
        await pages.hears(agenda.notes.delete(ME, note.id), ME)
        await pages.hears(agenda.notes.restore(ME, note.id), ME)


async def test_block_moves_unless_its_time_is_taken(databases: Databases) -> None:
    """It keeps its length; blocks of others are neither found nor in the way."""
    schedule = make_agenda(databases.app).schedule
    first = await schedule.create(ME, NewBlock(NINE, NINE.replace(minute=30), "Report"))
    second = await schedule.create(ME, NewBlock(TEN, TEN.replace(minute=30), "Call"))
    await schedule.create(OTHER, NewBlock(NINE.replace(hour=12), NINE.replace(hour=13), "Lunch"))
    assert isinstance(first, ScheduleBlock)
    assert isinstance(second, ScheduleBlock)
    assert await schedule.move(ME, first.id, TEN.replace(minute=15)) == [second]
    assert await schedule.move(OTHER, first.id, NINE) is None
    moved = await schedule.move(ME, first.id, NINE.replace(hour=12))
    assert isinstance(moved, ScheduleBlock)
    assert moved.ends_at == NINE.replace(hour=12, minute=30)
    assert await schedule.find(ME, first.id) == moved
    assert await schedule.move(ME, first.id, NINE.replace(hour=12, minute=10)) != [moved]
