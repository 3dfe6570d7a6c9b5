"""Tables of broadcasts, in databases of before they were a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.broadcast.records import CopyCounts
from rich_agent.features.broadcast.repository import Broadcasts
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0062"
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'broadcast%'"
RECORD = "SELECT name, feature FROM user_tables WHERE name LIKE 'broadcast%'"
BROADCAST = (
    "INSERT INTO broadcasts (id, admin_id, message_id, locale, text) VALUES ('b', 7, 1, 'en', 't')"
)
ROWS = (
    BROADCAST,
    """
    INSERT INTO broadcast_recipients (broadcast_id, user_id, state, message_id, changed_at)
    VALUES ('b', 42, 'sent', 80, now()), ('b', 43, 'pending', NULL, now()),
        ('b', 44, 'sent', 81, now() - interval '9 days')
    """,
    "INSERT INTO due_work (kind, key, due_at) VALUES ('broadcast', 'b', '2020-01-01')",
)


@pytest.mark.costs("it migrates forth and back")
async def test_broadcast_under_way_goes_on_after_the_upgrade(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its work stays due, and the outbox knows what was sent; users are forgotten all the same."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    execute(url, *ROWS)
    upgrade(url, APP)
    assert read(url, RECORD) == {("broadcasts", "broadcast"), ("broadcast_recipients", "broadcast")}
    async with open_pools(url, url, max_size=2) as databases:
        assert await PostgresOutbox(databases.app).update_of_message(44, 81) is None
        number = await PostgresOutbox(databases.app).update_of_message(42, 80)
        assert number is not None
        assert number < 0
        await PostgresUserData(databases, UserTags()).forget(42)
        assert "broadcast_0001" in migrate(url, url)
        broadcasts = Broadcasts(databases.app)
        next_copy = await broadcasts.next_copy("b")
        assert next_copy
        assert next_copy.user_id == 43
        await broadcasts.note(next_copy, "sent")
        result = await broadcasts.result("b")
        assert result
        assert result.tally == CopyCounts(sent=2)
    assert read(url, "SELECT key FROM due_work WHERE kind = 'broadcast'") == {("b",)}
    assert read(url, "SELECT chat_id FROM telegram_outbox") == set()


@pytest.mark.costs("it migrates forth and back")
def test_tables_without_rows_go_and_come_with_the_feature(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that never held a broadcast keeps nothing of a feature that is off."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    upgrade(url, APP)
    assert read(url, TABLES) == set()
    assert "broadcast_0001" in migrate(url, url)
    assert read(url, TABLES) == {("broadcasts",), ("broadcast_recipients",)}


@pytest.mark.costs("it migrates forth and back")
def test_broadcast_begun_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look whether there are rows waits for those that are being written."""
    make_earlier_tables(empty_database_url, BEFORE, monkeypatch)
    upgrade_during(empty_database_url, BROADCAST)
    assert read(empty_database_url, "SELECT id FROM broadcasts") == {("b",)}
