"""The numbers that Word puts in front of headings, clauses and list items.

Source: ECMA-376, part 1, 17.9 (Numbering).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from rich_agent.documents.extract.number_formats import format_number

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
BULLET: Final = "\u2022"

_PLACE: Final = re.compile(r"%([1-9])")
_LEVELS: Final = 9


@dataclass(frozen=True, slots=True)
class Level:
    """The numbering of a level of a list."""

    start: int = 1
    number_format: str = "decimal"
    text: str = ""
    """Text with `%1` to `%9` in the places of the numbers of the levels."""
    restart: int | None = None
    """Number of levels, from the outermost, of which each restarts this one; None for all outer."""
    is_decimal: bool = False
    """Whether the numbers of all levels are shown as decimals."""
    style: str = ""
    """Id of the paragraph style that has this level."""
    is_hidden: bool = False


@dataclass(slots=True)
class _List:
    """A list: its levels, the definition whose counters it shares, and where it starts again."""

    definition: str
    levels: dict[int, Level]
    starts: dict[int, int]


@dataclass(slots=True)
class Numbering:
    """Counts the numbered paragraphs of a document, in their order."""

    lists: dict[str, _List] = field(default_factory=dict)
    _counters: dict[str, list[int | None]] = field(default_factory=dict)
    _restarted: set[tuple[str, int]] = field(default_factory=set)

    def level_of_style(self, list_id: str, style: str) -> int:
        """The level of a list that belongs to a paragraph style, the outermost by default."""
        numbered = self.lists.get(list_id)
        levels = numbered.levels if numbered else {}
        return next((place for place, level in levels.items() if level.style == style), 0)

    def next_label(self, list_id: str, place: int) -> str:
        """The number of the next paragraph at a level from 0; `BULLET` for a bullet, or ""."""
        numbered = self.lists.get(list_id)
        if numbered is None or not 0 <= place < _LEVELS:
            return ""
        level = numbered.levels.get(place, Level())
        counters = self._counters.setdefault(numbered.definition, [None] * _LEVELS)
        start = numbered.starts.get(place)
        if start is not None and (list_id, place) not in self._restarted:
            self._restarted.add((list_id, place))
            counters[place] = start
        else:
            current = counters[place]
            counters[place] = level.start if current is None else current + 1
        for inner in range(place + 1, _LEVELS):
            restart = numbered.levels.get(inner, Level()).restart
            if restart is None or place < restart:
                counters[inner] = None
        return self._label(numbered, level, counters)

    @staticmethod
    def _label(numbered: _List, level: Level, counters: list[int | None]) -> str:
        if level.is_hidden:
            return ""
        if level.number_format == "bullet":
            return BULLET if level.text.strip() else ""

        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            shown = numbered.levels.get(place, Level())
            counter = counters[place]
            return format_number(
                shown.start if counter is None else counter,
                "decimal" if level.is_decimal else shown.number_format,
            )

        return " ".join(_PLACE.sub(number, level.text).split())


def read_numbering(root: etree._Element, list_of_style: Callable[[str], str]) -> Numbering:
    """The lists of a document's numbering part.

    `list_of_style` gives the list of a numbering style, "" if it has none.
    """
    definitions = {
        element.get(f"{W}abstractNumId", ""): element for element in root.iter(f"{W}abstractNum")
    }
    lists = {element.get(f"{W}numId", ""): element for element in root.iter(f"{W}num")}
    numbering = Numbering()
    for list_id, element in lists.items():
        definition = value_of(element, "abstractNumId")
        for _ in range(_LEVELS):
            style = value_of(definitions.get(definition), "numStyleLink")
            linked = lists.get(list_of_style(style)) if style else None
            if linked is None:
                break
            definition = value_of(linked, "abstractNumId")
        numbering.lists[list_id] = _list(definition, definitions.get(definition), element)
    return numbering


def _list(definition: str, levels: etree._Element | None, element: etree._Element) -> _List:
    overrides = {
        _number(override.get(f"{W}ilvl", "")): override
        for override in element.iter(f"{W}lvlOverride")
    }
    found = dict(_levels(levels)) if levels is not None else {}
    starts = {}
    for place, override in overrides.items():
        found.update(_levels(override))
        start = value_of(override, "startOverride")
        if start:
            starts[place] = _number(start)
    return _List(definition, found, starts)


def _levels(parent: etree._Element) -> Iterator[tuple[int, Level]]:
    for element in parent.iterfind(f"{W}lvl"):
        restart = value_of(element, "lvlRestart")
        legal = element.find(f"{W}isLgl")
        # A format that only newer programs know stands beside an older one, which comes last.
        formats = [*element.iter(f"{W}numFmt")]
        yield (
            _number(element.get(f"{W}ilvl", "")),
            Level(
                start=_number(value_of(element, "start") or "0"),
                number_format=formats[-1].get(f"{W}val", "decimal") if formats else "decimal",
                text=value_of(element, "lvlText"),
                restart=_number(restart) if restart else None,
                is_decimal=legal is not None and legal.get(f"{W}val", "1") not in {"0", "false"},
                style=value_of(element, "pStyle"),
                is_hidden=element.find(f"{W}rPr/{W}vanish") is not None,
            ),
        )


def value_of(parent: etree._Element | None, name: str) -> str:
    """The value of a child, "" if there is none."""
    child = parent.find(f"{W}{name}") if parent is not None else None
    return "" if child is None else child.get(f"{W}val", "")


def _number(text: str) -> int:
    """The number in an attribute, 0 if it is not one of up to nine digits."""
    return int(text) if text.isdecimal() and len(text) <= _LEVELS else 0
