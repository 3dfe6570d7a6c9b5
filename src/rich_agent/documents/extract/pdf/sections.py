"""Converts PDF files to sections: lines joined to paragraphs, under the entries of the outline.

Each paragraph has its page as the anchor `page=N`.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, pairwise, zip_longest

import pypdfium2 as pdfium
from pypdfium2.raw import (
    FORMTYPE_XFA_FULL,
    FPDF_ERR_PASSWORD,
    FPDF_PAGEOBJ_FORM,
    FPDF_PAGEOBJ_IMAGE,
    FPDF_PAGEOBJ_PATH,
    FPDF_PAGEOBJ_SHADING,
    PDFDEST_VIEW_XYZ,
)

from rich_agent.documents.extract.containers import InnerFile
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.markdown import Block, Section
from rich_agent.documents.extract.pdf.annotations import AnnotationReader
from rich_agent.documents.extract.pdf.flattened import flattened_fields
from rich_agent.documents.extract.pdf.hyphens import LineJoiner, goes_on, without_mark
from rich_agent.documents.extract.pdf.lines import Line, PageText
from rich_agent.documents.extract.pdf.margins import without_margins
from rich_agent.documents.extract.pdf.pictures import PictureCounter
from rich_agent.documents.extract.pdf.placing import place
from rich_agent.documents.extract.pdf.tables import Cell
from rich_agent.documents.extract.pdf.visibility import RenderingTime
from rich_agent.domain.inventory import Inventory, Tally

_SENTENCE_END = re.compile(r"[.!?:。！？：][\"'”’」』)）]*\Z")
_ITEM = re.compile(r"(?:[•◦▪‣·–—*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_WORDS = re.compile(r"\w+")
_LARGER = 1.15
_SAME_HEIGHT = 0.12
_GAP = 1.45
_SHORT_LINE = 0.85
_SHORT_LETTERS = 45
_SLACK_LETTERS = 5
_INDENT = 2.0
_LONGEST_HEADING = 120
_MOST_ENTRIES = 20_000
_DEEPEST = 6
_FEW_STROKES = 4
_PICTURES = frozenset({FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_SHADING})


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


@dataclass(frozen=True, slots=True)
class PdfContent:
    """The content of a PDF."""

    title: str
    """Its title, "" if it has none."""
    sections: list[Section]
    inventory: Inventory
    bare_pages: tuple[int, ...] = ()
    """Numbers of the pages without text on which a person sees something."""
    attachments: Sequence[InnerFile] = ()


def read_pdf(data: bytes) -> PdfContent:
    """The title, the sections and the inventory of a PDF.

    A scan has no sections. Raises: ExtractionError if it is damaged, encrypted or empty.
    """
    tally = Tally()
    try:
        with pdfium.PdfDocument(data) as document:
            annotations = AnnotationReader(document, data, tally)
            reader = _PageReader(annotations, tally)
            pages = [reader.read(page, number) for number, page in enumerate(document, 1)]
            bare_pages = tuple(_bare_pages(document, pages, reader.unknown_letters))
            if document.get_formtype() == FORMTYPE_XFA_FULL:
                # The pages say only that another program is needed: Acrobat makes them anew.
                tally.note_unread("object")
            title = document.get_metadata_value("Title").strip()
            entries = list(_entries(document))
            annotations.close()
    except pdfium.PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise ExtractionError("the PDF is encrypted", "encrypted") from error
        raise ExtractionError(f"the PDF is damaged: {error}") from error
    lines = list(chain.from_iterable(without_margins(pages)))
    tally.note_unread("page", len(bare_pages))
    bare = frozenset(bare_pages)
    unknown = sum(n for page, n in reader.unknown_letters.items() if page not in bare)
    tally.note_unread("letter", unknown)
    tally.note_unread("picture", reader.pictures.count(bare))
    inventory, files = tally.inventory(), annotations.attached.files
    if not lines and not inventory.missing and not files:
        raise ExtractionError("no text in it", "empty")
    outline = _places(entries, lines) or (_places_by_size(lines) if lines else [])
    sections = _sections(lines, outline)
    return PdfContent(title or _largest(pages), sections, inventory, bare_pages, files)


def _bare_pages(
    document: pdfium.PdfDocument,
    pages: Sequence[Sequence[Line]],
    unknown_letters: Mapping[int, int],
) -> Iterator[int]:
    """The numbers of pages without text of their own on which more than a few strokes are drawn."""
    for number, lines in enumerate(pages, start=1):
        if all(line.is_filled for line in lines) and (
            number in unknown_letters or _shows_something(document[number - 1])
        ):
            yield number


def _shows_something(page: pdfium.PdfPage) -> bool:
    stroke_count = 0
    for drawn in page.get_objects(max_depth=1):
        stroke_count += drawn.type == FPDF_PAGEOBJ_PATH
        if stroke_count > _FEW_STROKES or drawn.type in _PICTURES:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _PageReader:
    """Reads the pages of one document."""

    annotations: AnnotationReader
    tally: Tally
    unknown_letters: dict[int, int] = field(default_factory=dict)
    """The letters that nobody can tell, by the number of their page."""
    pictures: PictureCounter = field(default_factory=PictureCounter)
    rendering: RenderingTime = field(default_factory=RenderingTime)

    def read(self, page: pdfium.PdfPage, number: int) -> list[Line]:
        """The lines of a page; what a person does not see is only counted."""
        annotations = self.annotations.read(page, number - 1)
        flattened = flattened_fields(page)
        page_text = (
            PageText(page, number, self.rendering, partial(place, annotations, flattened))
            if annotations or flattened
            else PageText(page, number, self.rendering)
        )
        self.pictures.add(page)
        lines = page_text.lines()
        self.tally.note_unread("hidden_word", page_text.hidden_words)
        if page_text.unknown_letters:
            self.unknown_letters[number] = page_text.unknown_letters
        return lines


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
    return (
        not line.table
        and shorter_char_count > 0
        and (
            line_letters.endswith(title_letters)
            or (shorter_char_count > 20 and title_letters.startswith(line_letters))
        )
    )


def _places_by_size(lines: Sequence[Line]) -> list[_Heading]:
    """Short lines in larger letters than most; the lines of one heading are joined."""
    letters_by_height: Counter[float] = Counter()
    for line in lines:
        letters_by_height[round(line.height, 1)] += len(line.text)
    usual_height = letters_by_height.most_common(1)[0][0]
    headings: list[tuple[float, str, int, int]] = []
    for index, line in enumerate(lines):
        if (
            line.is_filled
            or line.table
            or line.height < _LARGER * usual_height
            or not _WORDS.search(line.text)
        ):
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
    """The text in the largest letters on the first page with text, "" if all are as large."""
    first_lines = next((lines for lines in pages if lines), [])
    longer_lines = [
        line for line in first_lines if len(line.text) > 2 and not (line.is_filled or line.table)
    ]
    if not longer_lines:
        return ""
    largest = max(longer_lines, key=lambda line: line.height)
    smallest = min(longer_lines, key=lambda line: line.height)
    return without_mark(largest.text) if largest.height > _LARGER * smallest.height else ""


def _sections(lines: Sequence[Line], headings: Sequence[_Heading]) -> list[Section]:
    joiner = LineJoiner([line.text for line in lines])
    path: list[tuple[int, str]] = []
    sections: list[Section] = []
    start = 0
    heading_remarks: tuple[Block, ...] = ()
    for heading in [*headings, _Heading(0, "", len(lines), len(lines))]:
        blocks = (*heading_remarks, *_paragraphs(lines[start : heading.start], joiner))
        heading_remarks = tuple(_remarks(lines[heading.start : heading.end]))
        if blocks:
            sections.append(Section(tuple(name for _, name in path), blocks[0].anchor, blocks))
        path = [(level, name) for level, name in path if level < heading.level]
        path.append((heading.level, heading.title))
        start = heading.end
    return sections


def _paragraphs(lines: Sequence[Line], joiner: LineJoiner) -> Iterator[Block]:
    """The lines joined to paragraphs."""
    lines_by_page: dict[int, list[Line]] = {}
    for line in lines:
        lines_by_page.setdefault(line.page, []).append(line)
    previous: Line | None = None
    for group in _groups(lines):
        last = group[-1]
        if last.table is not None:
            if previous is not None and previous.table and previous.page == last.page - 1:
                last = replace(last, table=last.table.with_head_of(previous.table))
            yield _table(last, joiner)
        else:
            yield _paragraph(group, _room(group, lines_by_page[group[0].page]), joiner)
        yield from _remarks(group)
        previous = last


def _table(line: Line, joiner: LineJoiner) -> Block:
    def join(cell: Cell) -> str:
        text = ""
        for part in cell:
            kept, space = joiner.join(text, part) if text else (0, "")
            text = f"{text[:kept]}{space}{part}"
        return without_mark(text)

    text = line.table.markdown(join) if line.table else line.text
    return Block(text, "\n\n", "table", anchor=f"page={line.page}")


def _remarks(lines: Sequence[Line]) -> Iterator[Block]:
    for line in lines:
        for remark in line.remarks:
            yield Block(remark, "\n\n", anchor=f"page={line.page}")


def _groups(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each paragraph."""
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
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _begins(previous: Line, line: Line, width: float, pitch: float) -> bool:
    """Whether a line begins a paragraph, by its position, its size and the line before it."""
    if line.is_filled or previous.is_filled or line.table or previous.table:
        return True
    if goes_on(previous.text):
        return False
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


def _room(group: Sequence[Line], page_lines: Sequence[Line]) -> float:
    """The place up to which the lines of a paragraph could go, on its first page.

    Short lines with nothing beside them could go on, like those of an address. Lines that split
    words are full.
    """
    if any(goes_on(line.text) for line in group):
        return -math.inf
    first = group[0]
    indent = _INDENT * first.height
    same_page = [line for line in group if line.page == first.page]
    right = max(line.right for line in same_page)
    if max(len(line.text) for line in same_page) < _SHORT_LETTERS:
        top, bottom = first.bottom + first.height, same_page[-1].bottom
        has_neighbour = any(
            line.left > right and bottom < line.bottom + line.height and line.bottom < top
            for line in page_lines
        )
        if not has_neighbour:
            return math.inf
    return max(
        (line.right for line in page_lines if abs(line.left - first.left) < indent), default=right
    )


def _fits(line: Line, following: Line, room: float) -> bool:
    """Whether a line ends early: the next line's first word would have fitted behind it."""
    if line.page != following.page:
        return False
    letters = len(following.text.partition(" ")[0]) + _SLACK_LETTERS
    letter_width = (following.right - following.left) / len(following.text)
    return line.right + letters * letter_width < room


def _paragraph(lines: Sequence[Line], room: float, joiner: LineJoiner) -> Block:
    pieces: list[str] = []
    size, page = 0, lines[0].page
    page_anchors: list[tuple[int, str]] = []
    for line, following in zip_longest(lines, lines[1:]):
        if line.page != page:
            page = line.page
            page_anchors.append((size, f"page={page}"))
        kept, space = joiner.join(line.text, following.text) if following else (len(line.text), "")
        if space == " " and _fits(line, following, room):
            space = "\n"
        pieces.append(line.text[:kept] + space)
        size += kept + len(space)
    text = "".join(pieces)
    glue = "\n" if _ITEM.match(text) else "\n\n"
    anchor = f"page={lines[0].page}"
    return Block(without_mark(text), glue, anchor=anchor, later_anchors=tuple(page_anchors))
