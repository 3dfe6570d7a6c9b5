"""The parts of a database, as PostgreSQL's catalogue tells them."""

from typing import Any

import psycopg
from psycopg import sql

COLUMNS = """
SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public'
"""
_INDEXES = """
SELECT tablename, indexname, replace(indexdef, 'public.', '') AS definition
FROM pg_indexes WHERE schemaname = 'public'
"""
_CONSTRAINTS = """
SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""


def read(url: str, query: str) -> set[tuple[Any, ...]]:
    """The rows of a query."""
    with psycopg.connect(url) as connection:
        return set(connection.execute(query).fetchall())


def execute(url: str, *statements: str) -> None:
    """Run statements in one transaction."""
    with psycopg.connect(url) as connection:
        for statement in statements:
            connection.execute(statement)


def catalogue(url: str) -> dict[str, set[tuple[Any, ...]]]:
    """Columns, indexes and constraints of all tables."""
    return {query: read(url, query) for query in (COLUMNS, _INDEXES, _CONSTRAINTS)}


def tables_of(url: str) -> set[str]:
    """The names of all tables."""
    return {row[0] for row in read(url, COLUMNS)}


RENEWED_BY_THE_BOT = {"telegram_rate"}
"""Rows that a running bot writes all the while."""


def contents(url: str) -> dict[str, tuple[int, str]]:
    """The number of rows of every table that a turn could write, and a digest of them."""
    query = (
        "SELECT count(*), coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {} t"
    )
    digests = {}
    with psycopg.connect(url) as connection:
        for table in tables_of(url) - RENEWED_BY_THE_BOT:
            row = connection.execute(sql.SQL(query).format(sql.Identifier(table))).fetchone()
            assert row is not None
            digests[table] = (int(row[0]), str(row[1]))
    return digests
