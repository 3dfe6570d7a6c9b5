"""Places the blocks of a day on a timeline: short ones get room for a line, long gaps shrink."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich_agent.domain.agenda.day_timeline import TimelineBlock

LEAST_BLOCK_PX = 58
"""Room for a line of text."""
MOST_BODY_PX = 1_900
"""With its margins the picture stays below two squares, which a chat shows whole."""
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
    """A block with its pixels below the first hour, and its column of several."""

    block: TimelineBlock
    top: float
    bottom: float
    column: int = 0
    columns: int = 1


@dataclass(frozen=True, slots=True)
class DayLayout:
    """The places of everything; `marks` are minutes with their pixels, in order."""

    blocks: tuple[PlacedBlock, ...]
    marks: tuple[tuple[int, float], ...]
    left_out: int = 0

    @property
    def height(self) -> float:
        """Pixels from the first hour to the last."""
        return self.marks[-1][1]

    @property
    def hours(self) -> range:
        """The full hours in the picture."""
        return range(self.marks[0][0] // 60, self.marks[-1][0] // 60 + 1)

    def place_of(self, minute: int) -> float:
        """Return the pixels from the first hour down to a minute."""
        for (start, top), (end, bottom) in pairwise(self.marks):
            if minute <= end:
                return top + (bottom - top) * (minute - start) / (end - start)
        return self.height


def lay_out(blocks: Sequence[TimelineBlock]) -> DayLayout:
    """The layout of blocks in the order of their beginnings.

    Blocks at the same time stand side by side; what needs more than three columns is left out.
    """
    columned = list(_in_columns(blocks))
    kept = [block for block, _, _ in columned]
    minutes = sorted({*_bounds(kept), *(at for one in kept for at in (one.begins, one.ends))})
    marks = _fitted(minutes, kept)
    layout = DayLayout((), tuple(marks), len(blocks) - len(kept))
    placed = (
        PlacedBlock(
            block, layout.place_of(block.begins), layout.place_of(block.ends), column, columns
        )
        for block, column, columns in columned
    )
    return DayLayout(tuple(placed), layout.marks, layout.left_out)


def _in_columns(blocks: Sequence[TimelineBlock]) -> Iterator[tuple[TimelineBlock, int, int]]:
    """Each block that has a place, its column, and the columns where it is."""
    cluster: list[tuple[TimelineBlock, int]] = []
    free_from: list[int] = []
    for block in blocks:
        if block.begins >= max(free_from, default=0):
            yield from _with_width(cluster, len(free_from))
            cluster, free_from = [], []
        column = next(
            (n for n, free in enumerate(free_from) if free <= block.begins), len(free_from)
        )
        if column == MOST_COLUMNS:
            continue
        free_from[column : column + 1] = [block.ends]
        cluster.append((block, column))
    yield from _with_width(cluster, len(free_from))


def _with_width(
    cluster: Sequence[tuple[TimelineBlock, int]], columns: int
) -> Iterator[tuple[TimelineBlock, int, int]]:
    return ((block, column, columns) for block, column in cluster)


def _bounds(blocks: Sequence[TimelineBlock]) -> tuple[int, int]:
    """The first and the last full hour."""
    if not blocks:
        return _EMPTY_DAY
    first = min(one.begins for one in blocks) // 60 * 60
    last = math.ceil(max(one.ends for one in blocks) / 60) * 60
    while last - first < _SHORTEST_DAY:
        first, last = max(0, first - 60), min(_DAY_MINUTES, last + 60)
    return first, last


def _fitted(minutes: Sequence[int], blocks: Sequence[TimelineBlock]) -> list[tuple[int, float]]:
    """Each minute with its pixels, as large as there is room."""
    marks = _scaled(minutes, blocks, 1.0)
    if marks[-1][1] <= MOST_BODY_PX:
        return marks
    low, high = 0.0, 1.0
    for _ in range(_FITTING_STEPS):
        middle = (low + high) / 2
        if _scaled(minutes, blocks, middle)[-1][1] <= MOST_BODY_PX:
            low = middle
        else:
            high = middle
    return _scaled(minutes, blocks, low)


def _scaled(
    minutes: Sequence[int], blocks: Sequence[TimelineBlock], factor: float
) -> list[tuple[int, float]]:
    marks, y = [(minutes[0], 0.0)], 0.0
    for start, end in pairwise(minutes):
        lengths = [b.ends - b.begins for b in blocks if b.begins < end and b.ends > start]
        gap = _natural(end - start, _GAP_MINUTES) * factor
        shares = (
            max(_natural(length, _BLOCK_MINUTES) * factor, LEAST_BLOCK_PX) / length
            for length in lengths
        )
        y += max(shares) * (end - start) if lengths else gap
        marks.append((end, y))
    return marks


def _natural(minutes: int, in_full: int) -> float:
    """The pixels of a time, of which what is beyond `in_full` takes less room."""
    beyond = max(0, minutes - in_full)
    return _PX_PER_MINUTE * (minutes - beyond * (1 - _LONG_SHARE))
