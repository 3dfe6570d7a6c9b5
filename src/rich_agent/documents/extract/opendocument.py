"""Converts OpenDocument texts and presentations to HTML, as LibreOffice shows them.

Numbers that the program makes stand in front of their paragraphs; notes, remarks and drawings after
theirs; headers and footers once, at the end.
"""

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.colours import WHITE, Colour, named_colour
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.list_lines import ListLine, lines_html
from rich_agent.documents.extract.number_formats import format_number
from rich_agent.documents.extract.odf_styles import (
    DRAW,
    FO,
    STYLE,
    SVG,
    TEXT,
    OdfCounters,
    OdfLook,
    points,
    read_styles,
)
from rich_agent.documents.extract.table_markup import table_of_markup
from rich_agent.domain.inventory import Tally

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
_CHART = "{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}"
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_SILENT: Final = frozenset(
    f"{TEXT}{name}"
    for name in ("tracked-changes", "sequence-decls", "variable-decls", "user-field-decls",
                 "table-of-content", "illustration-index", "table-index", "object-index",
                 "user-index", "alphabetical-index", "note-citation", "page-number",
                 "page-count")
) | {f"{_OFFICE}forms", f"{_OFFICE}annotation-end", f"{_PRESENTATION}settings",
     f"{_PRESENTATION}footer-decl", f"{_PRESENTATION}header-decl",
     f"{_PRESENTATION}date-time-decl"}  # fmt: skip
_CONTENT_CONTROL: Final = (
    "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}content-control"
)
_BLANKS: Final = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})
_SHAPES: Final = frozenset(
    f"{DRAW}{name}"
    for name in ("custom-shape", "rect", "ellipse", "circle", "line", "polyline", "polygon",
                 "path", "connector", "caption", "regular-polygon")
)  # fmt: skip
_ROW_GROUPS: Final = frozenset(
    f"{_TABLE}{name}" for name in ("table-header-rows", "table-rows", "table-row-group")
)
_FOREIGN: Final = ("object", "object-ole", "plugin", "applet", "floating-frame")
_HEADINGS: Final = 6
_LONGEST_COUNT: Final = 9
_MOST_CELLS: Final = 200_000
_MOST_CHARACTERS: Final = 20_000_000  # of a table, with the repeated text of its merged cells
_MOST_REPEATED: Final = 1_000
_ICON_PT: Final = 28.3  # 1 cm
_REPEATED: Final = 3  # a picture in so many places is a logo
_LONGEST_HEADING: Final = 200


def opendocument_html(data: bytes) -> tuple[str, Tally]:
    """The content of a text or of slides, and a count of its parts.

    Each slide has its title as heading, with `slide=N` as its id. Tracked deletions, indexes and
    hidden text are left out.

    Raises: ExtractionError.
    """
    parts = text_parts(data)
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        raise ExtractionError("the document is encrypted", "encrypted")
    if "content.xml" not in parts:
        raise ExtractionError("this is not an OpenDocument file")
    title = ""
    if "meta.xml" in parts:
        title = parse_xml(parts["meta.xml"]).findtext(f".//{_DC}title") or ""
    content = parse_xml(parts["content.xml"])
    common = parse_xml(parts["styles.xml"]) if "styles.xml" in parts else None
    reader = _Reader(parts, content, common)
    return f"<title>{escape(title)}</title>{reader.read()}", reader.tally


class _Reader:
    """Reads a document."""

    def __init__(
        self, parts: Mapping[str, bytes], content: etree._Element, common: etree._Element | None
    ) -> None:
        self.tally = Tally()
        self._parts = parts
        self._content = content
        self._common = common
        self._styles = read_styles([content] if common is None else [common, content])
        self._counters = OdfCounters()
        self._note_counts: dict[str, int] = {}
        self._controls = {
            control.get(f"{_FORM}id")
            or control.get("{http://www.w3.org/XML/1998/namespace}id", ""): control
            for control in content.iter(f"{_FORM}*")
        }
        self._uses = Counter(
            image.get(f"{_XLINK}href", "") for image in content.iter(f"{DRAW}image")
        )
        self._lines_at_foot: set[str] = set()
        self._is_deck = content.find(f"{_OFFICE}body/{_OFFICE}presentation") is not None
        self._shape_key, self._box_count = "", 0
        self._footers = {
            footer.get(f"{_PRESENTATION}name"): footer.text or ""
            for footer in content.iter(f"{_PRESENTATION}footer-decl")
        }
        self._masters = {one.get(f"{STYLE}name"): one for one in self._used_masters()}
        layouts = common.iter(f"{STYLE}page-layout") if common is not None else ()
        self._layouts = {layout.get(f"{STYLE}name"): layout for layout in layouts}

    def read(self) -> str:
        """The content as HTML."""
        body = self._content.find(f"{_OFFICE}body")
        if body is None:
            return ""
        deck = body.find(f"{_OFFICE}presentation")
        if deck is not None:
            pages = deck.iterchildren(f"{DRAW}page")
            return "".join(self._slide(page, number) for number, page in enumerate(pages, start=1))
        look = OdfLook(paper=self._page_paper(next(iter(self._masters.values()), None)))
        return "".join([*self._flow(body, look), *self._margins(look)])

    def _used_masters(self) -> Iterator[etree._Element]:
        """The kinds of pages that the document uses."""
        if self._common is None:
            return
        attribute = f"{STYLE}master-page-name"
        roots = (self._common, self._content)
        names = {style.get(attribute) for root in roots for style in root.iter(f"{STYLE}style")}
        names.add("Standard")
        for master in self._common.iter(f"{STYLE}master-page"):
            if self._is_deck or master.get(f"{STYLE}name") in names:
                names.add(master.get(f"{STYLE}next-style-name"))
                yield master

    def _page_layout(self, master: etree._Element | None) -> etree._Element | None:
        """The size and the paper of a kind of pages."""
        name = master.get(f"{STYLE}page-layout-name") if master is not None else None
        layout = self._layouts.get(name)
        return layout.find(f"{STYLE}page-layout-properties") if layout is not None else None

    def _page_paper(self, master: etree._Element | None) -> Colour:
        """The colour of the paper of a kind of pages, None if it cannot be told."""
        layout = self._page_layout(master)
        if layout is None:
            return WHITE
        if layout.get(f"{DRAW}fill", "none") not in {"none", "solid"}:
            return None
        colour = layout.get(f"{FO}background-color", "transparent")
        return WHITE if colour == "transparent" else named_colour(colour)

    def _margins(self, look: OdfLook) -> Iterator[str]:
        """The headers and footers of all pages, each once and without page numbers."""
        margins = (margin for master in self._masters.values() for margin in master)
        shown = (one for one in margins if one.get(f"{STYLE}display") != "false")
        yield from dict.fromkeys("".join(self._flow(margin, look)) for margin in shown)

    def _flow(self, elements: Iterable[etree._Element], look: OdfLook) -> Iterator[str]:
        """The blocks of these elements, as HTML."""
        lines: list[ListLine] = []
        for element in elements:
            if element.tag in _SILENT or not isinstance(element.tag, str):
                continue
            if element.tag == f"{TEXT}list":
                lines += self._list(element, look, "", 1)
                continue
            # Each item may be a list of its own, so neighbouring lists are one.
            yield lines_html(lines)
            lines = []
            yield from self._block(element, look)
        yield lines_html(lines)

    def _block(self, element: etree._Element, look: OdfLook) -> Iterator[str]:
        if element.tag == f"{TEXT}h":
            yield self._heading(element, look)
        elif element.tag == f"{TEXT}p":
            yield self._paragraph(element, look)
        elif element.tag == f"{_TABLE}table":
            yield self._table(element, look)
        elif element.tag == f"{TEXT}section" and _is_hidden_section(element):
            self._note_hidden(element)
        elif element.tag.startswith(DRAW):
            yield self._drawing(element, look)
        else:
            yield from self._flow(element, look)

    def _note_hidden(self, element: etree._Element) -> None:
        words = " ".join("".join(one.itertext()) for one in element.iter(f"{TEXT}p", f"{TEXT}h"))
        self.tally.note_unread("hidden_word", len(words.split()))

    def _heading(self, element: etree._Element, look: OdfLook, label: str = "") -> str:
        depth = element.get(f"{TEXT}outline-level", "1")
        level = int(depth) if depth.isdecimal() and len(depth) == 1 else _HEADINGS
        words, after = self._words(element, look)
        if not words:
            return after
        if not label and element.get(f"{TEXT}is-list-header") != "true":
            start = element.get(f"{TEXT}start-value")
            label = self._counters.next_label("", self._styles.outline, level, start)
        text = f"{escape(label)} {words}" if label not in {"", "•"} else words
        tag = f"h{min(_HEADINGS, max(1, level))}"
        return f"<{tag}>{text}</{tag}>{after}"

    def _paragraph(self, element: etree._Element, look: OdfLook) -> str:
        if _hides_paragraph(element):
            self._note_hidden(element)
            return ""
        words, after = self._words(element, look)
        is_title = self._styles.is_named(element.get(f"{TEXT}style-name"), "Title")
        tag = "h1" if is_title else "p"
        return (f"<{tag}>{words}</{tag}>" if words else "") + after

    def _list(
        self, element: etree._Element, look: OdfLook, outer: str, depth: int, key: str = ""
    ) -> Iterator[ListLine]:
        """The items of a list, with those of the lists within it."""
        name = element.get(f"{TEXT}style-name") or outer or self._list_of_first(element)
        levels = self._styles.lists.get(name, {})
        # On slides, numbers go on through all lists of a shape.
        key = key or self._shape_key or self._counters.open_list(element, name)
        for item in element.iterchildren(f"{TEXT}list-item", f"{TEXT}list-header"):
            blocks: list[str] = []
            label, is_open = "", False
            if item.tag == f"{TEXT}list-item" and _begins_with_text(item):
                start = item.get(f"{TEXT}start-value")
                label = self._counters.next_label(key, levels, depth, start) if levels else "•"
            for child in item:
                if child.tag == f"{TEXT}list":
                    yield from self._item(blocks, label, depth, is_open=is_open)
                    blocks, is_open = [], True
                    yield from self._list(child, look, name, depth + 1, key)
                elif child.tag == f"{TEXT}h":
                    yield ListLine(self._heading(child, look, label), is_block=True)
                    label = ""
                else:
                    blocks += filter(None, self._flow([child], look))
            yield from self._item(blocks, label, depth, is_open=is_open)

    @staticmethod
    def _item(blocks: list[str], label: str, depth: int, *, is_open: bool) -> Iterator[ListLine]:
        """The blocks of an item; those after an inner list have no number."""
        if not blocks:
            return
        shown_label = "" if is_open else label
        if len(blocks) == 1 and blocks[0].startswith("<p>") and blocks[0].count("<p>") == 1:
            html, is_block = blocks[0].replace("<p>", "").replace("</p>", "", 1), False
        else:
            html, is_block = "".join(blocks), not shown_label
        yield ListLine(html, depth - 1 if shown_label else None, shown_label, is_block)

    def _list_of_first(self, element: etree._Element) -> str:
        paragraph = element.find(f".//{TEXT}p")
        style = paragraph.get(f"{TEXT}style-name") if paragraph is not None else None
        return self._styles.list_name(style)

    def _table(self, table: etree._Element, look: OdfLook) -> str:
        """A table; each cell of a merged one has its text, but a row of one cell has it once."""
        rows: list[list[str]] = []
        spans: dict[int, tuple[int, str]] = {}
        count = length = 0
        for row in _rows(table):
            if row.get(f"{_TABLE}visibility") in {"collapse", "filter"}:
                self.tally.note_unread("hidden_row")
                continue
            cells = list(row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"))
            texts: list[str] = []
            for cell in cells:
                for _ in range(min(_MOST_REPEATED, _count(cell, "number-columns-repeated"))):
                    texts.append(self._cell(cell, look, spans, len(texts)))
            count += len(texts)
            length += sum(map(len, texts))
            if count > _MOST_CELLS or length > _MOST_CHARACTERS:
                raise ExtractionError("a table is too large", "too_long")
            if len(texts) > 1 and _count(cells[0], "number-columns-spanned") >= len(texts):
                texts = [texts[0], *[""] * (len(texts) - 1)]
            if any(texts):
                rows.append(texts)
        return table_of_markup(rows)

    def _cell(
        self,
        cell: etree._Element,
        look: OdfLook,
        spans: dict[int, tuple[int, str]],
        column: int,
    ) -> str:
        """The text of a cell, or of the merged one that covers its place."""
        if cell.tag == f"{_TABLE}covered-table-cell":
            rows_left, text = spans.get(column, (0, ""))
            spans[column] = (rows_left - 1, text)
            return text if rows_left > 0 else ""
        is_painted, colour = self._styles.fill("table-cell", cell.get(f"{_TABLE}style-name"))
        inner = replace(look, paper=colour) if is_painted else look
        text = " ".join(filter(None, self._cell_pieces(cell, inner)))
        height = min(_MOST_REPEATED, _count(cell, "number-rows-spanned"))
        width = min(_MOST_REPEATED, _count(cell, "number-columns-spanned"))
        for place in range(column, column + width):
            spans[place] = (height - (place == column), text)
        return text

    def _cell_pieces(self, cell: etree._Element, look: OdfLook) -> Iterator[str]:
        """The paragraphs of a cell in a line, lists and tables within it opened."""
        for element in cell:
            if element.tag in {f"{TEXT}p", f"{TEXT}h"}:
                words, after = self._words(element, look)
                yield words + after
            elif element.tag == f"{TEXT}list":
                lines = self._list(element, look, "", 1)
                yield " ".join(f"{escape(line.label)} {line.html}".strip() for line in lines)
            elif isinstance(element.tag, str) and element.tag not in _SILENT:
                yield from self._flow([element], look)

    def _words(self, paragraph: etree._Element, look: OdfLook) -> tuple[str, str]:
        """The text of a paragraph, and what stands after it: drawings, notes and remarks."""
        after: list[str] = []
        style = paragraph.get(f"{TEXT}style-name")
        inner = self._styles.look(look, "paragraph", style)
        pieces = self._inline(paragraph, inner, after)
        return " ".join("".join(pieces).split()), "".join(after)

    def _inline(self, parent: etree._Element, look: OdfLook, after: list[str]) -> Iterator[str]:
        """The pieces of text within an element; what stands after the paragraph goes to `after`."""
        yield self._seen(parent.text, look)
        for child in parent:
            if child.tag not in _SILENT and isinstance(child.tag, str):
                yield from self._piece(child, look, after)
            yield self._seen(child.tail, look)

    def _piece(self, child: etree._Element, look: OdfLook, after: list[str]) -> Iterator[str]:
        if child.tag in _BLANKS:
            yield " "
        elif child.tag == f"{TEXT}note":
            yield self._note(child, look, after)
        elif child.tag == f"{_OFFICE}annotation":
            after.append(self._remark(child))
        elif child.tag == f"{TEXT}ruby":
            yield from self._ruby(child, look, after)
        elif child.tag == f"{TEXT}hidden-text" and child.get(f"{TEXT}is-hidden") != "false":
            hidden_text = "".join(child.itertext()) or child.get(f"{TEXT}string-value", "")
            self.tally.note_unread("hidden_word", len(hidden_text.split()))
        elif child.tag == f"{DRAW}frame" and self._formula(child) is not None:
            yield self._formula_html(child)
        elif child.tag.startswith(DRAW) and child.tag != f"{DRAW}a":
            after.append(self._drawing(child, look))
        else:
            yield from self._span(child, look, after)

    def _span(self, child: etree._Element, look: OdfLook, after: list[str]) -> Iterator[str]:
        """The text of a part of a paragraph: a run, a link, a field."""
        name = child.get(f"{TEXT}style-name") if child.tag == f"{TEXT}span" else None
        if child.tag == _CONTENT_CONTROL:
            self.tally.note_read("field")
        pieces = self._inline(child, self._styles.look(look, "text", name), after)
        target = child.get(f"{_XLINK}href", "") if child.tag == f"{TEXT}a" else ""
        if target:
            words = "".join(pieces)
            yield f'<a href="{escape(target)}">{words}</a>' if words.strip() else words
        else:
            yield from pieces

    def _seen(self, text: str | None, look: OdfLook) -> str:
        """A piece of text as HTML, "" if nobody sees it."""
        if not text or not text.strip():
            return text or ""
        if not look.is_seen:
            self.tally.note_unread("hidden_word", len(text.split()))
            return ""
        return f"<{look.script}>{escape(text)}</{look.script}>" if look.script else escape(text)

    def _note(self, note: etree._Element, look: OdfLook, after: list[str]) -> str:
        """The mark of a note; its text goes to `after`."""
        mark = f"[{escape(self._mark_of(note))}]"
        body = note.find(f"{TEXT}note-body")
        plain = replace(look, script="")
        html = "".join(self._flow(body, plain)) if body is not None else ""
        after.append(f"<p>{mark} {html[3:]}" if html.startswith("<p>") else f"<p>{mark}</p>{html}")
        return mark

    def _mark_of(self, note: etree._Element) -> str:
        """The mark that is seen: its own, or its number among those of its kind."""
        citation = note.find(f"{TEXT}note-citation")
        saved = "".join(citation.itertext()).strip() if citation is not None else ""
        kind = note.get(f"{TEXT}note-class", "footnote")
        numbering = self._styles.note_numbering.get(kind)
        if numbering is None or (citation is not None and citation.get(f"{TEXT}label")):
            return saved
        self._note_counts[kind] = self._note_counts.get(kind, 0) + 1
        return format_number(numbering.start + self._note_counts[kind], numbering.number_format)

    def _remark(self, remark: etree._Element) -> str:
        author = remark.findtext(f"{_DC}creator") or ""
        words = " ".join(" ".join("".join(p.itertext()) for p in remark.iter(f"{TEXT}p")).split())
        if not words:
            return ""
        self.tally.note_read("remark")
        line = f"{author}: {words}" if author else words
        return f"<blockquote><p>{escape(line)}</p></blockquote>"

    def _ruby(self, ruby: etree._Element, look: OdfLook, after: list[str]) -> Iterator[str]:
        for part in ruby:
            words = "".join(self._inline(part, look, after))
            yield words if part.tag == f"{TEXT}ruby-base" else f"({words})"

    def _drawing(self, element: etree._Element, look: OdfLook) -> str:
        """The content of a frame, shape or group."""
        if any(key.endswith("}display") and value == "none" for key, value in element.items()):
            self._note_hidden(element)
            return ""
        if element.tag == f"{DRAW}control":
            return self._control(element)
        if element.tag == f"{DRAW}frame":
            return self._frame(element, look)
        return self._box(element, self._on_shape(element, look))

    def _box(self, box: etree._Element, look: OdfLook) -> str:
        """The text of a box or shape, with numbers of its own on slides."""
        outer_key = self._shape_key
        self._box_count += 1
        self._shape_key = f"box {self._box_count}" if self._is_deck else ""
        html = "".join(self._flow(box, look))
        self._shape_key = outer_key
        return html

    def _on_shape(self, shape: etree._Element, look: OdfLook) -> OdfLook:
        """The look of a text on a shape."""
        name = shape.get(f"{DRAW}style-name") or shape.get(f"{_PRESENTATION}style-name")
        family = "presentation" if shape.get(f"{_PRESENTATION}style-name") else "graphic"
        name = shape.get(f"{_PRESENTATION}style-name") or name
        inner = replace(self._styles.look(look, family, name), paper=look.paper, script="")
        is_painted, colour = self._styles.fill(family, name)
        if is_painted:
            return replace(inner, paper=colour)
        has_no_fill = self._styles.value(family, name, f"{DRAW}fill") == "none"
        return replace(inner, paper=None) if shape.tag in _SHAPES and not has_no_fill else inner

    def _frame(self, frame: etree._Element, look: OdfLook) -> str:
        """The content of a frame: text, a table, a chart, an equation, or a picture's text."""
        box = frame.find(f"{DRAW}text-box")
        if box is not None:
            return self._box(box, self._on_shape(frame, look))
        table = frame.find(f"{_TABLE}table")
        if table is not None:
            return self._table(table, replace(look, paper=None))
        inner = self._object(frame)
        if inner is not None:
            return self._embedded(frame, inner)
        if any(frame.find(f"{DRAW}{kind}") is not None for kind in _FOREIGN):
            self.tally.note_unread("object")
        elif frame.find(f"{DRAW}image") is not None:
            return self._picture(frame)
        return ""

    def _object(self, frame: etree._Element) -> etree._Element | None:
        """The content of what is embedded in a frame, None if it is nothing of OpenDocument."""
        element = frame.find(f"{DRAW}object")
        if element is None:
            return None
        formula = element.find(f"{_MATH}math")
        if formula is not None:
            return formula
        name = posixpath.normpath(element.get(f"{_XLINK}href", ""))
        part = self._parts.get(f"{name}/content.xml")
        return parse_xml(part) if part is not None else None

    def _embedded(self, frame: etree._Element, root: etree._Element) -> str:
        if root.tag == f"{_MATH}math":
            return f"<p>{self._formula_html(frame)}</p>"
        chart = root.find(f".//{_CHART}chart")
        if chart is None:
            sheet = root.find(f"{_OFFICE}body/{_OFFICE}spreadsheet/{_TABLE}table")
            if sheet is None:
                self.tally.note_unread("object")
                return ""
            self.tally.note_read("object")
            return self._table(sheet, OdfLook(paper=None))
        titles = [" ".join("".join(one.itertext()).split()) for one in chart.iter(f"{_CHART}title")]
        tables = [self._table(table, OdfLook()) for table in chart.iter(f"{_TABLE}table")]
        self.tally.note_read("chart")
        lines = "".join(f"<p>{escape(title)}</p>" for title in dict.fromkeys(titles) if title)
        return lines + "".join(tables)

    def _formula(self, frame: etree._Element) -> etree._Element | None:
        root = self._object(frame)
        return root if root is not None and root.tag == f"{_MATH}math" else None

    def _formula_html(self, frame: etree._Element) -> str:
        """An equation as MathML without its source text."""
        root = self._formula(frame)
        if root is None:
            return ""
        for element in list(root.iter(etree.Element)):
            if element.tag == f"{_MATH}annotation" and element.getparent() is not None:
                element.getparent().remove(element)
            else:
                element.tag = etree.QName(element).localname
        root.tail = None
        etree.cleanup_namespaces(root)
        self.tally.note_read("equation")
        return str(etree.tostring(root, encoding="unicode"))

    def _picture(self, frame: etree._Element) -> str:
        """The text that stands for a picture; ornaments, icons and logos do not count."""
        image = frame.find(f"{DRAW}image")
        name = image.get(f"{_XLINK}href", "") if image is not None else ""
        sides = [points(frame.get(f"{SVG}{side}")) for side in ("width", "height")]
        is_small = any(side is not None and side < _ICON_PT for side in sides)
        is_marked = any(
            "decorative" in str(key) and value == "true" for key, value in frame.items()
        )
        if is_small or is_marked or self._uses[name] >= _REPEATED:
            return ""
        texts = (frame.findtext(f"{SVG}{kind}") or "" for kind in ("desc", "title"))
        words = next(filter(None, map(alternative_text, texts)), "")
        if not words:
            self.tally.note_unread("picture")
            return ""
        self.tally.note_read("picture")
        return f"<p>{escape(words)}</p>"

    def _control(self, element: etree._Element) -> str:
        """A field of a form, with its label and what is filled in."""
        control = self._controls.get(element.get(f"{DRAW}control", ""))
        if control is None:
            return ""
        kind = etree.QName(control).localname
        if kind in {"button", "image", "hidden", "frame", "fixed-text"}:
            label = control.get(f"{_FORM}label", "")
            return f"<p>{escape(label)}</p>" if kind in {"frame", "fixed-text"} and label else ""
        self.tally.note_read("field")
        label = control.get(f"{_FORM}label") or control.get(f"{_FORM}title") or ""
        if kind in {"checkbox", "radio"}:
            is_on = control.get(f"{_FORM}current-state") == "checked" or (
                control.get(f"{_FORM}current-selected") == "true"
            )
            return f"<p>{'☒' if is_on else '☐'} {escape(label)}</p>"
        value = control.get(f"{_FORM}current-value") or control.get(f"{_FORM}value") or ""
        chosen = [
            option.get(f"{_FORM}label", "")
            for option in control.iter(f"{_FORM}option")
            if option.get(f"{_FORM}current-selected") == "true"
        ]
        words = ", ".join(chosen) or value
        return f"<p>{escape(f'{label}: {words}' if label else words)}</p>" if words else ""

    def _slide(self, page: etree._Element, number: int) -> str:
        """A slide under its title; hidden slides are left out."""
        name = page.get(f"{DRAW}style-name")
        if self._styles.value("drawing-page", name, f"{_PRESENTATION}visibility") == "hidden":
            self.tally.note_unread("hidden_slide")
            return ""
        look = OdfLook(paper=self._slide_paper(page))
        shapes = [shape for shape in page if isinstance(shape.tag, str)]
        title = next((one for one in shapes if _class(one) == "title"), None)
        words = ""
        if title is not None:
            texts = (
                self._words(one, self._on_shape(title, look))[0] for one in title.iter(f"{TEXT}p")
            )
            words = " ".join(filter(None, texts))
        body = "".join(self._slide_shapes(page, [one for one in shapes if one is not title], look))
        body += self._foot(page, look)
        if words and (not body or len(words) > _LONGEST_HEADING):
            body = f"<p>{words}</p>{body}"
        heading = words if 0 < len(words) <= _LONGEST_HEADING else f"Slide {number}"
        return f'<h2 id="slide={number}">{heading}</h2>{body}' if body else ""

    def _slide_shapes(
        self, page: etree._Element, shapes: Sequence[etree._Element], look: OdfLook
    ) -> Iterator[str]:
        under = look
        for shape in shapes:
            if shape.tag == f"{_PRESENTATION}notes":
                notes = [one for one in shape if _class(one) == "notes"]
                html = "".join(self._slide_shapes(shape, notes, OdfLook(paper=None)))
                yield f"<blockquote>{html}</blockquote>" if html else ""
            elif _is_content(shape) and not self._is_on_slide(shape, page):
                self._note_hidden(shape)
            elif _is_content(shape):
                yield self._drawing(shape, under)
                # What stands on a painted shape or a picture has a paper that cannot be told.
                if self._on_shape(shape, look).paper != look.paper or _shows_picture(shape):
                    under = replace(look, paper=None)
            elif shape.tag == f"{_OFFICE}annotation":
                yield self._remark(shape)

    def _is_on_slide(self, shape: etree._Element, page: etree._Element) -> bool:
        """Whether a part of a shape is on its slide, as far as its place is known."""
        layout = self._page_layout(self._master_of(page))
        if layout is None or f"{DRAW}transform" in shape.attrib:
            return True
        for side, place in (("width", "x"), ("height", "y")):
            end = points(layout.get(f"{FO}page-{side}"))
            start, size = points(shape.get(f"{SVG}{place}")), points(shape.get(f"{SVG}{side}"))
            if end is not None and start is not None:
                is_beside = start >= end or start + (size or end) <= 0
                if is_beside:
                    return False
        return True

    def _slide_paper(self, page: etree._Element) -> Colour:
        """The colour of a slide's background, None if it cannot be told."""
        master = self._master_of(page)
        for element in (page, master):
            name = element.get(f"{DRAW}style-name") if element is not None else None
            is_painted, colour = self._styles.fill("drawing-page", name)
            if is_painted:
                return colour
        return WHITE

    def _master_of(self, page: etree._Element) -> etree._Element | None:
        return self._masters.get(page.get(f"{DRAW}master-page-name"))

    def _foot(self, page: etree._Element, look: OdfLook) -> str:
        """The footer of a slide and the text of its master, each once in a presentation."""
        footer = self._footers.get(page.get(f"{_PRESENTATION}use-footer-name"), "")
        lines = [f"<p>{escape(footer)}</p>"] if footer.strip() else []
        master, style = self._master_of(page), page.get(f"{DRAW}style-name")
        shows = f"{_PRESENTATION}background-objects-visible"
        if master is not None and self._styles.value("drawing-page", style, shows) != "false":
            own = [one for one in master if isinstance(one.tag, str) and _class(one) == ""]
            lines += [
                self._drawing(one, look)
                for one in own
                if one.tag.startswith(DRAW)
                and one.find(f".//{TEXT}p") is not None
                and self._is_on_slide(one, page)
            ]
        new_lines = [line for line in dict.fromkeys(lines) if line not in self._lines_at_foot]
        self._lines_at_foot.update(new_lines)
        return "".join(new_lines)


def _class(shape: etree._Element) -> str:
    """The part that a shape plays on a slide, such as "title", "" if none."""
    return str(shape.get(f"{_PRESENTATION}class", ""))


def _is_content(shape: etree._Element) -> bool:
    """Whether a shape is the author's, and no prompt, number or date of the program."""
    is_prompt = shape.get(f"{_PRESENTATION}placeholder") == "true"
    is_margin = _class(shape) in {"page-number", "date-time", "header", "footer"}
    return shape.tag.startswith(DRAW) and not is_prompt and not is_margin


def _shows_picture(shape: etree._Element) -> bool:
    return shape.find(f".//{DRAW}image") is not None


def _is_hidden_section(section: etree._Element) -> bool:
    display = section.get(f"{TEXT}display")
    is_false = section.get(f"{TEXT}is-hidden") == "true"
    return bool(display == "none" or is_false)


def _hides_paragraph(paragraph: etree._Element) -> bool:
    """Whether a field within a paragraph hides it."""
    fields = paragraph.iter(f"{TEXT}hidden-paragraph")
    return any(field.get(f"{TEXT}is-hidden") == "true" for field in fields)


def _begins_with_text(item: etree._Element) -> bool:
    """Whether an item has a text of its own before the lists within it."""
    first = next((child for child in item if isinstance(child.tag, str)), None)
    return first is not None and first.tag != f"{TEXT}list"


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table, with those of its head and groups; repeated ones if they have text."""
    for element in table:
        if element.tag == f"{_TABLE}table-row":
            has_text = element.find(f".//{TEXT}p") is not None
            repeated = min(_MOST_REPEATED, _count(element, "number-rows-repeated"))
            for _ in range(repeated if has_text else 1):
                yield element
        elif element.tag in _ROW_GROUPS:
            yield from _rows(element)


def _count(element: etree._Element, name: str) -> int:
    text = element.get(f"{_TABLE}{name}", "1")
    return max(1, int(text)) if text.isdecimal() and len(text) < _LONGEST_COUNT else 1
