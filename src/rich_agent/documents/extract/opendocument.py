"""Converts OpenDocument texts and presentations, and EPUB books, to HTML."""

import posixpath
from collections.abc import Iterator
from html import escape
from urllib.parse import unquote

import lxml.html
from lxml import etree

from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.html import parse_page

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF = "{http://www.idpf.org/2007/opf}"
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


def epub_html(data: bytes) -> str:
    """The chapters of a book in reading order. Raises: ExtractionError."""
    parts = text_parts(data)
    if "META-INF/container.xml" not in parts:
        raise ExtractionError("this is not an EPUB book")
    root = parse_xml(parts["META-INF/container.xml"]).find(f".//{_CONTAINER}rootfile")
    package_name = root.get("full-path", "") if root is not None else ""
    if package_name not in parts:
        raise ExtractionError("the book has no table of its parts")
    package = parse_xml(parts[package_name])
    hrefs_by_id = {item.get("id"): item.get("href", "") for item in package.iter(f"{_OPF}item")}
    chapter_hrefs = [
        hrefs_by_id.get(item.get("idref"), "") for item in package.iter(f"{_OPF}itemref")
    ]
    chapter_names = [
        posixpath.normpath(posixpath.join(posixpath.dirname(package_name), unquote(href)))
        for href in chapter_hrefs
    ]
    title = package.findtext(f".//{_DC_TITLE}", "")
    chapters = "".join(_chapter(parts[name]) for name in chapter_names if name in parts)
    return f"<title>{escape(title)}</title>{chapters}"


def _chapter(content: bytes) -> str:
    """The content of a chapter's body."""
    page = parse_page(content.decode("utf-8", "replace"))
    if page is None:
        return ""
    body = page.body
    body.tag = "section"
    markup: str = lxml.html.tostring(body, encoding="unicode", with_tail=False)
    return markup
