"""Finds the tables on a PDF page whose cells are parted by drawn lines."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from rich_agent.documents.extract.pdf.regions import TableRegion
from rich_agent.documents.extract.pdf.rules import DrawnLine, DrawnLines
from rich_agent.documents.extract.pdf.words import Box, Word

_NEAR: Final = 3.6
_SHORTEST: Final = 8.0
_NARROWEST: Final = 6.0
_MOST_CROSSINGS: Final = 50_000
_MOST_COLUMNS: Final = 100


def ruled_regions(words: Sequence[Word], rules: DrawnLines) -> Iterator[TableRegion]:
    """The regions of tables that have at least two columns between vertical lines."""
    for across, down in _frames(rules):
        edges = _edges(across, down)
        if not 2 < len(edges) <= _MOST_COLUMNS:
            continue
        bottom = min(*(rule.at for rule in across), *(rule.start for rule in down)) - 1
        top = max(*(rule.at for rule in across), *(rule.end for rule in down)) + 1
        box = Box(edges[0] - 1, bottom, edges[-1] + 1, top)
        inside = tuple(word for word in words if _is_inside(word, box))
        if inside:
            yield TableRegion(inside, tuple(edges), tuple(across), tuple(down), is_ruled=True)


def _frames(rules: DrawnLines) -> Iterator[tuple[list[DrawnLine], list[DrawnLine]]]:
    """The groups of lines that cross or touch each other."""
    across = [rule for rule in rules.across if rule.end - rule.start >= _SHORTEST]
    down = [rule for rule in rules.down if rule.end - rule.start >= _SHORTEST]
    parents = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for row, column in islice(_crossings(across, down), _MOST_CROSSINGS):
        parents[root(len(across) + column)] = root(row)
    groups: dict[int, tuple[list[DrawnLine], list[DrawnLine]]] = {}
    for index in range(len(parents)):
        group = groups.setdefault(root(index), ([], []))
        if index < len(across):
            group[0].append(across[index])
        else:
            group[1].append(down[index - len(across)])
    yield from (group for group in groups.values() if len(group[0]) > 1 and group[1])


def _crossings(across: Sequence[DrawnLine], down: Sequence[DrawnLine]) -> Iterator[tuple[int, int]]:
    places = [rule.at for rule in down]
    for row, rule in enumerate(across):
        first = bisect_left(places, rule.start - _NEAR)
        for column in range(first, bisect_right(places, rule.end + _NEAR)):
            if down[column].start - _NEAR <= rule.at <= down[column].end + _NEAR:
                yield row, column


def _edges(across: Sequence[DrawnLine], down: Sequence[DrawnLine]) -> list[float]:
    """The places where columns begin and end: vertical lines, and ends of horizontal ones."""
    edges: list[float] = []
    for rule in down:
        if not edges or rule.at - edges[-1] > _NEAR:
            edges.append(rule.at)
    left, right = min(rule.start for rule in across), max(rule.end for rule in across)
    if edges[0] - left > _NARROWEST:
        edges.insert(0, left)
    if right - edges[-1] > _NARROWEST:
        edges.append(right)
    return edges


def _is_inside(word: Word, box: Box) -> bool:
    across, up = (word.box.left + word.box.right) / 2, (word.box.bottom + word.box.top) / 2
    return box.left <= across <= box.right and box.bottom <= up <= box.top
