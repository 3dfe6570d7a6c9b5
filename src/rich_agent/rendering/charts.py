"""Lays out the chart of a living block: shapes to draw, above a table with the same numbers.

In a text, the table stands alone.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

import wcwidth

from rich_agent.domain.living_blocks import BlockChart
from rich_agent.rendering.markdown import pad_cell

WIDTH = 320
_BAR_ROW = 18
_LINE_HEIGHT = 120
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
class ChartLayout:
    """The bars or lines of a chart, and the cells of its table."""

    height: int
    bars: Sequence[Bar]
    lines: Sequence[tuple[str, str]]
    """The points and the dashes of each line."""
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    """A name, and its values series by series."""


def chart_layout(chart: BlockChart) -> ChartLayout:
    """The layout of a chart; its height is 0 if it is only a table."""
    bar_height = len(chart.names) * len(chart.series) * _BAR_ROW
    return ChartLayout(
        {"bar": bar_height, "line": _LINE_HEIGHT, "table": 0}[chart.kind],
        _bars(chart) if chart.kind == "bar" else (),
        _lines(chart) if chart.kind == "line" else (),
        [chart.corner, *(name for name, _ in chart.series)],
        [(name, _values(chart, place)) for place, name in enumerate(chart.names)],
    )


def chart_drawing(chart: BlockChart) -> dict[str, Any] | None:
    """The shapes of a chart as JSON, None for what is only a table."""
    layout = chart_layout(chart)
    bars, lines = [asdict(bar) for bar in layout.bars], [list(line) for line in layout.lines]
    shapes = {"width": WIDTH, "height": layout.height, "bars": bars, "lines": lines}
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


def _bars(chart: BlockChart) -> list[Bar]:
    least, greatest = _span(chart)
    scale = WIDTH / (greatest - least)
    values = [
        (number, series[place])
        for place in range(len(chart.names))
        for number, (_, series) in enumerate(chart.series)
    ]
    return [
        Bar(
            f"{(min(value, 0.0) - least) * scale:.1f}",
            row * _BAR_ROW + 2,
            f"{abs(value) * scale:.1f}",
            _BAR_ROW - 4,
            f"{max(0.9 - 0.25 * number, 0.3):.2f}",
        )
        for row, (number, value) in enumerate(values)
    ]


def _lines(chart: BlockChart) -> list[tuple[str, str]]:
    least, greatest = _span(chart)
    step, scale = WIDTH / max(len(chart.names) - 1, 1), _LINE_HEIGHT / (greatest - least)
    points = [
        " ".join(
            f"{place * step:.1f},{_LINE_HEIGHT - (value - least) * scale:.1f}"
            for place, value in enumerate(values)
        )
        for _, values in chart.series
    ]
    return [(one, _DASHES[number % len(_DASHES)]) for number, one in enumerate(points)]


def _values(chart: BlockChart, place: int) -> list[str]:
    if chart.shown:
        return [words[place] for words in chart.shown]
    return [f"{values[place]:g}" for _, values in chart.series]
