"""Converts the text of a slide's shapes to HTML: paragraphs, lists with their numbers, links.

Text that nobody sees, because it is tiny or has the colour of what is under it, is left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.colours import Colour, is_unreadable
from rich_agent.documents.extract.equations import inline_tex
from rich_agent.documents.extract.list_lines import ListLine, lines_html
from rich_agent.documents.extract.number_formats import format_number
from rich_agent.documents.extract.slide_colours import (
    A,
    Palette,
    is_clear,
    paint_of,
)
from rich_agent.domain.inventory import Tally

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_TINY: Final = 200  # hundredths of a point
_DEEPEST: Final = 9
_FORMATS: Final[Mapping[str, str]] = {
    "arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter",
    "romanLc": "lowerRoman", "romanUc": "upperRoman",
}  # fmt: skip
_FRAMES: Final[Mapping[str, str]] = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})"}


@dataclass(frozen=True, slots=True)
class TextLook:
    """The looks of a shape's text: inherited properties, colours, and targets of links."""

    styles: Sequence[etree._Element]
    """Lists of properties by level, nearest first."""
    palette: Palette
    papers: Sequence[Colour]
    """The colours that the text stands on, of which it may cross several."""
    links: Mapping[str, str]
    """Addresses by relationship id."""
    ink: Colour = None
    """The colour of text without one of its own."""

    def shows(self, ink: Colour) -> bool:
        """Whether text of a colour can be told from any of what is under it."""
        return not all(is_unreadable(ink, paper) for paper in self.papers)

    def levels(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        """The properties of a paragraph, nearest first."""
        own = paragraph.find(f"{A}pPr")
        if own is not None:
            yield own
        name = f"{A}lvl{depth_of(paragraph) + 1}pPr"
        yield from (level for style in self.styles if (level := style.find(name)) is not None)


def depth_of(paragraph: etree._Element) -> int:
    """The level of a paragraph, 0 for the outermost."""
    own = paragraph.find(f"{A}pPr")
    level = own.get("lvl", "0") if own is not None else "0"
    return min(int(level[:2]), _DEEPEST - 1) if level.isdecimal() else 0


def text_html(body: etree._Element, look: TextLook, tally: Tally) -> str:
    """The paragraphs of a text body, with their bullets and numbers."""
    counters = _Counters()
    lines = []
    for paragraph in body.iterchildren(f"{A}p"):
        words = paragraph_html(paragraph, look, tally)
        if words:
            label = counters.label(paragraph, look)
            lines.append(ListLine(words, depth_of(paragraph) if label else None, label))
    return lines_html(lines)


def inline_html(body: etree._Element, look: TextLook, tally: Tally) -> str:
    """The paragraphs of a text body in one line."""
    paragraphs = body.iterchildren(f"{A}p")
    return " ".join(filter(None, (paragraph_html(one, look, tally) for one in paragraphs)))


def paragraph_html(paragraph: etree._Element, look: TextLook, tally: Tally) -> str:
    """The visible text of a paragraph as HTML, with a space for each line break."""
    pieces = [_piece(child, paragraph, look, tally) for child in paragraph]
    return " ".join("".join(pieces).split())


def _piece(child: etree._Element, paragraph: etree._Element, look: TextLook, tally: Tally) -> str:
    if child.tag == f"{A}br":
        return " "
    if child.tag == f"{A}fld" and child.get("type") == "slidenum":
        return ""
    if child.tag in {f"{A}r", f"{A}fld"}:
        text = child.findtext(f"{A}t") or ""
        if _is_seen(child, paragraph, look):
            return _run_html(text, child.find(f"{A}rPr"), look)
        tally.note_unread("hidden_word", len(text.split()))
        return ""
    equations = [*child.iter(_MATH)]
    tally.note_read("equation", len(equations))
    return " ".join(escape(inline_tex(equation)) for equation in equations)


def _run_html(text: str, properties: etree._Element | None, look: TextLook) -> str:
    words = escape(text)
    if properties is None or not text.strip():
        return words
    raised = properties.get("baseline", "0")
    if raised.strip("-0%"):
        tag = "sub" if raised.startswith("-") else "sup"
        words = f"<{tag}>{words}</{tag}>"
    link = properties.find(f"{A}hlinkClick")
    target = look.links.get(link.get(f"{_R}id", ""), "") if link is not None else ""
    return f'<a href="{escape(target)}">{words}</a>' if target else words


def _is_seen(run: etree._Element, paragraph: etree._Element, look: TextLook) -> bool:
    own = run.find(f"{A}rPr")
    inherited = (level.find(f"{A}defRPr") for level in look.levels(paragraph))
    chain = [one for one in (own, *inherited) if one is not None]
    size = next((one.get("sz", "") for one in chain if one.get("sz")), "")
    if size.isdecimal() and int(size[:7]) <= _TINY:
        return False
    paint = next((one for one in map(paint_of, chain) if one is not None), None)
    if paint is None:
        return look.shows(look.ink)
    if is_clear(paint):
        return own is not None and own.find(f"{A}ln") is not None
    ink = look.palette.colour(paint) if paint.tag == f"{A}solidFill" else None
    return look.shows(ink)


@dataclass(slots=True)
class _Counters:
    """Counts the numbered paragraphs of a text body, level by level."""

    _numbers: dict[int, tuple[str, int]] = field(default_factory=dict)

    def label(self, paragraph: etree._Element, look: TextLook) -> str:
        """The number of a paragraph, "•" for a bullet, "" for neither."""
        depth = depth_of(paragraph)
        bullet = _bullet(look.levels(paragraph))
        self._numbers = {level: one for level, one in self._numbers.items() if level <= depth}
        if bullet is None or bullet.tag != f"{A}buAutoNum":
            self._numbers.pop(depth, None)
            is_bullet = bullet is not None and bullet.tag != f"{A}buNone"
            return "•" if is_bullet else ""
        scheme, start = bullet.get("type", ""), bullet.get("startAt", "1")
        first = int(start[:5]) if start.isdecimal() else 1
        previous_scheme, previous = self._numbers.get(depth, ("", 0))
        number = previous + 1 if previous_scheme == f"{scheme} {first}" else first
        self._numbers[depth] = (f"{scheme} {first}", number)
        return _number_text(number, scheme)


def _bullet(levels: Iterable[etree._Element]) -> etree._Element | None:
    names = ("buNone", "buAutoNum", "buChar", "buBlip")
    found = (level.find(f"{A}{name}") for level in levels for name in names)
    return next((bullet for bullet in found if bullet is not None), None)


def _number_text(number: int, scheme: str) -> str:
    """A number as its scheme shows it, such as `alphaLcParenR`: "b)"."""
    kind = next((kind for kind in _FORMATS if scheme.startswith(kind)), "arabic")
    frame = next((frame for end, frame in _FRAMES.items() if scheme.endswith(end)), "{}")
    return frame.format(format_number(number, _FORMATS[kind]))
