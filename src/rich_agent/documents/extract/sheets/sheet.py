"""A sheet as a person sees it: visible rows of visible cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from rich_agent.domain.inventory import Tally

MOST_COLUMNS: Final = 500
MOST_SHEETS: Final = 50


class SheetRow(NamedTuple):
    """A visible row."""

    number: int
    """The number that programs show, from 1."""
    exact: list[str]
    """The cells in a form that is computed with, such as 0.333333333333333 or 12.5%."""
    shown: list[str]
    """The cells as a person sees them; the same list if that is no different."""
    merged_numbers: Mapping[int, str] = MappingProxyType({})
    """Numbers of merged cells that stand for this row, too, by column."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A visible sheet with content."""

    name: str
    """Its name, "" if the file has no sheets."""
    width: int
    """The number of visible columns."""
    rows: Iterator[SheetRow]
    columns: tuple[int, ...] = ()
    """The places of the visible columns in the file, from 0."""
    merged_columns: tuple[int, ...] = ()
    """The visible columns in which merged cells may stand for several rows."""
    summary_rows: frozenset[int] = frozenset()
    """The numbers of the rows whose formulas compute over cells above or below them."""
    notes: tuple[str, ...] = ()
    """Remarks on what was left out, and on what has no values."""
    extras: list[str] = field(default_factory=list)
    """HTML of what the sheet holds besides its cells, such as remarks and charts."""


def left_out(
    tally: Tally, *, hidden_columns: int, hidden_rows: int, empty_formulas: int
) -> tuple[str, ...]:
    """Count what a person does not see of a sheet, or sees without a value here; notes on it."""
    notes: list[str] = []
    if hidden_columns:
        tally.note_unread("hidden_column", hidden_columns)
        notes.append(f"hidden columns left out: {hidden_columns}")
    if hidden_rows:
        tally.note_unread("hidden_row", hidden_rows)
        notes.append(f"hidden or filtered rows left out: {hidden_rows}")
    if empty_formulas:
        tally.note_unread("formula", empty_formulas)
        notes.append(
            f"{empty_formulas} cells are NULL because their formulas have no saved values: the "
            "user can open the file in a spreadsheet program, save it and send it again"
        )
    return tuple(notes)


def column_letters(column: int) -> str:
    """The letters by which programs show a column, counted from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """The column that programs show by these letters, counted from 0."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1
