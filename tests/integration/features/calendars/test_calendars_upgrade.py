"""The tables of calendars, in databases of before they were a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.ports.memories import Erased
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import go_back, make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0059"
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_name = 'calendar_feeds'"
BEFORE_LISTS = "app_0067"
LISTS = """
INSERT INTO caldav_connections (user_id, url, username, password)
VALUES (42, 'https://dav.example/tasks/', 'ann', 'x'), (43, '', 'bob', 'x')
"""
ENTRIES = "INSERT INTO caldav_entries (user_id, uid, href) VALUES (42, 'one', '/tasks/one.ics')"
WAITING = """
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw)
SELECT -number - 1, 42, true, convert_to('{"' || kind || '": {"from": {"id": 42}}}', 'UTF8')
FROM unnest(ARRAY['task_conflict', 'task_list_trouble']) WITH ORDINALITY AS kinds (kind, number)
"""
KINDS = """
SELECT jsonb_object_keys(convert_from(raw, 'UTF8')::jsonb) FROM telegram_inbox WHERE raw <> ''
"""
RECORD = "SELECT feature FROM user_tables WHERE name = 'calendar_feeds'"


@pytest.mark.costs("it migrates forth and back")
async def test_feeds_of_before_stay_the_users_without_the_feature_and_with_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets them; without rows there is no table until it is made."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    upgrade(url, APP)
    assert read(url, TABLES) == set()
    go_back(BEFORE)
    assert read(url, RECORD) == {("core",)}
    execute(url, "INSERT INTO calendar_feeds VALUES (42, 'nonce', 'hash')")
    upgrade(url, APP)
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        assert len((await data.export(42))["calendar_feed"]) == 1
        assert "calendars_0001" in migrate(url, url)
        assert len((await data.export(42))["calendar_feed"]) == 1
        await data.forget(42)
    assert read(url, "SELECT user_id FROM calendar_feeds") == set()


@pytest.mark.costs("it migrates forth and back")
def test_feed_made_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look whether there are feeds waits for one that is being made."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    upgrade_during(url, "INSERT INTO calendar_feeds VALUES (42, 'nonce', 'hash')")
    assert read(url, "SELECT user_id FROM calendar_feeds") == {(42,)}


@pytest.mark.costs("it migrates forth and back")
async def test_task_lists_of_before_stay_the_users_and_their_notices_wait(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports them, and ends the login when everything is to be forgotten."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE_LISTS, monkeypatch)
    execute(url, LISTS, ENTRIES, WAITING)
    upgrade(url, APP)
    assert read(url, KINDS) == {("calendars_replaced",), ("calendars_trouble",)}
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        for _ in range(2):
            exported = await data.export(42)
            assert len(exported["task_list"]) == len(exported["task_list_entries"]) == 1
            migrate(url, url)
        await PostgresErasure(databases).erase(Erased(42, "tg:42", everything=True))
    left = "SELECT user_id FROM caldav_connections UNION SELECT user_id FROM caldav_entries"
    assert read(url, left) == {(43,)}
    go_back(BEFORE_LISTS)
    assert read(url, KINDS) == {("task_conflict",), ("task_list_trouble",)}
