"""Converts Word documents to HTML: what a person sees who opens them, and a count of the rest.

Numbers that Word makes stand in front of their paragraphs, notes, remarks and drawings after
theirs, each header and footer once. Tables of contents and hidden words are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal

from lxml import etree

from rich_agent.documents.extract.archive import text_parts
from rich_agent.documents.extract.colours import Colour
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.word_document import (
    R,
    WordDocument,
    open_document,
    page_paper,
    unwrapped,
)
from rich_agent.documents.extract.word_drawings import DrawingReader, Surroundings
from rich_agent.documents.extract.word_fields import Fields
from rich_agent.documents.extract.word_numbering import BULLET, W, value_of
from rich_agent.documents.extract.word_styles import (
    ParagraphStyle,
    is_on,
    list_of_properties,
    read_level,
    read_shade,
)
from rich_agent.documents.extract.word_tables import Row, grid_html, visible_rows
from rich_agent.documents.extract.word_text import LineReader, ParagraphLine, Story
from rich_agent.domain.inventory import Tally

_DEEPEST_HEADING: Final = 6
_DEEPEST_LIST: Final = 9
_TYPED_NUMBER: Final = re.compile(r"\A(\d{1,9}[.)])(?=\s)")
_TAG: Final = re.compile(r"<[^<>]*+>")
# Keeps a number at the beginning of a paragraph from becoming a list of Markdown, which would have
# numbers of its own. It is dropped with other invisible characters.
_JOINER: Final = "&#x2060;"


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of text: its content as HTML, and the level of a heading or the depth of an item."""

    kind: Literal["paragraph", "heading", "item", "table", "other"]
    html: str
    level: int = 0

    @property
    def plain(self) -> str:
        """The words without marks, to compare them."""
        return " ".join(_TAG.sub("", self.html).split()).casefold()


def docx_html(data: bytes) -> tuple[str, Tally]:
    """The text of a Word document as HTML, and a count of what it holds besides.

    Raises: ExtractionError.
    """
    document = open_document(text_parts(data))
    root = document.read(document.name)
    body = root.find(f"{W}body") if root is not None else None
    if root is None or body is None:
        raise ExtractionError("this is not a Word document")
    document.paper = page_paper(root)
    blocks = _BodyReader(document).read(body)
    return _html(blocks), document.tally


def _html(blocks: Sequence[_Block]) -> str:
    """Blocks as HTML; items of lists are nested by their depths."""
    pieces: list[str] = []
    depths: list[int] = []
    for block in blocks:
        while depths and (block.kind != "item" or depths[-1] > block.level):
            depths.pop()
            pieces.append("</li></ul>")
        if block.kind == "item":
            is_deeper = not depths or depths[-1] < block.level
            if is_deeper:
                depths.append(block.level)
            pieces.append(f"{'<ul>' if is_deeper else '</li>'}<li>{block.html}")
        elif block.kind == "heading":
            pieces.append(f"<h{block.level}>{block.html}</h{block.level}>")
        elif block.kind == "paragraph":
            pieces.append(f"<p>{block.html}</p>")
        else:
            pieces.append(block.html)
    return "".join(pieces) + "</li></ul>" * len(depths)


def _cell_html(blocks: Sequence[_Block]) -> str:
    """Blocks within a cell, line by line."""
    lines = (
        f"{BULLET} {block.html}" if block.kind == "item" else block.html
        for block in blocks
        if block.kind != "table"
    )
    return "<br>".join(filter(None, lines))


@dataclass(slots=True)
class _BodyReader:
    """Reads the blocks of a document."""

    document: WordDocument
    _lines: LineReader = field(init=False)
    _pending: list[_Block] = field(default_factory=list)
    """What stands after the current block of the body: drawings, notes, remarks."""
    _read_notes: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._lines = LineReader(self.document)

    def read(self, body: etree._Element) -> list[_Block]:
        """All blocks, with the headers and footers of each section after its first heading."""
        story = _story(self.document, self.document.name, body)
        sections: list[tuple[list[_Block], etree._Element | None]] = []
        blocks: list[_Block] = []
        for element in unwrapped(body):
            blocks += self._block(element, story, self.document.paper)
            blocks += self._take_pending()
            section = element if element.tag == f"{W}sectPr" else element.find(f"{W}pPr/{W}sectPr")
            if section is not None:
                sections.append((blocks, section))
                blocks = []
        sections.append((blocks, None))
        known = {block.plain for section_blocks, _ in sections for block in section_blocks}
        merged: list[_Block] = []
        for section_blocks, section in sections:
            start = 1 if section_blocks and section_blocks[0].kind == "heading" else 0
            merged += section_blocks[:start]
            for block in self._margins(section) if section is not None else ():
                if block.plain not in known:
                    known.add(block.plain)
                    merged.append(block)
            merged += section_blocks[start:]
        return merged

    def _take_pending(self) -> list[_Block]:
        taken, self._pending = self._pending, []
        return taken

    def _margins(self, section: etree._Element) -> Iterator[_Block]:
        """The headers and footers that a section shows."""
        kinds = {"default"}
        kinds |= {"first"} if is_on(section, "titlePg") else set()
        kinds |= {"even"} if is_on(self.document.settings, "evenAndOddHeaders") else set()
        links = self.document.links(self.document.name)
        for reference in section:
            link = links.get(reference.get(f"{R}id", ""))
            is_margin = reference.tag in {f"{W}headerReference", f"{W}footerReference"}
            if not is_margin or link is None or reference.get(f"{W}type") not in kinds:
                continue
            root = self.document.read(link.target)
            if root is not None:
                story = _story(self.document, link.target, root, is_margin=True)
                yield from self._blocks(root, story, self.document.paper)
                yield from self._take_pending()

    def _blocks(self, parent: etree._Element, story: Story, paper: Colour) -> list[_Block]:
        return [
            block for element in unwrapped(parent) for block in self._block(element, story, paper)
        ]

    def _block(self, element: etree._Element, story: Story, paper: Colour) -> Sequence[_Block]:
        if element.tag == f"{W}p":
            return self._paragraph(element, story, paper)
        if element.tag == f"{W}tbl":
            return self._table(element, story, paper)
        if element.tag == f"{W}altChunk":
            self.document.tally.note_unread("object")
        return ()

    def _paragraph(self, element: etree._Element, story: Story, paper: Colour) -> Sequence[_Block]:
        properties = element.find(f"{W}pPr")
        style = self.document.styles.paragraph(value_of(properties, "pStyle"))
        line = self._lines.read(element, story, paper)
        label = "" if _is_gone(line, properties) else self._label(properties, style)
        self._read_attached(line, story, paper)
        if not line.text.strip() or style.is_contents:
            return ()
        if properties is not None and properties.find(f"{W}framePr[@{W}dropCap]") is not None:
            story.drop_cap = line.text.strip()
            return ()
        own_level = read_level(properties)
        level = 1 if style.is_title else style.level if own_level is None else own_level
        return (_text_block(line, story, label, level, self._depth(properties, style)),)

    def _depth(self, properties: etree._Element | None, style: ParagraphStyle) -> int:
        """The level of a paragraph in its list, from 0."""
        numbers = properties.find(f"{W}numPr") if properties is not None else None
        own = value_of(numbers, "ilvl")
        if own.isdecimal():
            return min(int(own[:4]), _DEEPEST_LIST)
        if style.list_level is not None and not list_of_properties(properties):
            return min(style.list_level, _DEEPEST_LIST)
        list_id = list_of_properties(properties) or style.list_id
        return self.document.numbering.level_of_style(list_id, style.list_style)

    def _label(self, properties: etree._Element | None, style: ParagraphStyle) -> str:
        """The number that Word puts in front of a paragraph, "" for none."""
        list_id = list_of_properties(properties) or style.list_id
        if not list_id:
            return ""
        return self.document.numbering.next_label(list_id, self._depth(properties, style))

    def _read_attached(self, line: ParagraphLine, story: Story, paper: Colour) -> None:
        """Read what belongs to a paragraph and stands after it: drawings, notes, remarks."""
        around = Surroundings(story.links, story.fields.is_margin)
        reader = DrawingReader(
            self.document, lambda content, own_paper: self._box(content, story, own_paper)
        )
        for drawing in line.drawings:
            blocks = [_Block("other", html) for html in reader.read(drawing, around) if html]
            self._pending += blocks
        for kind, note_id, label in line.notes:
            self._pending += self._note(kind, note_id, label)
        for remark_id in line.remarks:
            self._pending += self._remark(remark_id, paper)

    def _box(self, content: etree._Element, story: Story, paper: Colour) -> str:
        """The HTML of a text box; its headings do not begin sections of the text around it."""
        inner = Story(story.links, Fields(story.fields.is_margin, _is_balanced(content)))
        blocks = self._blocks(content, inner, paper)
        return _html(
            [
                _Block("paragraph", f"<strong>{block.html}</strong>")
                if block.kind == "heading"
                else block
                for block in blocks
            ]
        )

    def _note(self, kind: str, note_id: str, label: str) -> list[_Block]:
        """The blocks of a footnote or endnote, which begins with its number."""
        note = self.document.notes.get((kind, note_id))
        if note is None or (kind, note_id) in self._read_notes:
            return []
        self._read_notes.add((kind, note_id))
        name = self.document.part_of_kind(f"{kind}s")
        blocks = self._blocks(note, _story(self.document, name, note), self.document.paper)
        prefix = f"[{label}] " if label else ""
        if blocks and blocks[0].kind == "paragraph":
            return [_Block("paragraph", prefix + blocks[0].html), *blocks[1:]]
        return [_Block("paragraph", prefix.strip()), *blocks] if blocks and prefix else blocks

    def _remark(self, remark_id: str, paper: Colour) -> list[_Block]:
        """A remark in the margin, with its author."""
        remark = self.document.remarks.pop(remark_id, None)
        if remark is None:
            return []
        story = Story()
        lines = (self._lines.read(part, story, paper).text for part in remark.iter(f"{W}p"))
        words = " ".join(" ".join(lines).split())
        if not words:
            return []
        self.document.tally.note_read("remark")
        author = remark.get(f"{W}author", "")
        line = escape(f"{author}: {words}" if author else words)
        return [_Block("other", f"<blockquote><p>{line}</p></blockquote>")]

    def _table(self, table: etree._Element, story: Story, paper: Colour) -> Sequence[_Block]:
        rows = visible_rows(table, self.document.tally)
        properties = table.find(f"{W}tblPr")
        style_id = value_of(properties, "tblStyle")
        shade = read_shade(properties)
        if isinstance(shade, tuple):
            paper = shade
        elif self.document.styles.has_shade(style_id):
            paper = None
        cells = [[self._cell(cell.element, story, paper) for cell in row.cells] for row in rows]
        if _is_layout(rows, cells):
            return [block for row in cells for blocks in row for block in blocks]
        html = grid_html(rows, [[_cell_html(blocks) for blocks in row] for row in cells])
        inner = (block for row in cells for blocks in row for block in blocks)
        inner_tables = [block for block in inner if block.kind == "table"]
        return [_Block("table", html), *inner_tables] if html else inner_tables

    def _cell(self, cell: etree._Element, story: Story, paper: Colour) -> list[_Block]:
        shade = read_shade(cell.find(f"{W}tcPr"))
        return self._blocks(cell, story, shade if isinstance(shade, tuple) else paper)


def _is_layout(rows: Sequence[Row], cells: Sequence[Sequence[Sequence[_Block]]]) -> bool:
    """Whether a table only places blocks: one cell, or a row or column with more than lines."""
    widest = max((len(row.cells) for row in rows), default=0)
    if len(rows) == 1 and widest == 1:
        return True
    has_blocks = any(
        block.kind != "paragraph" for row in cells for blocks in row for block in blocks
    )
    return has_blocks and 1 in {len(rows), widest}


def _is_gone(line: ParagraphLine, properties: etree._Element | None) -> bool:
    """Whether a paragraph is not shown at all, so that it has no number."""
    mark = properties.find(f"{W}rPr") if properties is not None else None
    if line.text.strip() or mark is None:
        return False
    return is_on(mark, "vanish") or mark.find(f"{W}del") is not None


def _text_block(line: ParagraphLine, story: Story, label: str, level: int, depth: int) -> _Block:
    """A paragraph with text as a heading, an item or a plain paragraph."""
    is_heading = level > 0
    html = escape(story.drop_cap) + line.html(is_heading=is_heading)
    story.drop_cap = ""
    if is_heading:
        number = f"{escape(label)} " if label and label != BULLET else ""
        return _Block("heading", number + html, min(level, _DEEPEST_HEADING))
    if label == BULLET:
        return _Block("item", html, depth)
    if label:
        return _Block("paragraph", f"{escape(label)}{_JOINER} {html}")
    return _Block("paragraph", _TYPED_NUMBER.sub(rf"\1{_JOINER}", html))


def _story(
    document: WordDocument, name: str, root: etree._Element, *, is_margin: bool = False
) -> Story:
    """A text that flows on its own, with the relations of its part."""
    return Story(document.links(name), Fields(is_margin, _is_balanced(root)))


def _is_balanced(root: etree._Element) -> bool:
    """Whether each field that begins in a text also ends in it."""
    kinds = [mark.get(f"{W}fldCharType") for mark in root.iter(f"{W}fldChar")]
    return kinds.count("begin") == kinds.count("end")
