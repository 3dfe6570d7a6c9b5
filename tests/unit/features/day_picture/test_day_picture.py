"""Drawings of a day, checked by the colours of their pixels."""

import io
from datetime import date
from itertools import chain

import pytest
from PIL import Image

from rich_agent.domain.day_timeline import MOST_BLOCKS, BlockType, DayTimeline, TimelineBlock
from rich_agent.features.day_picture.drawing import (
    LEFT_PX,
    RIGHT_PX,
    TINTS,
    TOP_PX,
    WIDTH_PX,
    draw_day,
    lay_out,
)
from rich_agent.features.day_picture.lettering import Colour

DAY = date(2026, 11, 23)
_KINDS: tuple[BlockType, ...] = ("work", "meeting", "break", "personal")
_MOST_PX = 2_208
_READABLE = 4.5
"""Source: WCAG 2.2, 1.4.3 Contrast (Minimum)."""


def a_day(count: int, title: str = "Work on the paper", minutes: int = 30) -> DayTimeline:
    """Blocks from midnight on, three quarters of an hour apart."""
    blocks = (
        TimelineBlock(45 * n, 45 * n + minutes, title, _KINDS[n % len(_KINDS)])
        for n in range(count)
    )
    return DayTimeline(DAY, tuple(blocks))


def opened(timeline: DayTimeline, locale: str = "en") -> Image.Image:
    """The picture of a day."""
    with Image.open(io.BytesIO(draw_day(timeline, locale))) as picture:
        assert picture.format == "PNG"
        return picture.convert("RGB")


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, 1..21. Source: WCAG 2.2, relative luminance."""

    def luminance(colour: Colour) -> float:
        linear = [
            part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
            for part in colour
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("count", [0, 1, 8, 25, MOST_BLOCKS])
def test_picture_has_each_block_where_its_time_is(count: int) -> None:
    """An accent at the left, the ground at the right, paper where the time is free."""
    timeline = a_day(count)
    picture, layout = opened(timeline), lay_out(timeline.blocks)
    assert picture.width == WIDTH_PX
    assert 300 < picture.height <= _MOST_PX
    for placed in layout.blocks:
        y = round(TOP_PX + (placed.top + placed.bottom) / 2)
        tint = TINTS[placed.block.kind]
        assert picture.getpixel((LEFT_PX + 4, y)) == tint.accent
        assert picture.getpixel((RIGHT_PX - 10, y)) == tint.ground
        free = round(TOP_PX + placed.bottom + 2)
        assert picture.getpixel((RIGHT_PX - 30, free)) not in {tint.ground, tint.accent}


def test_picture_holds_its_title_and_no_word_leaves_its_block() -> None:
    """However long it is, in scripts with and without spaces; right of the block is paper."""
    for title in ("word " * 24, "W" * 120, "検索手法の比較実験、" * 12):
        picture = opened(a_day(3, title, minutes=45), "ja")
        beside = picture.crop((RIGHT_PX + 2, TOP_PX + 20, WIDTH_PX, picture.height - 140))
        assert beside.getcolors() is not None
        assert {colour for _, colour in beside.getcolors() or ()} == {(255, 255, 255)}
        assert picture.tobytes() != opened(a_day(3, "x", minutes=45), "ja").tobytes()


@pytest.mark.parametrize(
    "title", ["", "🎉🎉", "한국어 회의", "اجتماع", "\u202e\u2066\x00", "ก" * 99]
)
def test_picture_of_a_title_that_no_font_has_names_its_kind(title: str) -> None:
    """The text above the picture holds the title."""
    named = a_day(1, "Work")
    assert draw_day(a_day(1, title), "en") == draw_day(named, "en")


def test_picture_is_in_the_language_of_its_user() -> None:
    """The date and the kinds."""
    assert draw_day(a_day(2, "x"), "ja") != draw_day(a_day(2, "x"), "en")


def test_picture_says_what_it_leaves_out() -> None:
    """At its foot."""
    less = DayTimeline(DAY, a_day(2).blocks, left_out=3)
    assert draw_day(less, "en") != draw_day(a_day(2), "en")


def test_picture_can_be_read() -> None:
    """Every colour of a text on every ground that it stands on."""
    pairs = chain.from_iterable(
        ((tint.accent, tint.ground), ((17, 24, 39), tint.ground)) for tint in TINTS.values()
    )
    assert min(contrast(*pair) for pair in pairs) >= _READABLE
    assert set(TINTS) == set(_KINDS)


@pytest.mark.parametrize("locale", ["ar", "fa", "hi", "ko", "zh-Hans"])
def test_picture_speaks_english_where_the_fonts_lack_a_letter(locale: str) -> None:
    """Its own words are all in one language that can be read."""
    assert draw_day(a_day(4), locale) == draw_day(a_day(4), "en")


@pytest.mark.parametrize("locale", ["de", "ja", "ru", "vi", "zh-Hant"])
def test_picture_speaks_each_language_that_the_fonts_can_draw(locale: str) -> None:
    """The heading and the kinds differ from the English ones."""
    assert draw_day(a_day(4), locale) != draw_day(a_day(4), "en")
