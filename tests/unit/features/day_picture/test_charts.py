"""Charts as pictures: where their bars are, and which cannot be drawn."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from rich_agent.domain.living_blocks import BlockChart
from rich_agent.features.day_picture.charts import draw_chart

BARS = BlockChart(
    "bar",
    ("North", "北海道"),
    (("Revenue", (1.0, 2.0)),),
    (("1,000", "2,000"),),
    corner="Region",
)
LINES = BlockChart(
    "line",
    ("2023", "2024", "2025"),
    (("a", (1.0, 2.0, 3.0)), ("b", (3.0, 2.0, 1.0))),
    (("1", "2", "3"), ("3", "2", "1")),
)


def drawn(chart: BlockChart) -> Image.Image:
    """The picture of a chart."""
    return Image.open(io.BytesIO(draw_chart(chart)))


def blue_in(picture: Image.Image, y: int) -> int:
    """The number of pixels of a row that have the colour of bars."""
    row = [picture.getpixel((x, y)) for x in range(picture.width)]
    return sum(one == (35, 108, 181) for one in row)


def test_bars_are_as_long_as_their_numbers() -> None:
    """The one of twice the number is twice as long; each stands below its name."""
    picture = drawn(BARS)
    lengths = [count for y in range(0, 180, 4) if (count := blue_in(picture, y))]
    assert max(lengths) == pytest.approx(2 * min(lengths), abs=3)
    assert picture.width == 720


def test_lines_have_colours_and_points_of_their_own() -> None:
    """They can be told apart without colours by the form of their points."""
    colours = {colour for _, colour in drawn(LINES).getcolors(1_000_000) or ()}
    assert {(11, 92, 173), (200, 90, 20)} <= colours


@pytest.mark.parametrize(
    ("chart", "reason"),
    [
        (replace(BARS, kind="table"), "a table is no picture"),
        (replace(BARS, names=("North", "उत्तर")), "lack a letter"),
        (replace(BARS, corner="منطقة"), "lack a letter"),
        (replace(BARS, words=(("1" * 60, "2"),)), "too wide"),
    ],
    ids=["table", "name", "heading", "number"],
)
def test_chart_that_would_not_say_everything_is_not_drawn(chart: BlockChart, reason: str) -> None:
    """No letter is left out, and no number is cut."""
    with pytest.raises(OSError, match=reason):
        draw_chart(chart)
