"""Turns the definition lists of a page into sections, list items or paragraphs.

A function in a library reference, or an option in a manual, is looked up by itself. If it has an id
and a long description, it becomes a section with this id.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

from lxml.html import HtmlElement
from lxml.html.builder import E

from rich_agent.documents.extract.headings import HEADINGS, add_anchor
from rich_agent.domain.text import shorten

_FLOW = frozenset({"section", "div", "article", "main", "body"})
_LONG = 300
_LONGEST_TERM = 120
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class _Definition:
    """Terms and their meaning, which may be empty."""

    terms: tuple[HtmlElement, ...]
    meaning: tuple[HtmlElement, ...]

    @property
    def words(self) -> str:
        """The terms as displayed."""
        return ", ".join(filter(None, map(_words, self.terms)))

    @property
    def anchor(self) -> str:
        """The id of the definition, "" if it has none."""
        elements = (element for term in self.terms for element in [term, *term.iter("a", "span")])
        return next(
            (
                element_id
                for element in elements
                if (element_id := element.get("id") or element.get("name"))
            ),
            "",
        )

    @property
    def signature(self) -> str:
        """The name of an object that Sphinx documents, "" for other terms."""
        for term in self.terms:
            name = "".join(map(_words, term.find_class("descname")))
            if name:
                owner = "".join(map(_words, term.find_class("descclassname")))
                return f"{owner}{name}{'()' if term.find_class('sig-paren') else ''}"
        return ""

    @property
    def is_long(self) -> bool:
        """Whether the meaning is too long for a list item."""
        length = sum(len(part.text_content()) for part in self.meaning)
        blocks = (part.find(f".//{tag}") for part in self.meaning for tag in ("pre", "table", "dl"))
        return length > _LONG or any(block is not None for block in blocks)


def open_definitions(body: HtmlElement) -> None:
    """Replace all definition lists; headings must have their anchors already."""
    outline = _Outline(body)
    for element in list(body.iter(*HEADINGS, "dl")):
        if element.tag == "dl":
            outline.replace(element)
        else:
            outline.heading = element


class _Outline:
    """Replaces definition lists, and remembers the heading of the text around them.

    A list inside a definition is under the heading of this definition.
    """

    def __init__(self, body: HtmlElement) -> None:
        self.heading: HtmlElement | None = None
        self._body = body
        self._of_lists: dict[HtmlElement, HtmlElement | None] = {}

    def replace(self, listing: HtmlElement) -> None:
        """Replace a definition list by blocks."""
        heading = self._of_lists.get(listing, self.heading)
        is_flow = all(parent.tag in _FLOW for parent in _parents(listing, self._body))
        level = min(_DEEPEST, (int(heading.tag[1]) if heading is not None else 1) + 1)
        blocks = E.div()
        definitions = list(_definitions(listing))
        if is_flow and any(map(_is_looked_up, definitions)):
            for definition in definitions:
                title = _heading(definition, level)
                self._of_lists |= dict.fromkeys(_lists(definition), title)
                blocks.extend([title, *_body(definition)])
            if heading is not None and _goes_on(listing):
                blocks.append(deepcopy(heading))
                blocks[-1].tail = None
        else:
            for definition in definitions:
                _add_plain(blocks, definition)
        blocks.tail = listing.tail
        listing.getparent().replace(listing, blocks)


def _parents(element: HtmlElement, body: HtmlElement) -> Iterator[HtmlElement]:
    for parent in element.iterancestors():
        yield parent
        if parent is body:
            return


def _definitions(listing: HtmlElement) -> Iterator[_Definition]:
    for group in listing.findall("div"):
        group.drop_tag()
    terms: list[HtmlElement] = []
    meaning: list[HtmlElement] = []
    for child in listing:
        if child.tag == "dt" and meaning:
            yield _Definition(tuple(terms), tuple(meaning))
            terms, meaning = [], []
        (terms if child.tag == "dt" else meaning).append(child)
    if meaning:
        yield _Definition(tuple(terms), tuple(meaning))
    else:
        yield from (_Definition((term,), ()) for term in terms)


def _is_looked_up(definition: _Definition) -> bool:
    if definition.signature:
        return True
    return bool(definition.anchor) and definition.is_long and len(definition.words) < _LONGEST_TERM


def _heading(definition: _Definition, level: int) -> HtmlElement:
    heading = E(f"h{level}", definition.signature or shorten(definition.words, _LONGEST_TERM))
    add_anchor(heading, definition.anchor)
    return heading


def _lists(definition: _Definition) -> Iterator[HtmlElement]:
    for part in definition.meaning:
        yield from part.iter("dl")


def _body(definition: _Definition) -> Iterator[HtmlElement]:
    """The content under a definition's heading: signatures unlike the heading, then the meaning."""
    if signature := definition.signature:
        lines = [words for term in definition.terms if (words := _words(term)) != signature]
        if lines:
            yield E.pre(E.code("\n".join(lines)))
    yield from _blocks(definition.meaning)


def _blocks(meaning: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    for part in meaning:
        part.tag = "div"
        part.tail = None
        yield part


def _add_plain(blocks: HtmlElement, definition: _Definition) -> None:
    """Add a definition without a heading: as an item of the open list, or as blocks if long."""
    term = E.strong(definition.words)
    if definition.is_long:
        blocks.extend([E.p(term), *_blocks(definition.meaning)])
        return
    if not len(blocks) or blocks[-1].tag != "ul":
        blocks.append(E.ul())
    item = E.li(term) if definition.words else E.li()
    parts = list(_blocks(definition.meaning))
    for part in parts:
        if len(part) == 1 and part[0].tag == "p":
            part[0].drop_tag()
    if parts and definition.words:
        term.tail = ": "
    item.extend(parts)
    for part in parts:
        part.drop_tag()
    blocks[-1].append(item)


def _goes_on(listing: HtmlElement) -> bool:
    """Whether more content follows under the list's heading."""
    for element in [listing, *listing.iterancestors()]:
        if element.tag == "body":
            return False
        if (element.tail or "").strip():
            return True
        for sibling in element.itersiblings():
            if sibling_text := sibling.text_content().strip():
                first_heading = next(sibling.iter(*HEADINGS), None)
                begins_with_heading = first_heading is not None and sibling_text.startswith(
                    first_heading.text_content().strip()
                )
                return not begins_with_heading or bool((sibling.tail or "").strip())
    return False


def _words(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())
