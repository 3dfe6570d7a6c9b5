"""Converts PDF files to sections: lines joined to paragraphs, under the entries of the outline.

Each paragraph has its page as the anchor `page=N`.
"""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from typing import NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw
from pypdfium2.raw import FPDF_ERR_PASSWORD, PDFDEST_VIEW_XYZ

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.markdown import Block, Section

_LEADER = re.compile(r"(?:\. ?){5,}\s*\S{0,6}\Z")
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_FEW_PAGES = 3
_SMALLEST = 2.0
_SPACE = 32
_NO_CHARACTER = 0x110000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text."""

    text: str
    page: int
    """Number of the page, from 1."""
    left: float
    """Distance from the left edge of the page in points, as in `right`."""
    right: float
    bottom: float
    """Distance from the lower edge of the page in points."""
    height: float
    """Height of the letters in points."""


class _Box(NamedTuple):
    """A box in points from the left and the bottom."""

    left: float
    bottom: float
    right: float
    top: float


def page_lines(page: pdfium.PdfPage, number: int) -> list[Line]:
    """The lines of a page in reading order, without text that is off the page or too small."""
    paper = _Box(*page.get_cropbox())
    text = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(text)
        codes = [raw.FPDFText_GetUnicode(text, index) for index in range(count)]
        lines = [_line(text, codes, span, paper) for span in _spans(codes)]
    finally:
        text.close()
    return [replace(line, page=number) for line in lines if line is not None]


def _spans(codes: Sequence[int]) -> Iterator[range]:
    """The range of characters of each line."""
    start = 0
    for index, code in enumerate([*codes, 10]):
        if code in {10, 13}:
            if index > start:
                yield range(start, index)
            start = index + 1


def _line(text: pdfium.PdfTextPage, codes: Sequence[int], span: range, paper: _Box) -> Line | None:
    """The line of these characters, None if it is invisible. The caller sets the page."""
    first_index, last_index = _ends(codes, span)
    first_box, last_box = _box(text, first_index), _box(text, last_index)
    if first_box.left < paper.left or last_box.right > paper.right:
        visible_indexes = [
            index for index in span if paper.left <= _box(text, index).left <= paper.right
        ]
    else:
        visible_indexes = list(span)
    words = _decode_characters([codes[index] for index in visible_indexes])
    is_on_page = (
        paper.bottom <= first_box.bottom < paper.top
        and first_box.top - first_box.bottom > _SMALLEST
    )
    if not words or not is_on_page:
        return None
    return Line(
        words, 0, first_box.left, last_box.right, first_box.bottom, first_box.top - first_box.bottom
    )


def _ends(codes: Sequence[int], span: range) -> tuple[int, int]:
    """The first and the last character that is not a space."""
    indexes = [index for index in span if codes[index] > _SPACE] or [span[0]]
    return indexes[0], indexes[-1]


def _decode_characters(codes: Sequence[int]) -> str:
    """The characters as text; PDFium returns some of them as surrogate pairs."""
    code_points = b"".join(code.to_bytes(4, "little") for code in codes if code < _NO_CHARACTER)
    utf16 = code_points.decode("utf-32-le", "surrogatepass").encode("utf-16-le", "surrogatepass")
    return " ".join(utf16.decode("utf-16-le", "replace").split())


def _box(text: pdfium.PdfTextPage, index: int) -> _Box:
    """The box of a character, including the space around its glyph."""
    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box))
    return _Box(box.left, box.bottom, box.right, box.top)


def without_margins(pages: Sequence[Sequence[Line]]) -> Iterator[list[Line]]:
    """The pages without running heads, page numbers and tables of contents.

    A line is a running head if many pages have it first or last, or if most pages have it near the
    top or the bottom. Its numbers may differ.
    """
    outermost_counts = Counter(chain.from_iterable(_patterns(_edges(lines, 1)) for lines in pages))
    edge_counts = Counter(chain.from_iterable(_patterns(_edges(lines, 3)) for lines in pages))
    many_pages, most_pages = max(_FEW_PAGES, len(pages) // 20), max(_FEW_PAGES, len(pages) // 2)
    for lines in pages:
        running_heads = {
            line for line in _edges(lines, 1) if outermost_counts[_pattern(line)] >= many_pages
        }
        running_heads |= {
            line for line in _edges(lines, 3) if edge_counts[_pattern(line)] >= most_pages
        }
        yield [
            line for line in lines if line not in running_heads and not _LEADER.search(line.text)
        ]


def _edges(lines: Sequence[Line], count: int) -> Sequence[Line]:
    """The `count` highest and the `count` lowest lines of a page."""
    by_height = sorted(lines, key=lambda line: line.bottom)
    return [*by_height[:count], *by_height[-count:]]


def _patterns(lines: Sequence[Line]) -> set[str]:
    return set(map(_pattern, lines))


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text)


_HYPHENS = ("\x02", "\ufffe", "\u00ad")  # PDFium's mark for a hyphen at which a word was split
_CJK_EDGE = re.compile(r"[　-ヿ㐀-鿿＀-￯]")
_SENTENCE_END = re.compile(r"[.!?:。！？：][\"'”’」』)）]*\Z")
_ITEM = re.compile(r"(?:[•◦▪‣·–—*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_WORDS = re.compile(r"\w+")
_LARGER = 1.15
_SAME_HEIGHT = 0.12
_GAP = 1.45
_SHORT_LINE = 0.85
_LONGEST_HEADING = 120
_MOST_ENTRIES = 20_000
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of the outline, with the place where its section begins."""

    level: int
    title: str
    page: int
    """Number of the page, from 1."""
    top: float | None
    """Distance from the lower edge of the page in points, None if unknown."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading of the outline, and its lines.

    If no line has the heading, `start` and `end` are equal.
    """

    level: int
    title: str
    start: int
    end: int


def pdf_sections(data: bytes) -> tuple[str, list[Section]]:
    """The title of a PDF ("" if it has none) and its sections.

    Raises: ExtractionError if it is damaged, encrypted, or a scan.
    """
    try:
        with pdfium.PdfDocument(data) as document:
            pages = [page_lines(page, number) for number, page in enumerate(document, start=1)]
            title = document.get_metadata_value("Title").strip()
            entries = list(_entries(document))
    except pdfium.PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise ExtractionError("the PDF is encrypted", "encrypted") from error
        raise ExtractionError(f"the PDF is damaged: {error}") from error
    lines = list(chain.from_iterable(without_margins(pages)))
    if not lines:
        raise ExtractionError("no text in it: scanned pages need OCR first", "empty")
    outline = _places(entries, lines) or _places_by_size(lines)
    return title or _largest(pages), _sections(lines, outline)


def _entries(document: pdfium.PdfDocument) -> Iterator[_Entry]:
    """The entries of the outline, down to the deepest level of headings."""
    for bookmark in islice(document.get_toc(max_depth=_DEEPEST), _MOST_ENTRIES):
        destination = bookmark.get_dest()
        title = " ".join(bookmark.get_title().split())
        page_index = destination.get_index() if destination is not None else None
        if title and destination is not None and page_index is not None:
            mode, view = destination.get_view()
            top = view[1] if mode == PDFDEST_VIEW_XYZ and len(view) > 1 else None
            yield _Entry(bookmark.level, title, page_index + 1, top)


def _places(entries: Sequence[_Entry], lines: Sequence[Line]) -> list[_Heading]:
    """The heading of each entry, with the lines where its section begins, in order."""
    indexes_by_page: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        indexes_by_page.setdefault(line.page, []).append(index)
    headings: list[_Heading] = []
    for entry in entries:
        page_indexes = [
            index
            for index in indexes_by_page.get(entry.page, [])
            if not headings or index >= headings[-1].end
        ]
        if not page_indexes:
            continue
        title_line = next(
            (index for index in page_indexes if _names(lines[index], entry.title)), None
        )
        indexes_below = (
            index
            for index in page_indexes
            if entry.top is not None and lines[index].bottom < entry.top
        )
        start = next(indexes_below, page_indexes[0]) if title_line is None else title_line
        headings.append(_Heading(entry.level, entry.title, start, start + (title_line is not None)))
    return headings


def _names(line: Line, title: str) -> bool:
    """Whether a line is a heading with this title, possibly numbered or cut off."""
    line_letters, title_letters = "".join(_WORDS.findall(line.text)), "".join(_WORDS.findall(title))
    shorter_char_count = min(len(line_letters), len(title_letters))
    return shorter_char_count > 0 and (
        line_letters.endswith(title_letters)
        or (shorter_char_count > 20 and title_letters.startswith(line_letters))
    )


def _places_by_size(lines: Sequence[Line]) -> list[_Heading]:
    """Short lines in larger letters than most; the lines of one heading are joined."""
    letters_by_height: Counter[float] = Counter()
    for line in lines:
        letters_by_height[round(line.height, 1)] += len(line.text)
    usual_height = letters_by_height.most_common(1)[0][0]
    headings: list[tuple[float, str, int, int]] = []
    for index, line in enumerate(lines):
        if line.height < _LARGER * usual_height or not _WORDS.search(line.text):
            continue
        if headings and headings[-1][3] == index and _is_same(lines[index - 1], line):
            height, words, start, _ = headings.pop()
            headings.append((height, f"{words} {line.text}", start, index + 1))
        else:
            headings.append((round(line.height), line.text, index, index + 1))
    headings = [heading for heading in headings if len(heading[1]) <= _LONGEST_HEADING]
    levels = sorted({height for height, *_ in headings}, reverse=True)
    return [
        _Heading(levels.index(height), words, start, end) for height, words, start, end in headings
    ]


def _is_same(line: Line, other: Line) -> bool:
    return line.page == other.page and abs(line.height - other.height) < _SAME_HEIGHT * line.height


def _largest(pages: Sequence[Sequence[Line]]) -> str:
    """The text in the largest letters on the first page with text."""
    first_lines = next((lines for lines in pages if lines), [])
    longer_lines = [line for line in first_lines if len(line.text) > 2]
    return max(longer_lines, key=lambda line: line.height).text if longer_lines else ""


def _sections(lines: Sequence[Line], headings: Sequence[_Heading]) -> list[Section]:
    path: list[tuple[int, str]] = []
    sections: list[Section] = []
    start = 0
    for heading in [*headings, _Heading(0, "", len(lines), len(lines))]:
        blocks = tuple(_paragraphs(lines[start : heading.start]))
        if blocks:
            sections.append(Section(tuple(name for _, name in path), blocks[0].anchor, blocks))
        path = [(level, name) for level, name in path if level < heading.level]
        path.append((heading.level, heading.title))
        start = heading.end
    return sections


def _paragraphs(lines: Sequence[Line]) -> Iterator[Block]:
    """The lines joined to paragraphs."""
    width = max((line.right for line in lines), default=0.0)
    gaps = sorted(
        line_above.bottom - line_below.bottom
        for line_above, line_below in pairwise(lines)
        if line_above.bottom > line_below.bottom
    )
    pitch = gaps[len(gaps) // 2] if gaps else 0.0
    group: list[Line] = []
    for line in lines:
        if group and _begins(group[-1], line, width, pitch):
            yield _paragraph(group)
            group = []
        group.append(line)
    if group:
        yield _paragraph(group)


def _begins(previous: Line, line: Line, width: float, pitch: float) -> bool:
    """Whether a line begins a paragraph, by its position, its size and the line before it."""
    if (
        _ITEM.match(line.text)
        or abs(line.height - previous.height) > _SAME_HEIGHT * previous.height
    ):
        return True
    has_ended = _SENTENCE_END.search(previous.text) is not None
    if line.page != previous.page or line.bottom > previous.bottom:
        return has_ended
    if previous.bottom - line.bottom > _GAP * pitch:
        return True
    return previous.right < _SHORT_LINE * width and (has_ended or line.text[:1].isupper())


def _paragraph(lines: Sequence[Line]) -> Block:
    text, page = "", lines[0].page
    page_anchors: list[tuple[int, str]] = []
    for line in lines:
        if line.page != page:
            page = line.page
            page_anchors.append((len(text), f"page={page}"))
        text = _join_lines(text, line.text) if text else line.text
    glue = "\n" if _ITEM.match(text) else "\n\n"
    text_without_hyphen = text.rstrip("".join(_HYPHENS))
    anchor = f"page={lines[0].page}"
    return Block(text_without_hyphen, glue, anchor=anchor, later_anchors=tuple(page_anchors))


def _join_lines(text: str, following: str) -> str:
    """Two lines as one.

    A hyphen that split a word is removed. In Chinese and Japanese, no space is added.
    """
    if text.endswith(_HYPHENS):
        return text[:-1] + following
    if text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower():
        return text[:-1] + following
    if _CJK_EDGE.match(text[-1]) and _CJK_EDGE.match(following):
        return text + following
    return f"{text} {following}"
