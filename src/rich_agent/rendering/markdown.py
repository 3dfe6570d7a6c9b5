"""Converts Markdown to text and entities, using the parser's events.

No text is dropped: markup that Telegram does not support is shown as written.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyromark
import wcwidth

from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.dialect import (
    OPTIONS,
    SPOILER_END,
    SPOILER_START,
    formula_text,
    read_dialect,
    reveal,
    verbatim,
    without_lent_spaces,
)
from rich_agent.rendering.spans import FORMULA, MessageBuilder, join

PHONE_COLUMNS = 40
"""Columns of fixed-width text that fit on a phone, counted in Latin letters."""
_GAP = "  "
_EMPTY = RenderedMessage("")

Row = Sequence[RenderedMessage]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its first row is the header, and all rows have the same number of cells.

    `alignments` has "Left", "Right", "Center" or "None" for each column.
    """

    alignments: Sequence[str]
    rows: Sequence[Row]


def is_too_wide(table: Table) -> bool:
    """Whether the table is wider than a phone. More rows cannot make it narrower."""
    column_widths = _widths(_texts(table))
    return (
        sum(column_widths) + len(_GAP) * (len(column_widths) - 1) > PHONE_COLUMNS
        and len(table.rows) > 1
    )


def lay_out(table: Table) -> RenderedMessage:
    """The table as a `pre` block or, if it is wider than a phone, as records."""
    if is_too_wide(table):
        return _records(table.rows)
    rows = _texts(table)
    column_widths = _widths(rows)
    lines = [_line(row, column_widths, table.alignments) for row in rows]
    if len(lines) > 1:
        lines.insert(1, _GAP.join("-" * width for width in column_widths))
    text = "\n".join(lines)
    return RenderedMessage(text, (TextEntity("pre", 0, utf16_length(text)),) if text else ())


def _texts(table: Table) -> list[list[str]]:
    """The texts of the cells, row by row."""
    return [[" ".join(cell.text.split()) for cell in row] for row in table.rows]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column, in columns of a terminal."""
    return [max(map(wcwidth.width, column), default=0) for column in zip(*rows, strict=False)]


def _line(cells: Sequence[str], widths: Sequence[int], alignments: Sequence[str]) -> str:
    """A row as a line of fixed-width text."""
    columns = [
        pad_cell(cell, width, side)
        for cell, width, side in zip(cells, widths, alignments, strict=False)
    ]
    return _GAP.join(columns).rstrip()


def pad_cell(cell: str, width: int, side: str) -> str:
    """The cell with blanks, aligned to this side."""
    # By columns, not by characters: a Japanese character is two columns wide.
    blank_count = width - wcwidth.width(cell)
    left_blanks = {"Right": blank_count, "Center": blank_count // 2}.get(side, 0)
    return " " * left_blanks + cell + " " * (blank_count - left_blanks)


def _records(rows: Sequence[Row]) -> RenderedMessage:
    """Each row as lines "Header: value", the first line in bold; links and code in cells stay."""
    header, *body = rows
    page = _EMPTY
    for row in body:
        record = _EMPTY
        for label, cell in zip(header, row, strict=False):
            if cell.text.strip():
                record = join(record, _field(label.text.strip(), cell), "\n")
        title = utf16_length(record.text.partition("\n")[0])
        if title:
            bold = TextEntity("bold", 0, title)
            record = RenderedMessage(record.text, (bold, *record.entities))
        page = join(page, record)
    return page


def _field(label: str, cell: RenderedMessage) -> RenderedMessage:
    """The cell with its label."""
    if not label:
        return cell
    colon = label if label.endswith((":", "：")) else f"{label}:"
    return join(RenderedMessage(colon), cell, " ")


LONG_QUOTE_UNITS = 400
"""Longer quotes, of more than about ten lines on a phone, are shown folded."""
_RULE = "————————"
_BULLET, _DONE, _TO_DO = "• ", "☑ ", "☐ "
_INDENT = "  "
_DEEPEST_INDENT = 8
_MARKS = {
    "Strong": "bold",
    "Emphasis": "italic",
    "Strikethrough": "strikethrough",
    "Heading": "bold",
    "BlockQuote": "blockquote",
}
_CLOSED_MARKS = frozenset({*_MARKS, "Link", "Image"})
_LONGEST_GAP = 256
_SPOILER_EDGE = re.compile(f"([{SPOILER_START}{SPOILER_END}])")
_LINE_BREAK = re.compile(r"[\ue0f2]br */?>", re.IGNORECASE)
_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")


def convert(markdown: str, *, is_growing: bool = False) -> RenderedMessage:
    """Convert Markdown of any length to text with entities; citation markers are not linked yet.

    While the text `is_growing`, its last table may still become wider than a phone. So the table is
    held back until text follows it, or until it is too wide in any case and shown as records.
    """
    source = read_dialect(markdown)
    text_walk = TextWalk(source.encode())
    end = len(source.encode().rstrip()) if is_growing else math.inf
    for event, event_range in pyromark.events_with_range(source, options=OPTIONS):
        text_walk.is_last = event_range["end"] >= end
        text_walk.take(event, event_range["start"])
    return text_walk.finish()


@dataclass(frozen=True, slots=True)
class _Mark:
    """An open span of text.

    `kind` is the type of its entity, None for no entity; `place` is the offset at which it began.
    """

    kind: str | None
    place: int
    url: str | None = None
    closing: str = ""


@dataclass(slots=True)
class TextWalk:
    """Writes the text from the parser's events, one at a time."""

    source: bytes
    is_cell: bool = False
    is_last: bool = False
    _page: MessageBuilder = field(default_factory=MessageBuilder)
    _marks: list[_Mark] = field(default_factory=list)
    _spoiler: int | None = None
    _lists: list[int | None] = field(default_factory=list)
    _code: list[str] | None = None
    _language: str | None = None
    _alignments: tuple[str, ...] = ()
    _rows: list[list[RenderedMessage]] = field(default_factory=list)
    _cell: "TextWalk | None" = None

    def take(self, event: object, start: int) -> None:
        """Write the text of an event; `start` is the event's offset in the source, in bytes."""
        if self._cell is not None and event != {"End": "TableCell"}:
            self._cell.take(event, start)
            return
        match event:
            case {"Start": tag}:
                name, data = named_tag(tag)
                self._begin_block(name, data, start)
                self._begin_span(name, data, start)
            case {"End": tag}:
                self._end(named_tag(tag)[0])
            case "SoftBreak" | "HardBreak":
                self._page.write(" " if self.is_cell else "\n")
            case "Rule":
                self._part_from_last(start)
                self._page.write(_RULE)
            case dict():
                self._take_words(event)

    def finish(self) -> RenderedMessage:
        """The text so far."""
        self._close_spoiler()
        message = self._page.finish()
        return replace(message, text=reveal(message.text))

    def _take_words(self, event: Mapping[str, object]) -> None:
        """Write the text of an event inside a block."""
        match event:
            case {"Text": str(text)} | {"InlineHtml": str(text)} | {"Html": str(text)}:
                self._write_text(text)
            case {"Code": str(code)}:
                self._page.write_entity(verbatim(code), "code")
            case {"InlineMath": str(latex)}:
                formula = formula_text(verbatim(latex))
                self._page.write_entity(formula or verbatim(latex), FORMULA if formula else "code")
            case {"DisplayMath": str(latex)}:
                self._write_display(verbatim(latex).strip())
            case {"TaskListMarker": bool(is_done)}:
                self._page.bullet = self._indent() + (_DONE if is_done else _TO_DO)

    def _begin_block(self, name: str, data: object, start: int) -> None:
        """Begin a block of this kind."""
        match name, data:
            case (("Paragraph" | "Heading" | "BlockQuote" | "HtmlBlock"), _):
                self._part_from_last(start)
            case "CodeBlock", _:
                self._code, self._language = [], language_of(data)
                self._part_from_last(start, on_own_line=True)
            case "Table", tuple(alignments):
                self._alignments, self._rows = alignments, []
                self._part_from_last(start, on_own_line=True)
            case (("TableHead" | "TableRow"), _):
                self._rows.append([])
            case "TableCell", _:
                self._cell = TextWalk(self.source, is_cell=True)
            case "List", (int() | None) as first:
                if not self._lists:
                    self._part_from_last(start)
                self._lists.append(first)
            case "Item", _:
                self._begin_item()

    def _begin_span(self, name: str, data: object, start: int) -> None:
        """Begin a span of this kind."""
        match name, data:
            case (("Link" | "Image"), {"dest_url": str(url), "link_type": kind}):
                is_bare = kind in ("Autolink", "Email")
                self._open(None if is_bare else "text_link", url=verbatim(url))
            case "Strikethrough", _ if self.source[start + 1 : start + 2] != b"~":
                # "~5" reads "about 5".
                self._page.write("~")
                self._open(None, closing="~")
            case _ if name in _MARKS:
                self._open(_MARKS[name])

    def _end(self, name: str) -> None:
        """End a block or a span."""
        match name:
            case "CodeBlock":
                code = verbatim("".join(self._code or ()).removesuffix("\n"))
                self._code = None
                self._page.write_entity(code, "pre", self._language)
            case "Table":
                table = Table(self._alignments, self._rows)
                if not self.is_last or is_too_wide(table):
                    self._page.write_message(lay_out(table))
            case "TableCell" if self._cell is not None:
                self._rows[-1].append(self._cell.finish())
                self._cell = None
            case "List":
                self._lists.pop()
            case "Item":
                self._page.place()
            case "Paragraph":
                self._close_spoiler()
            case _ if name in _CLOSED_MARKS:
                self._close(self._marks.pop())

    def _open(self, kind: str | None, *, url: str | None = None, closing: str = "") -> None:
        """Open a span at the present offset."""
        self._marks.append(_Mark(kind, self._page.place(), url, closing))

    def _close(self, mark: _Mark) -> None:
        """Close a span, and make its entity."""
        self._page.write(mark.closing)
        length = self._page.place() - mark.place
        if not length and mark.url:
            # A link or an image without words: only its address can be shown.
            self._page.write(mark.url)
        elif mark.kind == "blockquote" and length > LONG_QUOTE_UNITS:
            self._page.mark("expandable_blockquote", mark.place)
        elif mark.kind and all(outer.kind != mark.kind for outer in self._marks):
            self._page.mark(mark.kind, mark.place, url=mark.url)

    def _close_spoiler(self) -> None:
        """Close the open spoiler, if there is one."""
        if self._spoiler is not None:
            self._page.mark("spoiler", self._spoiler)
            self._spoiler = None

    def _write_text(self, text: str) -> None:
        """Write a text, or add it to the open block of code."""
        if self._code is not None:
            self._code.append(text)
            return
        text = without_lent_spaces(text)
        if self.is_cell:
            text = _LINE_BREAK.sub("; ", text)
        for piece in _SPOILER_EDGE.split(text):
            if piece == SPOILER_START:
                self._spoiler = self._page.place()
            elif piece == SPOILER_END:
                self._close_spoiler()
            else:
                self._page.write(piece)

    def _write_display(self, latex: str) -> None:
        """Write a formula on separate lines, in fixed width if it has several lines."""
        formula = formula_text(latex)
        if not self.is_cell:
            self._page.start_line()
        is_in_columns = formula is None or "\n" in formula
        self._page.write_entity(formula or latex, "pre" if is_in_columns else FORMULA)
        if not self.is_cell:
            self._page.end_line()

    def _indent(self) -> str:
        """The blanks before an item of the present list."""
        return _INDENT * min(len(self._lists) - 1, _DEEPEST_INDENT)

    def _begin_item(self) -> None:
        """Set the bullet or the number of the next item."""
        self._page.start_line()
        number = self._lists[-1]
        if number is None:
            self._page.bullet = f"{self._indent()}{_BULLET}"
        else:
            self._page.bullet = f"{self._indent()}{number}. "
            self._lists[-1] = number + 1

    def _part_from_last(self, start: int, *, on_own_line: bool = False) -> None:
        """Start a line; outside lists, leave a blank line if the source has one."""
        if self._page.bullet and not on_own_line:
            return  # the first block of an item is on the line of its bullet
        if not self._lists and self._is_after_blank_line(start):
            self._page.leave_blank_line()
        else:
            self._page.start_line()
            if self._lists and not on_own_line:
                self._page.write(self._indent() + _INDENT)

    def _is_after_blank_line(self, start: int) -> bool:
        """Whether a blank line stands before this byte of the source."""
        preceding_bytes = self.source[max(0, start - _LONGEST_GAP) : start]
        gap = preceding_bytes[len(preceding_bytes.rstrip(b" \t\n>")) :]
        return gap.count(b"\n") > 1


def named_tag(tag: object) -> tuple[str, object]:
    """The name and the data of a parser's tag."""
    match tag:
        case str(name):
            return name, None
        case dict():
            ((name, data),) = tag.items()
            return str(name), data
    raise TypeError(f"no tag of the parser: {tag!r}")


def language_of(block: object) -> str | None:
    """The first word of a fence, which is its language: "python" for "python title=x"."""
    match block:
        case {"Fenced": str(info)}:
            match = _LANGUAGE.match(verbatim(info).strip())
            return match[0] if match else None
    return None
