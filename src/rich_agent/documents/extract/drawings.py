"""Converts charts and diagrams (SmartArt) of Office files to HTML: the texts and figures they show.

A part is the XML of a chart or of a diagram's data, the same in Word, Excel and PowerPoint files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.archive import parse_xml
from rich_agent.documents.extract.table_markup import table_html

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_AXES: Final = (f"{_C}catAx", f"{_C}dateAx", f"{_C}valAx", f"{_C}serAx")
_CATEGORY_KINDS: Final = ("cat", "xVal")
_FIGURES: Final = ("val", "yVal")
_QUOTED: Final = re.compile(r'"[^"]*+"|\[[^\[\]]*+\]|\\.')
_DECIMALS: Final = re.compile(r"\.([0#]++)")
_FIRST_DAY: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - days of a workbook have no time zone
_LAST_DAY: Final = 2_958_465  # 9999-12-31
_DEEPEST: Final = 6
_MOST_CELLS: Final = 100_000


@dataclass(frozen=True, slots=True)
class _Series:
    """A line of figures in a chart: its name, and a figure for each of its categories.

    A category is a tuple of its levels, outermost first; figures without a category are numbered.
    """

    name: str
    categories: Mapping[int, tuple[str, ...]]
    figures: Mapping[int, str]
    sizes: Mapping[int, str]


def chart_html(part: bytes) -> str:
    """The titles of a chart, and its categories and figures as a table; "" if it shows none.

    Raises: ExtractionError.
    """
    root = parse_xml(part)
    if root.tag == f"{_CX}chartSpace":
        titles, series = _extended_chart(root)
    else:
        titles, series = _chart(root)
    names = [*dict.fromkeys(title for title in titles if title)]
    return "".join(f"<p>{escape(name)}</p>" for name in names) + "".join(_tables(series))


def _chart(root: etree._Element) -> tuple[list[str], list[_Series]]:
    """The titles of a chart and of its axes, and its series."""
    chart = root.find(f"{_C}chart")
    if chart is None:
        return [], []
    titles = [_title(chart), *(_title(axis) for axis in chart.iter(*_AXES) if _is_shown(axis))]
    series = [_read_series(element) for element in chart.iter(f"{_C}ser")]
    return titles, [one for one in series if one.figures]


def _is_shown(axis: etree._Element) -> bool:
    deleted = axis.find(f"{_C}delete")
    return deleted is None or deleted.get("val", "1") in {"0", "false"}


def _title(parent: etree._Element) -> str:
    title = parent.find(f"{_C}title")
    if title is None:
        return ""
    return " ".join(filter(None, (drawing_text(title), *_points(title, "tx").values())))


def drawing_text(element: etree._Element) -> str:
    """The text of a drawing, with a space for each line break and paragraph."""
    pieces = (
        run.text or "" if run.tag == f"{_A}t" else " "
        for run in element.iter(f"{_A}t", f"{_A}br", f"{_A}p")
    )
    return " ".join("".join(pieces).split())


def _read_series(element: etree._Element) -> _Series:
    name_element = element.find(f"{_C}tx/{_C}v")
    name = (name_element.text or "") if name_element is not None else ""
    levels = next(filter(None, (_levels(element, kind) for kind in _CATEGORY_KINDS)), [])
    figures = next(filter(None, (_points(element, kind) for kind in _FIGURES)), {})
    return _Series(
        name=" ".join((name or " ".join(_points(element, "tx").values())).split()),
        categories=_categories(levels, figures),
        figures=figures,
        sizes=_points(element, "bubbleSize"),
    )


def _levels(series: etree._Element, kind: str) -> list[dict[int, str]]:
    """The texts of each level of a series' categories by place, outermost level first."""
    levels = series.findall(f"{_C}{kind}//{_C}lvl")
    if levels:
        return [_texts(level) for level in reversed(levels)]
    points = _points(series, kind)
    return [points] if points else []


def _points(parent: etree._Element, kind: str) -> dict[int, str]:
    """The texts of a child's saved points by place."""
    child = parent.find(f"{_C}{kind}")
    return _texts(child) if child is not None else {}


def _texts(parent: etree._Element) -> dict[int, str]:
    format_code = parent.findtext(f".//{_C}formatCode") or ""
    return {
        int(place): _figure(point.findtext(f"{_C}v") or "", point.get("formatCode", format_code))
        for point in parent.iter(f"{_C}pt")
        if (place := point.get("idx", "")).isdecimal() and len(place) < _DEEPEST + 1
    }


def _figure(text: str, format_code: str) -> str:
    """A saved value as its number format shows it: percentages and dates; else as it is."""
    text = " ".join(text.split())
    code = _QUOTED.sub("", format_code.partition(";")[0]).lower()
    try:
        value = float(text)
    except ValueError:
        return text
    if "%" in code:
        decimals = _DECIMALS.search(code)
        return f"{value * 100:.{len(decimals[1]) if decimals else 0}f}%"
    if "general" not in code and ("y" in code or "d" in code) and 0 < value <= _LAST_DAY:
        return str(_FIRST_DAY + timedelta(days=value)).removesuffix(" 00:00:00")
    return f"{value:.15g}" if "e" not in f"{value:.15g}" else text


def _categories(
    levels: Sequence[Mapping[int, str]], figures: Mapping[int, str]
) -> dict[int, tuple[str, ...]]:
    """The category of each figure; an outer level counts up to its next text."""
    current = [""] * len(levels)
    crossed = {}
    for place in sorted({*figures, *(key for level in levels for key in level)}):
        for depth, level in enumerate(levels):
            is_innermost = depth == len(levels) - 1
            current[depth] = level.get(place, "" if is_innermost else current[depth])
        crossed[place] = tuple(current)
    return crossed


def _extended_chart(root: etree._Element) -> tuple[list[str], list[_Series]]:
    """The same of a chart of the kinds since Office 2016, such as a waterfall or a treemap."""
    data = {
        element.get("id", ""): (
            [
                _extended_points(level)
                for level in reversed(element.findall(f"{_CX}strDim/{_CX}lvl"))
            ],
            next(map(_extended_points, element.iterfind(f"{_CX}numDim/{_CX}lvl")), {}),
        )
        for element in root.iterfind(f"{_CX}chartData/{_CX}data")
    }
    titles = [drawing_text(title) for title in root.iter(f"{_CX}title")]
    series = []
    for element in root.iter(f"{_CX}series"):
        reference = element.find(f"{_CX}dataId")
        levels, figures = data.get(
            reference.get("val", "") if reference is not None else "", ([], {})
        )
        name = element.findtext(f"{_CX}tx/{_CX}txData/{_CX}v") or ""
        if figures:
            series.append(_Series(name, _categories(levels, figures), figures, {}))
    return titles, series


def _extended_points(level: etree._Element) -> dict[int, str]:
    format_code = level.get("formatCode", "")
    return {
        int(place): _figure(point.text or "", format_code)
        for point in level.iterfind(f"{_CX}pt")
        if (place := point.get("idx", "")).isdecimal() and len(place) < _DEEPEST + 1
    }


def _tables(series: Sequence[_Series]) -> Iterator[str]:
    """A table for all series with the same categories, in order."""
    groups: dict[tuple[tuple[str, ...], ...], list[_Series]] = {}
    for one in series:
        groups.setdefault(tuple(one.categories.values()), []).append(one)
    for categories, group in groups.items():
        if len(categories) * len(group) <= _MOST_CELLS:
            yield table_html(_rows(group))


def _rows(group: Sequence[_Series]) -> list[list[str]]:
    """The rows of a table: the series' names as the head, then the figures of each category."""
    depth = max((len(levels) for levels in group[0].categories.values()), default=0)
    columns = [
        (one.name if column is one.figures else "", column)
        for one in group
        for column in (one.figures, one.sizes)
        if column
    ]
    head = [*[""] * depth, *(name for name, _ in columns)]
    rows = [
        [*levels, *(column.get(place, "") for _, column in columns)]
        for place, levels in group[0].categories.items()
    ]
    return [head, *rows] if any(head) else [[""] * len(head), *rows]


def diagram_html(part: bytes) -> str:
    """The texts of a diagram's data in order, as a list by levels; "" if it has none.

    Raises: ExtractionError.
    """
    root = parse_xml(part)
    texts = {
        point.get("modelId", ""): drawing_text(text)
        if (text := point.find(f"{_DGM}t")) is not None
        else ""
        for point in root.iterfind(f"{_DGM}ptLst/{_DGM}pt")
    }
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iterfind(f"{_DGM}cxnLst/{_DGM}cxn"):
        order = link.get("srcOrd", "")
        if link.get("type", "parOf") == "parOf" and link.get("destId", "") in texts:
            place = int(order) if order.isdecimal() and len(order) < _DEEPEST + 1 else 0
            children.setdefault(link.get("srcId", ""), []).append((place, link.get("destId", "")))
    return _nested_list(_walk(texts, children))


def _walk(
    texts: Mapping[str, str], children: Mapping[str, Sequence[tuple[int, str]]]
) -> Iterator[tuple[int, str]]:
    """Depth and text of each point that has one, parents before their children; each point once."""
    inner_points = {child for links in children.values() for _, child in links}
    outer_points = [point for point in texts if point not in inner_points]
    seen: set[str] = set()
    # Points that only lead to each other have no outer point, so all points come second.
    stack = [(0, point) for point in reversed([*outer_points, *texts])]
    while stack:
        depth, point = stack.pop()
        if point in seen:
            continue
        seen.add(point)
        if texts[point]:
            yield depth, texts[point]
        links = sorted(children.get(point, ()), key=lambda link: link[0])
        stack.extend((depth + bool(texts[point]), child) for _, child in reversed(links))


def _nested_list(lines: Iterator[tuple[int, str]]) -> str:
    """Lines with their depths as nested lists."""
    pieces, depth = [], -1
    for line_depth, text in lines:
        next_depth = min(line_depth, depth + 1, _DEEPEST)
        is_deeper = next_depth > depth
        pieces.append("<ul>" if is_deeper else "</li>" + "</ul></li>" * (depth - next_depth))
        pieces.append(f"<li>{escape(text)}")
        depth = next_depth
    return "".join(pieces) + "</li></ul>" * (depth + 1)
