"""The tables of reminders, in databases of before they were a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.reminder.notices import firing_of
from rich_agent.features.reminder.records import FIRING_WORK
from rich_agent.features.reminder.repository import Reminders
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.due_work import PostgresDueWork
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.user_data import PostgresUserData
from rich_agent.telegram.receive.envelope import kind_of
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import go_back, make_earlier_tables
from tests.integration.late_row import upgrade_during

USER = 42
BEFORE = "app_0072"
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'schedule%'"
TRIGGERS = """
SELECT proname FROM pg_proc WHERE proname IN ('keep_reminder_due', 'pause_reminders')
UNION ALL SELECT tgname FROM pg_trigger WHERE tgname = 'pause_reminders'
"""
RECORD = """
SELECT name, feature FROM user_tables WHERE name IN ('schedules', 'schedule_firings')
"""
REMINDER = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at)
VALUES (42, 'Tea', 'reminder', '2026-03-02 09:00:30.5', 'UTC', now(), now() - interval '1 minute')
"""
FIRING = """
WITH fired AS (
    INSERT INTO schedule_firings (schedule_id, occurrence, state, due_at)
    SELECT id, now() - interval '1 day', 'queued', now() FROM schedules RETURNING update_id
)
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw)
SELECT update_id, 42, true, convert_to('{"reminder": {"from": {"id": 42}}}', 'UTF8') FROM fired
"""
LANE = "INSERT INTO telegram_lanes (user_id, urgent, ready_at) VALUES (42, true, now())"


@pytest.mark.costs("it migrates forth and back")
async def test_reminders_under_way_come_after_the_upgrade(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was fired and one that is due; the core alone exports and forgets them, too."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    execute(url, REMINDER, FIRING, LANE)
    upgrade(url, APP)
    assert read(url, RECORD) == {("schedules", "reminder"), ("schedule_firings", "reminder")}
    async with open_pools(url, url, max_size=4) as databases:
        data = PostgresUserData(databases, UserTags())
        (exported,) = (await data.export(USER))["reminders"]
        assert (exported["text"], exported["start"]) == ("Tea", "2026-03-02T09:00")
        assert "reminder_0001" in migrate(url, url)
        assert (await data.export(USER))["reminders"] == [exported]
        await _take_both(databases)
        await data.forget(USER)
    assert read(url, "SELECT text FROM schedules") == set()
    assert read(url, "SELECT kind FROM due_work") == set()


async def _take_both(databases: Databases) -> None:
    """Take the update of the firing, then fire the reminder that is due."""
    reminders = Reminders(databases.app, PostgresAccounts(databases.app))
    async with PostgresInbox(databases.app) as inbox:
        lane = await inbox.claim(urgent=True)
        assert lane is not None
        assert [kind_of(update.raw) for update in lane.updates] == ["reminder"]
        due = await reminders.due(lane.updates[0].update_id)
        assert due is not None
        assert (due.reminder.text, due.state) == ("Tea", "queued")
        await inbox.finish(lane)
        kind = firing_of(reminders)
        row = await PostgresDueWork(databases.app, inbox).claim({FIRING_WORK: kind})
        assert row is not None
        await kind.do(row)
        assert await inbox.claim(urgent=True) is not None


@pytest.mark.costs("it migrates forth and back")
def test_tables_without_rows_go_and_come_with_the_feature(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their triggers: a database without reminders keeps nothing of a feature that is off."""
    url, tables = empty_database_url, {("schedules",), ("schedule_firings",)}
    make_earlier_tables(url, BEFORE, monkeypatch)
    triggers = read(url, TRIGGERS)
    upgrade(url, APP)
    assert read(url, TABLES) & tables == set()
    assert read(url, TRIGGERS) == set()
    assert "reminder_0001" in migrate(url, url)
    assert read(url, TABLES) >= tables
    assert read(url, TRIGGERS) == triggers != set()
    go_back(BEFORE)
    assert read(url, RECORD) == {("schedules", "core"), ("schedule_firings", "core")}
    execute(url, REMINDER)
    assert "reminder_0001" in migrate(url, url)
    assert read(url, "SELECT kind FROM due_work") == {("reminders",)}


@pytest.mark.costs("it migrates forth and back")
def test_reminder_set_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look whether there are rows waits for those that are being written."""
    make_earlier_tables(empty_database_url, BEFORE, monkeypatch)
    upgrade_during(empty_database_url, REMINDER)
    assert read(empty_database_url, "SELECT text FROM schedules") == {("Tea",)}
