"""Lays out the chart of a living block: shapes to draw, above a table with the same numbers.

In a text, the table stands alone.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Literal

import wcwidth

from rich_agent.domain.living_blocks import BlockChart
from rich_agent.rendering.markdown import pad_cell

WIDTH = 320
_BAR_ROW = 18
_LINE_HEIGHT = 120
_TEXT_ROW = 16
_BASELINE = 12
_SWATCH = 24
_MOST_COLUMNS = 44
"""The most columns of a text in a row; a Latin letter takes one, a Chinese one two."""
_GAP = "  "
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
"""Series are told apart by their dashes, too, not by colour alone."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, in units of the drawing."""

    x: str
    y: int
    width: str
    height: int
    opacity: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text in the drawing, which starts, or ends, at a place on its baseline."""

    x: int
    y: int
    anchor: Literal["start", "end"]
    text: str


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """The bars or lines of a chart with their names, and the cells of its table."""

    height: int
    bars: Sequence[Bar]
    lines: Sequence[tuple[str, str]]
    """The points and the dashes of each line."""
    labels: Sequence[Label]
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    """A name, and its values series by series."""


def chart_layout(chart: BlockChart) -> ChartLayout:
    """The layout of a chart; its height is 0 if it is only a table."""
    layout_of = {"bar": _bar_shapes, "line": _line_shapes, "table": _no_shapes}
    return ChartLayout(
        *layout_of[chart.kind](chart),
        [chart.corner, *(name for name, _ in chart.series)],
        [(name, _values(chart, place)) for place, name in enumerate(chart.names)],
    )


def chart_drawing(chart: BlockChart) -> dict[str, Any] | None:
    """The shapes of a chart as JSON, None for what is only a table."""
    layout = chart_layout(chart)
    bars, lines = [asdict(bar) for bar in layout.bars], [list(line) for line in layout.lines]
    shapes = {"width": WIDTH, "height": layout.height, "bars": bars, "lines": lines}
    shapes["labels"] = [asdict(label) for label in layout.labels]
    return shapes if layout.height else None


def table_lines(chart: BlockChart) -> list[str]:
    """The table of a chart as lines of fixed-width text, with its numbers to the right."""
    layout = chart_layout(chart)
    rows = [layout.heads, *([name, *values] for name, values in layout.rows)]
    widths = [max(map(wcwidth.width, column)) for column in zip(*rows, strict=True)]
    sides = ["Left", *("Left" if chart.kind == "table" else "Right" for _ in chart.series)]
    lines = [_GAP.join(map(pad_cell, row, widths, sides)).rstrip() for row in rows]
    return [lines[0], _GAP.join("-" * width for width in widths), *lines[1:]]


def _span(chart: BlockChart) -> tuple[float, float]:
    """The least and the greatest value that are drawn; zero is among them."""
    values = [*chain.from_iterable(values for _, values in chart.series), 0.0]
    least, greatest = min(values), max(values)
    return least, greatest if greatest > least else least + 1


Shapes = tuple[int, Sequence[Bar], Sequence[tuple[str, str]], Sequence[Label]]
"""The height, the bars, the lines and the labels of a chart."""


def _no_shapes(_chart: BlockChart) -> Shapes:
    return 0, (), (), ()


def _bar_shapes(chart: BlockChart) -> Shapes:
    """Each name above its bars; several series have a legend."""
    least, greatest = _span(chart)
    scale = WIDTH / (greatest - least)
    top, swatches, labels = _legend(chart)
    bars = [] if len(chart.series) == 1 else list(swatches)
    for place, name in enumerate(chart.names):
        labels.append(Label(0, top + _BASELINE, "start", _fitting(name)))
        top += _TEXT_ROW
        for number, (_, values) in enumerate(chart.series):
            x, width = (min(values[place], 0.0) - least) * scale, abs(values[place]) * scale
            bars.append(_bar(x, top, width, number))
            top += _BAR_ROW
    return top, bars, (), labels


def _bar(x: float, top: int, width: float, number: int) -> Bar:
    """A bar of the series with a number."""
    opacity = f"{max(0.9 - 0.25 * number, 0.3):.2f}"
    return Bar(f"{x:.1f}", top + 2, f"{width:.1f}", _BAR_ROW - 4, opacity)


def _line_shapes(chart: BlockChart) -> Shapes:
    """The lines with the first and the last name below; several have a legend."""
    least, greatest = _span(chart)
    top, swatches, labels = _legend(chart)
    step, scale = WIDTH / max(len(chart.names) - 1, 1), _LINE_HEIGHT / (greatest - least)
    lines = [
        " ".join(
            f"{place * step:.1f},{top + _LINE_HEIGHT - (value - least) * scale:.1f}"
            for place, value in enumerate(values)
        )
        for _, values in chart.series
    ]
    samples = [f"0,{one.y + 6} {_SWATCH},{one.y + 6}" for one in swatches]
    bottom = top + _LINE_HEIGHT + _BASELINE + 2
    half = _MOST_COLUMNS // 2 - 1
    labels.append(Label(0, bottom, "start", _fitting(chart.names[0], half)))
    labels.append(Label(WIDTH, bottom, "end", _fitting(chart.names[-1], half)))
    dashed = [*_dashed(lines), *(_dashed(samples) if len(lines) > 1 else ())]
    return bottom + 4, (), dashed, labels


def _dashed(lines: Sequence[str]) -> list[tuple[str, str]]:
    return [(points, _DASHES[number % len(_DASHES)]) for number, points in enumerate(lines)]


def _legend(chart: BlockChart) -> tuple[int, Sequence[Bar], list[Label]]:
    """The height of a legend, and for each series a bar and its name; nothing for one series."""
    if len(chart.series) == 1:
        return 0, (), []
    rows = [(number, number * _BAR_ROW, name) for number, (name, _) in enumerate(chart.series)]
    bars = [_bar(0, y, _SWATCH, number) for number, y, _ in rows]
    labels = [
        Label(_SWATCH + 8, y + _BASELINE + 1, "start", _fitting(name, _MOST_COLUMNS - 5))
        for _, y, name in rows
    ]
    return len(rows) * _BAR_ROW + 4, bars, labels


def _fitting(text: str, columns: int = _MOST_COLUMNS) -> str:
    """The text, cut where it would be wider than a row."""
    if wcwidth.width(text) <= columns:
        return text
    while wcwidth.width(text) >= columns:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _values(chart: BlockChart, place: int) -> list[str]:
    if chart.words:
        return [texts[place] for texts in chart.words]
    return [f"{values[place]:g}" for _, values in chart.series]
