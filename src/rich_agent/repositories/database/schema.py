"""Checks, without Alembic, that the databases have the tables that this program needs."""

import importlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.rows import DictRow

from rich_agent.errors import SchemaError, StandbyError
from rich_agent.installed import installed_features
from rich_agent.repositories.database.pools import Databases, Pool, translate_database_errors

_REVISION = re.compile(r'^revision\b.*=\s*"(\w+)"', re.MULTILINE)
_CURRENT = """
SELECT version_num, pg_is_in_recovery() AS is_standby,
    obj_description(tableoid, 'pg_class') AS oldest
FROM {}
"""


@dataclass(frozen=True, slots=True)
class SchemaTree:
    """A chain of migrations: its package, and the table that records its revision.

    `folder` holds the migrations of a feature; None for the core, whose migrations are in the
    package.
    """

    package: str
    version_table: str
    folder: Path | None = None

    @property
    def versions(self) -> Path:
        """The folder of the migrations."""
        return self.folder or self.directory / "versions"

    @property
    def directory(self) -> Path:
        """The directory of the tree's `env.py` and `versions`.

        Raises: SchemaError if the package is not installed.
        """
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            raise SchemaError(
                f"the package {self.package} is not installed", hint="Install rich-agent again."
            )
        return Path(spec.origin).parent

    def revisions(self) -> list[str]:
        """All revisions, oldest first, in the order of the file names."""
        files = sorted(self.versions.glob("*.py"))
        matches = [_REVISION.search(file.read_text(encoding="utf-8")) for file in files]
        return [match[1] for match in matches if match]

    def oldest(self) -> str:
        """The oldest revision whose programs run on the newest tables; for features, the newest."""
        if self.folder:
            return self.revisions()[-1]
        return str(importlib.import_module(self.package).OLDEST)


APP = SchemaTree("migrations", "alembic_version_app")
RAG = SchemaTree("migrations_rag", "alembic_version_rag")
FEATURE_MIGRATIONS = "rich_agent.repositories.database.feature_migrations"


def feature_tree(name: str, folder: Path) -> SchemaTree:
    """The tree of a feature's migrations, which apply to the application's database.

    Each feature has a separate chain, so the core's chain stays complete if the feature is removed.
    """
    return SchemaTree(FEATURE_MIGRATIONS, f"alembic_version_{name}", folder)


def feature_trees() -> dict[str, SchemaTree]:
    """The trees of this process's features, by name, in the order of the features."""
    features = installed_features().features
    return {
        feature.name: feature_tree(feature.name, feature.migrations)
        for feature in features
        if feature.migrations
    }


async def check_schema(databases: Databases) -> None:
    """Check that this program can run on the tables of the core.

    Raises: SchemaError that says whether the tables are missing, older, newer or unreadable;
    DatabaseUnavailableError.
    """
    await _check(databases.app, APP)
    await _check(databases.rag, RAG)


async def unfit_features(databases: Databases) -> dict[str, str]:
    """The features that cannot run on their tables, each with the reason.

    Raises: DatabaseUnavailableError.
    """
    reasons: dict[str, str] = {}
    for name, tree in feature_trees().items():
        try:
            await _check(databases.app, tree)
        except SchemaError as error:
            reasons[name] = str(error)
    return reasons


async def _check(pool: Pool, tree: SchemaTree) -> None:
    revisions = tree.revisions()
    row = await _current(pool, tree)
    if row is None:
        raise SchemaError("the database has no tables of rich-agent yet")
    revision = row["version_num"]
    if revision not in revisions and row["oldest"] in revisions:
        return  # a newer version has migrated, and this one goes on until it is replaced
    if revision not in revisions:
        raise SchemaError(
            f"the tables are newer than this program (revision {revision})",
            hint="Install the version of rich-agent that created them, or a newer one.",
        )
    if revision != revisions[-1]:
        raise SchemaError(
            f"the tables are older than this program (revision {revision}, needed {revisions[-1]})"
        )


async def _current(pool: Pool, tree: SchemaTree) -> DictRow | None:
    query = sql.SQL(_CURRENT).format(sql.Identifier(tree.version_table))
    with translate_database_errors(pool):
        async with pool.connection() as connection:
            try:
                row = await (await connection.execute(query)).fetchone()
            except psycopg.errors.UndefinedTable:
                return None
            except psycopg.errors.InsufficientPrivilege as error:
                raise SchemaError(
                    "this role may not read the tables",
                    hint="Grant it SELECT, INSERT, UPDATE and DELETE on them, and USAGE on their "
                    "sequences.",
                ) from error
    if row and row["is_standby"] and not pool.read_only:
        raise StandbyError("PostgreSQL has become a standby, which refuses every write")
    return row
