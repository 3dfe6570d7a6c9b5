"""The tables of sessions and login codes, in databases of before they were a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.web_chat.repository import BrowserSessions
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0066"
TABLES = """
SELECT table_name FROM information_schema.tables
WHERE table_name IN ('web_sessions', 'web_login_codes')
"""
RECORDS = "SELECT name, feature FROM user_tables WHERE name LIKE 'web_%'"
SESSION = """
INSERT INTO web_sessions (secret_hash, user_id, expires_at)
VALUES ('hash', 42, now() + interval '1 day')
"""


@pytest.mark.costs("it migrates forth and back")
async def test_browsers_stay_signed_in_and_are_the_users_without_the_feature_too(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets sessions; a table without rows goes until it is made."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    assert read(url, RECORDS) == {("web_sessions", "core"), ("web_login_codes", "core")}
    execute(url, SESSION)
    upgrade(url, APP)
    assert read(url, TABLES) == {("web_sessions",)}
    assert read(url, RECORDS) == {("web_sessions", "web_chat")}
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        assert len((await data.export(42))["web_sessions"]) == 1
        assert "web_chat_0001" in migrate(url, url)
        assert read(url, TABLES) == {("web_sessions",), ("web_login_codes",)}
        sessions = BrowserSessions(databases.app)
        assert (await sessions.has_any(42), await sessions.has_any(43)) == (True, False)
        await data.forget(42)
    assert read(url, "SELECT user_id FROM web_sessions") == set()


@pytest.mark.costs("it migrates forth and back")
@pytest.mark.parametrize(
    ("row", "query"),
    [
        (SESSION, "SELECT user_id FROM web_sessions"),
        (
            "INSERT INTO web_login_codes VALUES (42, 'hash', now())",
            "SELECT user_id FROM web_login_codes",
        ),
    ],
    ids=["session", "code"],
)
def test_row_written_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, row: str, query: str
) -> None:
    """The look whether there are rows waits for one that is being written."""
    make_earlier_tables(empty_database_url, BEFORE, monkeypatch)
    upgrade_during(empty_database_url, row)
    assert read(empty_database_url, query) == {(42,)}
