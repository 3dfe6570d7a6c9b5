"""Finds headings among the rows of a table: each names the group of the rows below it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import duckdb

from rich_agent.domain.tables import TableColumn

_LEAST_COLUMNS: Final = 3
_LEAST_HEADINGS: Final = 2
_MOST_HEADINGS: Final = 1_000


class Groups(NamedTuple):
    """The SQL for the rows of a table without headings, and for the names of their groups."""

    source: str
    """What the rows are selected from."""
    condition: str
    selection: Sequence[str] = ()
    columns: Sequence[TableColumn] = ()


def find_groups(
    connection: duckdb.DuckDBPyConnection, raw_names: Sequence[str], condition: str
) -> Groups:
    """The groups of a table whose rows meet the condition.

    A heading fills the first column and no other. To be told from a row that lacks values, the
    table has to begin with one, there have to be several, and each has to have rows below it.
    """
    whole = Groups("raw", condition)
    if len(raw_names) < _LEAST_COLUMNS:
        return whole
    first, *others = raw_names
    is_blank = " AND ".join(f"nullif(trim({name}), '') IS NULL" for name in others)
    is_heading = f"(trim({first}) <> '' AND {is_blank})"
    headings = connection.execute(
        f"SELECT rowid FROM raw WHERE {condition} AND {is_heading} "
        f"ORDER BY rowid LIMIT {_MOST_HEADINGS + 1}"
    ).fetchall()
    rows = [row[0] for row in headings]
    if not _LEAST_HEADINGS <= len(rows) <= _MOST_HEADINGS:
        return whole
    values = ", ".join(f"nullif(trim({name}), '')" for name in raw_names)
    bounds = connection.execute(
        f"SELECT min(rowid), max(rowid) FROM raw "
        f"WHERE {condition} AND coalesce({values}) IS NOT NULL"
    ).fetchone()
    has_rows = all(after > before + 1 for before, after in pairwise(rows))
    if bounds is None or bounds[0] != rows[0] or bounds[1] == rows[-1] or not has_rows:
        return whole
    numbers = ", ".join(map(str, rows))
    group = (
        f"last_value(CASE WHEN rowid IN ({numbers}) THEN trim({first}) END IGNORE NULLS) "
        "OVER (ORDER BY rowid ROWS UNBOUNDED PRECEDING)"
    )
    return Groups(
        f"(SELECT *, rowid, {group} AS _group FROM raw WHERE {condition}) AS raw",
        f"{condition} AND rowid NOT IN ({numbers})",
        ["_group"],
        [TableColumn("_group", "text", "heading above the row")],
    )
