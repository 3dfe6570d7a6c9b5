"""Styles of Word documents: the levels of headings, and which words a person can see.

Source: ECMA-376, part 1, 17.3.2 (run properties), 17.7 (styles).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final

from lxml import etree

from rich_agent.documents.extract.colours import WHITE, Colour, is_unreadable
from rich_agent.documents.extract.word_numbering import W, value_of

AUTOMATIC: Final = "auto"

_OFF: Final = frozenset({"0", "false", "off"})
_TINIEST: Final = 4  # half points
_NARROWEST: Final = 10  # percent of a letter's width
_LONGEST_CHAIN: Final = 50
_HIGHLIGHTS: Final[Mapping[str, Colour]] = {
    "black": (0, 0, 0), "blue": (0, 0, 255), "cyan": (0, 255, 255), "green": (0, 255, 0),
    "magenta": (255, 0, 255), "red": (255, 0, 0), "yellow": (255, 255, 0), "white": WHITE,
    "darkBlue": (0, 0, 128), "darkCyan": (0, 128, 128), "darkGreen": (0, 128, 0),
    "darkMagenta": (128, 0, 128), "darkRed": (128, 0, 0), "darkYellow": (128, 128, 0),
    "darkGray": (128, 128, 128), "lightGray": (192, 192, 192),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunLook:
    """Properties of a run of letters; None where nothing is said."""

    is_hidden: bool | None = None
    half_points: int | None = None
    width: int | None = None
    ink: Colour | str = None
    """A colour, or `AUTOMATIC` for one that differs from the background."""
    paper: Colour | str = None
    script: str | None = None
    font: str | None = None
    is_bold: bool | None = None
    is_italic: bool | None = None
    is_struck: bool | None = None

    def over(self, outer: "RunLook") -> "RunLook":
        """These properties, with those of `outer` where nothing is said."""
        if self == _PLAIN:
            return outer
        return RunLook(
            *(
                getattr(outer, name) if (own := getattr(self, name)) is None else own
                for name in _FIELDS
            )
        )

    def is_unseen(self, paper: Colour) -> bool:
        """Whether nobody sees these letters on a paper; None is one of an unknown colour."""
        if self.is_hidden or (self.half_points is not None and self.half_points <= _TINIEST):
            return True
        if self.width is not None and self.width <= _NARROWEST:
            return True
        own = self.paper if isinstance(self.paper, tuple) else paper
        return isinstance(self.ink, tuple) and is_unreadable(self.ink, own)


_FIELDS: Final = tuple(entry.name for entry in fields(RunLook))
_PLAIN: Final = RunLook()


def read_colour(text: str) -> Colour | str:
    """The colour of six hexadecimal digits, `AUTOMATIC`, or None if it is neither."""
    if text == AUTOMATIC:
        return AUTOMATIC
    try:
        red, green, blue = bytes.fromhex(text.lstrip("#"))
    except ValueError:
        return None
    return red, green, blue


def read_shade(properties: etree._Element | None) -> Colour | str:
    """The colour of the background that the properties of a run, paragraph or cell set."""
    shade = properties.find(f"{W}shd") if properties is not None else None
    if shade is None:
        return None
    attribute = "color" if shade.get(f"{W}val") == "solid" else "fill"
    return read_colour(shade.get(f"{W}{attribute}", AUTOMATIC))


def read_look(properties: etree._Element | None) -> RunLook:
    """The properties of a run, as they are set in one place."""
    if properties is None or len(properties) == 0:
        return _PLAIN
    values = {child.tag: child for child in properties}
    fonts = values.get(f"{W}rFonts")
    ink = values.get(f"{W}color")
    highlight = value_of(properties, "highlight")
    return RunLook(
        is_hidden=_switch(values.get(f"{W}vanish")),
        half_points=_number(value_of(properties, "sz")),
        width=_number(value_of(properties, "w").rstrip("%")),
        ink=read_colour(ink.get(f"{W}val", "")) if ink is not None else None,
        paper=_HIGHLIGHTS.get(highlight) or read_shade(properties),
        script=value_of(properties, "vertAlign") or None,
        font=(fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi")) if fonts is not None else None,
        is_bold=_switch(values.get(f"{W}b")),
        is_italic=_switch(values.get(f"{W}i")),
        is_struck=_switch(values.get(f"{W}strike")) or _switch(values.get(f"{W}dstrike")),
    )


def is_on(parent: etree._Element | None, name: str) -> bool:
    """Whether a switch among properties is set."""
    child = parent.find(f"{W}{name}") if parent is not None else None
    return _switch(child) or False


def _switch(element: etree._Element | None) -> bool | None:
    return None if element is None else element.get(f"{W}val", "1") not in _OFF


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 else None


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """Properties that a paragraph has from its style."""

    level: int = 0
    """Of a heading, from 1; 0 if it is none."""
    is_title: bool = False
    is_contents: bool = False
    """Whether it is a line of a table of contents."""
    list_id: str = ""
    list_level: int | None = None
    list_style: str = ""
    """The style in the chain that sets the list."""
    look: RunLook = _PLAIN
    paper: Colour | str = None


@dataclass(slots=True)
class Styles:
    """The styles of a document."""

    by_id: Mapping[str, etree._Element] = field(default_factory=dict)
    defaults: RunLook = _PLAIN
    default_id: str = ""
    _paragraphs: dict[str, ParagraphStyle] = field(default_factory=dict)
    _looks: dict[str, RunLook] = field(default_factory=dict)
    _shaded: dict[str, bool] = field(default_factory=dict)

    def paragraph(self, style_id: str) -> ParagraphStyle:
        """A paragraph style with all that it inherits."""
        style_id = style_id or self.default_id
        if style_id not in self._paragraphs:
            self._paragraphs[style_id] = self._read_paragraph(style_id)
        return self._paragraphs[style_id]

    def _chain(self, style_id: str) -> Iterator[etree._Element]:
        """A style, then those that it is based on."""
        seen: set[str] = set()
        while style_id in self.by_id and style_id not in seen and len(seen) < _LONGEST_CHAIN:
            seen.add(style_id)
            yield self.by_id[style_id]
            style_id = value_of(self.by_id[style_id], "basedOn")

    def _read_paragraph(self, style_id: str) -> ParagraphStyle:
        chain = [*self._chain(style_id)]
        names = [value_of(element, "name").lower() for element in chain]
        properties = [element.find(f"{W}pPr") for element in chain]
        levels = (
            _level(name) if (level := read_level(own)) is None else level
            for name, own in zip(names, properties, strict=True)
        )
        style = ParagraphStyle(
            level=next((level for level in levels if level is not None), 0),
            is_title="title" in names,
            is_contents=names[:1] == ["toc heading"] or any(map(_is_contents, names)),
            look=replace(self.look(style_id), is_bold=None, is_italic=None),
            paper=next((shade for own in properties if (shade := read_shade(own))), None),
        )
        for element, own in zip(chain, properties, strict=True):
            if list_id := list_of_properties(own):
                place = _number(value_of(own.find(f"{W}numPr"), "ilvl"))
                return replace(
                    style,
                    list_id=list_id,
                    list_level=place,
                    list_style=element.get(f"{W}styleId", ""),
                )
        return style

    def look(self, style_id: str) -> RunLook:
        """The properties that a style gives its letters, without the document's defaults."""
        if style_id not in self._looks:
            look = _PLAIN
            for element in self._chain(style_id):
                look = look.over(read_look(element.find(f"{W}rPr")))
            self._looks[style_id] = look
        return self._looks[style_id]

    def has_shade(self, style_id: str) -> bool:
        """Whether a table style colours the background of any cell."""
        if style_id not in self._shaded:
            self._shaded[style_id] = any(
                isinstance(read_shade(shade.getparent()), tuple)
                for element in self._chain(style_id)
                for shade in element.iter(f"{W}shd")
            )
        return self._shaded[style_id]

    def list_of(self, style_id: str) -> str:
        """The list of a numbering style, "" if it has none."""
        return next((list_of_properties(e.find(f"{W}pPr")) for e in self._chain(style_id)), "")

    def run_look(self, properties: etree._Element | None, paragraph: RunLook) -> RunLook:
        """The properties of a run in a paragraph whose style gives it `paragraph`."""
        direct = read_look(properties)
        character = self.look(value_of(properties, "rStyle")) if properties is not None else _PLAIN
        if direct == character == _PLAIN:
            return paragraph
        look = direct.over(character).over(paragraph)
        if direct.is_hidden is None and character.is_hidden and paragraph.is_hidden:
            # Switches in styles of two kinds cancel each other.
            look = replace(look, is_hidden=False)
        return look


def list_of_properties(properties: etree._Element | None) -> str:
    """The list that the properties of a paragraph name, "" if they name none."""
    numbers = properties.find(f"{W}numPr") if properties is not None else None
    return value_of(numbers, "numId")


def read_level(properties: etree._Element | None) -> int | None:
    """The level of a heading that the properties of a paragraph set, 0 for none of the levels."""
    level = _number(value_of(properties, "outlineLvl"))
    return None if level is None else (level + 1 if level < 9 else 0)


def _is_contents(name: str) -> bool:
    """Whether a style is one of the lines of a table of contents, or of figures."""
    return name == "table of figures" or (name.startswith("toc ") and name[4:].isdecimal())


def _level(name: str) -> int | None:
    words = name.split()
    is_heading = len(words) == 2 and words[0] == "heading" and words[1] in set("123456789")
    return int(words[1]) if is_heading else None


def read_styles(root: etree._Element | None) -> Styles:
    """The styles of a document's part of styles."""
    if root is None:
        return Styles()
    # Nothing can refer to a style without an id, as SQL Server's reports have one of tiny letters.
    named = (element for element in root.iter(f"{W}style") if element.get(f"{W}styleId"))
    by_id = {element.get(f"{W}styleId", ""): element for element in named}
    defaults = read_look(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))
    default_id = next(
        (
            style_id
            for style_id, element in by_id.items()
            if element.get(f"{W}type") == "paragraph"
            and element.get(f"{W}default", "0") not in _OFF
        ),
        "",
    )
    return Styles(by_id, defaults, default_id)
