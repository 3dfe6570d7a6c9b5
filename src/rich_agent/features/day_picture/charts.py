"""Draws the chart of computed rows: its shapes with their names, and its numbers as a table."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

from PIL import Image, ImageDraw

from rich_agent.feature.living import BlockChart, chart_drawing
from rich_agent.features.day_picture.lettering import Colour, Lettering, Pen

_SCALE: Final = 2
"""Pixels of a unit of the drawing."""
_SMOOTHNESS: Final = 2
"""Shapes are drawn larger by this factor, and made smaller."""
_MARGIN, _ROW, _SIZE, _GAP = 40, 44, 24, 24
_LEAST_PX: Final = 140
"""The least width of a column."""
_LINE_PX, _MARKER_PX = 3, 7
_PAPER: Final[Colour] = (255, 255, 255)
_INK: Final[Colour] = (27, 31, 36)
_QUIET: Final[Colour] = (87, 96, 106)
_RULE: Final[Colour] = (208, 215, 222)
_SERIES: Final[tuple[Colour, ...]] = ((11, 92, 173), (200, 90, 20), (20, 120, 80))
_SHADE: Final[Colour] = _SERIES[0]


def draw_chart(chart: BlockChart) -> bytes:
    """The picture of a chart as PNG.

    Raises: OSError for a table without a chart, and if the fonts lack a letter of it or cannot be
    read.
    """
    drawing, lettering = chart_drawing(chart), Lettering()
    if drawing is None:
        raise OSError("a table is no picture")
    rows = list(_rows(chart))
    texts = [
        *(label["text"] for label in drawing["labels"]),
        *(cell for row in rows for cell in row),
    ]
    if not all(map(lettering.has_letters, texts)):
        raise OSError("the fonts lack a letter")
    width = drawing["width"] * _SCALE + 2 * _MARGIN
    table_top = drawing["height"] * _SCALE + _MARGIN + _GAP
    picture = Image.new("RGB", (width, table_top + len(rows) * _ROW + _MARGIN), _PAPER)
    picture.paste(_shapes(drawing, len(chart.series)), (_MARGIN, _MARGIN))
    canvas = ImageDraw.Draw(picture)
    for label in drawing["labels"]:
        place = (_MARGIN + label["x"] * _SCALE, _MARGIN + label["y"] * _SCALE)
        pen = Pen(_SIZE, _INK, ends_there=label["anchor"] == "end")
        lettering.write(canvas, place, label["text"], pen)
    _write_table(canvas, lettering, rows, table_top)
    png = BytesIO()
    picture.save(png, "PNG")
    return png.getvalue()


def _rows(chart: BlockChart) -> Iterator[Sequence[str]]:
    """Yield the rows of the table, the headings first."""
    yield [chart.corner, *(name for name, _ in chart.series)]
    for place, name in enumerate(chart.names):
        yield [name, *(texts[place] for texts in chart.words)]


def _write_table(
    canvas: ImageDraw.ImageDraw, lettering: Lettering, rows: Sequence[Sequence[str]], top: int
) -> None:
    """Write rows, numbers to the right. Raises: OSError if there is no room for the numbers."""
    right = canvas.im.size[0] - _MARGIN
    columns = list(zip(*(row[1:] for row in rows[1:]), strict=True))
    widths = [
        max(_LEAST_PX, *(lettering.width(value, _SIZE) + _GAP for value in values))
        for values in columns
    ]
    name_px = right - _MARGIN - sum(widths)
    if name_px < _LEAST_PX:
        raise OSError("the numbers are too wide")
    for number, (name, *values) in enumerate(rows):
        y = top + number * _ROW
        canvas.line((_MARGIN, y + _ROW - 6, right, y + _ROW - 6), _RULE, 1)
        place = (_MARGIN, y + _ROW - 16)
        lettering.write(canvas, place, lettering.cut(name, _SIZE, name_px), Pen(_SIZE, _INK))
        end = float(right - sum(widths))
        for value, width in zip(values, widths, strict=True):
            end += width
            text = lettering.cut(value, _SIZE, width - _GAP / 2)
            lettering.write(canvas, (end, place[1]), text, Pen(_SIZE, _QUIET, ends_there=True))


def _shapes(drawing: dict[str, Any], series_count: int) -> Image.Image:
    """The bars and lines of a drawing."""
    scale = _SCALE * _SMOOTHNESS
    size = (drawing["width"] * _SCALE, drawing["height"] * _SCALE)
    image = Image.new("RGB", (size[0] * _SMOOTHNESS, size[1] * _SMOOTHNESS), _PAPER)
    canvas = ImageDraw.Draw(image)
    for bar in drawing["bars"]:
        left, top = float(bar["x"]) * scale, bar["y"] * scale
        box = (left, top, left + float(bar["width"]) * scale, top + bar["height"] * scale)
        canvas.rectangle(box, _tint(float(bar["opacity"])))
    for number, (points, _) in enumerate(drawing["lines"]):
        pairs = [point.split(",") for point in points.split()]
        places = [(float(x) * scale, float(y) * scale) for x, y in pairs]
        _draw_line(canvas, places, number % series_count)
    return image.resize(size, Image.Resampling.BOX)


def _draw_line(
    canvas: ImageDraw.ImageDraw, places: Sequence[tuple[float, float]], series: int
) -> None:
    """Draw a line, whose series can be told by the form of its points, too."""
    colour, radius = _SERIES[series % len(_SERIES)], _MARKER_PX * _SMOOTHNESS
    canvas.line(list(places), colour, _LINE_PX * _SMOOTHNESS, joint="curve")
    for x, y in places:
        box = (x - radius, y - radius, x + radius, y + radius)
        if series == 0:
            canvas.ellipse(box, colour)
        elif series == 1:
            canvas.rectangle(box, colour)


def _tint(opacity: float) -> Colour:
    """The colour of bars on white paper."""
    red, green, blue = (round(255 - (255 - part) * opacity) for part in _SHADE)
    return red, green, blue
