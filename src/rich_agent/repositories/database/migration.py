"""Runs the trees of Alembic migrations under an advisory lock, one transaction per migration.

Importing Alembic costs half a second and 40 MB, so a serving process imports this module only when
tables have to be created.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa
from alembic import command, context
from alembic.config import Config
from alembic.runtime.migration import MigrationInfo
from alembic.util import CommandError

from rich_agent.errors import DatabaseUnavailableError, RichAgentError, SchemaError, SettingsError
from rich_agent.installed import installed_features, leave_out
from rich_agent.repositories.database.pools import describe_address
from rich_agent.repositories.database.schema import APP, RAG, SchemaTree, feature_tree
from rich_agent.repositories.tables.recording import record_core, record_declarations

_ADVISORY_LOCK = 0x72_69_63_68  # "rich"; any number that all processes share
_WAIT_FOR_OTHERS = "10min"
_LOCK_TIMEOUT = "10s"
_CONNECT_TIMEOUT_S = 5


def migrate(app_url: str, rag_url: str) -> list[str]:
    """Upgrade both databases, with the tables of features; return the applied revisions.

    Several processes may call this at once: one does the work, the others wait.

    Raises: DatabaseUnavailableError, SchemaError.
    """
    revisions = upgrade(app_url, APP) + upgrade(rag_url, RAG)
    for feature in installed_features().features:
        try:
            if feature.migrations:
                revisions += upgrade(app_url, feature_tree(feature.name, feature.migrations))
            if feature.tables:
                _record(app_url, feature.name, feature.tables)
        except DatabaseUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a stranger's migration does
            leave_out(feature.name, f"its tables: {type(error).__name__}: {error}")
    return revisions


def upgrade(url: str, tree: SchemaTree) -> list[str]:
    """Upgrade one tree to its newest revision; return the applied revisions, oldest first.

    Raises: DatabaseUnavailableError, SchemaError.
    """
    revisions: list[str] = []
    config = Config(attributes={"applied": revisions, "tree": tree})
    config.set_main_option("version_locations", str(tree.versions).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(tree.directory).replace("%", "%%"))
    with _translate_errors(describe_address(url)), _connect(url) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
    return revisions


def _record(url: str, feature: str, tables: Callable[[], sa.MetaData]) -> None:
    """Record the declarations of a feature's tables. Raises: ValueError if one is wrong."""
    with _translate_errors(describe_address(url)), _connect(url) as connection, connection.begin():
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        record_declarations(connection, feature, [tables()])


def run_environment(tree: SchemaTree, find_url: Callable[[], str | None]) -> None:
    """Run the migrations of a tree; this is the body of its `env.py`.

    `find_url` is for Alembic's own command line, where no connection is given.

    Raises: RichAgentError; on Alembic's command line CommandError, whose message that prints.
    """
    connection_of_caller: sa.Connection | None = context.config.attributes.get("connection")
    if connection_of_caller is not None:
        _run(connection_of_caller, tree)
        return
    try:
        url = find_url()
        if url is None:
            raise SettingsError(
                "DATABASE_URL", "is missing", hint="Alembic's command line needs the address."
            )
        with _translate_errors(describe_address(url)), _connect(url) as connection:
            _run(connection, tree)
    except RichAgentError as error:
        raise CommandError(error.explain()) from None


def _run(connection: sa.Connection, tree: SchemaTree) -> None:
    _lock(connection)
    try:
        _ensure_vector(connection)
        context.configure(
            connection=connection,
            version_table=tree.version_table,
            transaction_per_migration=True,
            on_version_apply=_note_revision,  # type: ignore[arg-type]  # it is called by keyword
        )
        with context.begin_transaction():
            context.run_migrations()
        record_core(connection, tree)
        _note_oldest(connection, tree)
    finally:
        connection.rollback()
        connection.execute(sa.select(sa.func.pg_advisory_unlock(_ADVISORY_LOCK)))
        connection.commit()


def _note_oldest(connection: sa.Connection, tree: SchemaTree) -> None:
    """Record for programs of earlier versions whether they can run on these tables."""
    connection.exec_driver_sql(f"COMMENT ON TABLE {tree.version_table} IS '{tree.oldest()}'")
    connection.commit()


def _lock(connection: sa.Connection) -> None:
    connection.exec_driver_sql("SET statement_timeout = 0")
    connection.exec_driver_sql(f"SET lock_timeout = '{_WAIT_FOR_OTHERS}'")
    connection.execute(sa.select(sa.func.pg_advisory_lock(_ADVISORY_LOCK)))
    connection.exec_driver_sql(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
    connection.commit()


def _ensure_vector(connection: sa.Connection) -> None:
    """Create the extension pgvector if it is missing."""
    try:
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
        connection.commit()
    except sa.exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise SchemaError(
                "the extension vector is missing, and this role may not create it",
                hint="As a superuser, run `CREATE EXTENSION vector` in this database, then "
                "`rich-agent migrate` again.",
            ) from error
        if isinstance(
            error.orig, (psycopg.errors.UndefinedFile, psycopg.errors.FeatureNotSupported)
        ):
            raise SchemaError(
                "this PostgreSQL does not have the extension vector",
                hint="Install pgvector on the database server (https://github.com/pgvector/pgvector)"
                ", then run `rich-agent migrate` again.",
            ) from error
        raise


def _note_revision(step: MigrationInfo, **_: object) -> None:
    revisions: list[str] | None = context.config.attributes.get("applied")
    if revisions is not None and step.is_upgrade:
        revisions.extend(step.up_revision_ids)


@contextmanager
def _connect(url: str) -> Iterator[sa.Connection]:
    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S),
        poolclass=sa.pool.NullPool,
    )
    with engine.connect() as connection:
        yield connection


@contextmanager
def _translate_errors(address: str) -> Iterator[None]:
    try:
        yield
    except sa.exc.OperationalError as error:
        if isinstance(error.orig, psycopg.errors.LockNotAvailable):
            raise SchemaError(
                "a table that has to be changed was in use",
                hint="Run `rich-agent migrate` again; if it fails again, stop the bot first.",
            ) from error
        raise DatabaseUnavailableError(
            f"PostgreSQL at {address}: {str(error.orig).strip()}"
        ) from None
    except sa.exc.ProgrammingError as error:
        if isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise SchemaError(
                f"this role may not change the tables: {str(error.orig).strip()}"
            ) from error
        raise
    except CommandError as error:
        raise SchemaError(
            f"the tables are newer than this program ({error})",
            hint="Install the version of rich-agent that created them, or a newer one.",
        ) from error
