"""Styles of a workbook's cells: their number formats, and those that nobody can see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree

from rich_agent.documents.extract.archive import parse_xml
from rich_agent.documents.extract.sheets.cell_formats import (
    BUILT_IN,
    NumberFormat,
    number_format,
)

_WHITE_RGB: Final = frozenset({"FFFFFFFF", "00FFFFFF", "FFFFFF"})
_WHITE_INDEXED: Final = frozenset({"1", "9"})
_WHITE_THEME: Final = "0"
_UNSEEN_POINTS: Final = 2.0


@dataclass(frozen=True, slots=True)
class CellStyles:
    """The styles of a workbook by number."""

    formats: Mapping[int, NumberFormat]
    """The formats that show numbers otherwise than they are stored."""
    unseen: frozenset[int]
    """Styles with white letters on white, or with tiny letters."""

    @property
    def changing(self) -> frozenset[int]:
        """The styles that change the number that is seen, not only its decimals."""
        return frozenset(style for style, form in self.formats.items() if form.changes_number)


def read_styles(content: bytes | None) -> CellStyles:
    """The styles in a workbook's part of styles. Raises: ExtractionError."""
    if content is None:
        return CellStyles({}, frozenset())
    root = parse_xml(content)
    codes = dict(BUILT_IN)
    for element in root.iterfind(".//{*}numFmts/{*}numFmt"):
        codes[_number(element.get("numFmtId"))] = element.get("formatCode", "")
    forms = {number: form for number, code in codes.items() if (form := number_format(code))}
    unseen_fonts = _indexes(root, "{*}fonts/{*}font", _is_unseen_font)
    white_fonts = _indexes(root, "{*}fonts/{*}font", _is_white_font)
    white_fills = _indexes(root, "{*}fills/{*}fill", _is_white_fill)
    formats: dict[int, NumberFormat] = {}
    unseen: set[int] = set()
    for style, element in enumerate(root.iterfind(".//{*}cellXfs/{*}xf")):
        if form := forms.get(_number(element.get("numFmtId"))):
            formats[style] = form
        font, fill = _number(element.get("fontId")), _number(element.get("fillId"))
        if font in unseen_fonts or (font in white_fonts and fill in white_fills):
            unseen.add(style)
    return CellStyles(formats, frozenset(unseen))


def _indexes(root: etree._Element, path: str, test: Callable[[etree._Element], bool]) -> set[int]:
    return {index for index, element in enumerate(root.iterfind(f".//{path}")) if test(element)}


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 8 else 0


def _is_unseen_font(font: etree._Element) -> bool:
    size = font.find("{*}sz")
    try:
        return size is not None and float(size.get("val", "11")) < _UNSEEN_POINTS
    except ValueError:
        return False


def _is_white_font(font: etree._Element) -> bool:
    colour = font.find("{*}color")
    return colour is not None and _is_white(colour)


def _is_white_fill(fill: etree._Element) -> bool:
    """Whether the paper stays white."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return fill.find("{*}gradientFill") is None
    colour = pattern.find("{*}fgColor")
    is_empty = pattern.get("patternType", "none") == "none"
    return is_empty or (colour is not None and _is_white(colour))


def _is_white(colour: etree._Element) -> bool:
    if colour.get("tint", "0") not in {"0", "0.0"}:
        return False
    return (
        colour.get("rgb", "").upper() in _WHITE_RGB
        or colour.get("theme") == _WHITE_THEME
        or colour.get("indexed") in _WHITE_INDEXED
    )
