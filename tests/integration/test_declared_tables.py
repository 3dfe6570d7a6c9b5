"""Declarations of tables: they are the tables of the databases, and no user's table lacks one."""

from collections.abc import Sequence
from typing import Any, cast

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Column, Engine, MetaData, NullPool, Table, create_engine

from rich_agent.feature import loaded_features
from rich_agent.repositories.database.schema import APP, RAG, SchemaTree
from rich_agent.repositories.tables.declarations import APPLICATION, DOCUMENTS
from rich_agent.repositories.tables.recording import digest_of
from tests.integration.catalogue import catalogue, execute

OF_FEATURES = {one.name: one.tables() for one in loaded_features() if one.tables}
DECLARED = (*OF_FEATURES.values(), *APPLICATION, *DOCUMENTS)
VERSIONS = {
    *(APP.version_table, RAG.version_table),
    *(f"alembic_version_{name}" for name in OF_FEATURES),
}
"""Tables of Alembic's own."""
TREES = pytest.mark.parametrize(
    ("tree", "declared"), [(APP, APPLICATION), (RAG, DOCUMENTS)], ids=["application", "documents"]
)
SEQUENCES = ("internal_update_numbers", "telegram_lane_fence")
"""Of defaults; several tables share the first, so none of them declares it."""


def engine_of(url: str) -> Engine:
    """An engine of SQLAlchemy on a database."""
    return create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool
    )


def differences(url: str, declared: Sequence[MetaData]) -> list[object]:
    """Changes with which Alembic would make the database what is declared."""
    options: dict[str, Any] = {
        "compare_server_default": True,
        "include_name": lambda name, kind, _: kind != "table" or name not in VERSIONS,
    }
    with engine_of(url).connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        changes = compare_metadata(context, cast("MetaData", list(declared)))
        return [one for one in changes if not is_same_sequence(one)]


def is_same_sequence(difference: Any) -> bool:
    """Whether both defaults are the next number of one sequence: Alembic compares two numbers."""
    change = difference[0]
    if change[0] != "modify_default":
        return False
    texts = {str(default.arg) for default in change[-2:] if default is not None}
    return len(texts) == 1 and "nextval(" in texts.pop()


def test_declared_tables_are_those_that_migrations_make(
    database_url: str, empty_database_url: str
) -> None:
    """Alembic finds no difference; nor does PostgreSQL, whose catalogue has all constraints."""
    assert differences(database_url, DECLARED) == []
    surplus = MetaData()
    Table("surplus", surplus, Column("id", BigInteger, primary_key=True))
    assert len(differences(database_url, [*DECLARED, surplus])) == 1
    execute(
        empty_database_url,
        "CREATE EXTENSION vector",
        *(f"CREATE SEQUENCE {one}" for one in SEQUENCES),
    )
    with engine_of(empty_database_url).begin() as connection:
        for metadata in (*reversed((*APPLICATION, *DOCUMENTS)), *OF_FEATURES.values()):
            metadata.create_all(connection)
    migrated = {
        part: {row for row in rows if row[0] not in VERSIONS}
        for part, rows in catalogue(database_url).items()
    }
    assert catalogue(empty_database_url) == migrated


@TREES
def test_changed_declaration_comes_with_a_migration(
    tree: SchemaTree, declared: Sequence[MetaData]
) -> None:
    """A program reads what was recorded, so a change has to be recorded when it is installed."""
    config = Config()
    config.set_main_option("script_location", str(tree.directory))
    revisions = ScriptDirectory.from_config(config).walk_revisions()
    hashes = (getattr(one.module, "DECLARATIONS", None) for one in revisions)
    assert next(filter(None, hashes)) == digest_of(declared)
