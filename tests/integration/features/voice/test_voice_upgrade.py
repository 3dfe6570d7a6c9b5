"""Tables of the voice, in databases of before it was a feature."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import go_back, make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0058"
TABLES = """
SELECT table_name FROM information_schema.tables
WHERE table_name IN ('heard_recordings', 'voice_choices')
"""
CHOICES_OF_BEFORE = "SELECT telegram_user_id, speech FROM users"
RECORD = "SELECT feature FROM user_tables WHERE name = 'heard_recordings'"
ROWS = (
    "INSERT INTO heard_recordings VALUES (42, 'sha', 'whisper', 'unique', 'I have a cat')",
    "INSERT INTO users (telegram_user_id, speech) VALUES (42, 'always'), (43, NULL)",
)


@pytest.mark.costs("it migrates forth and back")
async def test_rows_of_before_stay_the_users_without_the_feature_and_with_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets them; the feature finds its tables as they are."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    execute(url, *ROWS)
    upgrade(url, APP)
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        exported = await data.export(42)
        assert [one["words"] for one in exported["recordings"]] == ["I have a cat"]
        assert exported["voice_choices"] == [{"speech": "always"}]
        assert "voice_0001" in migrate(url, url)
        assert (await data.export(42))["recordings"] == exported["recordings"]
        assert read(url, CHOICES_OF_BEFORE) == {(42, None), (43, None)}
        await data.forget(42)
    assert read(url, "SELECT user_id FROM heard_recordings") == set()
    assert read(url, "SELECT user_id FROM voice_choices") == set()


@pytest.mark.costs("it migrates forth and back")
def test_tables_without_rows_go_and_come_with_the_feature(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that never held a recording keeps nothing of a feature that is off."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    upgrade(url, APP)
    assert read(url, TABLES) == set()
    assert "voice_0001" in migrate(url, url)
    assert read(url, TABLES) == {("heard_recordings",), ("voice_choices",)}


@pytest.mark.costs("it migrates forth and back")
@pytest.mark.parametrize("rows", [ROWS, ROWS[1:]], ids=["recordings", "no recordings"])
def test_way_back_gives_the_core_its_choices_and_its_record(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...]
) -> None:
    """Choices made since count, too, and the program of before forgets and exports recordings."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    execute(url, *rows)
    migrate(url, url)
    assert read(url, RECORD) == {("voice",)}
    execute(url, "INSERT INTO voice_choices VALUES (43, 'off'), (44, 'in_kind')")
    go_back(BEFORE)
    assert read(url, CHOICES_OF_BEFORE) == {(42, "always"), (43, "off"), (44, "in_kind")}
    assert read(url, RECORD) == {("core",)}


@pytest.mark.costs("it migrates forth and back")
@pytest.mark.parametrize(
    ("row", "query"),
    [
        (ROWS[0], "SELECT user_id FROM heard_recordings"),
        (ROWS[1], "SELECT user_id FROM voice_choices"),
    ],
    ids=["recording", "choice"],
)
def test_row_written_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, row: str, query: str
) -> None:
    """The look whether there are rows waits for those that are being written."""
    make_earlier_tables(empty_database_url, BEFORE, monkeypatch)
    upgrade_during(empty_database_url, row)
    assert read(empty_database_url, query) == {(42,)}
