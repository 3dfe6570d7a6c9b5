"""Converts presentations of PowerPoint to HTML: each visible slide under its title.

What a slide shows besides its words is counted. Films and what other programs put on a slide are
not read.
"""

import posixpath
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal, NamedTuple

from lxml import etree

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.colours import WHITE, Colour
from rich_agent.documents.extract.drawings import chart_html, diagram_html
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.slide_colours import (
    A,
    Palette,
    background,
    is_clear,
    paint_of,
    read_palette,
)
from rich_agent.documents.extract.slide_text import (
    TextLook,
    inline_html,
    text_html,
)
from rich_agent.documents.extract.table_markup import table_of_markup
from rich_agent.domain.inventory import Tally

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TITLES: Final = frozenset({"title", "ctrTitle"})
_LINES_AT_FOOT: Final = frozenset({"ftr", "hdr", "dt"})
_NO_TEXT: Final = frozenset({"sldNum", "sldImg"})
_SHAPES: Final = frozenset(
    {f"{_P}sp", f"{_P}pic", f"{_P}graphicFrame", f"{_P}contentPart", f"{_P}cxnSp"}
)
_ICON: Final = 360_000  # English Metric Units in a centimetre
_REPEATED: Final = 3  # a picture on so many slides is a logo
_MOST_CELLS: Final = 100_000
_MOST_CHARACTERS: Final = 20_000_000  # of a table, with the repeated text of its merged cells
_MOST_BENEATH: Final = 500
_LONGEST_HEADING: Final = 200


class _Box(NamedTuple):
    """The place of a shape on its slide, in English Metric Units."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        """Whether two boxes share more than a line."""
        return min(self.right, other.right) > max(self.left, other.left) and min(
            self.bottom, other.bottom
        ) > max(self.top, other.top)

    def covers(self, other: "_Box") -> bool:
        """Whether another box lies within this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


class _Scale(NamedTuple):
    """The change from the coordinates within a group to those of the slide."""

    x: float = 0
    y: float = 0
    width: float = 1
    height: float = 1

    def box(self, transform: etree._Element | None) -> _Box | None:
        """The box of a shape's own coordinates, None without them."""
        numbers = _coordinates(transform, "off", "ext")
        if numbers is None:
            return None
        left, top, width, height = numbers
        x, y = self.x + left * self.width, self.y + top * self.height
        return _Box(x, y, x + width * self.width, y + height * self.height)

    def within(self, transform: etree._Element | None) -> "_Scale":
        """The scale within a group."""
        outer = _coordinates(transform, "off", "ext")
        inner = _coordinates(transform, "chOff", "chExt")
        if outer is None or inner is None or not inner[2] or not inner[3]:
            return self
        width, height = outer[2] / inner[2], outer[3] / inner[3]
        return _Scale(
            self.x + (outer[0] - inner[0] * width) * self.width,
            self.y + (outer[1] - inner[1] * height) * self.height,
            self.width * width,
            self.height * height,
        )


def _coordinates(
    transform: etree._Element | None, place: str, size: str
) -> tuple[float, float, float, float] | None:
    if transform is None:
        return None
    offset, extent = transform.find(f"{A}{place}"), transform.find(f"{A}{size}")
    if offset is None or extent is None:
        return None
    try:
        left, top = float(offset.get("x", "")), float(offset.get("y", ""))
        return left, top, float(extent.get("cx", "")), float(extent.get("cy", ""))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape outside groups: its element, its place if it has one, whether its author hid it."""

    element: etree._Element
    box: _Box | None
    is_hidden: bool

    @property
    def role(self) -> str | None:
        """The kind of placeholder that a shape fills, None if it fills none."""
        placeholder = self.element.find(f".//{_P}nvPr/{_P}ph")
        return None if placeholder is None else placeholder.get("type", "obj")

    @property
    def index(self) -> str:
        """The number of the placeholder that a shape fills."""
        placeholder = self.element.find(f".//{_P}nvPr/{_P}ph")
        return "" if placeholder is None else placeholder.get("idx", "0")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A slide, layout or master: its XML, its shapes in order, and the parts it refers to."""

    root: etree._Element
    shapes: tuple[_Shape, ...]
    links: Mapping[str, str]
    """Names of parts, or addresses, by relationship id."""
    kinds: Mapping[str, str]
    """The last word of the type of each relationship, by id."""

    def linked(self, kind: str) -> Iterator[str]:
        """The parts of a kind that the sheet refers to."""
        return (self.links[key] for key, one in self.kinds.items() if one == kind)

    def placeholder(self, shape: _Shape) -> _Shape | None:
        """The placeholder from which a shape inherits its place and look."""
        if shape.role is None:
            return None
        others = [one for one in self.shapes if one.role is not None]
        by_index = (one for one in others if one.index == shape.index)
        by_role = (one for one in others if _family(one.role) == _family(shape.role))
        return next(by_index, None) or next(by_role, None)


def _family(role: str | None) -> str:
    if role in _TITLES:
        return "title"
    return role if role in {*_LINES_AT_FOOT, *_NO_TEXT} else "body"


@dataclass(slots=True)
class _Deck:
    """A presentation that is being read."""

    parts: Mapping[str, bytes]
    box: _Box
    tally: Tally = field(default_factory=Tally)
    uses: Counter[str] = field(default_factory=Counter)
    """The number of slides that show a picture, by its part."""
    seen_lines: set[str] = field(default_factory=set)
    """Lines that stand on many slides, which are read once."""
    _sheets: dict[str, _Sheet] = field(default_factory=dict)

    def sheet(self, name: str) -> _Sheet:
        """A slide, layout or master by the name of its part."""
        if name not in self._sheets:
            root = parse_xml(self.parts[name])
            tree = root.find(f"{_P}cSld/{_P}spTree")
            shapes = _shapes(tree, _Scale(), is_hidden=False) if tree is not None else ()
            self._sheets[name] = _Sheet(root, tuple(shapes), *_relations(self.parts, name))
        return self._sheets[name]

    def parent(self, sheet: _Sheet, kind: str) -> _Sheet | None:
        """The layout of a slide, or the master of a layout."""
        name = next(sheet.linked(kind), "")
        return self.sheet(name) if name in self.parts else None


def pptx_html(data: bytes) -> tuple[str, Tally]:
    """The visible slides of a presentation in order, and a count of their parts.

    Each slide has its title as heading, with `slide=N` as its id.

    Raises: ExtractionError.
    """
    parts = text_parts(data)
    name = "ppt/presentation.xml"
    if name not in parts:
        raise ExtractionError("this is not a presentation")
    root = parse_xml(parts[name])
    links, _ = _relations(parts, name)
    names = [links.get(slide.get(f"{_R}id", ""), "") for slide in root.iter(f"{_P}sldId")]
    deck = _Deck(parts, _slide_box(root))
    slides = []
    for number, slide_name in enumerate(names, start=1):
        if slide_name not in parts:
            continue
        slide = deck.sheet(slide_name)
        if slide.root.get("show") in {"0", "false"}:
            deck.tally.note_unread("hidden_slide")
        else:
            slides.append((number, slide))
    for _, slide in slides:
        deck.uses.update({_picture_name(shape, slide) for shape in slide.shapes})
    return "".join(_slide(deck, slide, number) for number, slide in slides), deck.tally


def _slide_box(root: etree._Element) -> _Box:
    size = root.find(f"{_P}sldSz")
    try:
        width, height = (float(size.get(side, "")) for side in ("cx", "cy"))
    except (AttributeError, ValueError):
        width, height = 9_144_000.0, 6_858_000.0
    return _Box(0, 0, width, height)


def _relations(parts: Mapping[str, bytes], name: str) -> tuple[dict[str, str], dict[str, str]]:
    """The targets of a part's relationships, and the last word of their types, by id."""
    folder, _, file = name.rpartition("/")
    relations = parts.get(f"{folder}/_rels/{file}.rels")
    links, kinds = {}, {}
    for relation in parse_xml(relations) if relations is not None else ():
        key, target = relation.get("Id", ""), relation.get("Target", "")
        if relation.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        links[key], kinds[key] = target, relation.get("Type", "").rpartition("/")[2]
    return links, kinds


def _shapes(tree: etree._Element, scale: _Scale, *, is_hidden: bool) -> Iterator[_Shape]:
    """The shapes of a tree in order, with those of its groups."""
    for element in tree:
        if element.tag == f"{_MC}AlternateContent":
            choice = element.find(f"{_MC}Choice")
            if choice is not None:
                yield from _shapes(choice, scale, is_hidden=is_hidden)
            continue
        name = element.find(f"./*/{_P}cNvPr")
        hides = is_hidden or (name is not None and name.get("hidden") in {"1", "true"})
        if element.tag == f"{_P}grpSp":
            inner = scale.within(element.find(f"{_P}grpSpPr/{A}xfrm"))
            yield from _shapes(element, inner, is_hidden=hides)
        elif element.tag in _SHAPES:
            transform = element.find(f"{_P}xfrm")
            if transform is None:
                transform = element.find(f"{_P}spPr/{A}xfrm")
            yield _Shape(element, scale.box(transform), hides)


def _slide(deck: _Deck, slide: _Sheet, number: int) -> str:
    layout = deck.parent(slide, "slideLayout")
    master = deck.parent(layout, "slideMaster") if layout is not None else None
    reader = _SlideReader(deck, slide, [one for one in (layout, master) if one is not None])
    title, body = reader.read()
    # A section needs a block of text, so the title of a slide without other words is one, too.
    if title and (not body or len(title) > _LONGEST_HEADING):
        body = f"<p>{title}</p>{body}"
    is_heading = 0 < len(title) <= _LONGEST_HEADING
    heading = title if is_heading else f"Slide {number}"
    return f'<h2 id="slide={number}">{heading}</h2>{body}' if body else ""


@dataclass(slots=True)
class _SlideReader:
    """Reads a slide, with the layout and the master under it."""

    deck: _Deck
    slide: _Sheet
    parents: Sequence[_Sheet]
    _title: str = ""
    _foot: str = ""
    _pictures: int = 0
    """The number of pictures that were not read."""
    _beneath: deque[tuple[_Box | None, Colour]] = field(
        default_factory=lambda: deque(maxlen=_MOST_BENEATH)
    )
    """Places and colours of the painted shapes under the one that is read, the nearest ones."""
    _palette: Palette = field(default_factory=lambda: Palette({}, {}))
    _paper: Colour = WHITE

    def read(self) -> tuple[str, str]:
        """The title and the content of the slide, as HTML."""
        self._palette, self._paper = self._colours()
        under = list(self._repeated_lines())
        body = "".join(self._shape(shape) for shape in self.slide.shapes)
        body += "".join([self._foot, *under, *self._remarks(), *self._notes()])
        has_text = bool(self._title or body)
        if self._pictures and not has_text:
            self.deck.tally.note_unread("slide")
        else:
            self.deck.tally.note_unread("picture", self._pictures)
        return self._title, body

    def _colours(self) -> tuple[Palette, Colour]:
        """The names of colours on the slide, and the colour of its background."""
        master = self.parents[-1] if self.parents else self.slide
        theme_name = next(master.linked("theme"), "")
        theme = self.deck.parts.get(theme_name)
        own_map = self.slide.root.find(f"{_P}clrMapOvr/{A}overrideClrMapping")
        colour_map = own_map if own_map is not None else master.root.find(f"{_P}clrMap")
        palette = read_palette(parse_xml(theme) if theme else None, colour_map)
        for sheet in (self.slide, *self.parents):
            has_own, colour = background(sheet.root, palette)
            if has_own:
                return palette, colour
        return palette, WHITE

    def _repeated_lines(self) -> Iterator[str]:
        """The text of layout and master on the slide, each once in a presentation."""
        shown = self.parents
        for position, sheet in enumerate((self.slide, *self.parents)):
            if sheet.root.get("showMasterSp") in {"0", "false"}:
                shown = self.parents[:position]
                break
        for sheet in reversed(shown):
            for shape in sheet.shapes:
                body = shape.element.find(f"{_P}txBody")
                if shape.role is None and body is not None and self._is_shown(shape):
                    yield self._once(text_html(body, self._look(shape, sheet), self.deck.tally))
                if shape.role is None:
                    self._cover(shape)

    def _once(self, html: str) -> str:
        """The text, "" if it was read before."""
        is_new = html not in self.deck.seen_lines
        self.deck.seen_lines.add(html)
        return html if is_new else ""

    def _is_shown(self, shape: _Shape) -> bool:
        box = shape.box
        return not shape.is_hidden and (box is None or box.meets(self.deck.box) or _is_flat(box))

    def _shape(self, shape: _Shape) -> str:
        """The content of a shape of the slide, as HTML; a title is kept apart."""
        if not self._is_shown(shape):
            hidden_text = " ".join(text.text or "" for text in shape.element.iter(f"{A}t"))
            self.deck.tally.note_unread("hidden_word", len(hidden_text.split()))
            return ""
        html = ""
        match etree.QName(shape.element).localname:
            case "sp":
                html = self._text(shape)
            case "pic":
                html = self._picture(shape)
            case "graphicFrame":
                html = self._frame(shape)
            case "contentPart":
                self.deck.tally.note_unread("drawing")
        self._cover(shape)
        return html

    def _cover(self, shape: _Shape) -> None:
        """Note a shape that later ones stand on."""
        is_painted, colour = self._fill(shape)
        if is_painted:
            self._beneath.append((shape.box, colour))

    def _text(self, shape: _Shape) -> str:
        body, role = shape.element.find(f"{_P}txBody"), shape.role
        if body is None or role in _NO_TEXT:
            return ""
        look = self._look(shape, self.slide)
        if role in _TITLES and not self._title:
            self._title = inline_html(body, look, self.deck.tally)
            return ""
        if role in _LINES_AT_FOOT:
            # A date that changes each day is not what the author wrote.
            if body.find(f".//{A}fld") is None:
                self._foot += self._once(text_html(body, look, self.deck.tally))
            return ""
        return text_html(body, look, self.deck.tally)

    def _look(self, shape: _Shape, sheet: _Sheet) -> TextLook:
        parents = [one for parent in self.parents if (one := parent.placeholder(shape))]
        chain = [shape, *parents]
        styles = [
            style
            for one in chain
            if (style := one.element.find(f"{_P}txBody/{A}lstStyle")) is not None
        ]
        family = _family(shape.role)
        if shape.role is not None and self.parents and family in {"title", "body"}:
            kind = f"{family}Style"
            common = self.parents[-1].root.find(f"{_P}txStyles/{_P}{kind}")
            styles += [common] if common is not None else []
        ink = self._palette.colour(shape.element.find(f"{_P}style/{A}fontRef"))
        return TextLook(styles, self._palette, self._papers_under(chain), sheet.links, ink)

    def _papers_under(self, chain: Sequence[_Shape]) -> list[Colour]:
        """The colours that the text of a shape stands on; None is one that cannot be told."""
        for shape in chain:
            is_painted, colour = self._fill(shape)
            if is_painted:
                return [colour]
        box = next((shape.box for shape in chain if shape.box is not None), None)
        papers: list[Colour] = []
        for shape_box, colour in reversed(self._beneath):
            if box is None or shape_box is None or shape_box.meets(box):
                papers.append(colour)
                if box is None or shape_box is None or shape_box.covers(box):
                    return papers
        return [*papers, None if len(self._beneath) == _MOST_BENEATH else self._paper]

    def _fill(self, shape: _Shape) -> tuple[bool, Colour]:
        """Whether a shape is painted, and its colour if it is plain."""
        if shape.element.tag not in {f"{_P}sp", f"{_P}cxnSp"}:
            return True, None
        paint = paint_of(shape.element.find(f"{_P}spPr"))
        if paint is not None:
            is_plain = paint.tag == f"{A}solidFill"
            return not is_clear(paint), self._palette.colour(paint) if is_plain else None
        reference = shape.element.find(f"{_P}style/{A}fillRef")
        if reference is None or reference.get("idx") in {"0", "1000"}:
            return False, None
        return True, self._palette.colour(reference)

    def _picture(self, shape: _Shape) -> str:
        properties = shape.element.find(f"{_P}nvPicPr/{_P}nvPr")
        if properties is not None and any("File" in str(child.tag) for child in properties):
            self.deck.tally.note_unread("object")
            return ""
        name = _picture_name(shape, self.slide)
        if self.deck.uses[name] >= _REPEATED or _is_decoration(shape):
            return ""
        words = _alternative_text(shape)
        if words:
            self.deck.tally.note_read("picture")
            return f"<p>{escape(words)}</p>"
        self._pictures += 1
        return ""

    def _frame(self, shape: _Shape) -> str:
        """The content of a table, chart or diagram."""
        data = shape.element.find(f"{A}graphic/{A}graphicData")
        if data is None:
            return ""
        table = data.find(f"{A}tbl")
        if table is not None:
            return self._table(table)
        relations = data.find(f"{_DGM}relIds")
        if relations is not None:
            return self._drawn("diagram", relations.get(f"{_R}dm", ""), diagram_html)
        if data.get("uri", "").rpartition("/")[2] in {"chart", "chartex"}:
            key = next((child.get(f"{_R}id", "") for child in data), "")
            return self._drawn("chart", key, chart_html)
        self.deck.tally.note_unread("object")
        return ""

    def _drawn(
        self, kind: Literal["chart", "diagram"], key: str, read: Callable[[bytes], str]
    ) -> str:
        """The texts and figures of a chart or diagram; one without any is not counted."""
        part = self.deck.parts.get(self.slide.links.get(key, ""))
        if part is None:
            self.deck.tally.note_unread(kind)
            return ""
        html = read(part)
        self.deck.tally.note_read(kind, bool(html))
        return html

    def _table(self, table: etree._Element) -> str:
        """A table; each cell of a merged one has its text, but a row of one cell has it once."""
        rows: list[list[str]] = []
        count = length = 0
        for row in table.iterchildren(f"{A}tr"):
            cells = list(row.iterchildren(f"{A}tc"))
            count += len(cells)
            if count > _MOST_CELLS or length > _MOST_CHARACTERS:
                raise ExtractionError("a table is too large", "too_long")
            is_one_cell = len(cells) > 1 and _span(cells[0], "gridSpan") >= len(cells)
            texts: list[str] = []
            for column, cell in enumerate(cells):
                if _is_on(cell, "vMerge") and rows and column < len(rows[-1]):
                    texts.append(rows[-1][column])
                elif _is_on(cell, "hMerge") and texts:
                    texts.append("" if is_one_cell else texts[-1])
                else:
                    texts.append(self._cell(cell))
            rows.append(texts)
            length += sum(map(len, texts))
        return table_of_markup(rows)

    def _cell(self, cell: etree._Element) -> str:
        body = cell.find(f"{A}txBody")
        if body is None:
            return ""
        paint = paint_of(cell.find(f"{A}tcPr"))
        is_plain = paint is not None and paint.tag == f"{A}solidFill"
        paper = self._palette.colour(paint) if is_plain else None
        return inline_html(
            body, TextLook((), self._palette, [paper], self.slide.links), self.deck.tally
        )

    def _notes(self) -> Iterator[str]:
        """The notes of the speaker, as a quotation."""
        for name in self.slide.linked("notesSlide"):
            notes = self.deck.sheet(name) if name in self.deck.parts else None
            for shape in notes.shapes if notes is not None else ():
                body = shape.element.find(f"{_P}txBody")
                if shape.role == "body" and body is not None:
                    look = TextLook((), self._palette, [None], {})
                    html = text_html(body, look, self.deck.tally)
                    yield f"<blockquote>{html}</blockquote>" if html else ""

    def _remarks(self) -> Iterator[str]:
        """The remarks of readers, each with its author."""
        for name in self.slide.linked("comments"):
            root = parse_xml(self.deck.parts[name]) if name in self.deck.parts else None
            authors = _authors(self.deck.parts) if root is not None else {}
            for remark in root.iter("{*}cm", "{*}reply") if root is not None else ():
                words = " ".join(" ".join(_remark_texts(remark)).split())
                if words:
                    self.deck.tally.note_read("remark")
                    author = authors.get(remark.get("authorId", ""), "")
                    line = f"{author}: {words}" if author else words
                    yield f"<blockquote><p>{escape(line)}</p></blockquote>"


def _remark_texts(remark: etree._Element) -> Iterable[str]:
    """The text of a remark, without its replies: as PowerPoint wrote it before 2021, and since."""
    own = remark.find("{*}txBody")
    texts = own.iter(f"{A}t") if own is not None else remark.iterchildren("{*}text")
    return (text.text or "" for text in texts)


def _authors(parts: Mapping[str, bytes]) -> dict[str, str]:
    """The names of those who wrote remarks, by id."""
    contents = [parts.get(f"ppt/{name}.xml") for name in ("commentAuthors", "authors")]
    authors = [author for content in contents if content for author in parse_xml(content)]
    return {author.get("id", ""): author.get("name", "") for author in authors}


def _is_flat(box: _Box) -> bool:
    """Whether a box has no area, as those of programs that leave their size to the viewer."""
    return box.right == box.left or box.bottom == box.top


def _is_on(cell: etree._Element, name: str) -> bool:
    return cell.get(name) in {"1", "true"}


def _span(cell: etree._Element, name: str) -> int:
    text = cell.get(name, "1")
    return int(text[:5]) if text.isdecimal() else 1


def _picture_name(shape: _Shape, sheet: _Sheet) -> str:
    """The part that a picture shows, "" if the shape is no picture."""
    picture = shape.element.find(f"{_P}blipFill/{A}blip")
    return "" if picture is None else sheet.links.get(picture.get(f"{_R}embed", ""), "")


def _is_decoration(shape: _Shape) -> bool:
    """Whether a picture is marked as without meaning, or is as small as an icon or a line."""
    marks = shape.element.iter("{*}decorative")
    if any(mark.get("val") in {"1", "true"} for mark in marks):
        return True
    box = shape.box
    if box is None or _is_flat(box):
        return False
    return min(box.right - box.left, box.bottom - box.top) < _ICON


def _alternative_text(shape: _Shape) -> str:
    name = shape.element.find(f"./*/{_P}cNvPr")
    return alternative_text(name.get("descr", "") if name is not None else "")
