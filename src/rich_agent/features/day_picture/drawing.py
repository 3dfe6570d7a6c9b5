"""Draws the timeline of a day: hours at the side, and a coloured block for each entry."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from types import MappingProxyType

from PIL import Image, ImageDraw

from rich_agent.feature import say
from rich_agent.feature.day import BlockType, DayTimeline, TimelineBlock, omission_line
from rich_agent.feature.text import ENGLISH, say_full_date
from rich_agent.features.day_picture.lettering import Colour, Lettering, Pen

LEAST_BLOCK_PX = 58
"""Height of a block with one line of text."""
MOST_BODY_PX = 1_900
"""Greatest height without margins.

With its margins, the picture is less high than twice its width, so that a chat shows all of it.
"""
MOST_COLUMNS = 3
_PX_PER_MINUTE = 1.8
_BLOCK_MINUTES, _GAP_MINUTES = 150, 60
"""Beyond these, a minute takes less room."""
_LONG_SHARE = 0.3
_SHORTEST_DAY = 4 * 60
_DAY_MINUTES = 24 * 60
_EMPTY_DAY = (8 * 60, 18 * 60)
_FITTING_STEPS = 20


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block with its place in the picture."""

    block: TimelineBlock
    top: float
    """Pixels from the first hour to the upper edge."""
    bottom: float
    """Pixels from the first hour to the lower edge."""
    column: int = 0
    """Number of its column, from 0."""
    columns: int = 1
    """Number of columns that share the width."""


@dataclass(frozen=True, slots=True)
class DayLayout:
    """The places of all blocks."""

    blocks: tuple[PlacedBlock, ...]
    marks: tuple[tuple[int, float], ...]
    """Minutes of the day in order, each with its pixels from the first hour."""
    left_out: int = 0
    """Number of blocks that have no place."""

    @property
    def height(self) -> float:
        """Pixels from the first hour to the last."""
        return self.marks[-1][1]

    @property
    def hours(self) -> range:
        """The full hours in the picture."""
        return range(self.marks[0][0] // 60, self.marks[-1][0] // 60 + 1)

    def place_of(self, minute: int) -> float:
        """The pixels from the first hour to a minute of the day."""
        for (start, top), (end, bottom) in pairwise(self.marks):
            if minute <= end:
                return top + (bottom - top) * (minute - start) / (end - start)
        return self.height


def lay_out(blocks: Sequence[TimelineBlock]) -> DayLayout:
    """The layout of blocks, which are given in order of their beginnings.

    Blocks at the same time get columns. Blocks that would need a fourth column are left out.
    """
    placed = list(_in_columns(blocks))
    visible_blocks = [block for block, _, _ in placed]
    minutes = sorted(
        {
            *_bounds(visible_blocks),
            *(
                minute
                for visible_block in visible_blocks
                for minute in (visible_block.begins, visible_block.ends)
            ),
        }
    )
    marks = _fit(minutes, visible_blocks)
    layout = DayLayout((), tuple(marks), len(blocks) - len(visible_blocks))
    placed_blocks = (
        PlacedBlock(
            block, layout.place_of(block.begins), layout.place_of(block.ends), column, columns
        )
        for block, column, columns in placed
    )
    return DayLayout(tuple(placed_blocks), layout.marks, layout.left_out)


def _in_columns(blocks: Sequence[TimelineBlock]) -> Iterator[tuple[TimelineBlock, int, int]]:
    """The blocks that have a place, each with its column and its group's number of columns."""
    cluster: list[tuple[TimelineBlock, int]] = []
    column_ends: list[int] = []
    for block in blocks:
        if block.begins >= max(column_ends, default=0):
            yield from _with_width(cluster, len(column_ends))
            cluster, column_ends = [], []
        column = next(
            (index for index, column_end in enumerate(column_ends) if column_end <= block.begins),
            len(column_ends),
        )
        if column == MOST_COLUMNS:
            continue
        column_ends[column : column + 1] = [block.ends]
        cluster.append((block, column))
    yield from _with_width(cluster, len(column_ends))


def _with_width(
    cluster: Sequence[tuple[TimelineBlock, int]], columns: int
) -> Iterator[tuple[TimelineBlock, int, int]]:
    return ((block, column, columns) for block, column in cluster)


def _bounds(blocks: Sequence[TimelineBlock]) -> tuple[int, int]:
    """The first and the last full hour, as minutes of the day."""
    if not blocks:
        return _EMPTY_DAY
    first_minute = min(block.begins for block in blocks) // 60 * 60
    last_minute = math.ceil(max(block.ends for block in blocks) / 60) * 60
    while last_minute - first_minute < _SHORTEST_DAY:
        first_minute, last_minute = max(0, first_minute - 60), min(_DAY_MINUTES, last_minute + 60)
    return first_minute, last_minute


def _fit(minutes: Sequence[int], blocks: Sequence[TimelineBlock]) -> list[tuple[int, float]]:
    """Each minute with its pixels, on the largest scale that fits."""
    marks = _scale(minutes, blocks, 1.0)
    if marks[-1][1] <= MOST_BODY_PX:
        return marks
    fitting_factor, too_large_factor = 0.0, 1.0
    for _ in range(_FITTING_STEPS):
        factor = (fitting_factor + too_large_factor) / 2
        if _scale(minutes, blocks, factor)[-1][1] <= MOST_BODY_PX:
            fitting_factor = factor
        else:
            too_large_factor = factor
    return _scale(minutes, blocks, fitting_factor)


def _scale(
    minutes: Sequence[int], blocks: Sequence[TimelineBlock], factor: float
) -> list[tuple[int, float]]:
    marks, y = [(minutes[0], 0.0)], 0.0
    for start, end in pairwise(minutes):
        block_minutes = [
            block.ends - block.begins
            for block in blocks
            if block.begins < end and block.ends > start
        ]
        gap_px = _natural(end - start, _GAP_MINUTES) * factor
        px_per_minute = (
            max(_natural(block_length, _BLOCK_MINUTES) * factor, LEAST_BLOCK_PX) / block_length
            for block_length in block_minutes
        )
        y += max(px_per_minute) * (end - start) if block_minutes else gap_px
        marks.append((end, y))
    return marks


def _natural(minutes: int, in_full: int) -> float:
    """The height of a duration in pixels. Minutes beyond `in_full` take less room."""
    surplus_minutes = max(0, minutes - in_full)
    return _PX_PER_MINUTE * (minutes - surplus_minutes * (1 - _LONG_SHARE))


WIDTH_PX = 1080
TOP_PX = 176
LEFT_PX, RIGHT_PX = 148, WIDTH_PX - 44
_FOOT_PX = 132
_HEADING, _TITLE, _SMALL = 46, 32, 26
_LINE_PX = 42
_TWO_LINES_PX = 100
_NARROW_PX = 380
_PADDING_PX = 30
_BAR_PX = 10
_RADIUS_PX = 14
_SEAM_PX = 3
_HOURS_APART_PX = 44
Box = tuple[int, int, int, int]
_PAPER: Colour = (255, 255, 255)
_INK: Colour = (17, 24, 39)
_QUIET: Colour = (75, 85, 99)
_RULE: Colour = (226, 230, 236)
_AT_THE_END = Pen(_SMALL, _QUIET, ends_there=True)


@dataclass(frozen=True, slots=True)
class Tint:
    """The colours of a kind of block. Text in the accent is readable on the ground."""

    ground: Colour
    accent: Colour


TINTS: Mapping[BlockType, Tint] = MappingProxyType(
    {
        "work": Tint((224, 235, 255), (29, 78, 196)),
        "meeting": Tint((240, 230, 255), (107, 33, 190)),
        "break": Tint((220, 246, 230), (17, 104, 54)),
        "personal": Tint((255, 236, 214), (160, 58, 8)),
    }
)


def draw_day(timeline: DayTimeline, locale: str) -> bytes:
    """A PNG of 1080 pixels in width and at most 2208 in height.

    It takes 0.1 s, so call it in a thread.

    Raises: OSError if the fonts cannot be read.
    """
    layout = lay_out(timeline.blocks)
    height = round(TOP_PX + layout.height + _FOOT_PX)
    picture = Image.new("RGB", (WIDTH_PX, height), _PAPER)
    lettering = Lettering()
    drawable_locale = _drawable_locale(locale, timeline, lettering)
    page = _Page(picture, ImageDraw.Draw(picture), lettering, drawable_locale)
    page.draw_heading(lettering.drawable(say_full_date(timeline.day, drawable_locale)))
    page.draw_hours(layout)
    for placed_block in layout.blocks:
        page.draw_block(placed_block)
    page.draw_foot(layout, layout.left_out + timeline.left_out)
    png = BytesIO()
    picture.save(png, "PNG")
    return png.getvalue()


def _drawable_locale(locale: str, timeline: DayTimeline, lettering: Lettering) -> str:
    """The locale, or English if the fonts lack a letter of any label."""
    labels = [say(locale, f"day_picture-{kind}") for kind in TINTS]
    labels.append(say_full_date(timeline.day, locale))
    labels.append(omission_line(timeline.left_out, locale))
    return locale if all(map(lettering.has_letters, labels)) else ENGLISH


@dataclass(frozen=True, slots=True)
class _Page:
    """The picture while it is drawn."""

    picture: Image.Image
    canvas: ImageDraw.ImageDraw
    lettering: Lettering
    locale: str

    def draw_heading(self, text: str) -> None:
        visible_text = self.lettering.cut(text, _HEADING, RIGHT_PX - 48)
        self.lettering.write(self.canvas, (48, 92), visible_text, Pen(_HEADING, _INK))

    def draw_hours(self, layout: DayLayout) -> None:
        last_y = -_HOURS_APART_PX
        for hour in layout.hours:
            y = round(TOP_PX + layout.place_of(hour * 60))
            if y - last_y < _HOURS_APART_PX:
                continue
            last_y = y
            self.canvas.line((LEFT_PX - 16, y, RIGHT_PX, y), _RULE, 2)
            place = (LEFT_PX - 32, y + 9)
            self.lettering.write(
                self.canvas, place, f"{hour:02}:00", Pen(_SMALL, _QUIET, ends_there=True)
            )

    def draw_block(self, placed: PlacedBlock) -> None:
        tint, width = TINTS[placed.block.kind], (RIGHT_PX - LEFT_PX) / placed.columns
        left = round(LEFT_PX + width * placed.column) + (_SEAM_PX if placed.column else 0)
        right = round(LEFT_PX + width * (placed.column + 1)) - _SEAM_PX
        top, bottom = (round(TOP_PX + y) for y in (placed.top, placed.bottom))
        box = (left, top + _SEAM_PX, right, bottom - _SEAM_PX)
        self._fill_box(box, tint)
        self._write_block(placed.block, box, tint)

    def draw_foot(self, layout: DayLayout, surplus: int) -> None:
        """Draw a legend of the colours, and the number of blocks that are left out."""
        x, y = float(LEFT_PX), TOP_PX + round(layout.height) + 78
        visible_kinds = {placed.block.kind for placed in layout.blocks}
        for kind, tint in TINTS.items():
            if kind not in visible_kinds:
                continue
            dot = (round(x), y - 20, round(x) + 22, y + 2)
            self._fill_box(dot, Tint(tint.accent, tint.accent))
            name = say(self.locale, f"day_picture-{kind}")
            self.lettering.write(self.canvas, (x + 36, y), name, Pen(_SMALL, _QUIET))
            x += 36 + self.lettering.width(name, _SMALL) + 40
        if surplus:
            text = omission_line(surplus, self.locale)
            self.lettering.write(
                self.canvas, (RIGHT_PX, y), text, Pen(_SMALL, _QUIET, ends_there=True)
            )

    def _write_block(self, block: TimelineBlock, box: Box, tint: Tint) -> None:
        left, top, right, bottom = box
        x, room_px = left + _PADDING_PX, right - left - _PADDING_PX - 16
        kind = say(self.locale, f"day_picture-{block.kind}")
        title = self.lettering.drawable(block.title) or kind
        if bottom - top >= _TWO_LINES_PX - 2 * _SEAM_PX:
            most_lines = (bottom - top - 24 - _SMALL) // _LINE_PX
            lines = self.lettering.wrap(title, _TITLE, room_px, most_lines)
            y = top + 44
            for line in lines:
                self.lettering.write(self.canvas, (x, y), line, Pen(_TITLE, _INK))
                y += _LINE_PX
            self.lettering.write(self.canvas, (x, y - 4), block.times, Pen(_SMALL, tint.accent))
            return
        y = (top + bottom) // 2 + 11
        if room_px + _PADDING_PX > _NARROW_PX:
            self.lettering.write(self.canvas, (x, y), block.times, Pen(_SMALL, tint.accent))
            shift_px = round(self.lettering.width(block.times, _SMALL)) + 24
            x, room_px = x + shift_px, room_px - shift_px
        visible_title = self.lettering.cut(title, _TITLE, room_px)
        self.lettering.write(self.canvas, (x, y), visible_title, Pen(_TITLE, _INK))

    def _fill_box(self, box: Box, tint: Tint) -> None:
        """Draw a box with round corners. It is drawn at twice its size, so that they are smooth."""
        left, top, right, bottom = box
        size = (right - left, bottom - top)
        mask = Image.new("L", (size[0] * 2, size[1] * 2), 0)
        shape = (0, 0, size[0] * 2 - 1, size[1] * 2 - 1)
        ImageDraw.Draw(mask).rounded_rectangle(shape, _RADIUS_PX * 2, 255)
        ground = Image.new("RGB", size, tint.ground)
        ImageDraw.Draw(ground).rectangle((0, 0, _BAR_PX - 1, size[1]), tint.accent)
        self.picture.paste(ground, (left, top), mask.resize(size, Image.Resampling.BOX))
