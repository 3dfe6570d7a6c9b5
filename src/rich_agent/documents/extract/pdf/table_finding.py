"""Puts tables in place of the rows of words of a PDF page that are their cells."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from rich_agent.documents.extract.pdf.aligned import aligned_regions
from rich_agent.documents.extract.pdf.regions import TableRegion, without_remarks
from rich_agent.documents.extract.pdf.ruled import ruled_regions
from rich_agent.documents.extract.pdf.rules import DrawnLines
from rich_agent.documents.extract.pdf.tables import PdfTable, read_table
from rich_agent.documents.extract.pdf.words import Row, box_of

RowOrTable: TypeAlias = Row | PdfTable

_FILLED = 0.3
_FEW_ROWS = 3
_FEW_LETTERS = 2
_MANY_ROWS = 20
_TOUCH = 0.12


def whole_words(rows: Sequence[Row]) -> list[Row]:
    """The rows, with letters joined that touch, if most rows have no more than two letters.

    PDFium takes some pages that are full of a table for pages with lines from top to bottom, and
    gives each letter a line of its own.
    """
    short = sum(len(row) == 1 and len(row[0].text) <= _FEW_LETTERS for row in rows)
    if short < len(rows) / 2 or len(rows) < _MANY_ROWS:
        return [*rows]
    joined: list[Row] = []
    for word in chain.from_iterable(rows):
        last = joined[-1][-1] if joined else None
        gap = word.box.left - last.box.right if last else 0.0
        if last is None or abs(word.box.bottom - last.box.bottom) > _TOUCH * word.style.size:
            joined.append([word])
        elif word.kind == last.kind and abs(gap) < _TOUCH * word.style.size:
            joined[-1][-1] = last._replace(text=last.text + word.text, box=box_of([last, word]))
        else:
            joined[-1].append(word)
    return joined


def with_tables(rows: Sequence[Row], rules: DrawnLines) -> list[RowOrTable]:
    """The rows of words, and each table where its first word stood."""
    rows = whole_words(rows)
    items: list[RowOrTable] = [*rows]
    if rules.across and rules.down:
        words = [word for row in rows for word in without_remarks(row)]
        items = _replaced(items, ruled_regions(words, rules))
    return _replaced(items, _aligned(items, rules))


def _aligned(items: Sequence[RowOrTable], rules: DrawnLines) -> Iterator[TableRegion]:
    """The regions of aligned columns between tables that are there already."""
    rows: list[Row] = []
    for item in items:
        if isinstance(item, PdfTable):
            yield from aligned_regions(rows, rules)
            rows = []
        else:
            rows.append(item)
    yield from aligned_regions(rows, rules)


def _replaced(items: Sequence[RowOrTable], regions: Iterator[TableRegion]) -> list[RowOrTable]:
    """The items with the tables of regions in place of their words."""
    tables: dict[int, PdfTable] = {}
    for region in regions:
        if any(id(word) in tables for word in region.words):
            continue
        table = read_table(region)
        if table is not None and _is_table(region, table):
            tables |= dict.fromkeys(map(id, region.words), table)
    if not tables:
        return [*items]
    return list(_placed(items, tables))


def _placed(items: Sequence[RowOrTable], tables: Mapping[int, PdfTable]) -> Iterator[RowOrTable]:
    """The items without the words of tables, and each table where its first word stood."""
    remarks: dict[int, list[str]] = {}
    for item in items:
        if not isinstance(item, PdfTable) and (table := _table_of(item, tables)) is not None:
            texts = [word.text for word in item if word.kind == "remark"]
            remarks.setdefault(id(table), []).extend(texts)
    placed: set[int] = set()
    for item in items:
        if isinstance(item, PdfTable) or _table_of(item, tables) is None:
            yield item
            continue
        for part in _parts(item, tables):
            if not isinstance(part, PdfTable):
                yield part
            elif id(part) not in placed:
                placed.add(id(part))
                yield replace(part, remarks=tuple(remarks.get(id(part), ())))


def _table_of(row: Row, tables: Mapping[int, PdfTable]) -> PdfTable | None:
    """The first table with a word of a row."""
    return next((tables[id(word)] for word in row if id(word) in tables), None)


def _parts(row: Row, tables: Mapping[int, PdfTable]) -> Iterator[RowOrTable]:
    """The words of a row that are in no table, and its tables in place of the others."""
    rest: Row = []
    for word in without_remarks(row):
        table = tables.get(id(word))
        if table is None:
            rest.append(word)
            continue
        if rest:
            yield rest
        yield table
        rest = []
    if rest:
        yield rest


def _is_table(region: TableRegion, table: PdfTable) -> bool:
    """Whether enough cells between drawn lines have words, else whether there are enough rows."""
    filled = [sum(map(bool, row)) for row in table.rows]
    if region.is_ruled:
        return sum(filled) >= _FILLED * len(table.rows) * len(table.rows[0])
    return sum(count > 1 for count in filled) >= (2 if len(region.across) > 1 else _FEW_ROWS)
