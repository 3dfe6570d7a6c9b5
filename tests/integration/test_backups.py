"""Backups of the databases of servers."""

from pathlib import Path

import psycopg
import pytest

from rich_agent.composition.backups import make_backup, restore_backup
from rich_agent.errors import RichAgentError, UnfitServerError
from rich_agent.settings.settings import Settings
from tests.database import PostgresServer
from tests.pooler import pooled


def settings_of(app: str, rag: str) -> Settings:
    """Settings with two databases."""
    return Settings.load(DATABASE_URL=app, RAG_DATABASE_URL=rag)


@pytest.mark.costs("it dumps two databases with all tables, and restores one")
def test_half_restored_pair_is_named(database_server: PostgresServer, tmp_path: Path) -> None:
    """The first database is filled when the second fails; the error says so, and what to do."""
    template, file = database_server.migrated_template(), tmp_path / "two.backup"
    with database_server.database(template) as app, database_server.database(template) as rag:
        make_backup(settings_of(app, rag), file)
    with database_server.database() as app, database_server.database() as rag:
        with psycopg.connect(app) as connection:
            connection.execute("CREATE EXTENSION vector")
        with pytest.raises(RichAgentError, match="has filled") as caught:
            restore_backup(settings_of(app, rag), file, replaces=False)
        name = psycopg.conninfo.conninfo_to_dict(app)["dbname"]
        assert str(name) in str(caught.value).rpartition("has filled")[2]
        assert "drop" in caught.value.hint


def test_pooler_before_the_documents_is_refused(
    database_url: str, database_server: PostgresServer, tmp_path: Path
) -> None:
    """A dump through pooled transactions would be no snapshot."""
    file = tmp_path / "pooled.backup"
    with (
        database_server.database() as rag,
        pooled(rag, "transaction", tmp_path) as address,
        pytest.raises(UnfitServerError, match="pooler in transaction mode") as caught,
    ):
        make_backup(settings_of(database_url, address), file)
    assert "RAG_DATABASE_URL" in caught.value.hint
    assert list(tmp_path.glob("*.part")) == []
    assert not file.exists()
