"""The visible lines of a PDF's pages with their places, read by PDFium."""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

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
        span_seen = [at for at in span if paper.left <= _box(text, at).left <= paper.right]
    else:
        span_seen = list(span)
    words = _decoded([codes[at] for at in span_seen])
    is_seen = paper.bottom <= left.bottom < paper.top and left.top - left.bottom > _SMALLEST
    if not words or not is_seen:
        return None
    return Line(words, 0, left.left, right.right, left.bottom, left.top - left.bottom)


def _ends(codes: Sequence[int], span: range) -> tuple[int, int]:
    """The first and the last character that is not a space."""
    seen = [at for at in span if codes[at] > _SPACE] or [span[0]]
    return seen[0], seen[-1]


def _decoded(codes: Sequence[int]) -> str:
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
    ordered = sorted(lines, key=lambda line: line.bottom)
    return [*ordered[:count], *ordered[-count:]]


def _patterns(lines: Sequence[Line]) -> set[str]:
    return set(map(_pattern, lines))


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text)
