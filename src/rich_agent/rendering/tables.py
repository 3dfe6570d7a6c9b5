"""Tables as text: an aligned block in fixed width or, if that is too wide, a record per row.

Phones do not scroll a message sideways, so the rows of a block wider than the screen would wrap.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import wcwidth

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.spans import join

PHONE_COLUMNS = 40
"""Columns of fixed-width text that fit on a phone, counted in Latin letters."""
_GAP = "  "
_EMPTY = RenderedMessage("")

Row = Sequence[RenderedMessage]


@dataclass(frozen=True, slots=True)
class Table:
    """A header, rows of as many cells, and for each column "Left", "Right", "Center" or "None"."""

    alignments: Sequence[str]
    rows: Sequence[Row]


def is_too_wide(table: Table) -> bool:
    """Whether the table is wider than a phone; further rows cannot make it narrower."""
    widths = _widths(_texts(table))
    return sum(widths) + len(_GAP) * (len(widths) - 1) > PHONE_COLUMNS and len(table.rows) > 1


def lay_out(table: Table) -> RenderedMessage:
    """The table as a `pre` block, or as records if it is wider than a phone."""
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
    # By columns, not by characters: a Japanese character is two columns wide.
    room = width - wcwidth.width(cell)
    left = {"Right": room, "Center": room // 2}.get(side, 0)
    return " " * left + cell + " " * (room - left)


def _records(rows: Sequence[Row]) -> RenderedMessage:
    """Each row as lines "Header: value", the first in bold; links and code in cells stay."""
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
