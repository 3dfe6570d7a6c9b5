"""The readers that are compared: the product's, and those of libraries with their usual settings.

A library is loaded by the first call, since each reader runs in a process of its own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Answer = dict[str, Any]
"""The `text` of a document; of the product also `missing`, the kinds of parts it did not read."""

_OFFICE = ("docx", "pptx", "xlsx")
_OPEN = ("odt", "odp", "ods")


@dataclass(frozen=True, slots=True)
class Reader:
    """A way to read some formats, by suffix. `packages` are loaded before time is taken."""

    formats: tuple[str, ...]
    read: Callable[[Path], Answer]
    is_ours: bool = False


def _text(value: object) -> Answer:
    return {"text": str(value or "")}


def read_document(path: Path) -> Answer:
    """The text of a document by the reader of the product, and what it says it did not read."""
    from rich_agent.documents.extract.isolation import extract_within_limits
    from rich_agent.documents.fetch.outcomes import RawDocument
    from rich_agent.documents.media import media_type_of_path

    media_type = media_type_of_path(path.name)
    if media_type is None:
        return {"error": "there is no reader for this format"}
    url = f"https://example.org/{path.name}"
    document = extract_within_limits(RawDocument(url, path.read_bytes(), media_type))
    missing = {part.kind: part.unread for part in document.inventory.missing}
    return {"text": f"{document.title}\n\n{document.text}", "missing": missing}


def _kreuzberg(path: Path) -> Answer:
    from kreuzberg import ExtractionConfig, extract_file_sync

    config = ExtractionConfig(output_format="markdown")
    return _text(extract_file_sync(str(path), config=config).content)


def _markitdown(path: Path) -> Answer:
    from markitdown import MarkItDown

    return _text(MarkItDown().convert(str(path)).text_content)


def _pandoc(path: Path) -> Answer:
    import pypandoc

    return _text(pypandoc.convert_file(str(path), "gfm"))


def _pypdfium2(path: Path) -> Answer:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return _text("\n".join(page.get_textpage().get_text_range() for page in document))


def _pdf_oxide(path: Path) -> Answer:
    from pdf_oxide import PdfDocument

    document = PdfDocument(str(path))
    return _text("\n".join(document.to_markdown(at) for at in range(document.page_count())))


def _docling_parse(path: Path) -> Answer:
    from docling_core.types.doc.page import TextCellUnit
    from docling_parse.pdf_parser import DoclingPdfParser

    document = DoclingPdfParser().load(path_or_stream=str(path))
    return _text(
        "\n".join(
            cell.text
            for _, page in document.iterate_pages()
            for cell in page.iterate_cells(unit_type=TextCellUnit.LINE)
        )
    )


def _python_docx(path: Path) -> Answer:
    from docx import Document
    from docx.table import Table

    return _text(
        "\n\n".join(
            _pipes([cell.text for cell in row.cells] for row in part.rows)
            if isinstance(part, Table)
            else part.text
            for part in Document(str(path)).iter_inner_content()
        )
    )


def _mammoth(path: Path) -> Answer:
    import mammoth

    with path.open("rb") as file:
        return _text(mammoth.convert_to_html(file).value)


def _python_pptx(path: Path) -> Answer:
    from pptx import Presentation

    pieces = []
    for slide in Presentation(str(path)).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                pieces.append(shape.text_frame.text)
            if shape.has_table:
                rows = shape.table.rows
                pieces.append(_pipes([cell.text for cell in row.cells] for row in rows))
    return _text("\n\n".join(pieces))


def _calamine(path: Path) -> Answer:
    from python_calamine import CalamineWorkbook

    with CalamineWorkbook.from_path(str(path)) as book:
        return _text(
            "\n\n".join(
                _pipes(book.get_sheet_by_name(name).to_python()) for name in book.sheet_names
            )
        )


def _openpyxl(path: Path) -> Answer:
    from openpyxl import load_workbook

    book = load_workbook(path, data_only=True)
    return _text("\n\n".join(_pipes(sheet.iter_rows(values_only=True)) for sheet in book))


def _trafilatura(path: Path) -> Answer:
    import trafilatura

    return _text(trafilatura.extract(path.read_bytes(), output_format="markdown"))


def _html_to_markdown(path: Path) -> Answer:
    from html_to_markdown import convert

    converted: Any = convert(path.read_text("utf-8"))
    return _text(getattr(converted, "content", converted))


def _pipes(rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown."""
    return "\n".join(
        f"| {' | '.join(' '.join(str('' if cell is None else cell).split()) for cell in row)} |"
        for row in rows
    )


READERS: Final[Mapping[str, Reader]] = {
    "ours": Reader((), read_document, is_ours=True),
    "kreuzberg": Reader(
        (*_OFFICE, *_OPEN, "pdf", "rtf", "xls", "csv", "html", "epub", "eml", "msg", "doc", "ppt"),
        _kreuzberg,
    ),
    "markitdown": Reader((*_OFFICE, "pdf", "xls", "csv", "html", "epub", "msg"), _markitdown),
    "pandoc": Reader(("docx", "pptx", "xlsx", "odt", "rtf", "csv", "html", "epub"), _pandoc),
    "pypdfium2": Reader(("pdf",), _pypdfium2),
    "pdf-oxide": Reader(("pdf",), _pdf_oxide),
    "docling-parse": Reader(("pdf",), _docling_parse),
    "python-docx": Reader(("docx",), _python_docx),
    "mammoth": Reader(("docx",), _mammoth),
    "python-pptx": Reader(("pptx",), _python_pptx),
    "python-calamine": Reader(("xlsx", "xls", "ods"), _calamine),
    "openpyxl": Reader(("xlsx",), _openpyxl),
    "trafilatura": Reader(("html",), _trafilatura),
    "html-to-markdown": Reader(("html",), _html_to_markdown),
}
"""Readers by name. Those of the product read all formats."""
