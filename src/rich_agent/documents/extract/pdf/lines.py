"""Reads the lines of a PDF page, as a person sees them who turns the page until each is upright."""

import ctypes
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, starmap

import pypdfium2 as pdfium
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.letters import without_unknown
from rich_agent.documents.extract.pdf.right_to_left import Letter, word_in_order
from rich_agent.documents.extract.pdf.rules import page_rules
from rich_agent.documents.extract.pdf.table_finding import with_tables
from rich_agent.documents.extract.pdf.tables import PdfTable
from rich_agent.documents.extract.pdf.visibility import PageVisibility, RenderingTime
from rich_agent.documents.extract.pdf.words import Box, Row, Style, Word, turn

# PDFium marks a hyphen at a line's end, and has no line break then.
_LINE = re.compile(r"[^\r\n\x02\ufffe]++[\x02\ufffe]?|[\x02\ufffe]")
_WORD = re.compile(r"\S+")
_FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_NO_NEIGHBOURS = re.compile(r"[\u0590-\u08ff\ufb1d-\ufeff]|\s\s")
"""Letters that run from the right, and wide gaps: words may stand elsewhere than in the text."""
_SMALLEST = 2.0
_SMALLEST_SHARE = 0.003
"""The smallest letters, as a share of the page's longer side, where a unit is not a point."""
_NO_CHARACTER = 0x110000
_EVEN = 1.15
_LONGEST_LIGATURE = 3
_LOWEST, _HIGHEST = 0.5, 2.2
"""Heights of the place of a letter in its line, as a share of its size."""
_NARROW, _WIDE = 0.62, 1.0
"""Widths of letters that are wide for their alphabet, as a share of their size."""
_Span = tuple[int, int]
"""The indexes of the first and the last character of a word."""


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
    table: PdfTable | None = None
    """The table of which it has all words, None for a usual line."""


_PLAIN = Style(0.0, 0)
Place = Callable[[Sequence[Row], int], list[Row]]
"""Adds annotations to the rows of a page that is turned by an angle."""


class PageText:
    """Reads the text of one page."""

    def __init__(
        self,
        page: pdfium.PdfPage,
        number: int,
        rendering: RenderingTime,
        place: Place | None = None,
    ) -> None:
        self._page, self._number, self._place = page, number, place
        self._text, self._rendering = page.get_textpage(), rendering
        self._visibility = PageVisibility(page, self._text, rendering)
        self._styles: dict[int, Style] = {}
        self._style = _PLAIN
        self._paper = paper = Box(*page.get_bbox())
        longer_side = max(paper.right - paper.left, paper.top - paper.bottom)
        self._smallest = min(_SMALLEST, _SMALLEST_SHARE * longer_side)
        self._rectangle = raw.FS_RECTF()
        self.hidden_words = 0
        """The words that were left out since nobody sees them."""
        self.unknown_letters = 0
        """The letters that were left out since nobody can tell which they are."""

    def lines(self) -> list[Line]:
        """The lines in reading order: those in the commonest direction, then the others."""
        try:
            angle, rows_by_angle = self._read()
            if angle % 90 == 0 and (angle - self._page.get_rotation()) % 360:
                # PDFium puts the lines of a page in order as they are seen when it is upright.
                self._page.set_rotation(angle)
                self._text.close()
                self._text = self._page.get_textpage()
                self._visibility = PageVisibility(self._page, self._text, self._rendering)
                angle, rows_by_angle = self._read()
            main_rows = rows_by_angle.pop(angle, [])
            items = (
                [*main_rows]
                if angle % 90
                else with_tables(main_rows, page_rules(self._page, angle))
            )
            main_lines = [
                self._table_line(item) if isinstance(item, PdfTable) else self._line(angle, item)
                for item in items
            ]
            turned_lines = [
                sorted((self._line(turned, row) for row in rows), key=lambda line: -line.bottom)
                for turned, rows in rows_by_angle.items()
            ]
        finally:
            self._text.close()
        return [*main_lines, *chain.from_iterable(turned_lines)]

    def _read(self) -> tuple[int, dict[int, list[Row]]]:
        """The commonest direction, and the rows of words in each direction."""
        self._styles, self.hidden_words = {}, 0
        rows_by_angle: dict[int, list[Row]] = {}
        characters, self.unknown_letters = without_unknown(self._text, _characters(self._text))
        for span in _LINE.finditer(characters):
            for angle, words in self._runs(span[0], span.start()):
                rows_by_angle.setdefault(angle, []).append(words)
        letters = {
            angle: sum(len(word.text) for row in rows for word in row)
            for angle, rows in rows_by_angle.items()
        }
        commonest = max(letters, key=letters.__getitem__, default=self._page.get_rotation())
        if self._place is not None:
            rows_by_angle[commonest] = self._place(rows_by_angle.get(commonest, []), commonest)
        return commonest, rows_by_angle

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
        """The visible words of a line; evenly spaced ones of one text object are read as one."""
        self._style = _PLAIN
        is_mirrored = _FROM_THE_RIGHT.search(text) is not None
        spans = [(start + match.start(), start + match.end() - 1) for match in _WORD.finditer(text)]
        if self._visibility.has_doubts:
            spans = list(self._seen_spans(spans))
        for address, group in self._groups(spans, text):
            word = self._word(text[group[0][0] - start : group[-1][1] + 1 - start], group, address)
            if word is not None:
                yield self._in_order(word, group[0]) if is_mirrored else word
                continue
            for span in group if len(group) > 1 else ():
                word = self._word(text[span[0] - start : span[1] + 1 - start], [span], address)
                if word is not None:
                    yield word
                else:
                    self.hidden_words += 1
            self.hidden_words += len(group) == 1

    def _in_order(self, word: Word, span: _Span) -> Word:
        """A word with its letters in reading order, if PDFium has one for each index."""
        indexes = range(span[0], span[1] + 1)
        if len(word.text) != len(indexes):
            return word
        letters = [
            Letter(letter, self._box(index).turned(word.style.angle))
            for letter, index in zip(word.text, indexes, strict=True)
        ]
        return word._replace(text=word_in_order(letters))

    def _seen_spans(self, spans: Sequence[_Span]) -> Iterator[_Span]:
        """The words, without letters of other text objects next to them that nobody sees."""
        for first, last in spans:
            if self._object(first) == self._object(last):
                yield first, last
                continue
            seen: dict[int, bool] = {}
            for address, run in groupby(range(first, last + 1), key=self._object):
                letters = list(run)
                seen |= dict.fromkeys(letters, self._is_run_seen(address, letters))
            for is_seen, run in groupby(seen, key=seen.__getitem__):
                letters = list(run)
                if is_seen:
                    yield letters[0], letters[-1]
                else:
                    self.hidden_words += 1

    def _is_run_seen(self, address: int, letters: Sequence[int]) -> bool:
        """Whether letters of a text object are seen; a ligature without a place is."""
        self._style = self._style_of(address, letters[0]) or self._style
        has_place = len(letters) > _LONGEST_LIGATURE or any(
            self._is_placed(self._box(index)) for index in letters
        )
        return not has_place or self._shows([(letters[0], letters[-1])], address)

    def _groups(self, spans: Sequence[_Span], text: str) -> Iterator[tuple[int, Sequence[_Span]]]:
        """The words of each text object; single words if one is wanted, or may stand elsewhere."""
        addresses = (self._object(first) for first, _ in spans)
        if self._place is not None or _NO_NEIGHBOURS.search(text):
            yield from ((address, [span]) for address, span in zip(addresses, spans, strict=True))
        elif len(spans) > 1 and self._object(spans[-1][1]) == (address := next(addresses)) != 0:
            yield address, spans
        else:
            grouped = groupby(spans, key=lambda span: self._object(span[0]))
            yield from ((address, list(group)) for address, group in grouped)

    def _word(self, text: str, spans: Sequence[_Span], address: int) -> Word | None:
        """The words of a text object, None if they are not seen whole or have gaps."""
        style = self._style = self._style_of(address, spans[0][0]) or self._style
        if style.size <= self._smallest or not self._shows(spans, address):
            return None
        start, first = next(self._places(range(spans[0][0], spans[-1][1] + 1)))
        _, last = next(self._places(range(spans[-1][1], spans[0][0] - 1, -1)))
        box = Box(
            min(first.left, last.left),
            min(first.bottom, last.bottom),
            max(first.right, last.right),
            max(first.top, last.top),
        )
        if not all(map(self._is_on_page, (box,) if len(spans) == 1 else (first, last))):
            return None
        box = box.turned(style.angle)
        if len(spans) > 1 and box.right - box.left > _EVEN * style.size * _width(text):
            return None
        return Word(" ".join(text.split()), start, style, box)

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

    def _shows(self, spans: Sequence[_Span], address: int) -> bool:
        """Whether words are seen against what is drawn there; unsure ones are looked at singly."""
        if not self._visibility.doubts(address):
            return True
        if len(spans) > 1:
            return False
        ((first, last),) = spans
        places = self._places(range(first, last + 1))
        return self._visibility.shows(address, lambda: starmap(self._tight_box, places))

    def _places(self, indexes: range) -> Iterator[tuple[int, Box]]:
        """The characters whose box is right, with this; all if it is of none.

        PDFium does not know the places of ligatures in forms.
        """
        has_place = False
        for index in indexes:
            box = self._box(index)
            if self._is_placed(box):
                has_place = True
                yield index, box
        if not has_place:
            yield from ((index, self._box(index)) for index in indexes)

    def _is_placed(self, box: Box) -> bool:
        """Whether the box of a character is as high as its style wants."""
        size, upright = self._style.size, box.turned(self._style.angle)
        return _LOWEST * size < upright.top - upright.bottom < _HIGHEST * size

    def _tight_box(self, index: int, place: Box) -> Box:
        """The box of a character's glyph, as far as it is within its place in the line."""
        sides = [ctypes.c_double() for _ in range(4)]
        raw.FPDFText_GetCharBox(self._text, index, *map(ctypes.byref, sides))
        left, right, bottom, top = (side.value for side in sides)
        box = Box(
            max(left, place.left),
            max(bottom, place.bottom),
            min(right, place.right),
            min(top, place.top),
        )
        return box if box.left < box.right and box.bottom < box.top else place

    def _is_on_page(self, box: Box) -> bool:
        """Whether the middle of a box is on the page."""
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        paper = self._paper
        return paper.left <= x <= paper.right and paper.bottom <= y <= paper.top

    def _table_line(self, table: PdfTable) -> Line:
        lines = [line for row in table.rows for cell in row for line in cell]
        return Line(
            " ".join(lines),
            self._number,
            table.box.left,
            table.box.right,
            table.box.bottom,
            table.size,
            remarks=table.remarks,
            table=table,
        )

    def _box(self, index: int) -> Box:
        """The box of a character, including the space around its glyph."""
        box = self._rectangle
        raw.FPDFText_GetLooseCharBox(self._text, index, ctypes.byref(box))
        return Box(box.left, box.bottom, box.right, box.top)

    def _object(self, index: int) -> int:
        """The address of a character's text object, 0 for one that PDFium added."""
        text_object = raw.FPDFText_GetTextObject(self._text, index)
        return ctypes.addressof(text_object.contents) if text_object else 0

    def _style_of(self, address: int, index: int) -> Style | None:
        """The style of a character of a text object, None for one that PDFium added."""
        if not address:
            return None
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


def _width(text: str) -> float:
    """The greatest width of a text without gaps in letters of size 1."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return _NARROW * ascii_count + _WIDE * (len(text) - ascii_count)
