"""Positions of the blocks of a day, and that every day fits."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rich_agent.domain.day_timeline import MOST_BLOCKS, TimelineBlock
from rich_agent.features.day_picture.drawing import (
    LEAST_BLOCK_PX,
    MOST_BODY_PX,
    MOST_COLUMNS,
    lay_out,
)

_MINUTE = 1e-6


def block(begins: int, ends: int) -> TimelineBlock:
    """A block by its minutes."""
    return TimelineBlock(begins, ends, "x")


@st.composite
def days(draw: st.DrawFn) -> list[TimelineBlock]:
    """Blocks in order, which may overlap."""
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, 1439), st.integers(1, 1440)), min_size=1, max_size=MOST_BLOCKS
        )
    )
    return [block(begins, min(1440, begins + length)) for begins, length in sorted(spans)]


@given(days())
def test_layout_of_any_day_is_bounded_readable_and_in_order(blocks: list[TimelineBlock]) -> None:
    """Later is lower, no block is too low for a line of text, and nothing covers another."""
    layout = lay_out(blocks)
    assert layout.height <= MOST_BODY_PX + _MINUTE
    assert all(above[1] < below[1] for above, below in pairwise(layout.marks))
    assert len(layout.blocks) + layout.left_out == len(blocks)
    for placed in layout.blocks:
        assert placed.bottom - placed.top >= LEAST_BLOCK_PX - _MINUTE
        assert placed.column < placed.columns <= MOST_COLUMNS
    for number, one in enumerate(layout.blocks):
        for other in layout.blocks[number + 1 :]:
            apart = one.bottom <= other.top + _MINUTE or other.bottom <= one.top + _MINUTE
            assert apart or one.column != other.column


def test_layout_shortens_gaps_and_keeps_short_blocks_readable() -> None:
    """Five free hours take less room than two that are busy."""
    layout = lay_out([block(540, 660), block(960, 965)])
    long, short = layout.blocks
    assert short.bottom - short.top == LEAST_BLOCK_PX
    assert short.top - long.bottom < long.bottom - long.top + 60
    assert layout.place_of(600) == (long.top + long.bottom) / 2


def test_layout_puts_simultaneous_blocks_side_by_side() -> None:
    """The fourth at a time has no place; the next block has the whole width again."""
    blocks = [block(540, 600), block(550, 610), block(555, 620), block(560, 570), block(620, 680)]
    layout = lay_out(blocks)
    assert [(one.column, one.columns) for one in layout.blocks] == [(0, 3), (1, 3), (2, 3), (0, 1)]
    assert layout.left_out == 1


def test_layout_of_a_day_without_blocks_is_empty() -> None:
    """Hours without anything."""
    layout = lay_out([])
    assert layout.blocks == ()
    assert list(layout.hours) == list(range(8, 19))
