"""The styles of an OpenDocument file: how a text looks, and how lists are numbered.

Source: OASIS Open Document Format 1.3, part 3, chapters 16 and 20.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lxml import etree

from rich_agent.documents.extract.colours import WHITE, Colour, is_unreadable, named_colour
from rich_agent.documents.extract.number_formats import format_number

STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
DRAW: Final = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
FO: Final = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
SVG: Final = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LENGTH: Final = re.compile(r"(-?[0-9]{1,7}(?:\.[0-9]{1,9})?)(cm|mm|in|pt|pc|px)")
_POINTS: Final[Mapping[str, float]] = {
    "cm": 28.3465, "mm": 2.83465, "in": 72, "pt": 1, "pc": 12, "px": 0.75,
}  # fmt: skip
_TINY_PT: Final = 2.0
_DEEPEST: Final = 10
_FORMATS: Final[Mapping[str, str]] = {
    "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
    "": "none",
}  # fmt: skip


def points(length: str | None) -> float | None:
    """A length in points, None if there is none."""
    match = _LENGTH.fullmatch(length or "")
    return float(match[1]) * _POINTS[match[2]] if match else None


@dataclass(frozen=True, slots=True)
class OdfLook:
    """The look of a text: what decides whether it is seen, and whether it is raised."""

    ink: Colour = None
    paper: Colour = WHITE
    size_pt: float | None = None
    is_hidden: bool = False
    script: str = ""
    """The tag of HTML for raised or lowered text, "" for other text."""

    @property
    def is_seen(self) -> bool:
        """Whether a person sees the text."""
        is_tiny = self.size_pt is not None and self.size_pt <= _TINY_PT
        return not (self.is_hidden or is_tiny or is_unreadable(self.ink, self.paper))


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list or of the headings: its format, and what stands around the number."""

    number_format: str = "none"
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown_levels: int = 1
    bullet: str = ""


@dataclass(slots=True)
class OdfStyles:
    """The styles of a file by family and name, and its lists by name."""

    styles: dict[tuple[str, str], etree._Element] = field(default_factory=dict)
    lists: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    outline: dict[int, ListLevel] = field(default_factory=dict)
    note_numbering: dict[str, ListLevel] = field(
        default_factory=lambda: {
            "footnote": ListLevel("decimal", start=0),
            "endnote": ListLevel("lowerRoman", start=0),
        }
    )
    """By kind of note, how they are numbered; those that begin again on each page are not here."""

    def add(self, root: etree._Element) -> None:
        """Add the styles of a part; styles that are known by name are replaced."""
        for numbering in root.iter(f"{TEXT}notes-configuration"):
            kind, start = (
                numbering.get(f"{TEXT}note-class", ""),
                numbering.get(f"{TEXT}start-value"),
            )
            number_format = _FORMATS.get(numbering.get(f"{STYLE}num-format", "1"), "decimal")
            self.note_numbering[kind] = ListLevel(
                number_format, start=int(start) if start and start[:4].isdecimal() else 0
            )
            if numbering.get(f"{TEXT}start-numbering-at", "document") != "document":
                del self.note_numbering[kind]
        for style in root.iter(f"{STYLE}style"):
            key = (style.get(f"{STYLE}family", ""), style.get(f"{STYLE}name", ""))
            self.styles[key] = style
        for style in root.iter(f"{TEXT}list-style"):
            self.lists[style.get(f"{STYLE}name", "")] = dict(_levels(style))
        for style in root.iter(f"{TEXT}outline-style"):
            self.outline = dict(_levels(style))

    def chain(self, family: str, name: str | None) -> Iterator[etree._Element]:
        """A style and those that it inherits from, nearest first."""
        for _ in range(_DEEPEST):
            style = self.styles.get((family, name or ""))
            if style is None:
                return
            yield style
            name = style.get(f"{STYLE}parent-style-name")

    def value(self, family: str, name: str | None, attribute: str) -> str | None:
        """The value of a property in a style or the nearest one that it inherits it from."""
        for style in self.chain(family, name):
            for properties in style:
                if attribute in properties.attrib:
                    return str(properties.get(attribute))
        return None

    def list_name(self, paragraph_style: str | None) -> str:
        """The list that a style of paragraphs belongs to, "" if none."""
        names = (
            style.get(f"{STYLE}list-style-name")
            for style in self.chain("paragraph", paragraph_style)
        )
        return next(filter(None, names), "")

    def is_named(self, paragraph_style: str | None, name: str) -> bool:
        """Whether a style of paragraphs has this name, or inherits from one that has."""
        return paragraph_style == name or any(
            style.get(f"{STYLE}name") == name or style.get(f"{STYLE}parent-style-name") == name
            for style in self.chain("paragraph", paragraph_style)
        )

    def look(self, around: OdfLook, family: str, name: str | None) -> OdfLook:
        """The look of a text with a style, within a text that looks like `around`."""
        if not name:
            return around
        display = self.value(family, name, f"{TEXT}display")
        ink = self.value(family, name, f"{FO}color")
        is_automatic = self.value(family, name, f"{STYLE}use-window-font-color") == "true"
        paper = self.value(family, name, f"{FO}background-color")
        size = points(self.value(family, name, f"{FO}font-size"))
        position = self.value(family, name, f"{STYLE}text-position")
        look = replace(around, is_hidden=around.is_hidden or display == "none")
        if ink is not None or is_automatic:
            look = replace(look, ink=None if is_automatic else named_colour(ink or ""))
        if paper not in {None, "transparent"}:
            look = replace(look, paper=named_colour(paper or ""))
        if size is not None:
            look = replace(look, size_pt=size)
        return replace(look, script=_script(position)) if position else look

    def fill(self, family: str, name: str | None) -> tuple[bool, Colour]:
        """Whether an area with this style is painted, and its colour if it is plain."""
        kind = self.value(family, name, f"{DRAW}fill")
        background = self.value(family, name, f"{FO}background-color")
        if kind == "solid":
            return True, named_colour(self.value(family, name, f"{DRAW}fill-color") or "")
        if kind not in {None, "none"}:
            return True, None
        if background not in {None, "transparent"}:
            return True, named_colour(background or "")
        return False, None


def _script(position: str) -> str:
    raised = position.split(maxsplit=1)[0]
    if raised == "super" or (raised.rstrip("%").isdecimal() and raised.strip("0%")):
        return "sup"
    return "sub" if raised == "sub" or raised.startswith("-") else ""


def _levels(style: etree._Element) -> Iterator[tuple[int, ListLevel]]:
    for level in style:
        depth = _number(level.get(f"{TEXT}level"), 1)
        kind = etree.QName(level).localname
        if kind in {"list-level-style-number", "outline-level-style"}:
            yield (
                depth,
                ListLevel(
                    _FORMATS.get(level.get(f"{STYLE}num-format", ""), "decimal"),
                    level.get(f"{STYLE}num-prefix", ""),
                    level.get(f"{STYLE}num-suffix", ""),
                    _number(level.get(f"{TEXT}start-value"), 1),
                    _number(level.get(f"{TEXT}display-levels"), 1),
                ),
            )
        elif kind.startswith("list-level-style"):
            yield depth, ListLevel(bullet=level.get(f"{TEXT}bullet-char", "•").strip())


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < _DEEPEST else default


def number_text(levels: Mapping[int, ListLevel], numbers: Mapping[int, int], depth: int) -> str:
    """The number of an item: "1.2", "b)"."""
    level = levels.get(depth, ListLevel())
    first = max(1, depth - level.shown_levels + 1)
    shown = [
        format_number(numbers.get(one, outer.start), outer.number_format)
        for one in range(first, depth + 1)
        if (outer := levels.get(one, ListLevel())).number_format != "none"
    ]
    return f"{level.prefix}{'.'.join(shown)}{level.suffix}".strip()


@dataclass(slots=True)
class OdfCounters:
    """Counts the items of lists and the headings of a text, in their order."""

    _by_list: dict[str, dict[int, int]] = field(default_factory=dict)
    _keys: dict[str | None, str] = field(default_factory=dict)
    _last_of_style: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def open_list(self, element: etree._Element, style: str) -> str:
        """The key of a list's counter: its own, or that of the list that it continues."""
        self._count += 1
        key = self._keys.get(element.get(f"{TEXT}continue-list"))
        if element.get(f"{TEXT}continue-numbering") == "true":
            key = key or self._last_of_style.get(style)
        key = key or f"list {self._count}"
        if list_id := element.get("{http://www.w3.org/XML/1998/namespace}id"):
            self._keys[list_id] = key
        self._last_of_style[style] = key
        return key

    def next_label(
        self, key: str, levels: Mapping[int, ListLevel], depth: int, start: str | None = None
    ) -> str:
        """The number or bullet of the next item at a depth from 1."""
        numbers = self._by_list.setdefault(key, {})
        level = levels.get(depth, ListLevel())
        if level.number_format == "none":
            numbers.pop(depth, None)
            return "•" if level.bullet else ""
        numbers[depth] = _number(start, numbers.get(depth, level.start - 1) + 1)
        for deeper in [one for one in numbers if one > depth]:
            del numbers[deeper]
        return number_text(levels, numbers, depth)


def read_styles(roots: Iterable[etree._Element]) -> OdfStyles:
    """The styles of these parts; those of later parts come before equal names of earlier ones."""
    styles = OdfStyles()
    for root in roots:
        styles.add(root)
    return styles
