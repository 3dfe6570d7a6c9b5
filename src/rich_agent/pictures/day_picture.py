"""Draws the timeline of a day: hours at the side, a coloured block for each thing to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from types import MappingProxyType

from PIL import Image, ImageDraw

from rich_agent.domain.agenda.day_timeline import DayTimeline, TimelineBlock
from rich_agent.domain.agenda.schedule import BlockType
from rich_agent.domain.languages import ENGLISH
from rich_agent.phrases import say
from rich_agent.pictures.day_layout import DayLayout, PlacedBlock, lay_out
from rich_agent.pictures.lettering import Colour, Lettering, Pen

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
    """The colours of a kind of block: the accent is readable on the ground."""

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
    """A PNG, 1080 pixels wide and at most 2208 high; it takes 0.1 s, so call it in a thread.

    Raises: OSError if the fonts cannot be read.
    """
    layout = lay_out(timeline.blocks)
    height = round(TOP_PX + layout.height + _FOOT_PX)
    picture = Image.new("RGB", (WIDTH_PX, height), _PAPER)
    lettering = Lettering()
    spoken = _drawable_locale(locale, timeline, lettering)
    page = _Page(picture, ImageDraw.Draw(picture), lettering, spoken)
    page.draw_heading(lettering.drawable(say(spoken, "timeline-day", day=timeline.day)))
    page.draw_hours(layout)
    for placed in layout.blocks:
        page.draw_block(placed)
    page.draw_foot(layout, layout.left_out + timeline.left_out)
    png = BytesIO()
    picture.save(png, "PNG")
    return png.getvalue()


def _drawable_locale(locale: str, timeline: DayTimeline, lettering: Lettering) -> str:
    """The locale, or English where the fonts lack a letter of a label: all labels speak alike."""
    labels = [say(locale, f"block-type-{kind}") for kind in TINTS]
    labels.append(say(locale, "timeline-day", day=timeline.day))
    labels.append(say(locale, "timeline-left-out", count=timeline.left_out))
    return locale if all(map(lettering.has_letters, labels)) else ENGLISH


@dataclass(frozen=True, slots=True)
class _Page:
    """The picture while it is drawn."""

    picture: Image.Image
    canvas: ImageDraw.ImageDraw
    lettering: Lettering
    locale: str

    def draw_heading(self, text: str) -> None:
        fitting = self.lettering.cut(text, _HEADING, RIGHT_PX - 48)
        self.lettering.write(self.canvas, (48, 92), fitting, Pen(_HEADING, _INK))

    def draw_hours(self, layout: DayLayout) -> None:
        last = -_HOURS_APART_PX
        for hour in layout.hours:
            y = round(TOP_PX + layout.place_of(hour * 60))
            if y - last < _HOURS_APART_PX:
                continue
            last = y
            self.canvas.line((LEFT_PX - 16, y, RIGHT_PX, y), _RULE, 2)
            at = (LEFT_PX - 32, y + 9)
            self.lettering.write(
                self.canvas, at, f"{hour:02}:00", Pen(_SMALL, _QUIET, ends_there=True)
            )

    def draw_block(self, placed: PlacedBlock) -> None:
        tint, width = TINTS[placed.block.kind], (RIGHT_PX - LEFT_PX) / placed.columns
        left = round(LEFT_PX + width * placed.column) + (_SEAM_PX if placed.column else 0)
        right = round(LEFT_PX + width * (placed.column + 1)) - _SEAM_PX
        top, bottom = (round(TOP_PX + y) for y in (placed.top, placed.bottom))
        box = (left, top + _SEAM_PX, right, bottom - _SEAM_PX)
        self._fill_rounded(box, tint)
        self._write_block(placed.block, box, tint)

    def draw_foot(self, layout: DayLayout, left_out: int) -> None:
        """Draw what the colours mean, and what is not shown."""
        x, y = float(LEFT_PX), TOP_PX + round(layout.height) + 78
        present = {placed.block.kind for placed in layout.blocks}
        for kind, tint in TINTS.items():
            if kind not in present:
                continue
            dot = (round(x), y - 20, round(x) + 22, y + 2)
            self._fill_rounded(dot, Tint(tint.accent, tint.accent))
            name = say(self.locale, f"block-type-{kind}")
            self.lettering.write(self.canvas, (x + 36, y), name, Pen(_SMALL, _QUIET))
            x += 36 + self.lettering.width(name, _SMALL) + 40
        if left_out:
            text = say(self.locale, "timeline-left-out", count=left_out)
            self.lettering.write(
                self.canvas, (RIGHT_PX, y), text, Pen(_SMALL, _QUIET, ends_there=True)
            )

    def _write_block(self, block: TimelineBlock, box: Box, tint: Tint) -> None:
        left, top, right, bottom = box
        x, room = left + _PADDING_PX, right - left - _PADDING_PX - 16
        title = self.lettering.drawable(block.title) or say(self.locale, f"block-type-{block.kind}")
        if bottom - top >= _TWO_LINES_PX - 2 * _SEAM_PX:
            most = (bottom - top - 24 - _SMALL) // _LINE_PX
            lines = self.lettering.wrap(title, _TITLE, room, most)
            y = top + 44
            for line in lines:
                self.lettering.write(self.canvas, (x, y), line, Pen(_TITLE, _INK))
                y += _LINE_PX
            self.lettering.write(self.canvas, (x, y - 4), block.times, Pen(_SMALL, tint.accent))
            return
        y = (top + bottom) // 2 + 11
        if room + _PADDING_PX > _NARROW_PX:
            self.lettering.write(self.canvas, (x, y), block.times, Pen(_SMALL, tint.accent))
            shift = round(self.lettering.width(block.times, _SMALL)) + 24
            x, room = x + shift, room - shift
        fitting = self.lettering.cut(title, _TITLE, room)
        self.lettering.write(self.canvas, (x, y), fitting, Pen(_TITLE, _INK))

    def _fill_rounded(self, box: Box, tint: Tint) -> None:
        """A box with round corners, drawn at twice its size so that they are smooth."""
        left, top, right, bottom = box
        size = (right - left, bottom - top)
        mask = Image.new("L", (size[0] * 2, size[1] * 2), 0)
        shape = (0, 0, size[0] * 2 - 1, size[1] * 2 - 1)
        ImageDraw.Draw(mask).rounded_rectangle(shape, _RADIUS_PX * 2, 255)
        ground = Image.new("RGB", size, tint.ground)
        ImageDraw.Draw(ground).rectangle((0, 0, _BAR_PX - 1, size[1]), tint.accent)
        self.picture.paste(ground, (left, top), mask.resize(size, Image.Resampling.BOX))
