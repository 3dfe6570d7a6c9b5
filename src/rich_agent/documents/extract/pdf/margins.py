"""Leaves out what stands on pages only to find them: running heads, page numbers, contents."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rich_agent.documents.extract.pdf.lines import Line

_ENTRY = re.compile(
    r"(?<![.\u2026\u00b7])(?<![.\u2026\u00b7] )(?:[.\u2026\u00b7] ?){5,}+"
    r"\s*+(\d{1,4}|[ivxlcdm]{1,9})\Z",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_FEW_PAGES = 3
_FEW_ENTRIES = 3


class _Entry(NamedTuple):
    """A line in which dots lead from a title to a number."""

    line: Line
    title: str
    """Its letters."""
    number: str


def without_margins(pages: Sequence[Sequence[Line]]) -> Iterator[list[Line]]:
    """The pages without running heads, page numbers and tables of contents.

    A line is a running head if many pages have it first or last, or if most pages have it near the
    top or the bottom. Its numbers may differ. Lines that were filled in, or have remarks, are kept.
    """
    outermost_counts = Counter(chain.from_iterable(_patterns(_edges(lines, 1)) for lines in pages))
    edge_counts = Counter(chain.from_iterable(_patterns(_edges(lines, 3)) for lines in pages))
    many_pages, most_pages = max(_FEW_PAGES, len(pages) // 20), max(_FEW_PAGES, len(pages) // 2)
    contents = _contents(pages)
    for lines in pages:
        running_heads = {
            line for line in _edges(lines, 1) if outermost_counts[_pattern(line)] >= many_pages
        }
        running_heads |= {
            line for line in _edges(lines, 3) if edge_counts[_pattern(line)] >= most_pages
        }
        yield [
            line
            for line in lines
            if line.is_filled
            or line.remarks
            or (line not in running_heads and line not in contents)
        ]


def _contents(pages: Sequence[Sequence[Line]]) -> set[Line]:
    """The lines of tables of contents: dots lead to numbers that rise, and to titles in the text.

    Dots also lead to prices, and to what is filled in a form.
    """
    entries = [
        _Entry(line, _letters(line.text[: match.start()]), match[1])
        for line in chain.from_iterable(pages)
        if (match := _ENTRY.search(line.text))
    ]
    if len(entries) < _FEW_ENTRIES:
        return set()
    contents = {entry.line for entry in entries}
    lines = chain.from_iterable(pages)
    titles = {_letters(line.text) for line in lines if line not in contents} - {""}
    return {
        entry.line
        for run in _rising_runs(entries)
        if len(run) >= _FEW_ENTRIES and 2 * sum(e.title in titles for e in run) >= len(run)
        for entry in run
    }


def _rising_runs(entries: Sequence[_Entry]) -> Iterator[list[_Entry]]:
    """The entries, parted where a number is lower than the one before."""
    run: list[_Entry] = []
    for entry in entries:
        if run and _page_number(entry.number) < _page_number(run[-1].number):
            yield run
            run = []
        run.append(entry)
    yield run


def _page_number(text: str) -> int:
    """The page that a contents line names; 0 for those in Roman numerals, which come first."""
    return int(text) if text.isdigit() else 0


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(text)).lower()


def _edges(lines: Sequence[Line], count: int) -> Sequence[Line]:
    """The `count` highest and the `count` lowest lines of a page."""
    by_height = sorted(lines, key=lambda line: line.bottom)
    return [*by_height[:count], *by_height[-count:]]


def _patterns(lines: Sequence[Line]) -> set[str]:
    return set(map(_pattern, lines))


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text)
