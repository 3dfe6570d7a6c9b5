"""The words of a table, by the lines on which they stand and the columns to which they belong."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from rich_agent.documents.extract.pdf.rules import DrawnLine
from rich_agent.documents.extract.pdf.words import Row, Word

WIDE_GAP: Final = 0.9
"""Between two cells, in sizes of letters; spaces in a text are seldom as wide."""
_SAME_LINE: Final = 0.4


@dataclass(frozen=True, slots=True)
class TableRegion:
    """A part of a page that is a table."""

    words: tuple[Word, ...]
    """In the order in which they were drawn."""
    edges: tuple[float, ...]
    """Where its columns begin, and where the last ends."""
    across: tuple[DrawnLine, ...] = ()
    """Horizontal lines and edges of filled areas in it, from the top to the bottom."""
    down: tuple[DrawnLine, ...] = ()
    """Vertical lines in it."""
    is_ruled: bool = False
    """Whether vertical lines part its columns."""

    @property
    def size(self) -> float:
        """The usual size of its letters."""
        return median(word.style.size for word in self.words)

    def column(self, word: Word) -> int:
        """The column in which a word has its middle."""
        middle = (word.box.left + word.box.right) / 2
        return min(max(bisect_right(self.edges, middle) - 1, 0), len(self.edges) - 2)


def without_remarks(row: Row) -> list[Word]:
    """The words of a row that stand on the page itself."""
    return [word for word in row if word.kind != "remark"]


def middle(word: Word) -> float:
    """The height at which a word has its middle."""
    return (word.box.bottom + word.box.top) / 2


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """The words by the lines on which they stand, from the top; drawn order is kept in a line."""
    order = {id(word): number for number, word in enumerate(words)}
    lines: list[list[Word]] = []
    level = 0.0
    for word in sorted(words, key=lambda word: -middle(word)):
        if lines and level - middle(word) <= _SAME_LINE * min(
            word.style.size, lines[-1][0].style.size
        ):
            lines[-1].append(word)
        else:
            lines.append([word])
            level = middle(word)
    return [sorted(line, key=lambda word: order[id(word)]) for line in lines]


def pieces(line: Sequence[Word]) -> Iterator[list[Word]]:
    """The words of a line, parted at wide gaps, from the left to the right."""
    words = sorted(line, key=lambda word: word.box.left)
    piece = words[:1]
    for previous, word in pairwise(words):
        gap = word.box.left - previous.box.right
        if gap > WIDE_GAP * min(previous.style.size, word.style.size):
            yield piece
            piece = []
        piece.append(word)
    yield piece
