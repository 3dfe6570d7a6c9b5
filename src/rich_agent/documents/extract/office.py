"""Converts presentations and spreadsheets to HTML."""

import io
import posixpath
from collections.abc import Mapping
from html import escape
from typing import Final

from lxml import etree
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from rich_agent.documents.extract.archive import pack_archive, parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.table_markup import table_html

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TITLES: Final = frozenset({"title", "ctrTitle"})
_ASIDE: Final = frozenset({"sldNum", "ftr", "hdr", "dt", "sldImg"})
_MOST_CELLS: Final = 1_000_000


def pptx_html(data: bytes) -> str:
    """The visible slides of a presentation in order, each under its title.

    Raises: ExtractionError.
    """
    parts = text_parts(data)
    presentation_name = "ppt/presentation.xml"
    if presentation_name not in parts:
        raise ExtractionError("this is not a presentation")
    slide_names = _related_parts(parts, presentation_name)
    relationship_ids = (
        slide.get(f"{_R}id", "") for slide in parse_xml(parts[presentation_name]).iter(f"{_P}sldId")
    )
    slides = [
        name
        for relationship_id in relationship_ids
        if (name := slide_names.get(relationship_id, "")) in parts
    ]
    return "".join(_slide(parts, name, number) for number, name in enumerate(slides, start=1))


def _related_parts(parts: Mapping[str, bytes], name: str) -> dict[str, str]:
    """The names of the parts that a part refers to, by relationship id."""
    folder, _, file = name.rpartition("/")
    relations = parts.get(f"{folder}/_rels/{file}.rels")
    if relations is None:
        return {}
    return {
        relation.get("Id", ""): posixpath.normpath(
            posixpath.join("/", folder, relation.get("Target", ""))
        ).lstrip("/")
        for relation in parse_xml(relations)
        if relation.get("TargetMode") != "External"
    }


def _slide(parts: Mapping[str, bytes], name: str, number: int) -> str:
    root = parse_xml(parts[name])
    if root.get("show") in {"0", "false"}:
        return ""
    title, body = "", ""
    for shape in root.iter(f"{_P}sp", f"{_A}tbl"):
        if shape.tag == f"{_A}tbl":
            body += table_html(
                [[_words(cell) for cell in row.iter(f"{_A}tc")] for row in shape.iter(f"{_A}tr")]
            )
            continue
        placeholder = shape.find(f".//{_P}nvPr/{_P}ph")
        role = placeholder.get("type", "") if placeholder is not None else ""
        if role in _TITLES:
            title = _words(shape)
        elif role not in _ASIDE:
            body += _paragraphs(shape)
    notes_names = [
        notes_name
        for notes_name in _related_parts(parts, name).values()
        if "notesSlide" in notes_name
    ]
    body += "".join(
        _notes(parse_xml(parts[notes_name])) for notes_name in notes_names if notes_name in parts
    )
    return f"<h2>{escape(title or f'Slide {number}')}</h2>{body}"


def _notes(root: etree._Element) -> str:
    body_shapes = [
        shape
        for shape in root.iter(f"{_P}sp")
        if (placeholder := shape.find(f".//{_P}nvPr/{_P}ph")) is not None
        and placeholder.get("type") == "body"
    ]
    return "".join(map(_paragraphs, body_shapes))


def _paragraphs(shape: etree._Element) -> str:
    paragraphs = map(_words, shape.iter(f"{_A}p"))
    return "".join(f"<p>{escape(words)}</p>" for words in paragraphs if words)


def _words(element: etree._Element) -> str:
    """The text of an element's runs, with a space for each line break and paragraph."""
    pieces = (
        run.text or "" if run.tag == f"{_A}t" else " "
        for run in element.iter(f"{_A}t", f"{_A}br", f"{_A}p")
    )
    return " ".join("".join(pieces).split())


def spreadsheet_html(data: bytes, most_rows: int | None) -> tuple[str, bool]:
    """The visible sheets of a workbook as tables under their names, and whether rows are missing.

    Rows beyond `most_rows` of a sheet are left out.

    Raises: ExtractionError.
    """
    source = pack_archive(text_parts(data)) if data.startswith(b"PK") else io.BytesIO(data)
    try:
        with CalamineWorkbook.from_filelike(source) as book:
            sheet_names = [
                sheet.name
                for sheet in book.sheets_metadata
                if sheet.visible == SheetVisibleEnum.Visible
            ]
            sheets = [_sheet(book.get_sheet_by_name(name), most_rows) for name in sheet_names]
            return "".join(html for html, _ in sheets), any(is_cut for _, is_cut in sheets)
    except CalamineError as error:
        raise ExtractionError(f"the spreadsheet cannot be read: {error}") from error


def _sheet(sheet: CalamineSheet, most_rows: int | None) -> tuple[str, bool]:
    height = sheet.height if most_rows is None else min(sheet.height, most_rows)
    if height * sheet.width > _MOST_CELLS:
        raise ExtractionError(f"the sheet {sheet.name!r} is too large", "too_long")
    rows = [[_cell(value) for value in row] for row in sheet.to_python(nrows=height)]
    table = table_html([row for row in rows if any(row)])
    html = f"<h2>{escape(sheet.name)}</h2>{table}" if table else ""
    return html, height < sheet.height


def _cell(value: object) -> str:
    """A cell's value as a person would write it: whole numbers without a fraction."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())
