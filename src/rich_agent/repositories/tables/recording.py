"""Writes declarations into the database, where processes that serve read them."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import get_args

from sqlalchemy import Connection, DateTime, Integer, MetaData, text

from rich_agent.ports.user_data import KEY, Kept, UserData
from rich_agent.repositories.database.schema import APP, RAG, SchemaTree
from rich_agent.repositories.database.user_tables import APP_RECORD, RAG_RECORD
from rich_agent.repositories.tables.declarations import (
    APPLICATION,
    DOCUMENTS,
    undeclared,
    user_tables,
)
from rich_agent.repositories.user_data import CORE_SECTIONS

CORE = "core"
"""The feature under which the core's own tables are recorded."""
_FEATURES_FROM = 0
_CORE_FROM = 10_000
"""Places: rows of features are deleted first, since theirs may refer to those of the core."""

_DROP = """
DELETE FROM {record} WHERE feature = :feature AND name <> ALL (:names)
    AND to_regclass(quote_ident(name)) IS NULL
"""
_STORE = """
INSERT INTO {record} AS known (name, feature, place, key, declaration)
VALUES (:name, :feature, :place, :key, CAST(:declaration AS jsonb))
ON CONFLICT (name) DO UPDATE SET feature = excluded.feature, place = excluded.place,
    key = excluded.key, declaration = excluded.declaration
WHERE known.feature = excluded.feature
    OR known.feature = 'core' AND known.name <> ALL (:of_core)
"""


def record_declarations(
    connection: Connection,
    feature: str,
    metadata: Iterable[MetaData],
    record: str = APP_RECORD,
) -> None:
    """Store what the tables of a feature declare, in the transaction of the caller.

    A table that is declared no more stays recorded as long as the database has it. A table of
    another feature is left alone, unless it was one of the core's.

    Raises: ValueError if a declaration names what is not there, or a table of users has none.
    """
    metadata = list(metadata)
    if undeclared_names := [table.name for table in undeclared(metadata)]:
        raise ValueError(
            f"{', '.join(undeclared_names)}: a column names a user, and nothing is declared"
        )
    if feature != CORE:
        for problem in _problems_of(metadata):
            raise ValueError(problem)
    tables = list(user_tables(metadata))
    of_core = [table.name for table in user_tables([*APPLICATION, *DOCUMENTS])]
    parameters = {"feature": feature, "names": [table.name for table in tables]}
    connection.execute(text(_DROP.format(record=record)), parameters)
    first_position = _CORE_FROM if feature == CORE else _FEATURES_FROM
    for position, table in enumerate(tables, first_position):
        row = {
            "name": table.name,
            "feature": feature,
            "place": position,
            "key": list(table.key),
            "declaration": json.dumps(table.data.to_json()),
            "of_core": of_core,
        }
        connection.execute(text(_STORE.format(record=record)), row)


def _problems_of(metadata: Iterable[MetaData]) -> Iterator[str]:
    """Problems that would break the export, the age or the ways to forget of everybody."""
    section_by_core_table = {
        one.name: one.section for one in user_tables([*APPLICATION, *DOCUMENTS])
    }
    sections = {*section_by_core_table.values(), *CORE_SECTIONS}
    for one in metadata:
        for table in one.tables.values():
            data = table.info.get(KEY)
            if not isinstance(data, UserData):
                continue
            if table.name not in section_by_core_table and (data.section or table.name) in sections:
                yield f"{table.name}: the export has a section of this name; give another"
            if data.user and not isinstance(table.c[data.user].type, Integer):
                yield f"{table.name}.{data.user} is no number, as users have"
            for age in data.ages:
                if not isinstance(table.c[age].type, DateTime):
                    yield f"{table.name}.{age} is no time"
            if isinstance(data.kept, str) and data.kept not in get_args(get_args(Kept)[0]):
                yield f"{table.name}: {data.kept!r} is no term"


def record_core(connection: Connection, tree: SchemaTree) -> None:
    """Store the declarations of one of the core's trees, if it has come to their record."""
    if tree not in _OF_TREE:
        return
    record, tables = _OF_TREE[tree]
    if connection.scalar(text("SELECT to_regclass(:name)"), {"name": record}) is not None:
        record_declarations(connection, CORE, tables, record)


def digest_of(metadata: Iterable[MetaData]) -> str:
    """A short hash of declarations, which differs when any of them does."""
    rows = [[table.name, table.key, table.data.to_json()] for table in user_tables(metadata)]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:12]


_OF_TREE = {APP: (APP_RECORD, APPLICATION), RAG: (RAG_RECORD, DOCUMENTS)}
