"""Tables as text: aligned in a fixed-width block, or a record for each row when that is too wide.

A phone does not scroll a message sideways: a block wider than its screen is wrapped into a jumble.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import wcwidth

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.telegram.rendering.spans import join

PHONE_COLUMNS = 40
"""Columns of fixed-width text on a phone, in the width of a latin letter."""
_GAP = "  "
_EMPTY = RenderedMessage("")

Row = Sequence[RenderedMessage]


@dataclass(frozen=True, slots=True)
class Table:
    """A header, rows of as many cells, and a column's side: "Left", "Right", "Center" or "None"."""

    alignments: Sequence[str]
    rows: Sequence[Row]


def is_too_wide(table: Table) -> bool:
    """Whether the table is wider than a phone, as it will be with every further row."""
    widths = _widths(_texts(table))
    return sum(widths) + len(_GAP) * (len(widths) - 1) > PHONE_COLUMNS and len(table.rows) > 1


def lay_out(table: Table) -> RenderedMessage:
    """The table as a `pre` block, or as records when it is wider than a phone."""
    if is_too_wide(table):
        return _records(table.rows)
    rows = _texts(table)
    widths = _widths(rows)
    lines = [_line(row, widths, table.alignments) for row in rows]
    if len(lines) > 1:
        lines.insert(1, _GAP.join("-" * width for width in widths))
    text = "\n".join(lines)
    return RenderedMessage(text, (TextEntity("pre", 0, utf16_length(text)),) if text else ())


def _texts(table: Table) -> list[list[str]]:
    return [[" ".join(cell.text.split()) for cell in row] for row in table.rows]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(wcwidth.width, column), default=0) for column in zip(*rows, strict=False)]


def _line(cells: Sequence[str], widths: Sequence[int], alignments: Sequence[str]) -> str:
    padded = [
        _padded(cell, width, side)
        for cell, width, side in zip(cells, widths, alignments, strict=False)
    ]
    return _GAP.join(padded).rstrip()


def _padded(cell: str, width: int, side: str) -> str:
    # By columns, not characters: a Japanese character takes two.
    room = width - wcwidth.width(cell)
    left = {"Right": room, "Center": room // 2}.get(side, 0)
    return " " * left + cell + " " * (room - left)


def _records(rows: Sequence[Row]) -> RenderedMessage:
    """Each row as lines "Header: value", its first line bold; links and code in cells stay."""
    header, *body = rows
    shown = _EMPTY
    for row in body:
        record = _EMPTY
        for label, cell in zip(header, row, strict=False):
            if cell.text.strip():
                record = join(record, _field(label.text.strip(), cell), "\n")
        title = utf16_length(record.text.partition("\n")[0])
        if title:
            bold = TextEntity("bold", 0, title)
            record = RenderedMessage(record.text, (bold, *record.entities))
        shown = join(shown, record)
    return shown


def _field(label: str, cell: RenderedMessage) -> RenderedMessage:
    if not label:
        return cell
    colon = label if label.endswith((":", "：")) else f"{label}:"
    return join(RenderedMessage(colon), cell, " ")
