"""A grid whose rows are in the table `raw` of DuckDB, as text in the columns `c0`, `c1`, ..."""

from collections.abc import Mapping, Sequence
from typing import Final

import duckdb

from rich_agent.documents.extract.sheets.regions import Cells

_MOST_ROWS: Final = 10_000


class StoredGrid:
    """See `GridView`. Cells that a person sees otherwise are in `shown`, by row."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, columns: int, shown: Mapping[int, list[str]]
    ) -> None:
        self._connection = connection
        self._shown = shown
        self.columns = columns
        row = connection.execute("SELECT count(*) FROM raw").fetchone()
        self.rows: int = row[0] if row else 0

    def blank_rows(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """See `GridView`."""
        values = ", ".join(f"nullif(trim(c{column}), '')" for column in columns)
        rows = self._connection.execute(
            f"SELECT rowid FROM raw WHERE rowid BETWEEN {first} AND {last} "
            f"AND coalesce({values}) IS NULL ORDER BY rowid LIMIT {_MOST_ROWS}"
        ).fetchall()
        return [row[0] for row in rows]

    def filled_columns(self, first: int, last: int, columns: Sequence[int]) -> Sequence[int]:
        """See `GridView`."""
        tests = ", ".join(f"bool_or(trim(c{column}) <> '')" for column in columns)
        row = self._connection.execute(
            f"SELECT {tests} FROM raw WHERE rowid BETWEEN {first} AND {last}"
        ).fetchone()
        return [column for column, is_filled in zip(columns, row or (), strict=False) if is_filled]

    def rows_with(self, first: int, last: int, cells: Mapping[int, str]) -> Sequence[int]:
        """See `GridView`."""
        tests = [f"coalesce(trim(c{column}), '') = ?" for column in cells]
        rows = self._connection.execute(
            f"SELECT rowid FROM raw WHERE rowid BETWEEN {first} AND {last} "
            f"AND {' AND '.join(tests or ['false'])} ORDER BY rowid LIMIT {_MOST_ROWS}",
            list(cells.values()),
        ).fetchall()
        return [row[0] for row in rows]

    def cells(self, first: int, last: int, columns: Sequence[int]) -> Cells:
        """See `GridView`."""
        values = ", ".join(f"coalesce(trim(c{column}), '')" for column in columns)
        exact = self._connection.execute(
            f"SELECT {values} FROM raw WHERE rowid BETWEEN {first} AND {last} ORDER BY rowid"
        ).fetchall()
        shown = [
            [row[column] for column in columns]
            if (row := self._shown.get(first + index))
            else list(cells)
            for index, cells in enumerate(exact)
        ]
        return Cells([list(cells) for cells in exact], shown)
