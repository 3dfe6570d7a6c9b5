"""The tables of the agenda, in databases of before they were a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.agenda import feature
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.database.user_tables import APP_RECORD, read_declarations
from rich_agent.repositories.tables.declarations import user_tables
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import catalogue, execute, read
from tests.integration.earlier_tables import go_back, make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0070"
NAMES = ("projects", "tasks", "goals", "note_folders", "notes", "schedule_blocks")
TABLES = f"""
SELECT table_name FROM information_schema.tables
WHERE table_name = ANY (ARRAY{list(NAMES)})
"""
RECORD = f"SELECT name, feature FROM user_tables WHERE name = ANY (ARRAY{list(NAMES)})"
TASK = "INSERT INTO tasks (user_id, title) VALUES (42, 'Call Ann')"
NOTE = """
WITH folder AS (INSERT INTO note_folders (user_id, name) VALUES (42, 'Recipes') RETURNING id)
INSERT INTO notes (user_id, folder_id, title, content) SELECT 42, id, 'Soup', 'Water' FROM folder
"""


@pytest.mark.costs("it migrates forth and back")
async def test_agenda_of_before_stays_the_users_without_the_feature_and_with_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets it, by the same declarations as the feature's."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    assert read(url, RECORD) == {(name, "core") for name in NAMES}
    execute(url, TASK, NOTE)
    upgrade(url, APP)
    assert read(url, RECORD) == {(name, "agenda") for name in NAMES}
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        exported = await data.export(42)
        assert exported["notes"][0]["folder"] == "Recipes"
        async with databases.app.connection() as connection:
            tables = await read_declarations(connection, APP_RECORD)
        assert feature.tables is not None
        declared_tables = list(user_tables([feature.tables()]))
        assert [table for table in tables if table.name in NAMES] == declared_tables
        assert "agenda_0001" in migrate(url, url)
        exported_later = await data.export(42)
        for section in ("tasks", "notes"):
            assert exported_later[section] == exported[section]
        await data.forget(42)
    assert read(url, "SELECT id FROM tasks UNION SELECT id FROM notes") == set()


@pytest.mark.costs("it migrates forth and back")
def test_tables_without_rows_are_made_by_the_feature(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are gone until then, unless a table of another feature refers to them."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    tables = catalogue(url)
    upgrade(url, APP)
    assert len(read(url, TABLES)) == len(read(url, RECORD)) == len(NAMES)
    go_back(BEFORE)
    execute(url, "ALTER TABLE caldav_entries DROP COLUMN task_id CASCADE")
    upgrade(url, APP)
    assert read(url, TABLES) == read(url, RECORD) == set()
    migrate(url, url)
    columns = {part: {row for row in rows if row[0] in NAMES} for part, rows in tables.items()}
    assert columns == {
        part: {row for row in rows if row[0] in NAMES} for part, rows in catalogue(url).items()
    }
    assert read(url, RECORD) == {(name, "agenda") for name in NAMES}


@pytest.mark.costs("it migrates forth and back")
def test_task_made_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look whether there are rows waits for one that is being made."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    execute(url, "ALTER TABLE caldav_entries DROP COLUMN task_id CASCADE")
    upgrade_during(url, TASK)
    assert read(url, "SELECT title FROM tasks") == {("Call Ann",)}
