"""Converts OpenDocument texts and presentations to HTML."""

from collections.abc import Iterator
from html import escape

from lxml import etree

from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_SILENT = frozenset(
    f"{_TEXT}{name}"
    for name in ("tracked-changes", "table-of-content", "note-citation", "sequence-decls",
                 "hidden-text", "hidden-paragraph", "alphabetical-index")
) | {f"{_OFFICE}annotation", f"{_OFFICE}forms", f"{_PRESENTATION}settings"}  # fmt: skip
_DEEPEST = 6


def opendocument_html(data: bytes) -> str:
    """The content of a text or of slides, without tracked changes, comments and indexes.

    Raises: ExtractionError.
    """
    parts = text_parts(data)
    if "content.xml" not in parts:
        raise ExtractionError("this is not an OpenDocument file")
    title = ""
    if "meta.xml" in parts:
        title = parse_xml(parts["meta.xml"]).findtext(f".//{_DC_TITLE}", "")
    body = parse_xml(parts["content.xml"]).find(f"{_OFFICE}body")
    return f"<title>{escape(title)}</title>{''.join(_flow(body))}" if body is not None else ""


def _flow(parent: etree._Element) -> Iterator[str]:
    """The blocks within an element, as HTML."""
    for element in parent:
        if element.tag in _SILENT or not isinstance(element.tag, str):
            continue
        if element.tag == f"{_TEXT}h":
            level = min(_DEEPEST, int(element.get(f"{_TEXT}outline-level", "1")))
            yield f"<h{level}>{_words(element)}</h{level}>"
        elif element.tag == f"{_TEXT}p":
            yield f"<p>{_words(element)}</p>{''.join(_boxes(element))}"
        elif element.tag == f"{_TEXT}list":
            items = (f"<li>{''.join(_flow(item))}</li>" for item in element)
            yield f"<ul>{''.join(items)}</ul>"
        elif element.tag == f"{_TABLE}table":
            yield _table(element)
        elif element.tag == f"{_DRAW}page":
            yield from _slide(element)
        else:
            yield from _flow(element)


def _slide(page: etree._Element) -> Iterator[str]:
    frames = list(page)
    title = next((f for f in frames if f.get(f"{_PRESENTATION}class") == "title"), None)
    words = " ".join(map(_words, title.iter(f"{_TEXT}p"))) if title is not None else ""
    yield f"<h2>{words or escape(page.get(f'{_DRAW}name', ''))}</h2>"
    for frame in frames:
        if frame is not title:
            yield from _flow(frame)


def _boxes(paragraph: etree._Element) -> Iterator[str]:
    """The content of the text boxes that are anchored to a paragraph."""
    for box in paragraph.iter(f"{_DRAW}text-box"):
        yield from _flow(box)


def _table(table: etree._Element) -> str:
    rows = (
        "".join(f"<td>{' '.join(map(_words, cell.iter(f'{_TEXT}p')))}</td>" for cell in row)
        for row in table.iter(f"{_TABLE}table-row")
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _words(element: etree._Element) -> str:
    """The text of a paragraph as HTML, without its boxes and notes."""
    pieces = [escape(element.text or "")]
    for child in element:
        if child.tag in {f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}:
            pieces.append(" ")
        elif child.tag not in _SILENT and child.tag not in {f"{_DRAW}frame", f"{_TEXT}note"}:
            pieces.append(_words(child))
        pieces.append(escape(child.tail or ""))
    return "".join(pieces)
