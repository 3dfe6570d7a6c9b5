"""Writes rows of cells as the HTML of a table, for the readers of all formats."""

from collections.abc import Sequence
from html import escape


def table_html(rows: Sequence[Sequence[str]]) -> str:
    """A table of plain cells with its first row as the head, "" without rows."""
    return table_of_markup([[escape(cell) for cell in row] for row in rows])


def table_of_markup(rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already, with its first row as the head, "" without rows."""
    lines = (_row("td" if number else "th", row) for number, row in enumerate(rows))
    return f"<table>{''.join(lines)}</table>" if rows else ""


def _row(tag: str, row: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in row)}</tr>"
