"""Reads the lines of a PDF page, as a person sees them who turns the page until each is upright."""

import ctypes
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

# PDFium marks a hyphen at a line's end, and has no line break then.
_LINE = re.compile(r"[^\r\n\x02\ufffe]++[\x02\ufffe]?|[\x02\ufffe]")
_WORD = re.compile(r"\S+")
_SMALLEST = 2.0
_SMALLEST_SHARE = 0.003
"""The smallest letters, as a share of the page's longer side, where a unit is not a point."""
_NO_CHARACTER = 0x110000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text.

    Places are points from the lower left corner of the page, turned so that the line is upright.
    """

    text: str
    page: int
    """Number of the page, from 1."""
    left: float
    right: float
    bottom: float
    """Where the letters stand."""
    height: float
    """Size of the letters in points."""
    is_filled: bool = False
    """Whether something was filled in or typed there."""
    remarks: tuple[str, ...] = ()
    """What readers of the page say about it."""


class Box(NamedTuple):
    """A box in points from the left and the bottom."""

    left: float
    bottom: float
    right: float
    top: float

    def turned(self, angle: int) -> "Box":
        """The box around this one after the page is turned clockwise by an angle in degrees."""
        if angle == 0:
            return self
        places = [
            turn(x, y, angle) for x in (self.left, self.right) for y in (self.bottom, self.top)
        ]
        across, up = [place[0] for place in places], [place[1] for place in places]
        return Box(min(across), min(up), max(across), max(up))


def turn(x: float, y: float, angle: int) -> tuple[float, float]:
    """A place after the page is turned clockwise around its corner, by an angle in degrees."""
    if angle == 0:
        return x, y
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


class Style(NamedTuple):
    """Size and direction of the letters of a text object."""

    size: float
    angle: int
    """Degrees, counterclockwise, in which the line runs."""


_PLAIN = Style(0.0, 0)
WordKind = Literal["drawn", "answer", "remark"]


class Word(NamedTuple):
    """Letters between two spaces, or an annotation."""

    text: str
    start: int
    """Index of the first character on the page, -1 for an annotation."""
    style: Style
    box: Box
    """The box of the letters, after the page is turned."""
    kind: WordKind = "drawn"


Row = list[Word]
Place = Callable[[Sequence[Row], int], list[Row]]
"""Adds annotations to the rows of a page that is turned by an angle."""


class PageText:
    """Reads the text of one page."""

    def __init__(
        self, page: pdfium.PdfPage, number: int, place: Place = lambda rows, _: [*rows]
    ) -> None:
        self._page, self._number, self._place = page, number, place
        self._text = page.get_textpage()
        self._styles: dict[int, Style] = {}
        self.hidden_words = 0
        """The words that were left out since nobody sees them."""

    def lines(self) -> list[Line]:
        """The lines in reading order: those in the commonest direction, then the others."""
        try:
            angle, lines_by_angle = self._read()
            if angle % 90 == 0 and (angle - self._page.get_rotation()) % 360:
                # PDFium puts the lines of a page in order as they are seen when it is upright.
                self._page.set_rotation(angle)
                self._text.close()
                self._text = self._page.get_textpage()
                angle, lines_by_angle = self._read()
        finally:
            self._text.close()
        main_lines = lines_by_angle.pop(angle, [])
        turned_lines = (
            sorted(lines, key=lambda line: -line.bottom) for lines in lines_by_angle.values()
        )
        return [*main_lines, *chain.from_iterable(turned_lines)]

    def _read(self) -> tuple[int, dict[int, list[Line]]]:
        """The commonest direction, and the lines in each direction."""
        self._styles, self.hidden_words = {}, 0
        rows_by_angle: dict[int, list[Row]] = {}
        for span in _LINE.finditer(_characters(self._text)):
            for angle, words in self._runs(span[0], span.start()):
                rows_by_angle.setdefault(angle, []).append(words)
        letters = {
            angle: sum(len(word.text) for row in rows for word in row)
            for angle, rows in rows_by_angle.items()
        }
        commonest = max(letters, key=letters.__getitem__, default=self._page.get_rotation())
        rows_by_angle[commonest] = self._place(rows_by_angle.get(commonest, []), commonest)
        lines_by_angle = {
            angle: [self._line(angle, row) for row in rows] for angle, rows in rows_by_angle.items()
        }
        return commonest, lines_by_angle

    def _runs(self, text: str, start: int) -> Iterator[tuple[int, list[Word]]]:
        """The visible words of a line, parted where their direction changes."""
        run: list[Word] = []
        for word in self._visible_words(text, start):
            if run and word.style.angle != run[-1].style.angle:
                yield run[-1].style.angle, run
                run = []
            run.append(word)
        if run:
            yield run[-1].style.angle, run

    def _visible_words(self, text: str, start: int) -> Iterator[Word]:
        paper = Box(*self._page.get_cropbox())
        smallest = min(
            _SMALLEST,
            _SMALLEST_SHARE * max(paper.right - paper.left, paper.top - paper.bottom),
        )
        style = _PLAIN
        for match in _WORD.finditer(text):
            index = start + match.start()
            style = self._style(index) or style
            first, last = self._box(index), self._box(start + match.end() - 1)
            box = Box(
                min(first.left, last.left),
                min(first.bottom, last.bottom),
                max(first.right, last.right),
                max(first.top, last.top),
            )
            x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
            is_on_page = paper.left <= x <= paper.right and paper.bottom <= y <= paper.top
            if is_on_page and style.size > smallest:
                yield Word(match[0], index, style, box.turned(style.angle))
            else:
                self.hidden_words += 1

    def _line(self, angle: int, row: Row) -> Line:
        words = [word for word in row if word.kind != "remark"]
        first = next((word for word in words if word.kind == "drawn"), words[0])
        bottom = first.box.top - first.style.size
        if first.kind == "drawn":
            origin_x, origin_y = ctypes.c_double(), ctypes.c_double()
            raw.FPDFText_GetCharOrigin(
                self._text, first.start, ctypes.byref(origin_x), ctypes.byref(origin_y)
            )
            _, bottom = turn(origin_x.value, origin_y.value, angle)
        return Line(
            _without_surrogates(" ".join(word.text for word in words)),
            self._number,
            min(word.box.left for word in words),
            max(word.box.right for word in words),
            bottom,
            first.style.size,
            any(word.kind == "answer" for word in words),
            tuple(word.text for word in row if word.kind == "remark"),
        )

    def _box(self, index: int) -> Box:
        """The box of a character, including the space around its glyph."""
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self._text, index, ctypes.byref(box))
        return Box(box.left, box.bottom, box.right, box.top)

    def _style(self, index: int) -> Style | None:
        """The style of a character, None for one that PDFium added."""
        text_object = raw.FPDFText_GetTextObject(self._text, index)
        if not text_object:
            return None
        address = ctypes.addressof(text_object.contents)
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = self._read_style(index)
        return style

    def _read_style(self, index: int) -> Style:
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(self._text, index, ctypes.byref(matrix))
        size = abs(raw.FPDFText_GetFontSize(self._text, index)) * math.hypot(matrix.c, matrix.d)
        return Style(size, round(math.degrees(math.atan2(matrix.b, matrix.a))) % 360)


def _characters(text: pdfium.PdfTextPage) -> str:
    """The characters of a page, one for each index of PDFium, with parts of surrogate pairs."""
    count = raw.FPDFText_CountChars(text)
    units = (ctypes.c_ushort * (count + 1))()
    # One call is 200 times as fast as one for each character. It leaves out control characters,
    # and has two units for some characters; then the indexes differ.
    if raw.FPDFText_GetText(text, 0, count, units) != count + 1:
        codes = [raw.FPDFText_GetUnicode(text, index) for index in range(count)]
        return "".join(chr(code) if code < _NO_CHARACTER else " " for code in codes)
    characters = bytes(units)[:-2].decode("utf-16-le", "surrogatepass")
    return characters if len(characters) == count else "".join(map(chr, units[:count]))


def _without_surrogates(text: str) -> str:
    """The text with each surrogate pair as the character that it stands for."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
