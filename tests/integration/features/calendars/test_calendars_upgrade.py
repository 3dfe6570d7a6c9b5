"""The table of calendar feeds, in databases of before it was a feature's."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config

from rich_agent.domain.access import UserTags
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.late_row import upgrade_during

ROOT = Path(__file__).parents[4]
BEFORE = "app_0059"
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_name = 'calendar_feeds'"
RECORD = "SELECT feature FROM user_tables WHERE name = 'calendar_feeds'"


@pytest.mark.costs("it migrates forth and back")
async def test_feeds_of_before_stay_the_users_without_the_feature_and_with_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets them; without rows there is no table until it is made."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="app")
    migrate(url, url)
    command.downgrade(config, BEFORE)
    upgrade(url, APP)
    assert read(url, TABLES) == set()
    command.downgrade(config, BEFORE)
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
    monkeypatch.setenv("DATABASE_URL", url)
    migrate(url, url)
    command.downgrade(Config(ROOT / "alembic.ini", ini_section="app"), BEFORE)
    upgrade_during(url, "INSERT INTO calendar_feeds VALUES (42, 'nonce', 'hash')")
    assert read(url, "SELECT user_id FROM calendar_feeds") == {(42,)}
