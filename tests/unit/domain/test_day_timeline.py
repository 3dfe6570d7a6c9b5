"""A day as lines and as what is drawn."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

import pytest

from rich_agent.domain.day_timeline import (
    MOST_BLOCKS,
    BlockType,
    DayTimeline,
    TimelineBlock,
    plain_title,
)

DAY = date(2026, 11, 23)
MIDNIGHT = datetime(2026, 11, 23)  # noqa: DTZ001 - the user's local time


@dataclass(frozen=True)
class Block:
    """A block of a schedule."""

    starts_at: datetime
    ends_at: datetime
    title: str
    block_type: BlockType = "work"


def a_block(begins: float, ends: float, title: str = "x") -> Block:
    """A block by its hours on the day."""
    return Block(MIDNIGHT + timedelta(hours=begins), MIDNIGHT + timedelta(hours=ends), title)


def test_timeline_holds_the_part_of_its_blocks_that_is_on_the_day() -> None:
    """In order; what is on other days alone is left out, and does not count as left out."""
    spans = [a_block(23, 26, "late"), a_block(-2, 1, "early"), a_block(25, 26), a_block(9, 9)]
    timeline = DayTimeline.of(DAY, spans)
    assert timeline.lines() == ["00:00–01:00 early", "23:00–24:00 late"]
    assert timeline.left_out == 0


def test_timeline_is_bounded() -> None:
    """However many blocks there are, and however long their titles."""
    timeline = DayTimeline.of(DAY, [a_block(n / 5, n / 5 + 0.1, "y" * 5_000) for n in range(100)])
    assert len(timeline.blocks) == MOST_BLOCKS
    assert timeline.left_out == 100 - MOST_BLOCKS
    assert max(len(line) for line in timeline.lines()) <= 140


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("a\x00b\x1b[31mc\u202ed\u2066", "ab[31mcd"),
        ("e\u0301", "é"),
        ("one\ntwo\tthree", "one two three"),
        ("", ""),
    ],
)
def test_title_is_one_clean_line(written: str, title: str) -> None:
    """Without what is invisible, or turns the direction of what follows."""
    assert plain_title(written) == title


def test_timeline_survives_the_state() -> None:
    """As JSON and back."""
    timeline = DayTimeline(DAY, (TimelineBlock(60, 90, "昼食", "break"),), 2)
    assert DayTimeline.from_state(timeline.to_state()) == timeline
