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
    """A line of text; `page` counts from 1, places are in points from the left and the bottom."""

    text: str
    page: int
    left: float
    right: float
    bottom: float
    height: float


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
        codes = [raw.FPDFText_GetUnicode(text, at) for at in range(count)]
        lines = [_line(text, codes, span, paper) for span in _spans(codes)]
    finally:
        text.close()
    return [replace(line, page=number) for line in lines if line is not None]


def _spans(codes: Sequence[int]) -> Iterator[range]:
    """The range of characters of each line."""
    start = 0
    for at, code in enumerate([*codes, 10]):
        if code in {10, 13}:
            if at > start:
                yield range(start, at)
            start = at + 1


def _line(text: pdfium.PdfTextPage, codes: Sequence[int], span: range, paper: _Box) -> Line | None:
    """The line of these characters, None if it is not visible; the page is set by the caller."""
    first, last = _ends(codes, span)
    left, right = _box(text, first), _box(text, last)
    if left.left < paper.left or right.right > paper.right:
        visible = [at for at in span if paper.left <= _box(text, at).left <= paper.right]
    else:
        visible = list(span)
    words = _decode_characters([codes[at] for at in visible])
    is_seen = paper.bottom <= left.bottom < paper.top and left.top - left.bottom > _SMALLEST
    if not words or not is_seen:
        return None
    return Line(words, 0, left.left, right.right, left.bottom, left.top - left.bottom)


def _ends(codes: Sequence[int], span: range) -> tuple[int, int]:
    """The first and the last character that is not a space."""
    places = [at for at in span if codes[at] > _SPACE] or [span[0]]
    return places[0], places[-1]


def _decode_characters(codes: Sequence[int]) -> str:
    """The characters as text; PDFium returns some of them as surrogate pairs."""
    data = b"".join(code.to_bytes(4, "little") for code in codes if code < _NO_CHARACTER)
    halves = data.decode("utf-32-le", "surrogatepass").encode("utf-16-le", "surrogatepass")
    return " ".join(halves.decode("utf-16-le", "replace").split())


def _box(text: pdfium.PdfTextPage, at: int) -> _Box:
    """The box of a character, including the space around its glyph."""
    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(text, at, ctypes.byref(box))
    return _Box(box.left, box.bottom, box.right, box.top)


def without_margins(pages: Sequence[Sequence[Line]]) -> Iterator[list[Line]]:
    """The pages without running heads, page numbers and tables of contents.

    A running head is the first or last line of many pages, or close to it on most; its numbers may
    differ.
    """
    ends = Counter(chain.from_iterable(_patterns(_edges(lines, 1)) for lines in pages))
    edges = Counter(chain.from_iterable(_patterns(_edges(lines, 3)) for lines in pages))
    many, most = max(_FEW_PAGES, len(pages) // 20), max(_FEW_PAGES, len(pages) // 2)
    for lines in pages:
        drop = {line for line in _edges(lines, 1) if ends[_pattern(line)] >= many}
        drop |= {line for line in _edges(lines, 3) if edges[_pattern(line)] >= most}
        yield [line for line in lines if line not in drop and not _LEADER.search(line.text)]


def _edges(lines: Sequence[Line], count: int) -> Sequence[Line]:
    """The top and bottom lines of a page."""
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
    """An entry of the outline: where its section begins; pages count from 1."""

    level: int
    title: str
    page: int
    top: float | None


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading in the lines from `start` up to `end`; both are equal if it is not in the lines."""

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
        place = bookmark.get_dest()
        title = " ".join(bookmark.get_title().split())
        page = place.get_index() if place is not None else None
        if title and place is not None and page is not None:
            mode, view = place.get_view()
            top = view[1] if mode == PDFDEST_VIEW_XYZ and len(view) > 1 else None
            yield _Entry(bookmark.level, title, page + 1, top)


def _places(entries: Sequence[_Entry], lines: Sequence[Line]) -> list[_Heading]:
    """The places in the lines where each entry's section begins, in order."""
    by_page: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(at)
    headings: list[_Heading] = []
    for entry in entries:
        here = [at for at in by_page.get(entry.page, []) if not headings or at >= headings[-1].end]
        if not here:
            continue
        title_line = next((at for at in here if _names(lines[at], entry.title)), None)
        below = (at for at in here if entry.top is not None and lines[at].bottom < entry.top)
        start = next(below, here[0]) if title_line is None else title_line
        headings.append(_Heading(entry.level, entry.title, start, start + (title_line is not None)))
    return headings


def _names(line: Line, title: str) -> bool:
    """Whether a line is a heading with this title, possibly numbered or cut off."""
    words, title_words = "".join(_WORDS.findall(line.text)), "".join(_WORDS.findall(title))
    shorter = min(len(words), len(title_words))
    return shorter > 0 and (
        words.endswith(title_words) or (shorter > 20 and title_words.startswith(words))
    )


def _places_by_size(lines: Sequence[Line]) -> list[_Heading]:
    """Short lines in larger letters than most; the lines of one heading are joined."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.height, 1)] += len(line.text)
    usual = sizes.most_common(1)[0][0]
    headings: list[tuple[float, str, int, int]] = []
    for at, line in enumerate(lines):
        if line.height < _LARGER * usual or not _WORDS.search(line.text):
            continue
        if headings and headings[-1][3] == at and _is_same(lines[at - 1], line):
            size, words, start, _ = headings.pop()
            headings.append((size, f"{words} {line.text}", start, at + 1))
        else:
            headings.append((round(line.height), line.text, at, at + 1))
    headings = [heading for heading in headings if len(heading[1]) <= _LONGEST_HEADING]
    levels = sorted({size for size, *_ in headings}, reverse=True)
    return [_Heading(levels.index(size), words, start, end) for size, words, start, end in headings]


def _is_same(line: Line, other: Line) -> bool:
    return line.page == other.page and abs(line.height - other.height) < _SAME_HEIGHT * line.height


def _largest(pages: Sequence[Sequence[Line]]) -> str:
    """The text in the largest letters on the first page with text."""
    first = next((lines for lines in pages if lines), [])
    longer = [line for line in first if len(line.text) > 2]
    return max(longer, key=lambda line: line.height).text if longer else ""


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
    gaps = sorted(a.bottom - b.bottom for a, b in pairwise(lines) if a.bottom > b.bottom)
    pitch = gaps[len(gaps) // 2] if gaps else 0.0
    group: list[Line] = []
    for line in lines:
        if group and _begins(group[-1], line, width, pitch):
            yield _paragraph(group)
            group = []
        group.append(line)
    if group:
        yield _paragraph(group)


def _begins(before: Line, line: Line, width: float, pitch: float) -> bool:
    """Whether a line begins a paragraph, by its place, its size and the end of the last one."""
    if _ITEM.match(line.text) or abs(line.height - before.height) > _SAME_HEIGHT * before.height:
        return True
    has_ended = _SENTENCE_END.search(before.text) is not None
    if line.page != before.page or line.bottom > before.bottom:
        return has_ended
    if before.bottom - line.bottom > _GAP * pitch:
        return True
    return before.right < _SHORT_LINE * width and (has_ended or line.text[:1].isupper())


def _paragraph(lines: Sequence[Line]) -> Block:
    text, page = "", lines[0].page
    pages: list[tuple[int, str]] = []
    for line in lines:
        if line.page != page:
            page = line.page
            pages.append((len(text), f"page={page}"))
        text = _join_lines(text, line.text) if text else line.text
    glue = "\n" if _ITEM.match(text) else "\n\n"
    whole = text.rstrip("".join(_HYPHENS))
    anchor = f"page={lines[0].page}"
    return Block(whole, glue, anchor=anchor, later_anchors=tuple(pages))


def _join_lines(text: str, following: str) -> str:
    """Two lines as one: removes a hyphen that split a word, and spaces in scripts without them."""
    if text.endswith(_HYPHENS):
        return text[:-1] + following
    if text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower():
        return text[:-1] + following
    if _CJK_EDGE.match(text[-1]) and _CJK_EDGE.match(following):
        return text + following
    return f"{text} {following}"
