"""The table of tokens, in databases of before it was a feature's."""

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.tokens.records import NewApiToken
from rich_agent.features.tokens.repository import PostgresApiTokens
from rich_agent.repositories.database.migration import migrate, upgrade
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import APP
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute, read
from tests.integration.earlier_tables import make_earlier_tables
from tests.integration.late_row import upgrade_during

BEFORE = "app_0071"
TABLE = "SELECT to_regclass('api_tokens') IS NOT NULL"
RECORD = "SELECT feature FROM user_tables WHERE name = 'api_tokens'"
TOKENS = "SELECT user_id FROM api_tokens"
TOKEN = """
INSERT INTO api_tokens (token_hash, user_id, name, scopes) VALUES ('hash', 42, 'laptop', '{chat}')
"""


@pytest.mark.costs("it migrates forth and back")
async def test_tokens_stay_and_are_the_users_without_the_feature_too(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core alone exports and forgets them; the feature's own migration changes nothing."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    assert read(url, RECORD) == {("core",)}
    execute(url, TOKEN)
    upgrade(url, APP)
    assert read(url, RECORD) == {("tokens",)}
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        (exported,) = (await data.export(42))["api_tokens"]
        assert exported["name"] == "laptop"
        assert "tokens_0001" in migrate(url, url)
        (record,) = await PostgresApiTokens(databases.app).all_of(42)
        assert (record.name, sorted(record.scopes)) == ("laptop", ["chat"])
        await data.forget(42)
    assert read(url, TOKENS) == set()


@pytest.mark.costs("it migrates forth and back")
async def test_table_without_tokens_goes_until_the_feature_makes_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So nothing of it is left in databases of bots without the feature."""
    url = empty_database_url
    make_earlier_tables(url, BEFORE, monkeypatch)
    upgrade(url, APP)
    assert (read(url, TABLE), read(url, RECORD)) == ({(False,)}, set())
    migrate(url, url)
    async with open_pools(url, url, max_size=2) as databases:
        assert await PostgresApiTokens(databases.app).make(NewApiToken(42, "laptop")) is not None


@pytest.mark.costs("it migrates forth and back")
def test_token_written_during_the_upgrade_stays(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look whether there are rows waits for one that is being written."""
    make_earlier_tables(empty_database_url, BEFORE, monkeypatch)
    upgrade_during(empty_database_url, TOKEN)
    assert read(empty_database_url, TOKENS) == {(42,)}
