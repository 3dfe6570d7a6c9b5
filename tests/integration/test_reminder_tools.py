"""The tools for reminders on PostgreSQL: what a model writes, what it is told, what is undone."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rich_agent.domain.tools import ToolCall, ToolResult
from rich_agent.ports.tools import Asker
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.reminders import PostgresReminders
from rich_agent.repositories.tools import PostgresToolExecutions
from rich_agent.tools.reminders import ReminderTools
from rich_agent.tools.toolbox import Toolbox

USER, WHEN = 42, "2099-01-06T09:00"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """The database of one test."""
    async with open_pool(database_url, max_size=4) as opened:
        yield opened


@pytest.fixture
def reminders(pool: Pool) -> PostgresReminders:
    """The reminders that the tools act on."""
    return PostgresReminders(pool, PostgresInbox(pool))


@pytest.fixture
def toolbox(pool: Pool, reminders: PostgresReminders) -> Toolbox:
    """The tools, with the record of their calls."""
    tools = ReminderTools(reminders, PostgresAccounts(pool))
    return Toolbox(tools.tools(), PostgresToolExecutions(pool))


def asker(request_id: str = "r1", user_id: int = USER) -> Asker:
    """A user who asks in English."""
    return Asker(user_id, f"tg:{user_id}", request_id)


async def call(
    toolbox: Toolbox, name: str, by: Asker | None = None, **arguments: Any
) -> tuple[ToolResult, dict[str, Any]]:
    """The result of a call, and its content."""
    by = by or asker()
    number = f"{name}:{sorted(arguments.items())}"
    result = await toolbox.run(ToolCall(number, name, arguments), by)
    return result, json.loads(result.content)


async def test_remind_tells_the_user_how_often_it_comes(toolbox: Toolbox) -> None:
    """A page may have asked for it, and nobody is asked for a reminder in the user's words."""
    hourly = f"{WHEN} RRULE:FREQ=HOURLY;INTERVAL=2"
    result, _ = await call(toolbox, "remind", text="Tea", when=hourly, time_zone="Asia/Tokyo")
    assert result.done == "Reminder: Tea – 2099-01-06 09:00 · every 2 hours (Asia/Tokyo)"


async def test_remind_asks_for_the_zone_once_and_keeps_it(toolbox: Toolbox, pool: Pool) -> None:
    """Unknown, wrong, given: the model is told what to do each time."""
    refused, told = await call(toolbox, "remind", text="Tea", when=WHEN)
    assert refused.status == "error"
    assert "not known in which time zone" in told["error"]
    _, told = await call(toolbox, "remind", text="Tea", when=WHEN, time_zone="Tokio")
    assert "Asia/Tokyo" in told["error"]
    result, told = await call(toolbox, "remind", text="Tea", when=WHEN, time_zone="Asia/Tokyo")
    assert (told["next_at"], told["time_zone"]) == (WHEN, "Asia/Tokyo")
    assert result.done == "Reminder: Tea – 2099-01-06 09:00 (Asia/Tokyo)"
    assert result.undoable
    assert (await PostgresAccounts(pool).find(USER)).time_zone == "Asia/Tokyo"
    _, told = await call(toolbox, "remind", text="More tea", when=WHEN)
    assert told["time_zone"] == "Asia/Tokyo"
    _, told = await call(toolbox, "remind", text="Call", when=WHEN, time_zone="Europe/London")
    assert told["time_zone"] == "Europe/London"
    assert (await PostgresAccounts(pool).find(USER)).time_zone == "Asia/Tokyo"


async def test_remind_tells_what_is_wrong_with_a_time(toolbox: Toolbox) -> None:
    """The path of a wrong argument, the time that it is, the form to write."""
    for when, said in (
        ("tomorrow at nine", "Write"),
        ("2026-01-05T09:00", "That time is over. It is 20"),
        (f"{WHEN} RRULE:FREQ=SECONDLY", "HOURLY"),
        ("", "when:"),
    ):
        result, told = await call(toolbox, "remind", text="Tea", when=when, time_zone="UTC")
        assert result.status == "error"
        assert said in told["error"]


async def test_same_call_again_sets_no_second_reminder(
    toolbox: Toolbox, reminders: PostgresReminders
) -> None:
    """A turn that is tried again acts once."""
    for _ in range(2):
        await call(toolbox, "remind", text="Tea", when=WHEN, time_zone="UTC")
    _, total = await reminders.upcoming(USER, 0, 5)
    assert total == 1


async def test_each_change_is_undone_by_its_request(
    toolbox: Toolbox, reminders: PostgresReminders
) -> None:
    """Set, put off and cancelled: taken back in turn, the reminder is as it was."""
    rule = f"{WHEN} RRULE:FREQ=WEEKLY;BYDAY=TU"
    _, told = await call(toolbox, "remind", text="Bins", when=rule, time_zone="Europe/Berlin")
    number = told["schedule_id"]
    before = await reminders.find(USER, number)
    _, told = await call(
        toolbox, "snooze_reminder", asker("r2"), schedule_id=number, until="tomorrow"
    )
    assert told["next_at"] == "2099-01-07T09:00"
    _, told = await call(toolbox, "cancel_reminder", asker("r3"), schedule_id=number)
    assert told["status"] == "cancelled"
    assert await toolbox.undo(USER, "r3", "en") == ["Bins"]
    assert await toolbox.undo(USER, "r2", "en") == ["Bins"]
    assert await reminders.find(USER, number) == before
    assert await toolbox.undo(USER, "r1", "en") == ["Bins"]
    assert await reminders.upcoming(USER, 0, 5) == ([], 0)


async def test_snooze_takes_a_local_time_of_the_reminders_zone(toolbox: Toolbox) -> None:
    """No rule, and no time that is over."""
    _, told = await call(toolbox, "remind", text="Tea", when=WHEN, time_zone="Asia/Tokyo")
    number = told["schedule_id"]
    _, told = await call(toolbox, "snooze_reminder", schedule_id=number, until="2099-02-01T10:00")
    assert told["next_at"] == "2099-02-01T10:00"
    for until in ("2099-02-01T10:00 FREQ=DAILY", "2020-02-01T10:00", "later"):
        result, _ = await call(toolbox, "snooze_reminder", schedule_id=number, until=until)
        assert result.status == "error"


async def test_somebody_elses_reminder_is_not_found(
    toolbox: Toolbox, reminders: PostgresReminders
) -> None:
    """Neither listed nor changed."""
    _, told = await call(toolbox, "remind", text="Tea", when=WHEN, time_zone="UTC")
    number, other = told["schedule_id"], asker(user_id=7)
    result, _ = await call(toolbox, "cancel_reminder", other, schedule_id=number)
    assert result.status == "error"
    _, told = await call(toolbox, "list_reminders", other)
    assert told["reminders"] == []
    _, told = await call(toolbox, "list_reminders")
    assert [one["schedule_id"] for one in told["reminders"]] == [number]
    kept = await reminders.find(USER, number)
    assert kept is not None
    assert kept.status == "active"
