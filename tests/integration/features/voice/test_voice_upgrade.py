"""Tables of the voice, in databases of before it was a feature."""

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

ROOT = Path(__file__).parents[4]
BEFORE = "app_0058"
TABLES = """
SELECT table_name FROM information_schema.tables
WHERE table_name IN ('heard_recordings', 'voice_choices')
"""
ROWS = (
    "INSERT INTO heard_recordings VALUES (42, 'sha', 'whisper', 'unique', 'I have a cat')",
    "INSERT INTO users (telegram_user_id, speech) VALUES (42, 'always'), (43, NULL)",
)


def before(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the tables as they were."""
    monkeypatch.setenv("DATABASE_URL", url)
    migrate(url, url)
    command.downgrade(Config(ROOT / "alembic.ini", ini_section="app"), BEFORE)


@pytest.mark.costs("it migrates forth and back")
async def test_rows_of_before_stay_the_users_without_the_feature_and_with_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets them; the feature finds its tables as they are."""
    url = empty_database_url
    before(url, monkeypatch)
    execute(url, *ROWS)
    upgrade(url, APP)
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        exported = await data.export(42)
        assert [one["words"] for one in exported["recordings"]] == ["I have a cat"]
        assert exported["voice_choices"] == [{"speech": "always"}]
        assert "voice_0001" in migrate(url, url)
        assert (await data.export(42))["recordings"] == exported["recordings"]
        await data.forget(42)
    assert read(url, "SELECT user_id FROM heard_recordings") == set()
    assert read(url, "SELECT user_id FROM voice_choices") == set()


@pytest.mark.costs("it migrates forth and back")
def test_tables_without_rows_go_and_come_with_the_feature(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that never held a recording keeps nothing of a feature that is off."""
    url = empty_database_url
    before(url, monkeypatch)
    upgrade(url, APP)
    assert read(url, TABLES) == set()
    assert "voice_0001" in migrate(url, url)
    assert read(url, TABLES) == {("heard_recordings",), ("voice_choices",)}
